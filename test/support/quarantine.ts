// A server in quarantine, without the equipment that failed, and what was found on one that was reclaimed.
import type { App } from '#app/app.ts';
import type { ReclaimStep } from '#contract/states/servers.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { reclaimInsert, reclaimUpdate, type Findings } from '#store/devices/reclaims.ts';
import { serverParts, serverPut } from '#store/devices/servers.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Queries } from '#store/store.ts';

let servers = 0;
/** Returns the name of the server, which a service of the lab's first customer had before. */
export async function quarantineServer(
  { secrets, clock }: Pick<App, 'secrets' | 'clock'>,
  queries: Queries,
  step: ReclaimStep = 'erase',
  reason = 'Not erased: disk WD-1.',
): Promise<string> {
  const name = `dc09r01ds${String(++servers).padStart(2, '0')}`;
  const bmc_settings = secrets.seal('{}', bmcSealContext(name));
  const bmc = { bmc_driver: 'ipmi', bmc_settings, bmc_model: '', console_host: '' };
  await serverPut(queries, { name, ...bmc, parts: serverParts.encode({}) });
  await queries.updateTable('servers').set({ state: 'quarantined' }).where('name', '=', name).execute();
  const former = { account_id: 1 as AccountId, service_id: 1001 };
  const reclaim = { id: `reclaim of ${name}`, server: name, ...former, workflow_id: '', started_at: clock.now() };
  await reclaimInsert(queries, reclaim);
  await reclaimUpdate(queries, reclaim.id, { step, reason });
  return name;
}

/** A server with one disk, with `step` signed off. */
export function findingsWith(at: number, step: ReclaimStep): Findings {
  const disk = { serial: 'WD-WCC4N0123456', bytes: 960_197_124_096, seconds: 12, isErased: true };
  return {
    isolate: { at, ports: 2 },
    users: { at, removed: 3, remaining: 1 },
    sessions: { at },
    erase: { at, disks: [{ ...disk, method: 'discard' }], memoryMb: 8192 },
    inventory: { at, firmware: { BMC: '3.88' } },
    records: { at },
    [step]: { at, signedOff: { operator: 'anna', reason: 'Replaced by hand' } },
  };
}
