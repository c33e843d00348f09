// The ledger: every movement of money between two books, in cents. An entry takes from one book what it gives to the other, so
// the books balance by their very form; the database refuses to change or remove an entry.
//
// Books: `receivable` what the customer owes, `credit` what he has paid ahead, `revenue:…` by kind of line, `tax` and `tax2`,
// `paid:…` money by the way it came, `goodwill` what was given away, `opening` what an account brought along.
import type { GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { LineType } from '#contract/shapes/account.ts';
import { prepared, preparedRows } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export type Book =
  | 'receivable'
  | 'credit'
  | 'tax'
  | 'tax2'
  | 'goodwill'
  | 'opening'
  | `revenue:${LineType}`
  | `paid:${string}`;
export type EntryKind = 'opening' | 'invoice' | 'payment' | 'credit' | 'refund';

export interface LedgerTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  at: number;
  debit: Book;
  credit: Book;
  amount_cents: number;
  kind: EntryKind;
  invoice_id: number | null;
  reference: string;
}
export type LedgerEntry = Selectable<LedgerTable>;

export interface Movement {
  readonly debit: Book;
  readonly credit: Book;
  /** Below zero: the other way round. Zero: nothing is written. */
  readonly cents: number;
}
export interface Occasion {
  readonly at: number;
  readonly kind: EntryKind;
  readonly invoice?: number;
  readonly reference?: string;
}

const insert = preparedRows((queries: Queries, entries: readonly Insertable<LedgerTable>[]) =>
  queries.insertInto('ledger').values(
    entries.map(({ account_id, at, debit, credit, amount_cents, kind, invoice_id, reference }) => ({
      account_id,
      at,
      debit,
      credit,
      amount_cents,
      kind,
      invoice_id,
      reference,
    })),
  ),
);
export async function ledgerPost(
  queries: Queries,
  account: AccountId,
  occasion: Occasion,
  movements: readonly Movement[],
): Promise<void> {
  const entries = movements
    .filter(({ cents }) => cents !== 0)
    .map(({ debit, credit, cents }) => ({
      account_id: account,
      at: occasion.at,
      debit: cents > 0 ? debit : credit,
      credit: cents > 0 ? credit : debit,
      amount_cents: Math.abs(cents),
      kind: occasion.kind,
      invoice_id: occasion.invoice ?? null,
      reference: occasion.reference ?? '',
    }));
  if (entries.length > 0) await insert(queries, entries);
}

export async function ledgerList(queries: Queries, account: AccountId): Promise<LedgerEntry[]> {
  return queries.selectFrom('ledger').selectAll().where('account_id', '=', account).orderBy('id').execute();
}

const debitsOfBook = prepared((queries: Queries, values: { account: AccountId; book: Book }) =>
  queries
    .selectFrom('ledger')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('amount_cents'), select.lit(0)).as('cents'))
    .where('account_id', '=', values.account)
    .where('debit', '=', values.book),
);
const creditsOfBook = prepared((queries: Queries, values: { account: AccountId; book: Book }) =>
  queries
    .selectFrom('ledger')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('amount_cents'), select.lit(0)).as('cents'))
    .where('account_id', '=', values.account)
    .where('credit', '=', values.book),
);

/** What stands in one book of the account: debits less credits. */
export async function ledgerSum(queries: Queries, account: AccountId, book: Book): Promise<number> {
  const [debits] = await debitsOfBook(queries, { account, book });
  const [credits] = await creditsOfBook(queries, { account, book });
  return debits!.cents - credits!.cents;
}

/** What the customer has paid ahead. */
export async function creditOf(queries: Queries, account: AccountId): Promise<number> {
  return 0 - (await ledgerSum(queries, account, 'credit'));
}

export async function refundKnown(
  queries: Queries,
  account: AccountId,
  book: Book,
  reference: string,
): Promise<boolean> {
  const row = await queries
    .selectFrom('ledger')
    .select('id')
    .where('account_id', '=', account)
    .where('credit', '=', book)
    .where('kind', '=', 'refund')
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row !== undefined;
}
