// A customer's access to the BMC of their server. It ends while the service is suspended, and comes back with the same
// password. A BMC that cannot disable users loses them instead.
import { requireCapability, type Users } from '#drivers/bmc/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { bmcUserEnabledSet, bmcUserList, bmcUserRemove } from '#store/devices/bmc-users.ts';
import type { Store } from '#store/store.ts';
import type { Bmcs } from './bmcs.ts';
import type { Waits } from './waits.ts';

/** Needs the server's lock. */
export async function setBmcAccess(
  { store: { queries }, bmcs }: { readonly store: Store; readonly bmcs: Bmcs },
  { server, service }: { readonly server: string; readonly service: number },
  isAllowed: boolean,
  timeout: (waits: Waits) => AbortSignal,
): Promise<void> {
  const users = (await bmcUserList(queries, server)).filter(({ service_id }) => service_id === service);
  for (const { name } of users) {
    await bmcUserEnabledSet(queries, server, name, null);
    const exists = await bmcs.use(server, (bmc, waits) =>
      setUserEnabled(requireCapability(bmc, 'users'), name, isAllowed, timeout(waits)),
    );
    if (exists) await bmcUserEnabledSet(queries, server, name, isAllowed);
    else await bmcUserRemove(queries, server, name);
  }
}

/** Returns false if the BMC does not have the user any more. */
async function setUserEnabled(users: Users, name: string, isEnabled: boolean, signal: AbortSignal): Promise<boolean> {
  try {
    await users.setEnabled(name, isEnabled, signal);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'not_found') return false;
    if (error.code !== 'capability_missing') throw error;
    if (!isEnabled) await users.remove(name, signal);
    return isEnabled;
  }
}
