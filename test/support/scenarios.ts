// One world per registered workflow, for the harness.
import { secretBox } from '#kernel/secrets.ts';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { bmcSealContext, openBmcs } from '#equipment/bmcs.ts';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { openStore } from '#store/store.ts';
import { serverPut } from '#store/servers.ts';
import { servicePut } from '#store/services.ts';
import { deviceLockFind } from '#store/device-locks.ts';
import type { Scenario, World } from '#workflows/harness.ts';
import { powerCycle, type PowerCycleDeps, type PowerCycleInput } from '#workflows/power-cycle.ts';
import { addAccount } from './accounts.ts';
import { temporaryFolder } from './folder.ts';

const server = 'dc09r09ds09';
const serviceId = 1001;
const admin = { username: 'provider', password: 'secret-enough' };

/** A server with a controller that speaks IPMI, switched on, and its service. */
export async function makePoweredServer(): Promise<World<PowerCycleDeps, PowerCycleInput>> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('power-cycle'));
  const store = await openStore({ dataFolder: folder.path, database: undefined });
  owned.defer(() => store.close());
  const account = await addAccount(store, 1);
  const bmc = owned.use(await startLabBmc({ admin, timing: { bootMs: 1, cycleOffMs: 1, softOffMs: 1 } }));
  bmc.chassis.turnOn();
  const secrets = secretBox(Buffer.alloc(32));
  const settings = JSON.stringify({ address: bmc.address, port: bmc.port, ...admin });
  const sealed = secrets.seal(settings, bmcSealContext(server));
  await serverPut(store.queries, {
    name: server,
    bmc_driver: 'ipmi',
    bmc_settings: sealed,
    bmc_model: 'lab',
    console_host: server,
    parts: '{}',
  });
  const named = { name: 'server', hostname: 'web1.example.net', ip: '203.0.113.10' };
  await servicePut(store.queries, {
    id: serviceId,
    account_id: account,
    type: 'dedicated',
    status: 'Active',
    ...named,
    server,
    vmid: null,
    created_at: 0,
  });
  const clock = { now: Date.now };
  const bmcs = openBmcs({ store, clock, secrets, drivers: openBmcDrivers() });
  owned.defer(() => bmcs.close());
  const jobs = { enqueue: async () => '' };
  const kept = owned.move();
  return {
    store,
    account,
    service: serviceId,
    deps: { store, clock, jobs, bmcs },
    input: { server, offMs: 20, purpose: 'power cycle', answerBy: clock.now() + 60_000 },
    look: async () => ({
      power: bmc.chassis.power,
      locked: (await deviceLockFind(store.queries, server, clock.now())) !== undefined,
    }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of world
export const scenarios: readonly Scenario<any, any>[] = [{ workflow: powerCycle, makeWorld: makePoweredServer }];
