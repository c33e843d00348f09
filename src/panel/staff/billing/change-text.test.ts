import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeText } from './change-text.ts';

test('a change of an amount has a sign and cents', () => {
  assert.deepEqual(
    [
      changeText('89.00', '89.00'),
      changeText('0.00', '1089.05'),
      changeText('1.10', '0.95'),
      changeText('-4.00', '4.00'),
    ],
    ['—', '+1,089.05', '−0.15', '+8.00'],
  );
});
