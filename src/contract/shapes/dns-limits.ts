// The DNS records that a key is limited to. A change is allowed if one rule allows it; see docs/guides/keys.md.
import { Type, type Static } from 'typebox';
import { Choice, DomainName } from '../parameters.ts';
import { recordTypes } from './dns.ts';

const label = '(?:[a-zA-Z0-9_-]{1,63}|\\*)';
const moreLabels = `(?:\\.${label})*`;
const namePattern = `^(?:@|\\*\\*${moreLabels}|${label}${moreLabels}(?:\\.\\*\\*${moreLabels})?)$`;

/** The records that a rule allows. A list that is omitted allows all. */
export const DnsRule = Type.Object(
  {
    zones: Type.Optional(
      Type.Array(Type.String({ ...DomainName, maxLength: 253 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Names of zones',
      }),
    ),
    names: Type.Optional(
      Type.Array(Type.String({ maxLength: 253, pattern: namePattern }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Patterns of names, relative to the zone: `*` matches one label, `**` (at most once) any number of labels, and `@` the zone itself',
      }),
    ),
    types: Type.Optional(Type.Array(Choice(...recordTypes), { minItems: 1, maxItems: 100 })),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type DnsRule = Static<typeof DnsRule>;

/** As a parameter, an empty list removes the limits; in responses, it means that there are none. */
export const DnsLimits = Type.Array(DnsRule, {
  maxItems: 20,
  description: 'The DNS records that the key is limited to; empty for no limits',
  'x-reason':
    'must be a JSON array of at most 20 objects with lists of zones, of names such as _acme-challenge.**, or of types',
});

const acmeNames = ['_acme-challenge.**', '*._acme-challenge.**'];

/** What ACME clients write for the challenges dns-01 and dns-account-01, and nothing else. */
export function acmeRule(zones?: readonly string[]): DnsRule {
  return { ...(zones && { zones: [...zones] }), names: [...acmeNames], types: ['TXT'] };
}

export type ReadonlyDnsRule = { readonly [Name in keyof DnsRule]: readonly NonNullable<DnsRule[Name]>[number][] };

export function isAcmeRule({ names, types }: ReadonlyDnsRule): boolean {
  return names?.join() === acmeNames.join() && types?.join() === 'TXT';
}
