// The management controller itself.
import { need } from '#drivers/bmc/driver.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf, withBmc } from './servers.ts';
import type { Context } from '../yard.ts';

/** The slowest controllers that are met take about so long to start. */
const longestAbsenceMs = 180_000;

/** Restarts the controller; the server runs on. Calls meanwhile wait for it to come back. */
export async function controllerReset(context: Context, service: Service): Promise<void> {
  const server = serverOf(service);
  await withBmc(context, server, 'reset of the controller', (bmc, signal) => need(bmc, 'controller').reset(signal));
  context.yard.bmcs.expectSilence(server, longestAbsenceMs);
}
