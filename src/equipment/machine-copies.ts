// Removes what a migration left on a hypervisor.
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';

/** `volumes` are those of the machine that another hypervisor has now: here, only copies of them can be left. */
export async function removeMachineCopy(
  hypervisor: Hypervisor,
  name: string,
  volumes: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await hypervisor.machines.remove(name, signal);
  for (const id of volumes) await hypervisor.volumes?.remove(id, signal);
}
