// Copies of templates that a machine took along when it moved, MACHINE.SYSTEM.base. Its disks and snapshots can be overlays on the
// same one, so it stays as long as one of them is.
import type { StorageVolume } from '#protocols/libvirt/procedures.ts';

export function isBase(name: string): boolean {
  return /\.base\d*$/.test(name);
}

/** Returns those volumes of a machine that can be removed if others are kept: the bases of those stay too. */
export async function findRemovable(
  volumes: readonly StorageVolume[],
  isKept: (volume: StorageVolume) => boolean,
  backingOf: (volume: StorageVolume) => Promise<string | undefined>,
): Promise<readonly StorageVolume[]> {
  const bases = volumes.filter(({ name }) => isBase(name));
  const others = volumes.filter((volume) => !bases.includes(volume));
  const needed = new Set<StorageVolume>();
  let overlays = bases.length === 0 ? [] : others.filter(isKept);
  while (overlays.length > 0) {
    const paths = await Promise.all(overlays.map(backingOf));
    overlays = bases.filter((base) => paths.includes(base.key) && !needed.has(base));
    for (const base of overlays) needed.add(base);
  }
  return [...others.filter((volume) => !isKept(volume)), ...bases.filter((base) => !needed.has(base))];
}
