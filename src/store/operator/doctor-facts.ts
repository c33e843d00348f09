// Queries of `hostyard doctor`: sealed values, impossible times, ledger differences and pending work.
import { sql } from 'kysely';
import { countRows, selectWhere } from '../engine/rows.ts';
import { serverOutlets } from '../devices/servers.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';

export interface SealedValue {
  readonly kind:
    | 'server'
    | 'switch'
    | 'pdu'
    | 'node'
    | 'router'
    | 'detector'
    | 'payment hook'
    | 'webhook'
    | 'licence'
    | 'zone key'
    | 'TSIG key';
  readonly name: string;
  readonly sealed: string;
}

export async function sealedValues(queries: Queries): Promise<SealedValue[]> {
  const values: SealedValue[] = [];
  const keep = (kind: SealedValue['kind'], rows: readonly { name: string | number; sealed: string | null }[]): void => {
    for (const { name, sealed } of rows) if (sealed !== null) values.push({ kind, name: String(name), sealed });
  };
  keep('server', await queries.selectFrom('servers').select(['name', 'bmc_settings as sealed']).execute());
  for (const [kind, table] of [
    ['switch', 'switches'],
    ['pdu', 'pdus'],
    ['node', 'nodes'],
    ['router', 'routers'],
    ['detector', 'detectors'],
  ] as const)
    keep(kind, await queries.selectFrom(table).select(['name', 'settings as sealed']).execute());
  keep('payment hook', await queries.selectFrom('payment_hooks').select(['name', 'secret as sealed']).execute());
  keep('webhook', await queries.selectFrom('webhooks').select(['id as name', 'secret as sealed']).execute());
  keep('licence', await queries.selectFrom('licences').select(['id as name', 'licence_key as sealed']).execute());
  const zoneKeys = await queries.selectFrom('zone_keys').select(['zone_id', 'key_tag', 'private_key']).execute();
  keep(
    'zone key',
    zoneKeys.map(({ zone_id, key_tag, private_key: sealed }) => ({ name: `${zone_id} ${key_tag}`, sealed })),
  );
  keep(
    'TSIG key',
    (await tsigSecrets(queries)).map(({ printable_id: name, tsig_secret: sealed }) => ({ name, sealed })),
  );
  return values;
}

/** Returns the TSIG keys of customers that are not deleted. */
export async function tsigSecrets(queries: Queries) {
  return selectWhere(queries, 'keys', { kind: 'tsig', revoked_at: null })
    .select(['printable_id', 'tsig_algorithm', 'tsig_secret'])
    .execute();
}

/** Returns the latest time that was recorded, by the clock of whoever recorded it. */
export async function latestTime(queries: Queries): Promise<number> {
  const latest = await queries
    .selectNoFrom((select) => [
      select
        .selectFrom('audit')
        .select((row) => row.fn.max('at').as('at'))
        .as('audit'),
      select
        .selectFrom('events')
        .select((row) => row.fn.max('at').as('at'))
        .as('events'),
    ])
    .executeTakeFirstOrThrow();
  return Math.max(latest.audit ?? 0, latest.events ?? 0);
}

/** Returns accounts whose ledger balance differs from their open invoices. */
export async function ledgerDifferences(
  queries: Queries,
): Promise<{ account: AccountId; ledger: number; invoices: number }[]> {
  const { rows } = await sql<{ account: AccountId; ledger: number; invoices: number }>`
select account, sum(owed) as ledger, sum(open) as invoices from (
  select account_id as account, case when debit = 'receivable' then amount_cents else -amount_cents end as owed, 0 as open
    from ledger where debit = 'receivable' or credit = 'receivable'
  union all
  select account_id, 0, total_cents - (select coalesce(sum(amount_cents), 0) from payments
    where payments.invoice_id = invoices.id) from invoices where status = 'Unpaid'
) as books group by account having sum(owed) <> sum(open) order by account`.execute(queries);
  return rows;
}

export async function addressRequestsWaiting(queries: Queries): Promise<number> {
  return countRows(selectWhere(queries, 'netblock_requests', { status: 'Pending' }));
}

export async function equipmentNames(queries: Queries, table: 'servers' | 'switches' | 'nodes'): Promise<string[]> {
  const rows = await queries.selectFrom(table).select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

/** Returns the outlets that servers are plugged into, by the name of their power strip. */
export async function outletsByPdu(
  queries: Queries,
): Promise<ReadonlyMap<string, { server: string; outlet: string }[]>> {
  const rows = await selectWhere(queries, 'servers', { removed_at: null })
    .select(['name', 'outlets'])
    .where('outlets', '!=', '[]')
    .orderBy('name')
    .execute();
  const outlets = rows.flatMap(({ name: server, outlets }) =>
    serverOutlets.decode(outlets).map((outlet) => ({ server, ...outlet })),
  );
  return Map.groupBy(outlets, ({ pdu }) => pdu);
}

/** Returns the servers that can boot over the network, from any address. */
export async function serversWithoutBootAddress(queries: Queries): Promise<string[]> {
  const rows = await selectWhere(queries, 'servers', { boot_address: null, removed_at: null })
    .select('name')
    .where((where) =>
      where.or([
        where('uuid', 'is not', null),
        where.exists(where.selectFrom('server_macs').select('mac').whereRef('server_macs.server', '=', 'servers.name')),
      ]),
    )
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
