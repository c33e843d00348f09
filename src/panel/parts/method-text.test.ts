import assert from 'node:assert/strict';
import { test } from 'node:test';
import { methodText } from './method-text.ts';

test('methods of payments have names, and those that the provider invented keep theirs', () => {
  assert.deepEqual(['sepa', 'stripe', 'cash-desk'].map(methodText), ['SEPA direct debit', 'Stripe', 'cash-desk']);
});
