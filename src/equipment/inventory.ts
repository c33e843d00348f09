// Hardware and firmware of a server as its BMC reports them. A BMC may know only one of them, or nothing.
import { ApiError } from '#lib/api-error.ts';
import type { ServerInventory } from '#store/devices/servers.ts';
import type { Bmcs } from './bmcs.ts';

export function readInventory(
  bmcs: Bmcs,
  server: string,
  timeout: () => AbortSignal,
): Promise<Pick<ServerInventory, 'parts' | 'firmware'>> {
  return bmcs.use(server, async ({ inventory }) => ({
    parts: (await ignoreMissing(inventory?.read(timeout()))) ?? {},
    firmware: (await ignoreMissing(inventory?.firmware?.(timeout()))) ?? {},
  }));
}

async function ignoreMissing<T>(reading: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'capability_missing') return undefined;
    throw error;
  }
}
