// Networks from which people and operators have signed in: an attack on their name does not slow them down there.
import { sql, type RawBuilder } from 'kysely';
import { insertNew, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { KnownNetworkTable } from './tables.ts';

export type NetworkHolder = Pick<KnownNetworkTable, 'account_id' | 'contact_id' | 'operator_id'>;

const keptMs = 90 * 86_400_000;

/** Records a sign-in, and drops the holder's networks that have not been used for long. */
export async function knownNetworkPut(
  queries: Queries,
  holder: NetworkHolder,
  network: string,
  now: number,
): Promise<void> {
  await queries
    .deleteFrom('known_networks')
    .where((row) => row.and({ ...holder }))
    .where((row) => row.or([row('network', '=', network), row('seen_at', '<', now - keptMs)]))
    .execute();
  await insertNew(queries, 'known_networks', { ...holder, network, seen_at: now }).execute();
}

/** Returns true if the holder has signed in before, but not from this network. */
export async function isUnfamiliarNetwork(queries: Queries, holder: NetworkHolder, network: string): Promise<boolean> {
  const rows = await selectWhere(queries, 'known_networks', holder).select('network').execute();
  return rows.length > 0 && !rows.some((row) => row.network === network);
}

/** 1 for a row of a person or an operator, in a query, who has signed in from this network. */
export function isKnownNetwork(holder: 'sign_ins' | 'operators', network: string): RawBuilder<number> {
  const isHolder =
    holder === 'operators'
      ? sql`known_networks.operator_id = operators.id`
      : sql`known_networks.account_id = sign_ins.account_id
          and known_networks.contact_id is not distinct from sign_ins.contact_id`;
  return sql<number>`case when exists (
    select 1 from known_networks where known_networks.network = ${network} and ${isHolder}) then 1 else 0 end`;
}
