// Reads and erases the rows of an account in any table, as the rules say. Both work in pages, so that the largest
// account needs as little memory and as short transactions as a small one.
import { sql, type RawBuilder } from 'kysely';
import type { AccountId } from '../account-id.ts';
import type { Queries, Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { ArchiveRule, ErasureRule, Scope } from './rule.ts';
import { tableRules } from './rules.ts';

export type TableName = keyof Tables;
export type Row = Readonly<Record<string, unknown>>;

const rowsPerPage = 500;
/** The rows of tables without a key are a few per contact. */
const maxRowsWithoutKey = 20_000;

/** Tables whose rows are found through others, with an account column that must match as well. */
const withAccount = new Set<TableName>([
  'invoice_lines',
  'invoice_parties',
  'invoice_taxes',
  'invoice_exchanges',
  'invoice_notices',
  'device_images',
  'image_uploads',
  'attacks',
  'nullroutes',
]);

function whereOf(table: TableName, scope: Scope, account: AccountId): RawBuilder<unknown> {
  const own = withAccount.has(table) ? sql` and account_id = ${account}` : sql``;
  const services = sql`(select id from services where account_id = ${account})`;
  const attacks = sql`(select id from attacks where service_id in ${services} and account_id = ${account})`;
  switch (scope) {
    case 'account':
      return sql`${sql.ref(table === 'accounts' ? 'id' : 'account_id')} = ${account}`;
    case 'service':
      return sql`service_id in ${services}${own}`;
    case 'invoice':
      return sql`invoice_id in (select id from invoices where account_id = ${account})${own}`;
    case 'zone':
      return sql`zone_id in (select id from zones where account_id = ${account})`;
    case 'reload':
      return sql`reload_id in (select id from reloads where account_id = ${account})`;
    case 'attack':
      return sql`attack_id in ${attacks}`;
    case 'former account':
      return sql`(account_id = ${account} or former_account_id = ${account})`;
  }
}

/** The tables that the archive of an account has files of. */
export const archivedTables = (Object.keys(tableRules) as TableName[]).flatMap((table) => {
  const { archive } = tableRules[table];
  return 'file' in archive ? [{ table, ...(archive as ArchiveRule<TableName>) }] : [];
});
export type ArchivedTable = (typeof archivedTables)[number];

/** Yields the rows of the account page by page, in the order of their key, without the hidden columns. */
export async function* accountRows(
  queries: Queries,
  { table, scope = 'account', key = [], hidden = [], ofStaff }: ArchivedTable,
  account: AccountId,
): AsyncGenerator<Row[]> {
  const columns: readonly string[] = key;
  const own = ofStaff === undefined ? sql`` : sql` and ${sql.ref(ofStaff)} is null`;
  const where = sql`${whereOf(table, scope, account)}${own}`;
  const order = columns.length === 0 ? sql`` : sql` order by ${sql.join(columns.map((column) => sql.ref(column)))}`;
  const limit = columns.length === 0 ? maxRowsWithoutKey : rowsPerPage;
  let after = sql``;
  for (;;) {
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} where ${where}${after}${order} limit ${limit}`.execute(queries);
    if (rows.length > 0)
      yield rows.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !(hidden as readonly string[]).includes(column))),
      );
    const last = rows.at(-1);
    if (last === undefined || columns.length === 0 || rows.length < limit) return;
    const names = sql.join(columns.map((column) => sql.ref(column)));
    after = sql` and (${names}) > (${sql.join(columns.map((column) => last[column]))})`;
  }
}

/** In the order in which rows refer to each other: those that refer to others come first. */
const erasureOrder: readonly TableName[] = [
  'console_sessions',
  'console_tickets',
  'screen_sessions',
  'deliveries',
  'mails',
  'idempotency',
];
const erasedTables = (['delete', 'blank'] as const)
  .flatMap((act) => tablesWith(act))
  .filter((table) => table !== 'accounts');
export const tablesToErase: readonly TableName[] = [
  ...erasureOrder,
  ...erasedTables.filter((table) => !erasureOrder.includes(table) && table !== 'contacts'),
  // Keys and second factors refer to them.
  'contacts',
];
/** What tax law requires, in the order in which it is deleted in the end. */
export const tablesToPurge: readonly TableName[] = [
  'charges',
  'sepa_entries',
  'sepa_orders',
  'sepa_mandates',
  'payment_refunds',
  'payment_charges',
  'ledger',
  'payments',
  'receipts',
  'invoice_lines',
  'invoice_parties',
  'invoice_taxes',
  'invoice_deliveries',
  'invoice_exchanges',
  'tax_evidence',
  'vat_checks',
  'invoices',
  'service_terms',
];

export function tablesWith(act: ErasureRule<TableName>['do']): TableName[] {
  return (Object.keys(tableRules) as TableName[]).filter((table) => tableRules[table].erasure.do === act);
}

/** Erases what the rule of the table says. Repeating it does nothing. */
export async function eraseTable(store: Store, table: TableName, account: AccountId): Promise<void> {
  const rule = tableRules[table].erasure as ErasureRule<TableName>;
  const where = 'scope' in rule ? whereOf(table, rule.scope ?? 'account', account) : whereOf(table, 'account', account);
  if (rule.do === 'delete') await changeInPages(store, table, where, sql`delete from ${sql.table(table)}`);
  else if (rule.do === 'blank') await changeInPages(store, table, ...blank(table, where, rule.set));
  else throw new Error(`nothing is erased in ${table}`);
}

/** The account's own row, which is erased last, in the transaction that records the erasure. */
export async function eraseAccountRow(queries: Queries, account: AccountId): Promise<void> {
  const rule = tableRules.accounts.erasure;
  if (rule.do !== 'blank') return;
  const [where, change] = blank('accounts', whereOf('accounts', 'account', account), rule.set);
  await sql`${change} where ${where}`.execute(queries);
}

export function purgeTable(store: Store, table: TableName, account: AccountId): Promise<void> {
  return changeInPages(store, table, whereOf(table, 'account', account), sql`delete from ${sql.table(table)}`);
}

type Sql = RawBuilder<unknown>;

/** Returns which rows still have to be changed, and the change. */
function blank(table: TableName, where: Sql, set: Row): [where: Sql, change: Sql] {
  const columns = Object.entries(set).map(([column, value]) => [sql.ref(column), value] as const);
  const values = sql.join(columns.map(([column, value]) => sql`${column} = ${value}`));
  const differs = columns.map(([column, value]) =>
    value === null ? sql`${column} is not null` : sql`${column} <> ${value}`,
  );
  return [sql`${where} and (${sql.join(differs, sql` or `)})`, sql`update ${sql.table(table)} set ${values}`];
}

function ownRowId({ engine }: Store): string {
  return engine === 'sqlite' ? 'rowid' : 'ctid';
}

/** In several transactions, because other changes wait for a long one. */
async function changeInPages(store: Store, table: TableName, where: Sql, change: Sql): Promise<void> {
  // SQLite stores events without row ids.
  const row = sql.ref(table === 'events' ? 'sequence' : table === 'invoices' ? 'id' : ownRowId(store));
  // The newest first: a credit note refers to an earlier invoice.
  const page = sql`${row} in (select ${row} from ${sql.table(table)} where ${where} order by ${row} desc limit ${rowsPerPage})`;
  for (;;) {
    const { numAffectedRows } = await store.transaction((queries) =>
      sql`${change} where ${where} and ${page}`.execute(queries),
    );
    if (Number(numAffectedRows ?? 0) < rowsPerPage) return;
  }
}
