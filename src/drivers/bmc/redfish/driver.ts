// The Redfish driver: power, next boot, virtual media, users, inventory and the BMC itself. Redfish does not define a
// serial console, so that part is absent.
import { missingCapability, type Bmc, type Consoles, type Controller, type ServerHints } from '../driver.ts';
import { createBoot } from './boot.ts';
import { redfishClient } from './client.ts';
import { RedfishError, withApiErrors } from './error.ts';
import { createInventory } from './inventory.ts';
import { createLog } from './log.ts';
import { createMedia } from './media.ts';
import { createPower } from './power.ts';
import { createSensors } from './sensors.ts';
import { allowedResetTypes, findAction, redfishService, type RedfishService } from './service.ts';
import { endSessions, isConsoleSession } from './sessions.ts';
import type { RedfishSettings } from './settings.ts';
import { createUsers } from './users.ts';
import { createWebPage } from './web.ts';

export function openRedfish(settings: RedfishSettings, { firmware, waits }: ServerHints = {}): Bmc {
  const client = redfishClient(settings, waits);
  const service = redfishService(client, settings.system);
  return {
    power: createPower(service),
    boot: createBoot(service, firmware),
    users: createUsers(service),
    media: createMedia(service),
    inventory: createInventory(service),
    sensors: createSensors(service),
    log: createLog(service),
    controller: createController(service),
    consoles: withApiErrors<Consoles>('consoles', {
      reset: (signal) => endSessions(service, isConsoleSession, signal),
    }),
    web: createWebPage(settings, waits),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function createController(service: RedfishService): Controller {
  return withApiErrors<Controller>('controller', {
    async reset(signal) {
      const manager = await service.manager(signal);
      const action = manager && findAction(manager, 'Manager.Reset');
      if (action === undefined) throw missingCapability('controller');
      const allowed = await allowedResetTypes(service.client, action, signal);
      const type = ['GracefulRestart', 'ForceRestart'].find((candidate) => allowed?.includes(candidate) ?? true);
      if (type === undefined) throw missingCapability('controller');
      await service.client.post(action.target, { ResetType: type }, signal).catch((error: unknown) => {
        // A BMC that disconnects before it responds is restarting.
        if (!(error instanceof RedfishError) || error.kind !== 'unknown' || signal.aborted) throw error;
      });
    },
  });
}
