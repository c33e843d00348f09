// The site file's part about ISO images: the provider's own, and where BMCs fetch them.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { serviceTypes } from '../shapes/device.ts';
import { HttpUrl, providedFile } from './systems.ts';

export const SiteImage = p.StrictObject({
  /** Shown to customers; by default derived from the value. */
  name: Type.Optional(p.Text({ max: 128 })),
  /** Sent by customers. A value of the built-in list assigns a file to that entry. */
  value: p.Matching(
    '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
    'must be letters, digits, dots, hyphens and underscores, at most 128',
  ),
  ...providedFile,
  /** Its location on hypervisors, in their driver's notation; if omitted, machines cannot use it. */
  onNodes: Type.Optional(p.Text({ max: 4096 })),
  /** Which types of service may use it; all by default. */
  devices: Type.Optional(Type.Array(p.Choice(...serviceTypes))),
});

export const SiteMedia = p.StrictObject({
  /** Where BMCs fetch images. Customers need no access to it. */
  listen: p.ListenAddress,
  /** How BMCs reach it, if not at the address above. */
  url: Type.Optional(HttpUrl),
  /** `http` for BMCs that support nothing better. */
  protocol: Type.Optional(p.Choice('https', 'http')),
  /** Paths of both PEM files; by default a self-signed certificate, new at every start. */
  certificate: Type.Optional(p.Text({ max: 4096 })),
  key: Type.Optional(p.Text({ max: 4096 })),
});

export type SiteImage = Static<typeof SiteImage>;
export type SiteMedia = Static<typeof SiteMedia>;
