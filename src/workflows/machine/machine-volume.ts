// Creates a volume for a machine, or attaches, detaches or grows one, under the machine's lock. The row of the volume is claimed
// when the workflow starts and settled when it ends, so that no other change of it happens in between. The content of a volume is
// removed only if this workflow created it.
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import type { Volumes } from '#drivers/hypervisor/volumes.ts';
import { appendEvent } from '#events/append.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { volumeName, volumeRemove, volumeSettle, volumeUsagePut } from '#store/devices/volumes.ts';
import type { Queries } from '#store/store.ts';
import {
  machineLockStep,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, workflow, type Done } from '../engine/workflow.ts';

export interface MachineVolumeInput extends MachineTarget {
  readonly action: 'create' | 'attach' | 'detach' | 'grow';
  readonly volume: number;
  /** The customer's name for the volume. */
  readonly label: string;
  /** The size that it has in the end. */
  readonly sizeGb: number;
  readonly isAttached: boolean;
  /** The machine that it was last attached to before. */
  readonly formerService: number;
}

/** A running guest takes some seconds to release a volume. */
const releaseTimeoutMs = 60_000;

export const machineVolume = workflow<MachineDeps, MachineVolumeInput>('machine-volume', 1)
  .step('lock', machineLockStep)
  .step('create', {
    do: (context, input) => toStepResult(context, () => createVolume(context, input)),
    undo: (context, input) => undoWithRetry(context, input, () => removeCreated(context, input)),
  })
  .step('apply', {
    do: (context, input) => toStepResult(context, () => applyChange(context, input)),
    undo: (context, input) => undoWithRetry(context, input, () => revertChange(context, input)),
  })
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, volume, label: name, name: device } = input;
    const isDone = outcome === 'Completed';
    await billingAccountLock(queries, account);
    await (isDone ? settleChange(queries, input) : releaseClaim(queries, input));
    for (const billed of new Set([service, input.formerService]))
      await volumeUsagePut(queries, account, billed, deps.clock.now());
    await deviceLockRelease(queries, device, holder);
    const data = { volumeid: String(volume), name };
    const event = isDone
      ? ({ type: completedEvents[input.action], data: { ...data, sizegb: String(input.sizeGb) } } as const)
      : ({ type: 'volume.failed', data: { ...data, reason } } as const);
    await appendEvent(deps, queries, { account, service, ...event });
  });

const completedEvents = {
  create: 'volume.created',
  attach: 'volume.attached',
  detach: 'volume.detached',
  grow: 'volume.resized',
} as const;

async function createVolume(context: MachineContext, input: MachineVolumeInput): Promise<Done<undefined>> {
  if (input.action === 'create')
    await useVolumes(context, input, (volumes, limit) =>
      volumes.create({ id: volumeName(input.volume), sizeGb: input.sizeGb }, input.name, limit),
    );
  return done();
}

async function removeCreated(context: MachineContext, input: MachineVolumeInput): Promise<Done<undefined>> {
  if (input.action === 'create')
    await useVolumes(context, input, (volumes, limit) => volumes.remove(volumeName(input.volume), limit));
  return done();
}

async function applyChange(context: MachineContext, input: MachineVolumeInput): Promise<Done<undefined>> {
  const { action, name, sizeGb, isAttached } = input;
  const id = volumeName(input.volume);
  await useVolumes(context, input, (volumes, limit) => {
    if (action === 'detach') return volumes.detach(id, name, limit);
    if (action === 'grow') return volumes.grow({ id, sizeGb }, isAttached ? name : undefined, limit);
    return volumes.attach(id, name, limit);
  });
  return done();
}

/** A volume that has grown stays large: shrinking it would lose data. */
async function revertChange(context: MachineContext, input: MachineVolumeInput): Promise<Done<undefined>> {
  const { action, name } = input;
  const id = volumeName(input.volume);
  if (action === 'detach') await useVolumes(context, input, (volumes, limit) => volumes.attach(id, name, limit));
  else if (action !== 'grow') await useVolumes(context, input, (volumes, limit) => volumes.detach(id, name, limit));
  return done();
}

export function useVolumes(
  context: MachineContext,
  { node }: MachineTarget,
  work: (volumes: Volumes, limit: AbortSignal) => Promise<void>,
): Promise<void> {
  return useHypervisor(
    context,
    node,
    (hypervisor, limit) => work(requireCapability(hypervisor, 'volumes'), limit),
    releaseTimeoutMs,
  );
}

async function settleChange(queries: Queries, { action, volume, service, sizeGb }: MachineVolumeInput): Promise<void> {
  if (action === 'grow') return volumeSettle(queries, volume, { size_gb: sizeGb });
  return volumeSettle(queries, volume, { service_id: service, is_attached: action === 'detach' ? 0 : 1 });
}

async function releaseClaim(queries: Queries, { action, volume, formerService }: MachineVolumeInput): Promise<void> {
  if (action === 'create') return volumeRemove(queries, volume);
  return volumeSettle(queries, volume, { service_id: formerService });
}
