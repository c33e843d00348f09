// Creates a virtual machine that was ordered: picks a hypervisor, builds the machine with its first system and powers it on. A
// backup that it is restored from becomes a template for that, which is removed in the end. A machine of that name that a
// hypervisor already has is adopted unchanged, unless the machine was ordered: then it is somebody else's. If nothing fits, the
// workflow waits and reports why: capacity may be added, and the site file can be changed. If it fails, the reconciler machine-sync
// starts another one later.
import { requireCapability, type Hypervisor, type MachineAddress } from '#drivers/hypervisor/driver.ts';
import { lockRetryMs } from '#equipment/device-command.ts';
import { appendEvent } from '#events/append.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { growingDelay } from '#lib/delays.ts';
import { randomPassword } from '#lib/random.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineChange, machineFind, machineNetworks, type Machine } from '#store/devices/machines.ts';
import { hypervisorFind, hypervisorList, hypervisorNameServers } from '#store/devices/hypervisors.ts';
import { backupTransferRemove, machineBackupLoad } from '#store/devices/machine-backups.ts';
import { nodesOfGroup } from '#store/devices/machine-groups.ts';
import { serviceActivate, serviceInstalledSet } from '#store/devices/services.ts';
import { baseTemplate, systemFind } from '#store/devices/machine-images.ts';
import type { Template } from '#store/devices/templates.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  discardWithRetry,
  extendDeviceLock,
  lockLimit,
  machineDevice,
  machineRow,
  machineTarget,
  setPower,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, wait, workflow, type Ending, type Step, type StepResult } from '../engine/workflow.ts';
import { awaitTransfer, backupDeleted, cancelTransfer, restoredTemplate, transferLimit } from './backup-job.ts';
import { openInstallData } from './install-data.ts';
import { lockPlacement, requirePlacementLock, unlockPlacement } from './placement-lock.ts';
import { canHost, leftOn, pickNode, promisedCapacity, reasonNotPlaced } from './placement.ts';
import { stopIfSilent } from './silence-watch.ts';
import { newSystemId } from './system-switch.ts';
import { platformOf, platformProblems } from './template-platform.ts';

export interface MachineCreateInput {
  readonly service: number;
  /** The machine's name on the hypervisor. */
  readonly name: string;
  readonly hostname: string;
  readonly addresses: readonly MachineAddress[];
}

const capacityRetry = { shortestMs: 10_000, longestMs: 600_000 };
/** Between a failure and the next workflow. */
const creationRetry = { shortestMs: 15_000, longestMs: 1_800_000 };
const capacityLimitMs = 30 * 86_400_000;
/** Longer than any lock is held without being renewed. */
const lockLimitMs = 3_600_000;
const createTimeoutMs = 9 * 60_000;
const discardLimitMs = 3_600_000;
const passwordLength = 20;
const purpose = 'the creation of the machine';

const placeStep = {
  do: (context, input) => context.deps.hypervisors.placing(() => placeMachine(context, input)),
  async undo(_context, { service }) {
    return done(undefined, async (queries) => {
      await machineChange(queries, service, { node: nodeOfRemains(await machineFind(queries, service)) });
    });
  },
  limit: { ms: capacityLimitMs, code: 'nothing_free', reason: 'No hypervisor had room for the machine in 30 days.' },
} satisfies Step<MachineDeps, MachineCreateInput, object, Placement>;

interface Placed {
  readonly place: Placement;
}

const makeStep = {
  do: (context, input, { place }) => toStepResult(context, () => createMachine(context, input, place)),
  undo: (context, { service }, { place }) =>
    undoNewMachine(context, service, place, async ({ node, name }) => {
      await useHypervisor(context, node, ({ machines }, limit) => machines.remove(name, limit));
      return done();
    }),
  limit: lockLimit(lockLimitMs),
} satisfies Step<MachineDeps, MachineCreateInput, Placed, undefined>;

const startStep = {
  do: (context, { service }, { place }) =>
    toStepResult(context, async () => {
      const target = machineTarget({ ...(await machineRow(context, service)), node: place.node }, purpose);
      const device = machineDevice(context, target);
      if (place.origin !== 'found') return setPower(device, 'on');
      const state = await device.state();
      return done(undefined, async (queries) => void (await device.recordPower(queries, state)));
    }),
  undo: (context, { service }, { place }) =>
    undoNewMachine(context, service, place, (target) => setPower(machineDevice(context, target), 'off')),
} satisfies Step<MachineDeps, MachineCreateInput, Placed, undefined>;

export const machineCreate = workflow<MachineDeps, MachineCreateInput>('machine-create', 1)
  .step('place', placeStep)
  .step('make', makeStep)
  .step('start', startStep)
  .onEnd(finishCreation);

/** A second version and not another name: a machine has one of them at a time. */
export const machineCreateFromBackup = workflow<MachineDeps, MachineCreateInput>('machine-create', 2)
  .step('place', placeStep)
  .step('fetch-backup', {
    do: (context, { service }, { place }) => fetchBackup(context, service, place),
    undo: (context, { service }, { place }) =>
      undoWithRetry(context, undefined, () => discardTemplate(context, service, place)),
    limit: transferLimit,
  })
  .step('make', makeStep)
  .step('start', startStep)
  .step('discard', {
    do: (context, { service }, { place }) =>
      discardWithRetry(context, discardLimitMs, () => discardTemplate(context, service, place)),
    undo: 'nothing',
    limit: { ms: 2 * discardLimitMs, code: 'node_unreachable', reason: 'The copy of the backup could not be removed.' },
  })
  .onEnd(finishCreation);

export function creationOf({ from_backup }: Pick<Machine, 'from_backup'>): typeof machineCreate {
  return from_backup === null ? machineCreate : machineCreateFromBackup;
}

async function finishCreation(
  queries: Queries,
  { workflow: holder, account, input, outcome, reason, detail, saved }: Ending<MachineCreateInput, Placed>,
  deps: MachineDeps,
): Promise<void> {
  const { service, name } = input;
  await backupTransferRemove(queries, holder);
  await deviceLockRelease(queries, name, holder);
  const machine = await machineFind(queries, service);
  if (outcome !== 'Completed') {
    const attempts = (machine?.attempts ?? 0) + 1;
    const delayMs = growingDelay(creationRetry.shortestMs * 2 ** (attempts - 1), creationRetry);
    const next = { reason, detail, attempts, next_attempt_at: deps.clock.now() + delayMs };
    const { place } = saved;
    if (place?.origin !== 'new') return machineChange(queries, service, { ...next, node: nodeOfRemains(machine) });
    // Abandoned before everything was undone: machine-tidy removes what is left, or the next creation does.
    await reconcilerSignal(queries, 'machine-tidy');
    const remains = { node: place.node, untidy: 1 };
    return machineChange(queries, service, { ...next, ...remains });
  }
  const system = machine && (await systemFind(queries, account, machine.template));
  const template = system === undefined ? {} : { template: baseTemplate(system) };
  const created = {
    state: 'ready',
    reason: '',
    detail: '',
    attempts: 0,
    install_data: null,
    from_backup: null,
  } as const;
  await machineChange(queries, service, { ...created, ...template });
  await serviceInstalledSet(queries, service, { installed_at: deps.clock.now() });
  await serviceActivate(queries, service);
  return appendEvent(deps, queries, { account, service, type: 'machine.created', data: {} });
}

/** Returns where an abandoned creation has left something, which is still to be removed. */
function nodeOfRemains(machine: Machine | undefined): string | null {
  return machine?.untidy === 1 ? machine.node : null;
}

/** Makes a template from the backup that the machine is restored from. A creation of an earlier release may have none. */
async function fetchBackup(
  context: MachineContext,
  service: number,
  { origin }: Placement,
): Promise<StepResult<undefined>> {
  const { from_backup } = await machineRow(context, service);
  if (from_backup === null || origin === 'found') return done();
  const backup = await machineBackupLoad(context.deps.store.queries, from_backup);
  if (backup === undefined) return backupDeleted;
  return awaitTransfer(context, {
    kind: 'template',
    backup_id: backup.id,
    service_id: backup.service_id,
    target_id: service,
  });
}

async function discardTemplate(
  context: MachineContext,
  service: number,
  place: Placement | undefined,
): Promise<StepResult<undefined>> {
  if (place === undefined || (await machineRow(context, service)).from_backup === null) return done();
  const cancelled = await cancelTransfer(context);
  if (cancelled.kind !== 'done') return cancelled;
  await useHypervisor(context, place.node, (hypervisor, limit) =>
    requireCapability(hypervisor, 'snapshots').removeTemplate(restoredTemplate(context.workflow), limit),
  );
  return done();
}

interface Placement {
  readonly node: string;
  readonly origin: 'new' | 'found';
}

async function placeMachine(
  context: MachineContext,
  { service, name }: MachineCreateInput,
): Promise<StepResult<Placement>> {
  const { queries } = context.deps.store;
  const busy = await lockPlacement(context, purpose);
  if (busy !== undefined) return busy;
  let isChosen = false;
  try {
    const machine = await machineRow(context, service);
    if (machine.node !== null) return done({ node: machine.node, origin: machine.state === 'ready' ? 'found' : 'new' });
    const { found, best, reason, detail } = await surveyHypervisors(context, machine, name);
    if (found === undefined && best === undefined) {
      await machineChange(queries, service, { reason, detail });
      return wait(growingDelay(context.now - context.since, capacityRetry), detail);
    }
    isChosen = true;
    const place: Placement = found === undefined ? { node: best!, origin: 'new' } : { node: found, origin: 'found' };
    // Recorded with the step: an adopted machine must never be mistaken for a new one and removed, and an instance that has lost the
    // workflow must not change what another has chosen. The lock ends then too, so that the next placement knows of this one.
    return done(place, async (inStep) => {
      await requirePlacementLock(inStep, context);
      await machineChange(inStep, service, { node: place.node });
      await unlockPlacement(inStep, context);
    });
  } finally {
    if (!isChosen) await unlockPlacement(queries, context);
  }
}

/** Finds the hypervisor that already has the machine, or else the one with the most memory left where it fits. */
async function surveyHypervisors(context: MachineContext, machine: Machine, name: string) {
  const { deps } = context;
  const promised = await promisedCapacity(deps.store.queries, machine.service_id);
  const taken = await nodesOfGroup(deps.store.queries, machine);
  const suitable = (await hypervisorList(deps.store.queries)).filter((row) =>
    canHost({ ...row, maintenance_since: null }, deps.hypervisors.kindsOf(row.driver), machine, taken),
  );
  const candidates = suitable.filter(({ maintenance_since }) => maintenance_since === null);
  const template = await systemFind(deps.store.queries, machine.account_id, machine.template);
  const reports = await Promise.all(
    candidates.map((row) => surveyHypervisor(context, row.name, name, machine, template)),
  );
  const free = reports.flatMap(({ node, capacity }) =>
    capacity === undefined ? [] : [leftOn(node, capacity, promised)],
  );
  const unreachable = reports.filter(({ error }) => error !== undefined);
  const unsuitable = reports.filter(({ obstacles }) => obstacles.length > 0);
  const problems = [...unreachable, ...unsuitable].map(
    ({ node, error, obstacles }) => `${node}: ${error ?? obstacles.join(' ')}`,
  );
  return {
    found: reports.find(({ hasMachine }) => hasMachine)?.node,
    // A machine that is to be adopted exists, or nothing does.
    best: machine.hypervisor_name === null ? pickNode(free, machine)?.node : undefined,
    reason: reasonNotPlaced(machine, {
      suitable: suitable.length,
      candidates: candidates.length,
      unable: unsuitable.length,
      unreachable: unreachable.map(({ node }) => node),
    }),
    detail: problems.join('; '),
  };
}

interface HypervisorReport {
  readonly node: string;
  readonly hasMachine: boolean;
  /** Undefined if the hypervisor did not respond: the machine may still fit elsewhere. */
  readonly capacity: Awaited<ReturnType<Hypervisor['freeCapacity']>> | undefined;
  readonly error?: string;
  /** Why it cannot run the template or have the machine, in sentences. */
  readonly obstacles: readonly string[];
}

async function surveyHypervisor(
  context: MachineContext,
  node: string,
  name: string,
  { install_data }: Machine,
  template: Template | undefined,
): Promise<HypervisorReport> {
  try {
    return await useHypervisor(context, node, async (hypervisor, limit) => {
      const hasMachine = (await hypervisor.machines.find(name, limit)) !== undefined;
      // Its number is new. The database may be a restored one, which does not know the customer of the machine that has it.
      const isTaken = hasMachine && install_data !== null;
      const obstacles = [
        ...(await platformProblems(hypervisor, template, undefined, limit)),
        ...(isTaken ? [`It already has a machine ${name}, which belongs to no service.`] : []),
      ];
      return {
        node,
        hasMachine: hasMachine && !isTaken,
        capacity: obstacles.length > 0 ? undefined : await hypervisor.freeCapacity(limit),
        obstacles,
      };
    });
  } catch (error) {
    if (error instanceof ApiError)
      return { node, hasMachine: false, capacity: undefined, error: operatorMessage(error), obstacles: [] };
    throw error;
  }
}

async function createMachine(
  context: MachineContext,
  { service, name, hostname, addresses }: MachineCreateInput,
  { node, origin }: Placement,
): Promise<StepResult<undefined>> {
  const { deps, workflow: id } = context;
  const { queries } = deps.store;
  if (origin === 'found') return done();
  if (!(await extendDeviceLock(context, { name, purpose }))) return wait(lockRetryMs);
  const machine = await machineRow(context, service);
  const template = await systemFind(queries, machine.account_id, machine.template);
  const isRestored = machine.from_backup !== null;
  if (template === undefined && !isRestored)
    return failed('not_in_catalogue', `Template ${machine.template} no longer exists.`);
  const nameServers = hypervisorNameServers.decode((await hypervisorFind(queries, node))?.name_servers ?? '[]');
  // Nobody learns this password: customers set their own when they first need it.
  const rootPassword = randomPassword(passwordLength);
  const platform = template && platformOf(template);
  const system = {
    id: newSystemId(id),
    template: isRestored ? restoredTemplate(id) : template!.source,
    ...(platform && { platform }),
    hostname,
    rootPassword,
    addresses,
    nameServers,
    ...openInstallData(deps.secrets, machine),
  };
  const { vcpus, memory_mb: memoryMb, disk_gb: diskGb, mac } = machine;
  const networks = (await machineNetworks(queries, [service])).get(service)!;
  // A crash may have left an incomplete machine, which has never run. A hypervisor that hangs does not hold this up for as
  // long as a creation may take.
  const remains = await useHypervisor(context, node, ({ machines }, limit) => machines.find(name, limit));
  // A call of its own: after a pause of the process, another instance may have made the machine.
  // What was abandoned may be files only, which `find` does not see.
  if (remains !== undefined || machine.untidy === 1)
    await useHypervisor(context, node, ({ machines }, limit) => machines.remove(name, limit));
  const shape = { vcpus, memoryMb, diskGb, mac, networks };
  await stopIfSilent(context, { node, name }, (watched) =>
    useHypervisor(watched, node, ({ machines }, limit) => machines.create(name, shape, system, limit), createTimeoutMs),
  );
  return done(undefined, async (inStep) => {
    // The remains of an abandoned creation are gone, and nothing else may be removed for them.
    await machineChange(inStep, service, { node, untidy: 0 });
  });
}

async function undoNewMachine(
  context: MachineContext,
  service: number,
  place: Placement | undefined,
  work: (target: MachineTarget) => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  if (place?.origin !== 'new') return done();
  const target = machineTarget({ ...(await machineRow(context, service)), node: place.node }, purpose);
  return undoWithRetry(context, target, () => work(target));
}
