// The last known state of an account's devices, servers and virtual machines alike.
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';

export interface PowerObservation {
  readonly state: 'on' | 'off';
  readonly source: 'command' | 'query' | 'sync';
  readonly at: number;
}

export interface DevicePower {
  readonly id: number;
  readonly server: string | null;
  readonly vmid: number | null;
  readonly power_state: 'on' | 'off' | null;
  readonly power_seen_at: number | null;
  readonly power_error: string | null;
}

export async function devicePowerList(queries: Queries, account: AccountId): Promise<DevicePower[]> {
  return (
    queries
      .selectFrom('services')
      .leftJoin('servers', 'servers.name', 'services.server')
      .leftJoin('machines', 'machines.service_id', 'services.id')
      .select(['services.id', 'services.server', 'services.vmid'])
      // A service has one of the two.
      .select(({ fn }) => [
        fn.coalesce('servers.power_state', 'machines.power_state').as('power_state'),
        fn.coalesce('servers.power_seen_at', 'machines.power_seen_at').as('power_seen_at'),
        fn.coalesce('servers.power_error', 'machines.power_error').as('power_error'),
      ])
      .where('services.account_id', '=', account)
      .orderBy('services.id')
      .execute()
  );
}
