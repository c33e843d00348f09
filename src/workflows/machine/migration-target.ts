// Which hypervisor a machine moves to. Its capacity is reserved before anything is copied, under the lock of all placements.
import { removeMachineCopy } from '#equipment/machine-copies.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { hypervisorFind, hypervisorList, type HypervisorRow } from '#store/devices/hypervisors.ts';
import { machineCopiesOf, machineCopyFind, machineCopyPut } from '#store/devices/machine-copies.ts';
import { nodesOfGroup } from '#store/devices/machine-groups.ts';
import type { Machine } from '#store/devices/machines.ts';
import { volumesElsewhere } from '#store/devices/volumes.ts';
import { machineRow, useHypervisor, type MachineContext, type MachineTarget } from '../device-steps.ts';
import { done, failed, type StepResult } from '../engine/workflow.ts';
import { lockPlacement, requirePlacementLock, unlockPlacement } from './placement-lock.ts';
import { canHost, leftOn, pickNode, promisedCapacity, type FreeNode } from './placement.ts';

export interface MigrationTarget extends MachineTarget {
  /** Null to choose the best one. */
  readonly target: string | null;
  /** The member of the machine's own cluster that it moves to. */
  readonly member?: string;
}

/** Reserves room for the machine on another hypervisor and returns its name. */
export async function reserveTarget(
  context: MachineContext,
  input: MigrationTarget,
): Promise<StepResult<{ readonly target: string }>> {
  // The cluster has room for the machine, or refuses it.
  if (input.member !== undefined) return done({ target: input.node });
  const { deps, workflow: holder } = context;
  const { queries } = deps.store;
  const now = deps.clock.now();
  const busy = await lockPlacement(context, input.purpose);
  if (busy !== undefined) return busy;
  try {
    const earlier = await machineCopyFind(queries, holder);
    if (earlier !== undefined) return done({ target: earlier.node });
    const machine = await machineRow(context, input.service);
    const survey = await surveyTargets(context, machine, input);
    // Hypervisors that were asked until then look unreachable, and another instance may have chosen one.
    context.signal.throwIfAborted();
    const target = pickNode(survey.nodes, machine)?.node;
    if (target === undefined) return failed('nothing_free', reasonForNone(machine, survey), survey.silent.join('; '));
    const leftover = await removeLeftover(context, input, target);
    if (leftover !== undefined) return failed('state_conflict', leftover);
    const { service_id, account_id, vmid, memory_mb, disk_gb } = machine;
    const size = { service_id, account_id, vmid, memory_mb, disk_gb };
    const times = { created_at: now, progress_at: now };
    const copy = { node: target, source: input.node, workflow_id: holder, mode: null, ...size, ...times };
    await deps.store.transaction(async (writing) => {
      await requirePlacementLock(writing, context);
      await machineCopyPut(writing, copy);
    });
    return done({ target });
  } finally {
    await unlockPlacement(queries, context);
  }
}

async function surveyTargets(context: MachineContext, machine: Machine, { node, target }: MigrationTarget) {
  const { hypervisors, store } = context.deps;
  const { queries } = store;
  const source = await hypervisorFind(queries, node);
  const ofGroup = await nodesOfGroup(queries, machine);
  const wish = {
    ...machine,
    wanted_node: target,
    wanted_location: target === null ? (source?.location ?? null) : null,
  };
  const suitable = (await hypervisorList(queries)).filter(
    (row) => row.driver === source?.driver && canHost(row, hypervisors.kindsOf(row.driver), wish, new Set([node])),
  );
  const candidates = suitable.filter(({ name }) => !ofGroup.has(name));
  const promised = await promisedCapacity(queries, machine.service_id);
  const silent: string[] = [];
  const readFree = async ({ name }: HypervisorRow): Promise<FreeNode[]> => {
    try {
      const free = await useHypervisor(context, name, (hypervisor, limit) => hypervisor.freeCapacity(limit));
      return [leftOn(name, free, promised)];
    } catch (error) {
      if (!(error instanceof ApiError) || context.signal.aborted) throw error;
      silent.push(`${name}: ${operatorMessage(error)}`);
      return [];
    }
  };
  const nodes = (await Promise.all(candidates.map(readFree))).flat();
  return { nodes, silent, hasTaken: candidates.length < suitable.length };
}

type Survey = Awaited<ReturnType<typeof surveyTargets>>;

function reasonForNone({ memory_mb, disk_gb }: Machine, { nodes, silent, hasTaken }: Survey): string {
  if (silent.length > 0 && nodes.length === 0) return 'None of the hypervisors that could take the machine responds.';
  const apart = hasTaken ? ' without another machine of its group' : '';
  if (nodes.length === 0) return `No other hypervisor${apart} can take the machine.`;
  return `No other hypervisor${apart} has ${memory_mb} MB of memory and ${disk_gb} GB of disk left.`;
}

/** Removes what an earlier migration left on the target. Returns why something of the machine there cannot be removed. */
async function removeLeftover(
  context: MachineContext,
  { service, name }: MigrationTarget,
  target: string,
): Promise<string | undefined> {
  const copies = await machineCopiesOf(context.deps.store.queries, service);
  const isLeftover = copies.some((copy) => copy.node === target);
  if (!isLeftover)
    return useHypervisor(context, target, async ({ machines, migration }, limit) => {
      if ((await machines.find(name, limit)) !== undefined)
        return `Hypervisor ${target} already has a machine named ${name}.`;
      return (await migration?.hasFiles?.(name, limit)) === true
        ? `The storage of hypervisor ${target} has files of ${name}. A machine cannot move between hypervisors that share their storage.`
        : undefined;
    });
  const volumes = await volumesElsewhere(context.deps.store.queries, service, target);
  await useHypervisor(context, target, (hypervisor, limit) => removeMachineCopy(hypervisor, name, volumes, limit));
  return undefined;
}
