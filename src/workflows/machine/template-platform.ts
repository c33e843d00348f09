// The platform that the systems of a template need, and why a hypervisor cannot provide it.
import type { Hypervisor, Platform } from '#drivers/hypervisor/driver.ts';
import type { Template } from '#store/devices/templates.ts';

export function platformOf({ firmware, secure_boot, tpm }: Template): Platform {
  return { firmware, secureBoot: secure_boot === 1, tpm: tpm === 1 };
}

/** Returns sentences for staff. `machine` is the one to be reinstalled. */
export async function platformProblems(
  hypervisor: Hypervisor,
  template: Template | undefined,
  machine: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (template === undefined) return [];
  return (await hypervisor.findPlatformProblems?.(platformOf(template), machine, signal)) ?? [];
}
