// Removes the BMC users of console sessions that are over, retrying until the BMC responds.
import { requireCapability } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import { bmcUserExpirySet, bmcUserRemove, consoleUsersEnded, type BmcUser } from '#store/devices/bmc-users.ts';
import { failureLog, runConcurrently, type Reconciler, type ReconcilerParts } from './reconciler.ts';

const retryMs = 60_000;
/** One dead BMC must not keep other sessions open. */
const concurrency = 20;

export function consoleUsers(parts: ReconcilerParts & CommandParts & { readonly bmcs: Bmcs }): Reconciler {
  const { store, clock, bmcs, instanceId } = parts;
  const failures = failureLog(parts.log, 'could not end a console session');
  return {
    name: 'console-users',
    everySeconds: 15,
    deadlineSeconds: 300,
    async run(signal) {
      const ended = await consoleUsersEnded(store.queries, clock.now());
      await runConcurrently(ended, concurrency, signal, (user) => endSession(user, signal));
      return { backlog: ended.length };
    },
  };

  async function endSession({ server, name }: BmcUser, signal: AbortSignal): Promise<void> {
    const lock = {
      device: server,
      holder: `console-users ${instanceId} ${name}`,
      purpose: 'the end of a console session',
    };
    const remove = (limit: AbortSignal): Promise<void> =>
      bmcs.use(server, (bmc) => requireCapability(bmc, 'users').remove(name, limit));
    // An error concerns only this BMC.
    const isEnded = await failures.attempt(server, async () => {
      const { commandMs: timeoutMs } = await bmcs.waits(server);
      await runDeviceCommand(parts, lock, remove, { signal, timeoutMs });
      await bmcUserRemove(store.queries, server, name);
    });
    if (!isEnded) await bmcUserExpirySet(store.queries, server, name, clock.now() + retryMs);
  }
}
