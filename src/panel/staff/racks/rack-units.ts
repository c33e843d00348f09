// How a rack is drawn: unit by unit from the top, with what stands in it where it stands.
import type { Methods } from '#sdk/operator.ts';

export type Rack = Awaited<ReturnType<Methods['rackList']>>[number];
export type Mount = Rack['mounts'][number];

export interface Drawn {
  readonly mount: Mount;
  /** The row of its top, the first of the rack being 1. */
  readonly row: number;
  readonly rows: number;
}

/** From the top down, as one reads it. */
export function drawn({ height, mounts }: Rack): Drawn[] {
  return mounts
    .map((mount) => {
      const rows = Number(mount.height);
      return { mount, row: Number(height) - (Number(mount.unit) + rows - 1) + 1, rows };
    })
    .toSorted((one, other) => one.row - other.row);
}

/** `U17–18`. */
export function unitText({ unit, height }: Pick<Mount, 'unit' | 'height'>): string {
  const top = Number(unit) + Number(height) - 1;
  return height === '1' ? `U${unit}` : `U${unit}–${top}`;
}

export function unitsUsed({ mounts }: Rack): number {
  return mounts.reduce((sum, { height }) => sum + Number(height), 0);
}
