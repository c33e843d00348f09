// The layout of a rack, which is drawn from the top unit down.
import type { StaffResult } from '../../data/operations.ts';
import { t } from '../../text/text.ts';

export type Rack = StaffResult<'rackList'>[number];
export type Mount = Rack['mounts'][number];

export const mountStateNames: Readonly<Record<Mount['state'], string>> = {
  on: t('On'),
  answers: t('Online'),
  off: t('Off'),
  silent: t('Not responding'),
  unseen: t('Not checked yet'),
};

export const mountKindNames: Readonly<Record<Mount['kind'], string>> = {
  server: t('Server'),
  switch: t('Switch'),
  node: t('Hypervisor'),
};

export interface MountLayout {
  readonly mount: Mount;
  /** The grid row of its top edge; the top row of the rack is 1. */
  readonly row: number;
  readonly rows: number;
}

/** Returns the mounts in order from the top down. */
export function layOutMounts({ height, mounts }: Rack): MountLayout[] {
  return mounts
    .map((mount) => {
      const rows = Number(mount.height);
      return { mount, row: Number(height) - (Number(mount.unit) + rows - 1) + 1, rows };
    })
    .toSorted((a, b) => a.row - b.row);
}

/** Returns the units as in `U17–18`. */
export function unitText({ unit, height }: Pick<Mount, 'unit' | 'height'>): string {
  const top = Number(unit) + Number(height) - 1;
  return height === '1' ? `U${unit}` : `U${unit}–${top}`;
}

export function unitsUsed({ mounts }: Rack): number {
  return mounts.reduce((sum, { height }) => sum + Number(height), 0);
}
