// Finds who held each of many addresses at a given time, in few queries.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';
import type { NetblockHolding } from './netblock-holdings.ts';

export interface HeldAddress {
  /** In sortable form. */
  readonly address: string;
  readonly at: number;
}

/** Returns the holders in the order of the addresses; undefined if nobody held one. */
export async function holdersAt(
  queries: Queries,
  addresses: readonly HeldAddress[],
): Promise<(NetblockHolding | undefined)[]> {
  if (addresses.length === 0) return [];
  // Written as SQL, because a query builder takes longer for many addresses than the database.
  const asked = sql.join(
    addresses.map(
      ({ address, at }, index) => sql`(cast(${index} as integer), cast(${address} as text), cast(${at} as bigint))`,
    ),
  );
  const { rows } = await sql<NetblockHolding & { readonly question: number }>`
    with asked (question, address, at) as (values ${asked})
    select asked.question, held.* from asked join netblock_holdings as held on held.id = (
      select id from netblock_holdings
      where first <= asked.address and last >= asked.address
        and held_from <= asked.at and (held_until is null or held_until > asked.at)
      order by id desc limit 1)`.execute(queries);
  const byQuestion = new Map(rows.map(({ question, ...holding }) => [question, holding]));
  return addresses.map((_, index) => byQuestion.get(index));
}

/** Returns what each service runs on: the name of its server, or the number of its virtual machine. */
export async function devicesOf(queries: Queries, services: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (services.length === 0) return new Map();
  const rows = await queries
    .selectFrom('services')
    .select(['id', 'server', 'vmid'])
    .where('id', 'in', services)
    .execute();
  return new Map(rows.map(({ id, server, vmid }) => [id, server ?? String(vmid ?? '')]));
}
