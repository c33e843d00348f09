// What the site file says of attacks: who detects them, and what is done about them at the routers.
import { Type, type Static } from 'typebox';
import * as p from './parameters.ts';
import { DriverSettings, Secret } from './site-secrets.ts';

const closed = { additionalProperties: false };

const Detector = Type.Object(
  {
    /** It reports to /hooks/detector/NAME. */
    name: Type.String({ pattern: '^[a-z0-9-]{1,32}$', 'x-reason': 'must be letters, digits and hyphens' }),
    /** whsec_… and base64. Reports are signed with it. */
    secret: Secret,
    /** An attack of which the detector says nothing for so long is over; 60 unless told. */
    silentMinutes: Type.Optional(p.Whole(1, 10_080)),
    /** Where FastNetMon leaves what it finds; each finding is taken out of there. */
    redis: Type.Optional(
      Type.Object(
        {
          /** redis://, with a password in it. */
          url: Secret,
          /** FastNetMon's redis_prefix. */
          prefix: Type.String({ pattern: '^[\\w.:-]{1,64}$', 'x-reason': 'must be letters, digits and _ . : -' }),
        },
        closed,
      ),
    ),
  },
  closed,
);

const Nullroutes = Type.Object(
  {
    /** never: nobody gets one; offer: customers may have their own; automatic: attacks above the threshold get one too. */
    policy: p.Choice('never', 'offer', 'automatic'),
    /** Either is enough. */
    threshold: Type.Optional(
      Type.Object(
        {
          packetsPerSecond: Type.Optional(p.Whole(1, Number.MAX_SAFE_INTEGER)),
          bitsPerSecond: Type.Optional(p.Whole(1, Number.MAX_SAFE_INTEGER)),
        },
        closed,
      ),
    ),
    /** How long an automatic one lasts where the attack does not end before; 60 unless told. */
    minutes: Type.Optional(p.Whole(1, 43_200)),
    /** How often in 24 hours one address may be null-routed; 20 unless told. */
    perDay: Type.Optional(p.Whole(1, 10_000)),
    /** How many addresses at once, of all customers together; 1,000 unless told. */
    ceiling: Type.Optional(p.Whole(1, 1_000_000)),
    router: Type.Optional(Type.Object({ driver: p.Text({ max: 32 }), settings: DriverSettings('router') }, closed)),
  },
  closed,
);

export const attackParts = {
  detectors: Type.Optional(Type.Array(Detector)),
  nullroutes: Type.Optional(Nullroutes),
};
export type SiteDetector = Static<typeof Detector>;
export type SiteNullroutes = Static<typeof Nullroutes>;
