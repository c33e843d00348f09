import assert from 'node:assert/strict';
import { test } from 'node:test';
import { licenceName } from './licence-name.ts';

test('a licence name leaves out the service type and is written in words', () => {
  assert.equal(licenceName('DEDICATED_PANEL4_10_POWERPACK'), 'Panel4 10 Powerpack');
  assert.equal(licenceName('VPS_PANEL1'), 'Panel1');
  assert.equal(licenceName('SPECIAL'), 'Special');
});
