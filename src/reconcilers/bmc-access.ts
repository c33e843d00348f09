// Disables customers' BMC users when their service or account is suspended, for whatever reason, and enables them when it is
// resumed, retrying until the BMC responds.
import { setBmcAccess } from '#equipment/bmc-access.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { commandTimeout, runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import { bmcAccessToSet, isBmcAccessAllowed, type BmcUser } from '#store/devices/bmc-users.ts';
import { failureLog, runConcurrently, type Reconciler, type ReconcilerParts } from './reconciler.ts';

const concurrency = 20;
const deadlineSeconds = 300;

export function bmcAccess(parts: ReconcilerParts & CommandParts & { readonly bmcs: Bmcs }): Reconciler {
  const { store, instanceId } = parts;
  const failures = failureLog(parts.log, 'could not change IPMI users');
  return {
    name: 'bmc-access',
    everySeconds: 15,
    deadlineSeconds,
    async run(signal) {
      const pending = await bmcAccessToSet(store.queries);
      await runConcurrently(pending, concurrency, signal, (access) => setAccess(access, signal));
      return { backlog: (await bmcAccessToSet(store.queries)).length };
    },
  };

  async function setAccess(
    { server, service_id: service }: Pick<BmcUser, 'server' | 'service_id'>,
    signal: AbortSignal,
  ): Promise<void> {
    const lock = { device: server, holder: `bmc-access ${instanceId} ${service}`, purpose: 'a change of IPMI users' };
    const set = async (limit: AbortSignal): Promise<void> => {
      // Read under the lock: a workflow that held it may have suspended or resumed the service.
      const isAllowed = await isBmcAccessAllowed(store.queries, service);
      await setBmcAccess(parts, { server, service }, isAllowed, ({ commandMs }) => commandTimeout(limit, commandMs));
    };
    // An error concerns only this BMC; the next run tries again.
    await failures.attempt(server, () =>
      runDeviceCommand(parts, lock, set, { signal, timeoutMs: deadlineSeconds * 1000 }),
    );
  }
}
