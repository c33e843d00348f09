import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldText } from './fields.ts';

test('the data of an event is text for people, without the signs of JSON', () => {
  assert.equal(fieldText({ state: 'on', source: 'command' }), 'state on, source command');
  assert.equal(
    fieldText({ added: 2, records: [{ ip: '203.0.113.10', record: 'a.net' }, { ip: '203.0.113.11' }] }),
    'added 2, records (ip 203.0.113.10, record a.net; ip 203.0.113.11)',
  );
  assert.equal(fieldText({}), '');
});
