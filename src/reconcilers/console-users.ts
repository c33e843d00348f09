// Removes the BMC users of expired console sessions, retrying until the BMC responds.
import { requireCapability } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { runDeviceCommand } from '#equipment/device-command.ts';
import type { Clock } from '#lib/clock.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import { bmcUserPostpone, bmcUserRemove, bmcUsersExpired } from '#store/devices/bmc-users.ts';
import type { Store } from '#store/store.ts';
import { runConcurrently, type Reconciler } from './reconciler.ts';
import type { BmcUserTable } from '#store/devices/tables.ts';

const retryMs = 60_000;
/** One dead BMC must not keep other sessions open. */
const concurrency = 20;

export function consoleUsers(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly bmcs: Bmcs;
  readonly log: Log;
  readonly instanceId: string;
}): Reconciler {
  const { store, clock, bmcs, instanceId } = parts;
  return {
    name: 'console-users',
    everySeconds: 15,
    deadlineSeconds: 300,
    async run(signal) {
      const expired = await bmcUsersExpired(store.queries, clock.now());
      await runConcurrently(expired, concurrency, signal, (user) => endSession(user, signal));
      return { backlog: expired.length };
    },
  };

  async function endSession({ server, name }: BmcUserTable, signal: AbortSignal): Promise<void> {
    const lock = {
      device: server,
      holder: `console-users ${instanceId} ${name}`,
      purpose: 'the end of a console session',
    };
    try {
      await runDeviceCommand(
        parts,
        lock,
        (limit) => bmcs.use(server, (bmc) => requireCapability(bmc, 'users').remove(name, limit)),
        { signal },
      );
      await bmcUserRemove(store.queries, server, name);
    } catch (error) {
      // The error concerns only this BMC.
      if (!(error instanceof ApiError)) parts.log.error({ err: error, server }, 'could not end a console session');
      await bmcUserPostpone(store.queries, server, name, clock.now() + retryMs);
    }
  }
}
