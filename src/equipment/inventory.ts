// Hardware and firmware of a server as its BMC reports them. A BMC may know only one of them, or nothing.
import { ignoreMissing } from '#drivers/bmc/driver.ts';
import type { ServerInventory } from '#store/devices/servers.ts';
import type { Bmcs } from './bmcs.ts';
import type { Waits } from './waits.ts';

export function readInventory(
  bmcs: Bmcs,
  server: string,
  timeout: (waits: Waits) => AbortSignal,
): Promise<Pick<ServerInventory, 'parts' | 'firmware'>> {
  return bmcs.use(server, async ({ inventory }, waits) => ({
    parts: (await ignoreMissing(inventory?.read(timeout(waits)))) ?? {},
    firmware: (await ignoreMissing(inventory?.firmware?.(timeout(waits)))) ?? {},
  }));
}
