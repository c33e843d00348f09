// The management controller itself.
import { need } from '#drivers/bmc/driver.ts';
import type { Service } from '#store/services.ts';
import { serverOf, withBmc } from './devices.ts';
import type { Context } from './yard.ts';

/** Restarts the controller; the server runs on. Calls meanwhile wait for it to come back. */
export async function controllerReset(context: Context, service: Service): Promise<void> {
  await withBmc(context, serverOf(service), 'reset of the controller', (bmc, signal) =>
    need(bmc, 'controller').reset(signal),
  );
}
