// What workflows that copy the disk of a machine share: a copy can take hours, in which the hypervisor is asked repeatedly
// and the machine stays locked.
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import type { Snapshots } from '#drivers/hypervisor/snapshots.ts';
import { ApiError } from '#lib/api-error.ts';
import {
  extendDeviceLock,
  retryWhileUnreachable,
  useHypervisor,
  type MachineContext,
  type MachineTarget,
} from '../device-steps.ts';
import { done, wait, type StepResult } from '../engine/workflow.ts';

const copyPollMs = 2000;
/** A hypervisor may restart; if it stays away, the workflow is undone once it is back. */
const unreachableMs = 60_000;
export const copyLimit = {
  ms: 24 * 3_600_000,
  code: 'node_unreachable',
  reason: 'The disk was not copied within a day.',
} as const;

/** Repeats a call that rejects with `device_busy` while it copies. */
export function copyDisk<T>(
  context: MachineContext,
  target: MachineTarget,
  work: (snapshots: Snapshots, limit: AbortSignal) => Promise<T>,
): Promise<StepResult<T>> {
  return retryWhileUnreachable(context, unreachableMs, async (): Promise<StepResult<T>> => {
    try {
      return done(await useSnapshots(context, target, work));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'device_busy') throw error;
      await extendDeviceLock(context, target);
      return wait(copyPollMs);
    }
  });
}

export function useSnapshots<T>(
  context: MachineContext,
  { node }: MachineTarget,
  work: (snapshots: Snapshots, limit: AbortSignal) => Promise<T>,
): Promise<T> {
  return useHypervisor(context, node, (hypervisor, limit) => work(requireCapability(hypervisor, 'snapshots'), limit));
}
