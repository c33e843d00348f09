// Power and health of an account's devices as they are on record: a list of hundreds costs two queries and asks no controller.
import type { Static } from 'typebox';
import type { DeviceState } from '#contract/shapes/device.ts';
import { momentText } from '#kernel/moments.ts';
import { deviceHoldsOf, type DeviceHold } from '#store/devices/device-holds.ts';
import { devicesSeen, type SeenDevice } from '#store/devices/device-states.ts';
import type { Context } from '../yard.ts';
import { deviceName } from '../services/holds.ts';
import { serviceOf } from '../services/services.ts';

type State = Static<typeof DeviceState>;

/** A service whose device is gone is not among them. */
export async function deviceStateList(context: Context, service: number | undefined): Promise<State[]> {
  const { queries, caller } = context;
  if (service !== undefined) await serviceOf(context, service);
  const seen = await devicesSeen(queries, caller.account);
  const devices = seen.flatMap((each) => {
    const device = deviceName(each);
    return device === undefined || (service !== undefined && each.id !== service) ? [] : [{ device, each }];
  });
  const holds = await deviceHoldsOf(
    queries,
    devices.map(({ device }) => device),
  );
  return devices.map(({ device, each }) => {
    const isKnown = each.power_error === null && each.power_state !== null;
    return {
      service: String(each.id),
      power: isKnown ? each.power_state : 'unknown',
      seen: each.power_seen_at === null ? '' : momentText(each.power_seen_at),
      ...healthOf(
        each,
        holds.find((hold) => hold.device === device),
      ),
    };
  });
}

/** What stood in the way of a look is told without its details: they name the provider's equipment. */
function healthOf(seen: SeenDevice, hold: DeviceHold | undefined): Pick<State, 'health' | 'reason'> {
  if (hold !== undefined) return { health: hold.kind === 'locked' ? 'Locked' : 'Maintenance', reason: hold.reason };
  if (seen.power_error !== null) {
    const controls = seen.server === null ? 'node' : 'management controller';
    return { health: 'Unreachable', reason: `Its ${controls} did not answer when it was last asked.` };
  }
  if (seen.power_state === null) return { health: 'Waiting', reason: 'It was not looked at yet.' };
  return { health: 'Good', reason: '' };
}
