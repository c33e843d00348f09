// Erases and removes deleted volumes. It cannot be undone, so it is no part of a workflow: it runs only after the deletion was
// committed, and again until the hypervisor confirms it.
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { volumeName, volumeRemove, volumesToDelete, type Volume } from '#store/devices/volumes.ts';
import { runNodeWork } from './node-work.ts';
import { failureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

export interface VolumeTidyParts extends ReconcilerParts {
  readonly hypervisors: Hypervisors;
}

const everySeconds = 60;
const removeTimeoutMs = 30_000;

export function volumeTidy(parts: VolumeTidyParts): Reconciler {
  const failures = failureLog(parts.log, 'could not remove a volume');
  return {
    name: 'volume-tidy',
    everySeconds,
    deadlineSeconds: 300,
    async run(signal) {
      const work = (await volumesToDelete(parts.store.queries)).map((volume) => ({
        node: volume.node,
        run: () => failures.attemptCommand(volumeName(volume.id), () => removeVolume(parts, volume, signal)),
      }));
      return { backlog: await runNodeWork(work, signal) };
    },
  };
}

async function removeVolume(
  { hypervisors, store }: VolumeTidyParts,
  volume: Volume,
  signal: AbortSignal,
): Promise<void> {
  const limit = commandTimeout(signal, removeTimeoutMs);
  await hypervisors.use(volume.node, (hypervisor) =>
    requireCapability(hypervisor, 'volumes').remove(volumeName(volume.id), limit),
  );
  await volumeRemove(store.queries, volume.id);
}
