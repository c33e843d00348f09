// A dedicated server for workflows: powered on, behind an IPMI BMC, with an account's service.
import { secretBox } from '#lib/secrets.ts';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { bmcSealContext, openBmcs } from '#equipment/bmcs.ts';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import type { BootHook } from '#lab/bmc/serial.ts';
import { serverPut } from '#store/devices/servers.ts';
import { servicePut } from '#store/devices/services.ts';
import { addAccount } from './accounts.ts';
import { temporaryFolder } from './folder.ts';
import { openTestStore } from './store.ts';

export const poweredServerName = 'dc09r09ds09';
const serviceId = 1001;
const admin = { username: 'provider', password: 'secret-enough' };

export async function startPoweredServer(name: string, onBoot?: BootHook) {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder(name));
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  owned.defer(() => store.close());
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
  await servicePut(store.queries, {
    id: serviceId,
    account_id: account,
    type: 'dedicated',
    status: 'Active',
    name: 'server',
    hostname: 'web1.example.net',
    ip: '203.0.113.10',
    server: poweredServerName,
    vmid: null,
    created_at: 0,
  });
  const clock = { now: Date.now };
  const bmcs = openBmcs({ store, clock, secrets, drivers: openBmcDrivers() });
  owned.defer(() => bmcs.close());
  const queue = { enqueue: async () => '' };
  const resources = owned.move();
  return {
    store,
    account,
    service: serviceId,
    bmc,
    deps: { store, clock, queue, bmcs },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
