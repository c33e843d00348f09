// Racks as operators see them, with the position and last known state of each device.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { fleetOperator, Rack } from '#contract/operator/fleet.ts';
import { timeText } from '#lib/time.ts';
import { equipmentStates, type EquipmentState } from '#store/operator/operator-fleet.ts';
import { rackMountsOf, rackPage } from '#store/devices/racks.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';

type Mount = Static<typeof Rack>['mounts'][number];

export async function rackList(
  { queries }: Context,
  { limit = pageLength, after = '' }: InputOf<typeof fleetOperator.rackList>,
): Promise<Static<typeof Rack>[]> {
  const racks = await rackPage(queries, after, limit);
  const mounted = await rackMountsOf(
    queries,
    racks.map(({ name }) => name),
  );
  const states = new Map<string, EquipmentState>();
  for (const [kind, ofKind] of Map.groupBy(mounted, (mount) => mount.kind)) {
    const names = ofKind.map(({ name }) => name);
    for (const state of await equipmentStates(queries, kind, names)) states.set(`${kind} ${state.name}`, state);
  }
  const mounts = Map.groupBy(mounted, ({ rack }) => rack);
  return racks.map(({ name, height, place }) => ({
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
