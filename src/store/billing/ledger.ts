// The ledger: every movement of money between two books, in cents. Each entry debits one book and credits another by
// the same amount, so the books always balance; the database rejects changes to entries. Books: `receivable` is what
// the customer owes, `credit` what they have prepaid, `revenue:…` revenue by kind of line, `tax` and `tax2` taxes,
// `paid:…` money by payment method, `goodwill` what was given away, `opening` the opening balance.
import type { Insertable, Selectable } from 'kysely';
import { prepared, preparedRows } from '../engine/prepared.ts';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { Book, EntryKind, LedgerTable } from './tables.ts';

export type LedgerEntry = Selectable<LedgerTable>;

export interface Movement {
  readonly debit: Book;
  readonly credit: Book;
  /** A negative amount swaps debit and credit; zero writes nothing. */
  readonly cents: number;
}
export interface Occasion {
  readonly at: number;
  readonly kind: EntryKind;
  readonly invoice?: number;
  readonly reference?: string;
}

const insert = preparedRows((queries: Queries, entries: readonly Insertable<LedgerTable>[]) =>
  queries.insertInto('ledger').values(entries),
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

const sumBySide = (side: 'debit' | 'credit') =>
  prepared((queries: Queries, values: { account: AccountId; book: Book }) =>
    selectWhere(queries, 'ledger', { account_id: values.account, [side]: values.book }).select((select) =>
      select.fn.coalesce(select.fn.sum<number>('amount_cents'), select.lit(0)).as('cents'),
    ),
  );
const debitsOfBook = sumBySide('debit');
const creditsOfBook = sumBySide('credit');

/** Returns the balance of one book of the account: debits minus credits. */
export async function ledgerSum(queries: Queries, account: AccountId, book: Book): Promise<number> {
  const [debits] = await debitsOfBook(queries, { account, book });
  const [credits] = await creditsOfBook(queries, { account, book });
  return debits!.cents - credits!.cents;
}

/** Returns the customer's prepaid credit. */
export async function creditOf(queries: Queries, account: AccountId): Promise<number> {
  return 0 - (await ledgerSum(queries, account, 'credit'));
}

export async function isRefundRecorded(
  queries: Queries,
  account: AccountId,
  book: Book,
  reference: string,
): Promise<boolean> {
  const refunds = selectWhere(queries, 'ledger', { account_id: account, credit: book, kind: 'refund', reference });
  return (await refunds.select('id').executeTakeFirst()) !== undefined;
}
