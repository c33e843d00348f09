// Erases and removes deleted volumes. It cannot be undone, so it is no part of a workflow: it runs only after the deletion was
// committed, and again until the hypervisor confirms it.
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { volumeName, volumeRemove, volumesToDelete, type Volume } from '#store/devices/volumes.ts';
import { failureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

export interface VolumeTidyParts extends ReconcilerParts {
  readonly hypervisors: Hypervisors;
}

const everySeconds = 60;
const removeTimeoutMs = 30_000;
const volumesPerRun = 100;

export function volumeTidy(parts: VolumeTidyParts): Reconciler {
  const failures = failureLog(parts.log, 'could not remove a volume');
  return {
    name: 'volume-tidy',
    everySeconds,
    deadlineSeconds: 300,
    async run(signal) {
      let backlog = 0;
      for (const volume of await volumesToDelete(parts.store.queries, volumesPerRun)) {
        const name = volumeName(volume.id);
        if (!(await failures.attemptCommand(name, () => removeVolume(parts, volume, signal)))) backlog++;
      }
      return { backlog };
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
