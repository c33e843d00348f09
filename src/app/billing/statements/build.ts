// Builds an account statement from ledger entries. The balance is the sum of the books `receivable` and
// `credit`; an entry between the two changes nothing and does not appear.
import type { Book } from '#store/billing/tables.ts';

export interface StatementEntry {
  readonly at: number;
  readonly kind: string;
  readonly reference: string;
  readonly debit: Book;
  readonly credit: Book;
  readonly amount_cents: number;
}

export interface StatementLine {
  readonly at: number;
  readonly kind: string;
  readonly reference: string;
  readonly cents: number;
  /** Balance after this entry. */
  readonly balanceCents: number;
}

export interface StatementSums {
  readonly lines: readonly StatementLine[];
  readonly chargedCents: number;
  readonly settledCents: number;
  readonly closingCents: number;
}

/** `entries` are in order. Those of one occasion, such as the lines and taxes of an invoice, become one line. */
export function buildStatement(openingCents: number, entries: readonly StatementEntry[]): StatementSums {
  const occasions = Map.groupBy(entries, ({ at, kind, reference }) => JSON.stringify([at, kind, reference]));
  let balanceCents = openingCents;
  const lines = [...occasions.values()].flatMap((group): StatementLine[] => {
    const { at, kind, reference } = group[0]!;
    const cents = group.reduce((sum, entry) => sum + owedCents(entry), 0);
    balanceCents += cents;
    return cents === 0 ? [] : [{ at, kind, reference, cents, balanceCents }];
  });
  const sumOf = (sign: 1 | -1): number =>
    lines.reduce((sum, { cents }) => (Math.sign(cents) === sign ? sum + Math.abs(cents) : sum), 0);
  return { lines, chargedCents: sumOf(1), settledCents: sumOf(-1), closingCents: balanceCents };
}

/** Returns by how much an entry changes what the customer owes. */
function owedCents({ debit, credit, amount_cents }: StatementEntry): number {
  const isOwed = (book: Book): number => (book === 'receivable' || book === 'credit' ? amount_cents : 0);
  return isOwed(debit) - isOwed(credit);
}
