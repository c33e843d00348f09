// Racks as the provider's staff see them: what stands where, and how it was last seen.
import type { Static } from 'typebox';
import type { Rack } from '#contract/operator/fleet.ts';
import { momentText } from '#kernel/moments.ts';
import { equipmentSeen, type EquipmentSeen } from '#store/operator/operator-fleet.ts';
import { rackList as stored, rackMounts } from '#store/devices/racks.ts';
import type { Context } from '../yard.ts';

type Mount = Static<typeof Rack>['mounts'][number];

export async function rackList({ queries }: Context): Promise<Static<typeof Rack>[]> {
  const seen = new Map((await equipmentSeen(queries)).map((one) => [`${one.kind} ${one.name}`, one]));
  const mounts = Map.groupBy(await rackMounts(queries), ({ rack }) => rack);
  return (await stored(queries)).map(({ name, height, place }) => ({
    name,
    height: String(height),
    place,
    mounts: (mounts.get(name) ?? []).map((mount) => ({
      kind: mount.kind,
      name: mount.name,
      unit: String(mount.unit),
      height: String(mount.height),
      ...shown(seen.get(`${mount.kind} ${mount.name}`)),
    })),
  }));
}

function shown(one: EquipmentSeen | undefined): Pick<Mount, 'state' | 'error' | 'seen'> {
  if (one === undefined) return { state: 'unseen', error: '', seen: '' };
  const seen = one.seen_at === null ? '' : momentText(one.seen_at);
  if (one.error !== null) return { state: 'silent', error: one.error, seen };
  return { state: one.seen_at === null ? 'unseen' : (one.power ?? 'answers'), error: '', seen };
}
