// Switches, their ports that matter to customers, and whose they are.
import type { GeneratedAlways, Selectable } from 'kysely';
import type { Queries } from './store.ts';
import type { AccountId } from './tables.ts';

export interface SwitchTable {
  name: string;
  driver: string;
  /** The driver's settings as JSON, sealed: they hold a community or passwords. */
  settings: string;
  revision: number;
  next_poll_at: number;
  last_poll_at: number | null;
  /** What stood in the way of the last poll, null where nothing did. */
  poll_error: string | null;
}
export interface PortTable {
  /** Never given twice: the traffic of a port that is gone stays what it was. */
  id: GeneratedAlways<number>;
  switch: string;
  if_index: number;
  service_id: number | null;
  alias: string;
  speed: number;
}
export type SwitchRow = Selectable<SwitchTable>;
export type Port = Selectable<PortTable>;

export async function switchFind(queries: Queries, name: string): Promise<SwitchRow | undefined> {
  return queries.selectFrom('switches').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function switchPut(
  queries: Queries,
  wanted: Pick<SwitchRow, 'name' | 'driver' | 'settings'>,
): Promise<void> {
  const { name, ...changing } = wanted;
  await queries
    .insertInto('switches')
    .values({ name, ...changing, revision: 0, next_poll_at: 0, last_poll_at: null, poll_error: null })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({ ...changing, revision: set('switches.revision', '+', 1) })),
    )
    .execute();
}

export async function switchesToPoll(queries: Queries, now: number, limit: number): Promise<SwitchRow[]> {
  return queries
    .selectFrom('switches')
    .selectAll()
    .where('next_poll_at', '<=', now)
    .orderBy('next_poll_at')
    .limit(limit)
    .execute();
}

export async function switchPolled(
  queries: Queries,
  name: string,
  poll: Pick<SwitchRow, 'next_poll_at' | 'poll_error'> & { last_poll_at?: number },
): Promise<void> {
  await queries.updateTable('switches').set(poll).where('name', '=', name).execute();
}

export async function portPut(queries: Queries, port: Pick<Port, 'switch' | 'if_index' | 'service_id'>): Promise<void> {
  await queries
    .insertInto('ports')
    .values({ ...port, alias: '', speed: 0 })
    .onConflict((conflict) => conflict.columns(['switch', 'if_index']).doUpdateSet({ service_id: port.service_id }))
    .execute();
}

export async function portsOfSwitch(queries: Queries, name: string): Promise<Port[]> {
  return queries.selectFrom('ports').selectAll().where('switch', '=', name).orderBy('if_index').execute();
}

export async function portsOfService(queries: Queries, account: AccountId, service: number): Promise<Port[]> {
  return queries
    .selectFrom('ports')
    .innerJoin('services', 'services.id', 'ports.service_id')
    .selectAll('ports')
    .where('services.account_id', '=', account)
    .where('services.id', '=', service)
    .orderBy('ports.switch')
    .orderBy('ports.if_index')
    .execute();
}

/** What the switch itself says of a port, for when it does not answer. */
export async function portDescribe(queries: Queries, id: number, alias: string, speed: number): Promise<void> {
  await queries.updateTable('ports').set({ alias, speed }).where('id', '=', id).execute();
}
