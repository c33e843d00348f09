// The ledger: every movement of money between two books, in cents. Each entry debits one book and credits another by
// the same amount, so the books always balance; the database rejects changes to entries. Books: `receivable` is what
// the customer owes, `credit` what they have prepaid, `revenue:…` revenue by kind of line, `tax` and `tax2` taxes,
// `paid:…` money by payment method, `refunds` what is on its way to the customer, `goodwill` what was given away,
// `written-off` what customers owed and will not pay, `opening` the opening balance.
import type { Insertable, Selectable } from 'kysely';
import { prepared, preparedRows } from '../engine/prepared.ts';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { NewestPage } from './invoices.ts';
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

/** The books whose sum is what the customer owes. */
const customerBooks = ['receivable', 'credit'] as const satisfies readonly Book[];

/** Returns what the customer owed before this time; negative if they had prepaid. */
export async function owedBefore(queries: Queries, account: AccountId, time: number): Promise<number> {
  const sumOf = async (side: 'debit' | 'credit'): Promise<number> => {
    const { cents } = await selectWhere(queries, 'ledger', { account_id: account })
      .select((select) => select.fn.coalesce(select.fn.sum<number>('amount_cents'), select.lit(0)).as('cents'))
      .where(side, 'in', customerBooks)
      .where('at', '<', time)
      .executeTakeFirstOrThrow();
    return Number(cents);
  };
  return (await sumOf('debit')) - (await sumOf('credit'));
}

/** Returns the first entries of this time on, in order, that change what the customer owes or move it between books. */
export async function ledgerBetween(
  queries: Queries,
  account: AccountId,
  { from, until, limit }: { readonly from: number; readonly until: number; readonly limit: number },
): Promise<LedgerEntry[]> {
  return selectWhere(queries, 'ledger', { account_id: account })
    .selectAll()
    .where('at', '>=', from)
    .where('at', '<', until)
    .where((where) => where.or([where('debit', 'in', customerBooks), where('credit', 'in', customerBooks)]))
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns true if anything was ever booked on the account. */
export async function hasLedgerEntries(queries: Queries, account: AccountId): Promise<boolean> {
  const first = await selectWhere(queries, 'ledger', { account_id: account }).select('id').limit(1).executeTakeFirst();
  return first !== undefined;
}

/** Returns a page of the account's entries with the numbers of their invoices, newest first. */
export async function ledgerPage(
  queries: Queries,
  account: AccountId,
  { limit, before }: NewestPage,
): Promise<(LedgerEntry & { readonly number: string | null })[]> {
  let query = queries
    .selectFrom('ledger')
    .leftJoin('invoices', 'invoices.id', 'ledger.invoice_id')
    .selectAll('ledger')
    .select('invoices.number')
    .where('ledger.account_id', '=', account);
  if (before !== undefined) query = query.where('ledger.id', '<', before);
  return query.orderBy('ledger.id', 'desc').limit(limit).execute();
}

/** Returns what is written off of each invoice and was not paid since, the oldest invoice first. */
export async function writtenOffInvoices(
  queries: Queries,
  account: AccountId,
): Promise<{ readonly id: number; readonly cents: number }[]> {
  const sums = (side: 'debit' | 'credit') =>
    selectWhere(queries, 'ledger', { account_id: account, [side]: 'written-off' })
      .select(['invoice_id', (select) => select.fn.sum<number>('amount_cents').as('cents')])
      .groupBy('invoice_id')
      .orderBy('invoice_id')
      .execute();
  const written = await sums('debit');
  if (written.length === 0) return [];
  const recovered = new Map((await sums('credit')).map(({ invoice_id, cents }) => [invoice_id, cents]));
  return written
    .map(({ invoice_id, cents }) => ({ id: invoice_id!, cents: cents - (recovered.get(invoice_id) ?? 0) }))
    .filter(({ cents }) => cents > 0);
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

/** Returns the invoices that were issued with credit, the newest first. Those that were imported had used other credit. */
export async function creditUses(queries: Queries, account: AccountId): Promise<{ readonly invoice_id: number }[]> {
  const uses = selectWhere(queries, 'ledger', { account_id: account, debit: 'credit', credit: 'receivable' });
  return uses
    .select((select) => select.ref('invoice_id').$notNull().as('invoice_id'))
    .where('kind', '=', 'invoice')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns true if money has been taken from this book, on an occasion of this kind and reference. */
export async function isWithdrawalRecorded(
  queries: Queries,
  account: AccountId,
  book: Book,
  { kind, reference }: { readonly kind: EntryKind; readonly reference: string },
): Promise<boolean> {
  const entries = selectWhere(queries, 'ledger', { account_id: account, credit: book, kind, reference });
  return (await entries.select('id').executeTakeFirst()) !== undefined;
}

export async function isRefundRecorded(
  queries: Queries,
  account: AccountId,
  book: Book,
  reference: string,
): Promise<boolean> {
  return isWithdrawalRecorded(queries, account, book, { kind: 'refund', reference });
}
