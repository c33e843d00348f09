// The site file's part about racks and the equipment in them.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';

export const SiteRack = p.StrictObject({
  name: p.Text({ max: 64 }),
  /** In units; 42 by default. */
  height: Type.Optional(p.Whole(1, 100)),
  /** Its location: building, room, row. */
  place: Type.Optional(p.Text({ max: 255 })),
});

/** For a server, switch or hypervisor. */
export const rackPlace = {
  rack: Type.Optional(p.Text({ max: 64 })),
  /** The lowest unit, counted from 1 at the bottom. */
  unit: Type.Optional(p.Whole(1, 100)),
  /** In units; 1 by default. */
  height: Type.Optional(p.Whole(1, 100)),
};

export const rackHeight = 42;
export type SiteRack = Static<typeof SiteRack>;
