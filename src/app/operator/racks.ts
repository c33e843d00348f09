// Racks as operators see them, with the position and last known state of each device.
import type { Static } from 'typebox';
import type { Rack } from '#contract/operator/fleet.ts';
import { timeText } from '#lib/time.ts';
import { equipmentStates, type EquipmentState } from '#store/operator/operator-fleet.ts';
import { rackList as storedRacks, rackMounts } from '#store/devices/racks.ts';
import type { Context } from '../app.ts';

type Mount = Static<typeof Rack>['mounts'][number];

export async function rackList({ queries }: Context): Promise<Static<typeof Rack>[]> {
  const states = new Map((await equipmentStates(queries)).map((state) => [`${state.kind} ${state.name}`, state]));
  const mounts = Map.groupBy(await rackMounts(queries), ({ rack }) => rack);
  return (await storedRacks(queries)).map(({ name, height, place }) => ({
    name,
    height: String(height),
    place,
    mounts: (mounts.get(name) ?? []).map((mount) => ({
      kind: mount.kind,
      name: mount.name,
      unit: String(mount.unit),
      height: String(mount.height),
      ...mountState(states.get(`${mount.kind} ${mount.name}`)),
    })),
  }));
}

function mountState(observed: EquipmentState | undefined): Pick<Mount, 'state' | 'error' | 'seen'> {
  if (observed === undefined) return { state: 'unseen', error: '', seen: '' };
  const seen = observed.seen_at === null ? '' : timeText(observed.seen_at);
  if (observed.error !== null) return { state: 'silent', error: observed.error, seen };
  return { state: observed.seen_at === null ? 'unseen' : (observed.power ?? 'answers'), error: '', seen };
}
