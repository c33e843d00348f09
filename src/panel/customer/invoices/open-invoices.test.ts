import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditOf } from './open-invoices.ts';

test('open invoices less the credit are the balance', () => {
  const invoices = [
    { status: 'Overdue', balance: '68.58' },
    { status: 'Unpaid', balance: '130.69' },
    { status: 'Paid', balance: '0.00' },
  ] as const;
  assert.equal(creditOf(invoices, '194.27'), '5.00');
  assert.equal(creditOf(invoices, '199.27'), '0.00');
  assert.equal(creditOf([], '-5.00'), '5.00');
  assert.equal(creditOf([], '0.05'), '-0.05');
});
