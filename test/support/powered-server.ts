// A dedicated server for workflows: powered on, behind an IPMI BMC, with an account's service.
import { secretBox } from '#lib/secrets.ts';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { bmcSealContext, openBmcs } from '#equipment/bmcs.ts';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import type { BootHook } from '#lab/bmc/serial.ts';
import { serverPut } from '#store/devices/servers.ts';
import { addAccount, addService } from './accounts.ts';
import { openOwnedStore } from './store.ts';
import { withResources } from './resources.ts';

export const poweredServerName = 'dc09r09ds09';
const serviceId = 1001;
const admin = { username: 'provider', password: 'secret-enough' };

export async function startPoweredServer(name: string, onBoot?: BootHook) {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, name);
  const account = await addAccount(store, 1);
  const timing = { bootMs: 1, cycleOffMs: 1, softOffMs: 1 };
  const bmc = owned.use(await startLabBmc({ admin, timing, ...(onBoot === undefined ? {} : { onBoot }) }));
  bmc.chassis.turnOn();
  const secrets = secretBox(Buffer.alloc(32));
  const settings = JSON.stringify({ address: bmc.address, port: bmc.port, ...admin });
  await serverPut(store.queries, {
    name: poweredServerName,
    bmc_driver: 'ipmi',
    bmc_settings: secrets.seal(settings, bmcSealContext(poweredServerName)),
    bmc_model: 'lab',
    console_host: poweredServerName,
    parts: '{}',
  });
  await addService(store, account, serviceId, { server: poweredServerName });
  const clock = { now: Date.now };
  const bmcs = openBmcs({ store, clock, secrets, drivers: openBmcDrivers() });
  owned.defer(() => bmcs.close());
  const queue = { enqueue: async () => '' };
  return withResources(owned, {
    store,
    account,
    service: serviceId,
    bmc,
    deps: { store, clock, queue, bmcs },
  });
}
