// The Redfish driver: power, next boot, virtual media, users, inventory and the controller itself. It offers no serial line:
// Redfish has none of its own.
import { missing, type Bmc, type Controller, type KnownServer } from '../driver.ts';
import { bootOf } from './boot.ts';
import { redfishClient } from './client.ts';
import { RedfishError, told } from './error.ts';
import { inventoryOf } from './inventory.ts';
import { mediaOf } from './media.ts';
import { powerOf } from './power.ts';
import { actionOf, allowedValues, redfishService, type RedfishService } from './service.ts';
import type { RedfishSettings } from './settings.ts';
import { usersOf } from './users.ts';

export function openRedfish(settings: RedfishSettings, { firmware }: KnownServer = {}): Bmc {
  const client = redfishClient(settings);
  const service = redfishService(client, settings.system);
  return {
    power: powerOf(service),
    boot: bootOf(service, firmware),
    users: usersOf(service),
    media: mediaOf(service),
    inventory: inventoryOf(service),
    controller: controllerOf(service),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function controllerOf(service: RedfishService): Controller {
  return {
    reset: (signal) =>
      told('controller', async () => {
        const manager = await service.manager(signal);
        const action = manager && actionOf(manager, 'Manager.Reset');
        if (action === undefined) throw missing('controller');
        const allowed = await allowedValues(service.client, action, 'ResetType', signal);
        const type = ['GracefulRestart', 'ForceRestart'].find((each) => allowed?.includes(each) ?? true);
        if (type === undefined) throw missing('controller');
        await service.client.post(action.target, { ResetType: type }, signal).catch((error: unknown) => {
          // One that goes before it has answered has gone all the same.
          if (!(error instanceof RedfishError) || error.kind !== 'unknown' || signal.aborted) throw error;
        });
      }),
  };
}
