// Fixtures for workflows on whole services, for the harness: a machine on a lab hypervisor that is suspended or
// terminated, and a server behind IPMI that is suspended or resumed.
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { openBmcs } from '#equipment/bmcs.ts';
import { openHypervisors } from '#equipment/hypervisors.ts';
import { openSwitches } from '#equipment/switches.ts';
import { createLog } from '#lib/log.ts';
import { secretBox } from '#lib/secrets.ts';
import { bmcUserInsert, bmcUserList } from '#store/devices/bmc-users.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineDeletionFind, machineDeletionInsert } from '#store/devices/machine-deletions.ts';
import { netblockList, netblocksPut } from '#store/network/netblocks.ts';
import { serviceSuspensionPut, suspensionOfService } from '#store/devices/service-suspensions.ts';
import { termInsert, termsOfService } from '#store/billing/service-terms.ts';
import { serviceActivate, serviceFind, serviceStatusSet } from '#store/devices/services.ts';
import { openLeaseFeed } from '#store/work/leases.ts';
import type { Scenario, Fixture } from '#workflows/engine/harness.ts';
import { machineDelete } from '#workflows/machine/machine-delete.ts';
import type { ServiceDeps, ServiceTarget } from '#workflows/service/service-device.ts';
import { serviceResume, type ServiceResumeInput } from '#workflows/service/service-resume.ts';
import { serviceSuspend, serviceSuspendV1, type ServiceSuspendInput } from '#workflows/service/service-suspend.ts';
import { serviceTerminate } from '#workflows/service/service-terminate.ts';
import { logsIn } from './bmc-login.ts';
import { inspectMachine, startMachine, type MachineFixture } from './machine-fixtures.ts';
import { poweredServerName as server, startPoweredServer } from './powered-server.ts';

const machineTarget = {
  service: 2001,
  purpose: 'a test',
  server: null,
  machine: { node: 'node1', name: 'vm-101' },
  ports: [],
  how: 'power',
  graceMs: 1000,
} as const satisfies ServiceTarget;

/** Adds the equipment that this service does not have, so that its workflows find all their dependencies. */
function withRest(ground: MachineFixture): ServiceDeps {
  const parts = { ...ground.deps, secrets: secretBox(Buffer.alloc(32)) };
  return {
    ...ground.deps,
    bmcs: openBmcs({ ...parts, drivers: openBmcDrivers() }),
    switches: openSwitches({ ...parts, drivers: switchDrivers }),
  };
}

async function makeMachine<Input>(input: Input): Promise<Fixture<ServiceDeps, Input>> {
  const ground = await startMachine();
  const { store, account, service } = ground;
  const { queries } = store;
  await serviceActivate(queries, service);
  const range = { first: '4cb007108', last: '4cb00710b' };
  const block = { cidr: '203.0.113.8/30', ...range, account_id: account, service_id: service };
  await netblocksPut(queries, [{ ...block, pool: null, gateway: null }]);
  await termInsert(queries, account, service, {
    plan: 'small',
    price_cents: 1000,
    setup_cents: 0,
    cycle_months: 1,
    committed_mbits: null,
    mbit_price_cents: 0,
    addresses_included: 0,
    address_price_cents: 0,
    anchor_day: 0,
    from_day: 0,
    until_day: null,
    billed_until: null,
  });
  return {
    ...ground,
    deps: withRest(ground),
    input,
    observe: async () => ({
      ...(await inspectMachine(ground)),
      before: (await suspensionOfService(queries, service))?.before,
      blocks: (await netblockList(queries, account, service)).length,
      billed: (await termsOfService(queries, account, service)).map(({ until_day }) => until_day === null),
    }),
  };
}

/** A machine that its customer has deleted and that still runs. */
async function makeDeletedMachine(): Promise<Fixture<ServiceDeps, ServiceTarget>> {
  const fixture = await makeMachine<ServiceTarget>(machineTarget);
  const { account, service, observe, store } = fixture;
  const owner = { service_id: service!, account_id: account };
  const times = { deleted_at: 1, expires_at: 2, until_day: null, otherwise_day: null };
  await machineDeletionInsert(store.queries, { ...owner, ...times });
  return {
    ...fixture,
    observe: async () => ({
      ...((await observe()) as object),
      isStopped: (await machineDeletionFind(store.queries, service!))?.stopped_at !== null,
    }),
  };
}

async function makeSuspendedServer(): Promise<Fixture<ServiceDeps, ServiceResumeInput>> {
  const fixture = await startPoweredServer('service-resume');
  const { store, account, service, bmc } = fixture;
  bmc.chassis.turnOff();
  await serviceStatusSet(store.queries, account, service, { from: 'Active', to: 'Suspended' });
  const before = { power: 'on', ports: [] } as const;
  await serviceSuspensionPut(store.queries, {
    service_id: service,
    reason: 'a test',
    operator: 'anna',
    since: 0,
    before: JSON.stringify(before),
  });
  return {
    ...fixture,
    deps: withoutMachines(fixture),
    input: { ...machineTarget, service, machine: null, server, before },
    observe: () => inspectServer(fixture),
  };
}

type PoweredServer = Awaited<ReturnType<typeof startPoweredServer>>;

function withoutMachines({ deps }: PoweredServer): ServiceDeps {
  const parts = { ...deps, secrets: secretBox(Buffer.alloc(32)) };
  return {
    ...parts,
    hypervisors: openHypervisors({ ...parts, drivers: hypervisorDrivers }),
    switches: openSwitches({ ...parts, drivers: switchDrivers }),
    leaseFeed: openLeaseFeed({ ...parts, log: createLog('silent') }),
  };
}

async function inspectServer({ store, account, service, bmc, deps }: PoweredServer) {
  return {
    power: bmc.chassis.power,
    status: (await serviceFind(store.queries, account, service))?.status,
    suspended: (await suspensionOfService(store.queries, service)) !== undefined,
    locked: (await deviceLockFind(store.queries, server, deps.clock.now())) !== undefined,
  };
}

/** A powered-on server with a BMC user of its customer. */
async function makeServerWithUser(): Promise<Fixture<ServiceDeps, ServiceSuspendInput>> {
  const fixture = await startPoweredServer('service-suspend');
  const { store, service, bmc, deps } = fixture;
  const login = { username: 'customer', password: 'customer-secret' };
  await deps.bmcs.use(server, ({ users }) => users!.create(login.username, login.password, AbortSignal.timeout(5000)));
  const user = { server, name: login.username, service_id: service, kind: 'customer' as const };
  await bmcUserInsert(store.queries, { ...user, created_at: 0, expires_at: null });
  return {
    ...fixture,
    deps: withoutMachines(fixture),
    input: { ...suspendInput, service, machine: null, server },
    observe: async () => ({
      ...(await inspectServer(fixture)),
      user: await logsIn(bmc, login),
      recorded: (await bmcUserList(store.queries, server)).map(({ enabled }) => enabled),
    }),
  };
}

const suspendInput: ServiceSuspendInput = { ...machineTarget, reason: 'a test', operator: 'anna' };

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of fixture
export const serviceScenarios: readonly Scenario<any, any>[] = [
  { workflow: serviceSuspendV1, makeFixture: () => makeMachine(suspendInput) },
  { workflow: serviceSuspend, makeFixture: makeServerWithUser },
  { workflow: serviceResume, makeFixture: makeSuspendedServer },
  { workflow: machineDelete, makeFixture: makeDeletedMachine },
  { workflow: serviceTerminate, makeFixture: () => makeMachine<ServiceTarget>(machineTarget) },
];
