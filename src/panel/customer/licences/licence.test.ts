// The names of licences as people read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { licenceName } from './licence.ts';

test('a licence is called without its kind of service, in words', () => {
  assert.equal(licenceName('DEDICATED_PANEL4_10_POWERPACK'), 'Panel4 10 Powerpack');
  assert.equal(licenceName('VPS_PANEL1'), 'Panel1');
  assert.equal(licenceName('SPECIAL'), 'Special');
});
