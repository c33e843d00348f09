// Zones with everything that makes answering hard (wildcards, delegations, CNAMEs, empty non-terminals), and queries
// for them.
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { ancestorNames } from '#protocols/dns/name.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes } from '#protocols/dns/types.ts';

const queryTypes = [
  rrTypes.A,
  rrTypes.AAAA,
  rrTypes.TXT,
  rrTypes.MX,
  rrTypes.CNAME,
  rrTypes.NS,
  rrTypes.SOA,
  rrTypes.SRV,
  rrTypes.DS,
  rrTypes.ANY,
  rrTypes.CAA,
];
const possibleLabels = ['a', 'b', 'c', 'www', 'mail', '_sip', 'deep'];

/** Seeded, so that a failure can be reproduced. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function set(name: string, type: number, ...contents: string[]): Rrset {
  return { name, type, ttl: 300, rdata: contents.map((content) => contentToWire(type, content)) };
}

export function makeZone(zone: string, random: (below: number) => number): ZoneContent {
  const nodes = new Map<string, Rrset[]>();
  const randomName = () => {
    const labels = Array.from({ length: 1 + random(3) }, () => possibleLabels[random(possibleLabels.length)]!);
    if (random(6) === 0) labels[0] = '*';
    return [...labels, zone].join('.');
  };
  const isBelowCut = (name: string) =>
    ancestorNames(name, zone).some(
      (above) => above !== zone && nodes.get(above)?.some(({ type }) => type === rrTypes.NS),
    );
  const hasBelow = (name: string) => [...nodes.keys()].some((other) => other.endsWith(`.${name}`));
  for (let count = 0; count < 60; count++) {
    const name = randomName();
    if (nodes.has(name) || isBelowCut(name)) continue;
    const target = [randomName, randomName, () => 'www.elsewhere.test', () => 'www.beta.test'][random(4)]!();
    const host = target.replace('*', 'www').replaceAll('_', '');
    switch (random(7)) {
      case 0:
        nodes.set(name, [set(name, rrTypes.CNAME, target)]);
        break;
      case 1:
        if (/[*_]/.test(name) || hasBelow(name)) break;
        nodes.set(name, [
          set(name, rrTypes.NS, `ns.${name}`, 'ns.elsewhere.test'),
          ...(random(2) ? [set(name, rrTypes.DS, `1 13 2 ${'ab'.repeat(32)}`)] : []),
        ]);
        nodes.set(`ns.${name}`, [set(`ns.${name}`, rrTypes.A, '192.0.2.53')]);
        break;
      case 2:
        nodes.set(name, [set(name, rrTypes.MX, `10 ${host}`, '20 mail.elsewhere.test')]);
        break;
      case 3:
        nodes.set(name, [set(name, rrTypes.TXT, `text ${count}`), set(name, rrTypes.SRV, `1 2 3 ${host}`)]);
        break;
      default:
        nodes.set(name, [
          set(name, rrTypes.A, `192.0.2.${count}`),
          ...(random(2) ? [set(name, rrTypes.AAAA, `2001:db8::${count}`)] : []),
        ]);
    }
  }
  const apex = [
    { ...set(zone, rrTypes.SOA, `ns1.${zone} hostmaster.${zone} 7 10800 3600 604800 ${random(2) ? 60 : 900}`) },
    set(zone, rrTypes.NS, `ns1.${zone}`, 'ns2.elsewhere.test'),
    set(zone, rrTypes.MX, `10 mail.${zone}`),
  ];
  return { name: zone, rrsets: [...apex, ...[...nodes.values()].flat()] };
}

export function makeQuestions(
  zones: readonly ZoneContent[],
  random: (below: number) => number,
  count: number,
): { name: string; type: number }[] {
  const names = [...new Set(zones.flatMap((zone) => zone.rrsets.map((rrset) => rrset.name)))];
  return Array.from({ length: count }, () => {
    const name = names[random(names.length)]!;
    const variants = [
      name,
      name,
      `${possibleLabels[random(possibleLabels.length)]}.${name}`,
      `no.such.${name}`,
      ancestorNames(name)[1]!,
      `no.${zones[0]!.name}`,
      'not-ours.invalid',
    ];
    return { name: variants[random(variants.length)]!, type: queryTypes[random(queryTypes.length)]! };
  });
}

/** Zone names, one of which is a subdomain of another. */
export const zoneNames = ['alpha.test', 'beta.test', 'child.alpha.test', 'gamma.test', 'delta.test'];
