// Servers and virtual machines as operators list them, with their services.
import type { Queries } from '../store.ts';

/** Lists the servers after this one by name, or only one. */
export async function serverListAll(queries: Queries, after: string, limit: number, only?: string) {
  return queries
    .selectFrom('servers')
    .leftJoin('services', 'services.server', 'servers.name')
    .select([
      'servers.name',
      'servers.alias',
      'servers.bmc_model',
      'servers.power_state',
      'servers.power_error',
      'servers.state',
    ])
    .select(['services.id as service_id', 'services.account_id'])
    .where('servers.removed_at', 'is', null)
    .where('servers.name', only === undefined ? '>' : '=', only ?? after)
    .orderBy('servers.name')
    .limit(limit)
    .execute();
}

export async function machineListAll(queries: Queries, after: number, limit: number) {
  return queries
    .selectFrom('machines')
    .select(['vmid', 'kind', 'node', 'power_state', 'power_error', 'service_id', 'account_id'])
    .where('vmid', '>', after)
    .orderBy('vmid')
    .limit(limit)
    .execute();
}

export async function machineOfVmid(queries: Queries, vmid: number) {
  return queries
    .selectFrom('machines')
    .select(['service_id', 'account_id'])
    .where('vmid', '=', vmid)
    .executeTakeFirst();
}

export async function serverPartsSet(queries: Queries, server: string, parts: string): Promise<void> {
  await queries.updateTable('servers').set({ parts }).where('name', '=', server).execute();
}
