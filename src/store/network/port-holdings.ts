// Which service had which switch port when. A port passes from customer to customer with its server; its traffic does not.
import { sql, type Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { PortHoldingTable, PortTable } from './tables.ts';

export type HeldPort = Selectable<PortTable> & Pick<Selectable<PortHoldingTable>, 'held_from' | 'held_until'>;

/**
 * Ends the holdings of ports that no longer belong to their service, and begins those that are missing. What was measured before
 * a port's first holding belongs to its first holder.
 */
export async function portHoldingsSync(queries: Queries, now: number): Promise<void> {
  await sql`update port_holdings set held_until = ${now} where held_until is null and not exists (
    select 1 from ports where ports.id = port_holdings.port_id and ports.service_id = port_holdings.service_id)`.execute(
    queries,
  );
  await sql`insert into port_holdings (port_id, service_id, held_from, held_until)
    select ports.id, ports.service_id, case when exists (select 1 from port_holdings as earlier
      where earlier.port_id = ports.id) then cast(${now} as bigint) else 0 end, null from ports
    where ports.service_id is not null and not exists (select 1 from port_holdings as current
      where current.port_id = ports.id and current.held_until is null)`.execute(queries);
}

/** Returns the ports that the service has or had. The description of one that it no longer has is the next customer's. */
export async function portsHeldBy(queries: Queries, account: AccountId, service: number): Promise<HeldPort[]> {
  const rows = await queries
    .selectFrom('port_holdings')
    .innerJoin('ports', 'ports.id', 'port_holdings.port_id')
    .innerJoin('services', 'services.id', 'port_holdings.service_id')
    .selectAll('ports')
    .select(['port_holdings.held_from', 'port_holdings.held_until'])
    .where('services.account_id', '=', account)
    .where('services.id', '=', service)
    .orderBy('ports.switch')
    .orderBy('ports.if_index')
    .orderBy('port_holdings.held_from')
    .execute();
  return rows.map((port) => (port.held_until === null ? port : { ...port, alias: '', speed: 0 }));
}
