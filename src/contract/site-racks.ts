// What the site file says of racks, and of what stands in them.
import { Type, type Static } from 'typebox';
import * as p from './parameters.ts';

const closed = { additionalProperties: false };

export const SiteRack = Type.Object(
  {
    name: p.Text({ max: 64 }),
    /** In units; 42 unless told. */
    height: Type.Optional(p.Whole(1, 100)),
    /** Where it stands: building, room, row. */
    place: Type.Optional(p.Text({ max: 255 })),
  },
  closed,
);

/** Of a server, a switch or a node. */
export const rackPlace = {
  rack: Type.Optional(p.Text({ max: 64 })),
  /** The lowest that it takes, counted from 1 at the bottom. */
  unit: Type.Optional(p.Whole(1, 100)),
  /** In units; 1 unless told. */
  height: Type.Optional(p.Whole(1, 100)),
};

export const rackHeight = 42;
export type SiteRack = Static<typeof SiteRack>;
