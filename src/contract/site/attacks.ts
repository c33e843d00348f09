// The site file's part about attacks: detectors, and null routes on the routers.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { DriverSettings, Secret } from './secrets.ts';

const Detector = p.StrictObject({
  /** Part of its URL, /hooks/detector/NAME. */
  name: p.Matching('^[a-z0-9-]{1,32}$', 'must be letters, digits and hyphens'),
  /** whsec_… and base64. The detector signs its reports with it. */
  secret: Secret,
  /** Minutes without a report after which an attack is over; 60 by default. */
  silentMinutes: Type.Optional(p.Whole(1, 10_080)),
  /** Where FastNetMon stores its findings; each is removed from there once read. */
  redis: Type.Optional(
    p.StrictObject({
      /** redis://, may contain a password. */
      url: Secret,
      /** FastNetMon's redis_prefix. */
      prefix: p.Matching('^[\\w.:-]{1,64}$', 'must be letters, digits and _ . : -'),
    }),
  ),
});

const Nullroutes = p.StrictObject({
  /**
   * never: no null routes; offer: customers can create their own; automatic: attacks above the threshold get one
   * too.
   */
  policy: p.Choice('never', 'offer', 'automatic'),
  /** Either suffices. */
  threshold: Type.Optional(
    p.StrictObject({
      packetsPerSecond: Type.Optional(p.Whole(1, Number.MAX_SAFE_INTEGER)),
      bitsPerSecond: Type.Optional(p.Whole(1, Number.MAX_SAFE_INTEGER)),
    }),
  ),
  /** Minutes that an automatic null route lasts if the attack does not end before; 60 by default. */
  minutes: Type.Optional(p.Whole(1, 43_200)),
  /** How often an address may be null-routed in 24 hours; 20 by default. */
  perDay: Type.Optional(p.Whole(1, 10_000)),
  /** The maximum number of null-routed addresses, over all customers; 1,000 by default. */
  ceiling: Type.Optional(p.Whole(1, 1_000_000)),
  router: Type.Optional(p.StrictObject({ driver: p.Text({ max: 32 }), settings: DriverSettings('router') })),
});

export const attackParts = {
  detectors: Type.Optional(Type.Array(Detector)),
  nullroutes: Type.Optional(Nullroutes),
};
export type SiteDetector = Static<typeof Detector>;
export type SiteNullroutes = Static<typeof Nullroutes>;
