// The few words that stand for the scopes of a key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeGroups, scopeNames } from '#contract/scopes.ts';
import { grantText } from './grant-text.ts';

test('all scopes are everything, by the name of the group or one by one', () => {
  assert.equal(grantText(['all']), 'Everything');
  assert.equal(grantText(scopeNames), 'Everything');
});

test('the scopes that only read are told apart from as many others', () => {
  assert.equal(grantText(['read-only']), 'See everything');
  const count = scopeGroups['read-only'].length;
  const others = [...scopeNames].reverse().slice(0, count);
  assert.equal(grantText(others), `${count} scopes`);
});

test('a single scope stands there itself, and a group and one of its scopes count once', () => {
  assert.equal(grantText(['dns:write']), 'dns:write');
  assert.equal(grantText(['read-only', 'dns:read']), 'See everything');
});
