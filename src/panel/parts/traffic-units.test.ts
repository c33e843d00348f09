import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setCatalogue } from '../text/text.ts';
import { decimalText } from './traffic-units.ts';

afterEach(() => setCatalogue('en', {}));

test('measured values have the decimal sign of the language', () => {
  assert.equal(decimalText('307.2 MB / 1024 MB'), '307.2 MB / 1024 MB');
  setCatalogue('de', {});
  assert.equal(decimalText('307.2 MB / 1024 MB'), '307,2 MB / 1024 MB');
});
