// Settings of a BMC with Redfish. Its certificate is verified against an authority (the system's, or `ca`), or by
// fingerprint, since most BMCs have self-signed ones.
import { Type, type Static } from 'typebox';
import { SiteWaits } from '#contract/site/waits.ts';

export const RedfishSettings = Type.Object(
  {
    address: Type.String({
      pattern: '^[A-Za-z0-9.:-]{1,253}$',
      'x-reason': 'must be an IPv4 or IPv6 address, or a name',
    }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, 'x-reason': 'must be a port' })),
    username: Type.String({ minLength: 1, maxLength: 64, 'x-reason': 'must be 1 to 64 characters' }),
    password: Type.String({ 'x-secret': true, maxLength: 128, 'x-reason': 'must be at most 128 characters' }),
    fingerprint: Type.Optional(
      Type.String({
        pattern: '^(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$',
        'x-reason': 'must be the SHA-256 of the certificate: 32 pairs of hex digits',
      }),
    ),
    ca: Type.Optional(
      Type.String({ pattern: '-----BEGIN CERTIFICATE-----', 'x-reason': 'must be a certificate in PEM' }),
    ),
    /** Id or UUID of the system, if the service has several. */
    system: Type.Optional(Type.String({ minLength: 1, maxLength: 128, 'x-reason': 'must be 1 to 128 characters' })),
  },
  { additionalProperties: false },
);
export type RedfishSettings = Static<typeof RedfishSettings>;

/** Of a BMC that is controlled over Redfish alone. */
export const RedfishDriverSettings = Type.Object(
  { ...RedfishSettings.properties, waits: Type.Optional(SiteWaits) },
  { additionalProperties: false },
);
