// Zones of an account with their SOA, which has the serial, and whether the built-in name server signs them.
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';

const soaType = 6;
const summariesOf = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .selectFrom('zones')
    .innerJoin('records', (join) =>
      join
        .onRef('records.zone_id', '=', 'zones.id')
        .onRef('records.path', '=', 'zones.path')
        .on('records.type', '=', soaType),
    )
    .leftJoin('signed_zones', 'signed_zones.zone_id', 'zones.id')
    .select(['zones.id', 'zones.name', 'records.rdata', 'signed_zones.zone_id as signed'])
    .where('zones.account_id', '=', values.account)
    .orderBy('zones.id'),
);
export async function zoneSummaries(queries: Queries, account: AccountId) {
  return summariesOf(queries, { account });
}
