// The part of the site file about ISO images: the provider's own, and where controllers fetch them.
import { Type, type Static } from 'typebox';
import * as p from './parameters.ts';
import { serviceTypes } from './shapes/device.ts';
import { HttpUrl, providedFile } from './site-systems.ts';

const closed = { additionalProperties: false };

export const SiteImage = Type.Object(
  {
    /** What customers read; made from the value unless told. */
    name: Type.Optional(p.Text({ max: 128 })),
    /** What they send. One of the built-in list gives that name its file. */
    value: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
      'x-reason': 'must be letters, digits, dots, hyphens and underscores, at most 128',
    }),
    ...providedFile,
    /** Where it stands on the nodes of virtual machines, as their driver calls it; left out: those do not have it. */
    onNodes: Type.Optional(p.Text({ max: 4096 })),
    /** Which kinds of service may have it; all unless told. */
    devices: Type.Optional(Type.Array(p.Choice(...serviceTypes))),
  },
  closed,
);

export const SiteMedia = Type.Object(
  {
    /** Where controllers fetch images. Customers need no way to it. */
    listen: p.ListenAddress,
    /** How controllers reach it, where that is not the address above. */
    url: Type.Optional(HttpUrl),
    /** `http` for controllers that speak nothing better. */
    protocol: Type.Optional(p.Choice('https', 'http')),
    /** Paths of both in PEM; left out: one of its own making, anew at every start. */
    certificate: Type.Optional(p.Text({ max: 4096 })),
    key: Type.Optional(p.Text({ max: 4096 })),
  },
  closed,
);

export type SiteImage = Static<typeof SiteImage>;
export type SiteMedia = Static<typeof SiteMedia>;
