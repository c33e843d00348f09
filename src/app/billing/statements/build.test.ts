// Account statements add up, however a time is divided into periods.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import type { Book } from '#store/billing/tables.ts';
import { buildStatement, type StatementEntry } from './build.ts';

const entry = (
  at: number,
  kind: string,
  reference: string,
  debit: Book,
  credit: Book,
  amount_cents: number,
): StatementEntry => ({ at, kind, reference, debit, credit, amount_cents });

describe('an account statement', () => {
  it('has one line for an invoice, a payment and a refund, and none for credit that is used', () => {
    const { lines, chargedCents, settledCents, closingCents } = buildStatement(-500, [
      entry(1, 'invoice', 'INV-1', 'receivable', 'revenue:Hosting', 10_000),
      entry(1, 'invoice', 'INV-1', 'receivable', 'tax', 2100),
      entry(1, 'invoice', 'INV-1', 'credit', 'receivable', 500),
      entry(2, 'payment', 'bank 7', 'paid:bank', 'receivable', 11_600),
      entry(2, 'payment', 'bank 7', 'paid:bank', 'credit', 400),
      entry(3, 'refund', 'r1', 'credit', 'paid:bank', 400),
      entry(4, 'credit', 'note', 'credit', 'receivable', 100),
    ]);
    assert.deepEqual(
      lines.map(({ kind, cents, balanceCents }) => [kind, cents, balanceCents]),
      [
        ['invoice', 12_100, 11_600],
        ['payment', -12_000, -400],
        ['refund', 400, 0],
      ],
    );
    assert.deepEqual([chargedCents, settledCents, closingCents], [12_500, 12_000, 0]);
  });

  it('closes with what the next one opens with', () => {
    const books = fc.constantFrom<Book>('receivable', 'credit', 'tax', 'paid:bank', 'revenue:Hosting', 'goodwill');
    const entries = fc.array(
      fc
        .record({
          at: fc.integer({ min: 0, max: 20 }),
          debit: books,
          credit: books,
          amount_cents: fc.integer({ min: 1 }),
        })
        .filter(({ debit, credit }) => debit !== credit)
        .map((part) => ({ ...part, kind: 'payment', reference: String(part.at % 3) })),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(entries, fc.integer(), fc.integer({ min: 0, max: 21 }), (all, opening, cut) => {
        const sorted = all.toSorted((left, right) => left.at - right.at);
        const whole = buildStatement(opening, sorted);
        const first = buildStatement(
          opening,
          sorted.filter(({ at }) => at < cut),
        );
        const second = buildStatement(
          first.closingCents,
          sorted.filter(({ at }) => at >= cut),
        );
        assert.equal(second.closingCents, whole.closingCents);
        assert.equal(whole.closingCents, opening + whole.chargedCents - whole.settledCents);
        assert.deepEqual([...first.lines, ...second.lines], whole.lines);
      }),
    );
  });
});
