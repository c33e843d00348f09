import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as p from '#contract/parameters.ts';
import { setCatalogue } from '#text/text.ts';
import { reasonOf } from '#test/support/resource-parameters.ts';
import { fieldErrorText } from './field-errors.ts';

test('an error about a field says what to enter, in the language of the panel', (context) => {
  context.after(() => setCatalogue('en', {}));
  assert.equal(fieldErrorText('must be text of 1 to 64 characters'), 'Enter 1 to 64 characters.');
  assert.equal(fieldErrorText('must be known equipment, unlike nobody'), 'must be known equipment, unlike nobody');
  setCatalogue('de', { 'Enter a number from {min} to {max}.': 'Geben Sie eine Zahl von {min} bis {max} ein.' });
  assert.equal(fieldErrorText('must be a whole number from 1 to 90'), 'Geben Sie eine Zahl von 1 bis 90 ein.');
});

test('the types of the contract that people fill in have one', () => {
  const types = [p.Email, p.Text(), p.Whole(1, 9), p.IpAddress, p.DomainName, p.RecordName, p.CountryCode];
  for (const type of types) {
    const reason = reasonOf(type);
    assert.notEqual(fieldErrorText(reason), reason);
  }
});
