// Racks as operators see them, with the position and last known state of each device.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { fleetOperator, Rack } from '#contract/operator/fleet.ts';
import { optionalTimeText } from '#lib/time.ts';
import { equipmentStates, type EquipmentState } from '#store/operator/operator-fleet.ts';
import { rackMountsOf, rackPage, type RackMount } from '#store/devices/racks.ts';
import { climateOf } from '#store/devices/sensors.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import { numberText } from './equipment-shapes.ts';

type Climate = Awaited<ReturnType<typeof climateOf>>[number];
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
  const servers = mounted.filter(({ kind }) => kind === 'server').map(({ name }) => name);
  const climate = new Map((await climateOf(queries, servers)).map((row) => [row.server, row]));
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
    ...rackClimate(mounts.get(name) ?? [], climate),
  }));
}

function rackClimate(mounts: readonly RackMount[], climate: ReadonlyMap<string, Climate>) {
  const servers = mounts.filter(({ kind }) => kind === 'server');
  const known = (figure: 'watts' | 'inlet_celsius'): number[] =>
    servers.flatMap(({ name }) => climate.get(name)?.[figure] ?? []);
  const watts = known('watts');
  const inlets = known('inlet_celsius').toSorted((left, right) => left - right);
  const middle = inlets.slice(Math.floor((inlets.length - 1) / 2), Math.floor(inlets.length / 2) + 1);
  const median = middle.length === 0 ? undefined : Math.round(sum(middle) / middle.length);
  return {
    servers: String(servers.length),
    power: { watts: watts.length === 0 ? '' : String(sum(watts)), reporting: String(watts.length) },
    inlet: { max: numberText(inlets.at(-1)), median: numberText(median), reporting: String(inlets.length) },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mountState(observed: EquipmentState | undefined): Pick<Mount, 'state' | 'error' | 'seen'> {
  if (observed === undefined) return { state: 'unseen', error: '', seen: '' };
  const seen = optionalTimeText(observed.seen_at);
  if (observed.error !== null) return { state: 'silent', error: observed.error, seen };
  return { state: observed.seen_at === null ? 'unseen' : (observed.power ?? 'answers'), error: '', seen };
}
