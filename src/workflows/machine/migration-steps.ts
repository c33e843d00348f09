// The steps of a migration that talk to both hypervisors.
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import type { CopyProgress, MachineMigration } from '#drivers/hypervisor/migration.ts';
import { removeMachineCopy } from '#equipment/machine-copies.ts';
import { isUnreachable } from '#equipment/device-command.ts';
import { appendEvent } from '#events/append.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import {
  machineCopyChange,
  machineCopyFind,
  machineCopyPut,
  machineCopyRemove,
} from '#store/devices/machine-copies.ts';
import { machineChange, machineFind, machineMemberSet, machineNetworks } from '#store/devices/machines.ts';
import { volumesElsewhere, volumesMove } from '#store/devices/volumes.ts';
import type { Queries } from '#store/store.ts';
import {
  extendDeviceLock,
  machineDevice,
  machineRow,
  retryWhileUnreachable,
  setPower,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
} from '../device-steps.ts';
import { done, failed, wait, type Settled, type StepResult } from '../engine/workflow.ts';
import type { MigrationTarget } from './migration-target.ts';

export interface MachineMigrateInput extends MigrationTarget {
  /** `auto` moves the machine while it runs if that is possible. */
  readonly mode: 'auto' | 'live' | 'cold';
  readonly graceMs: number;
}

export interface MigrationPlan {
  readonly target: string;
  readonly mode: 'live' | 'cold';
}

/** One call of the driver returns well within this. */
const callTimeoutMs = 120_000;
/** How long a side may not respond. A machine that is off for the copy waits less. */
const patienceMs = { live: 600_000, cold: 60_000 } as const;
const silentRetryMs = 2000;
const lostLock = failed('device_busy', 'Another command took over the machine while it was being moved.');
const nextCallMs = 50;

/** Returns why the machine cannot move at all: what belongs to it would stay behind. */
export async function findObstacle(
  context: MachineContext,
  { node, name, member }: MachineMigrateInput,
): Promise<string | undefined> {
  return useHypervisor(context, node, async (hypervisor, limit) => {
    if (member !== undefined && !((await hypervisor.members?.list(limit)) ?? []).includes(member))
      return `Cluster member ${member} does not exist or is down.`;
    const { volumes } = hypervisor;
    const { movesVolumes } = requireCapability(hypervisor, 'migration');
    if (!movesVolumes && ((await volumes?.list(name, limit)) ?? []).length > 0)
      return 'The machine has volumes. Detach them first.';
    return undefined;
  });
}

/** Decides whether the machine moves while it runs, and lets the customer know what to expect. */
export async function planMove(
  context: MachineContext,
  input: MachineMigrateInput,
  was: 'on' | 'off',
  target: string,
): Promise<Settled<MigrationPlan>> {
  const { deps, account, workflow: id } = context;
  const { service, mode: wanted, name } = input;
  const canTry = was === 'on' && wanted !== 'cold' && input.member === undefined;
  const findLiveObstacle = () =>
    useBoth(context, input.node, target, (source, there, limit) => source.findLiveObstacle(name, there, limit));
  const obstacle = canTry ? await findLiveObstacle() : 'The machine cannot move while it runs.';
  if (wanted === 'live' && obstacle !== undefined) return failed('capability_missing', obstacle);
  const mode = obstacle === undefined ? 'live' : 'cold';
  const downtime = downtimeOf({ mode }, was);
  return done({ target, mode }, async (queries) => {
    const copy = await machineCopyFind(queries, id);
    if (copy !== undefined) await machineCopyChange(queries, copy, { mode });
    await appendEvent(deps, queries, { account, service, type: 'device.migration.started', data: { downtime } });
  });
}

export function downtimeOf({ mode }: Pick<MigrationPlan, 'mode'>, was: 'on' | 'off'): 'expected' | 'none' {
  return mode === 'cold' && was === 'on' ? 'expected' : 'none';
}

export async function moveLive(
  context: MachineContext,
  input: MachineMigrateInput,
  plan: MigrationPlan,
): Promise<StepResult<undefined>> {
  const pending = await continueCopy(context, input, plan, (source, there, networks, _position, limit) =>
    source.moveLive(input.name, there, networks, limit),
  );
  return pending ?? toStepResult(context, () => switchNode(context, input, plan.target, 'on'));
}

/** A machine that has moved already cannot go back, and is recorded where it runs. */
export async function undoLive(
  context: MachineContext,
  input: MachineMigrateInput,
  { target }: MigrationPlan,
): Promise<StepResult<undefined>> {
  const here = machineDevice(context, input);
  return undoWithRetry(context, input, async () => {
    await useHypervisor(context, input.node, (hypervisor, limit) =>
      requireCapability(hypervisor, 'migration').cancelLive(input.name, limit),
    );
    if ((await here.state()) === 'on') {
      await removeCopy(context, input, target);
      return done();
    }
    const there = await useHypervisor(context, target, ({ machines }, limit) => machines.find(input.name, limit));
    return there?.power === 'on' ? switchNode(context, input, target, 'on') : setPower(here, 'on');
  });
}

export async function copyCold(
  context: MachineContext,
  input: MachineMigrateInput,
  plan: MigrationPlan,
): Promise<StepResult<undefined>> {
  const pending = await continueCopy(context, input, plan, (source, there, networks, position, limit) =>
    source.copy(input.name, there, networks, position, limit),
  );
  return pending ?? done();
}

/** Within the cluster of the machine. */
export async function moveToMember(
  context: MachineContext,
  input: MachineMigrateInput,
  member: string,
): Promise<StepResult<undefined>> {
  return retryWhileUnreachable(context, patienceMs.cold, async () => {
    if (!(await extendDeviceLock(context, input))) return lostLock;
    const isComplete = await useHypervisor(
      context,
      input.node,
      (hypervisor, limit) => requireCapability(hypervisor, 'members').move(input.name, member, limit),
      callTimeoutMs,
    );
    return isComplete ? done() : wait(nextCallMs);
  });
}

/** A cluster cannot cancel a move, so the machine starts on its new member. */
export async function waitForMember(
  context: MachineContext,
  input: MachineMigrateInput,
): Promise<StepResult<undefined>> {
  return undoWithRetry(context, input, async (): Promise<StepResult<undefined>> => {
    const isMoving = await useHypervisor(context, input.node, (hypervisor, limit) =>
      requireCapability(hypervisor, 'members').isMoving(input.name, limit),
    );
    return isMoving ? wait(silentRetryMs) : done();
  });
}

export async function startOnMember(
  context: MachineContext,
  input: MachineMigrateInput,
  member: string,
  was: 'on' | 'off',
): Promise<Settled<undefined>> {
  const device = machineDevice(context, input);
  if (was === 'on') await device.set('on');
  return done(undefined, async (queries) => {
    await machineMemberSet(queries, input.service, member);
    await device.recordPower(queries, was);
  });
}

export async function startThere(
  context: MachineContext,
  input: MachineMigrateInput,
  { target }: MigrationPlan,
  was: 'on' | 'off',
): Promise<Settled<undefined>> {
  if ((await machineDevice(context, input).state()) !== 'off')
    return failed('state_conflict', 'The machine was powered on while it was being copied.');
  if (was === 'on') await machineDevice(context, { ...input, node: target }).set('on');
  return switchNode(context, input, target, was);
}

/** Nothing starts on the old hypervisor before this has confirmed that the machine is off on the new one. */
export async function stopThere(
  context: MachineContext,
  input: MachineMigrateInput,
  { target }: MigrationPlan,
): Promise<StepResult<undefined>> {
  return undoWithRetry(context, input, async () => {
    const there = await useHypervisor(context, target, ({ machines }, limit) => machines.find(input.name, limit));
    // A separate call: after a pause of this process, another instance may have the workflow.
    if (there?.power === 'on')
      await useHypervisor(context, target, ({ power }, limit) => power.set(input.name, 'off', limit));
    const isSwitched = (await machineRow(context, input.service)).node === target;
    return done(undefined, async (queries) => {
      if (isSwitched) await recordSwitch(context, queries, input, target, input.node);
    });
  });
}

/** Removes the copy if its hypervisor responds. If not, reconcilers/machine-tidy.ts does it later. */
export async function removeCopy(context: MachineContext, input: MigrationTarget, target: string): Promise<void> {
  if ((await machineRow(context, input.service)).node === target) return;
  try {
    const volumes = await volumesElsewhere(context.deps.store.queries, input.service, target);
    await useHypervisor(context, target, (hypervisor, limit) =>
      removeMachineCopy(hypervisor, input.name, volumes, limit),
    );
  } catch (error) {
    if (!(error instanceof ApiError) || context.signal.aborted) throw error;
  }
}

/** Marks the copy that the workflow was making as one to be removed. */
export async function abandonCopy(queries: Queries, workflow: string): Promise<void> {
  const copy = await machineCopyFind(queries, workflow);
  if (copy !== undefined) await machineCopyChange(queries, copy, { is_obsolete: 1 });
}

async function switchNode(
  context: MachineContext,
  input: MachineMigrateInput,
  target: string,
  power: 'on' | 'off',
): Promise<Settled<undefined>> {
  const there = machineDevice(context, { ...input, node: target });
  if ((await there.state()) !== power) return failed('node_error', 'The machine is not running on its new hypervisor.');
  return done(undefined, async (queries) => {
    await recordSwitch(context, queries, input, input.node, target);
    await there.recordPower(queries, power);
  });
}

/** Only this function changes the hypervisor of a machine. Its remains on the old one will be removed. */
async function recordSwitch(
  { workflow: workflow_id, now }: MachineContext,
  queries: Queries,
  { service: service_id }: MachineMigrateInput,
  from: string,
  to: string,
): Promise<void> {
  const { account_id, vmid, memory_mb, disk_gb } = (await machineFind(queries, service_id))!;
  // The name servers of the hypervisors may differ.
  await machineChange(queries, service_id, { node: to, addresses_digest: null });
  await machineMemberSet(queries, service_id, null);
  await volumesMove(queries, service_id, from, to);
  await machineCopyRemove(queries, { node: to, service_id });
  const size = { account_id, vmid, memory_mb, disk_gb };
  const times = { created_at: now, progress_at: now };
  const left = { node: from, source: to, service_id, workflow_id, mode: null, is_obsolete: 1 };
  await machineCopyPut(queries, { ...left, ...size, ...times });
}

type CopyCall = (
  source: MachineMigration,
  target: MachineMigration,
  networks: readonly string[],
  position: number,
  limit: AbortSignal,
) => Promise<CopyProgress>;

/** Continues a copy and records how far it is. Returns undefined once it is complete, otherwise the result of the step. */
async function continueCopy(
  context: MachineContext,
  input: MachineMigrateInput,
  { target, mode }: MigrationPlan,
  call: CopyCall,
): Promise<StepResult<undefined> | undefined> {
  const { node, service } = input;
  // It can take hours, and a command in between would change what has been copied.
  if (!(await extendDeviceLock(context, input))) return lostLock;
  const { queries } = context.deps.store;
  const copy = await machineCopyFind(queries, context.workflow);
  if (copy === undefined) return failed('internal_error', 'The copy was not recorded.');
  const networks = (await machineNetworks(queries, [service])).get(service)!;
  try {
    const { copiedBytes, totalBytes, isComplete } = await useBoth(context, node, target, (source, there, limit) =>
      call(source, there, networks, copy.copied_bytes, limit),
    );
    if (isComplete) return undefined;
    const progress = { copied_bytes: copiedBytes, total_bytes: totalBytes, progress_at: context.now };
    await machineCopyChange(queries, copy, progress);
    return wait(nextCallMs);
  } catch (error) {
    if (!(error instanceof ApiError) || context.signal.aborted) throw error;
    const isPatient = isUnreachable(error) && context.now - copy.progress_at < patienceMs[mode];
    const detail = operatorMessage(error);
    return isPatient ? wait(silentRetryMs, detail) : failed(error.code, error.message, detail);
  }
}

/** Outside of both circuit breakers: an error does not say which side it is of. */
async function useBoth<T>(
  { deps, signal }: MachineContext,
  node: string,
  target: string,
  work: (source: MachineMigration, target: MachineMigration, limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]);
  const there = await deps.hypervisors.use(target, async (hypervisor) => requireCapability(hypervisor, 'migration'));
  const outcome = await deps.hypervisors.use(node, async (hypervisor) => {
    const here = requireCapability(hypervisor, 'migration');
    return work(here, there, limit).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
