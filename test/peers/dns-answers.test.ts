// The built-in name server beside PowerDNS: the same zones, thousands of the same questions, the same answers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemorySource } from '#drivers/dns/builtin/memory-source.ts';
import { type NameServer, startNameServer } from '#drivers/dns/builtin/server.ts';
import { type ServerAddress, askTcp, askUdp, queryMessage } from '#drivers/dns/client.ts';
import type { WantedZone } from '#drivers/dns/driver.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { needs } from '#test/support/needs.ts';
import { type PowerDns, startPowerDns } from '#test/support/powerdns.ts';
import { chainOfNames } from '#wire/dns/name.ts';
import type { Message } from '#wire/dns/message.ts';
import { contentToWire, wireToContent } from '#wire/dns/rdata.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { FLAG, TYPE, typeName } from '#wire/dns/types.ts';

const QUESTIONS = 4000;
const AT_ONCE = 20;
const ASKED_TYPES = [
  TYPE.A,
  TYPE.AAAA,
  TYPE.TXT,
  TYPE.MX,
  TYPE.CNAME,
  TYPE.NS,
  TYPE.SOA,
  TYPE.SRV,
  TYPE.DS,
  TYPE.ANY,
  TYPE.CAA,
];
const LABELS = ['a', 'b', 'c', 'www', 'mail', '_sip', 'deep'];

/** The same zones and questions in every run, so that a failure can be looked at again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function set(name: string, type: number, ...contents: string[]): Rrset {
  return { name, type, ttl: 300, rdata: contents.map((content) => contentToWire(type, content)) };
}

function makeZone(zone: string, random: (below: number) => number): WantedZone {
  const nodes = new Map<string, Rrset[]>();
  const randomName = () => {
    const labels = Array.from({ length: 1 + random(3) }, () => LABELS[random(LABELS.length)]!);
    if (random(6) === 0) labels[0] = '*';
    return [...labels, zone].join('.');
  };
  const isBelowCut = (name: string) =>
    chainOfNames(name, zone).some((above) => above !== zone && nodes.get(above)?.some(({ type }) => type === TYPE.NS));
  const hasBelow = (name: string) => [...nodes.keys()].some((other) => other.endsWith(`.${name}`));
  for (let count = 0; count < 60; count++) {
    const name = randomName();
    if (nodes.has(name) || isBelowCut(name)) continue;
    const target = [randomName, randomName, () => 'www.elsewhere.test', () => 'www.beta.test'][random(4)]!();
    const host = target.replace('*', 'www').replaceAll('_', '');
    switch (random(7)) {
      case 0:
        nodes.set(name, [set(name, TYPE.CNAME, target)]);
        break;
      case 1:
        if (/[*_]/.test(name) || hasBelow(name)) break;
        nodes.set(name, [
          set(name, TYPE.NS, `ns.${name}`, 'ns.elsewhere.test'),
          ...(random(2) ? [set(name, TYPE.DS, `1 13 2 ${'ab'.repeat(32)}`)] : []),
        ]);
        nodes.set(`ns.${name}`, [set(`ns.${name}`, TYPE.A, '192.0.2.53')]);
        break;
      case 2:
        nodes.set(name, [set(name, TYPE.MX, `10 ${host}`, '20 mail.elsewhere.test')]);
        break;
      case 3:
        nodes.set(name, [set(name, TYPE.TXT, `text ${count}`), set(name, TYPE.SRV, `1 2 3 ${host}`)]);
        break;
      default:
        nodes.set(name, [
          set(name, TYPE.A, `192.0.2.${count}`),
          ...(random(2) ? [set(name, TYPE.AAAA, `2001:db8::${count}`)] : []),
        ]);
    }
  }
  const apex = [
    { ...set(zone, TYPE.SOA, `ns1.${zone} hostmaster.${zone} 7 10800 3600 604800 ${random(2) ? 60 : 900}`) },
    set(zone, TYPE.NS, `ns1.${zone}`, 'ns2.elsewhere.test'),
    set(zone, TYPE.MX, `10 mail.${zone}`),
  ];
  return { name: zone, rrsets: [...apex, ...[...nodes.values()].flat()] };
}

function makeQuestions(
  zones: readonly WantedZone[],
  random: (below: number) => number,
): { name: string; type: number }[] {
  const names = [...new Set(zones.flatMap((zone) => zone.rrsets.map((rrset) => rrset.name)))];
  return Array.from({ length: QUESTIONS }, () => {
    const known = names[random(names.length)]!;
    const variants = [
      known,
      known,
      `${LABELS[random(LABELS.length)]}.${known}`,
      `no.such.${known}`,
      chainOfNames(known)[1]!,
      `no.${zones[0]!.name}`,
      'not-ours.invalid',
    ];
    return { name: variants[random(variants.length)]!, type: ASKED_TYPES[random(ASKED_TYPES.length)]! };
  });
}

async function ask(server: ServerAddress, name: string, type: number): Promise<Message> {
  const signal = AbortSignal.timeout(20_000);
  const answer = await askUdp(server, queryMessage(name, type), signal);
  return answer.flags & FLAG.TRUNCATED ? askTcp(server, queryMessage(name, type), signal) : answer;
}

function describeAnswer(message: Message): object {
  const lines = (section: readonly Rrset[]) =>
    section
      .map(
        ({ name, type, ttl, rdata }) => `${name} ${ttl} ${typeName(type)} ${wireToContent(type, rdata[0]!, 'plain')}`,
      )
      .sort();
  return {
    rcode: message.rcode,
    authoritative: (message.flags & FLAG.AUTHORITATIVE) !== 0,
    answers: lines(message.answers),
    authorities: lines(message.authorities),
  };
}

/**
 * To ANY at an alias, and to CNAME at one from a wildcard, PowerDNS adds what it finds at the target. RFC 1034 section 3.6.2
 * has it that a question which the alias itself answers goes no further.
 */
function isAskedForAlias(type: number, { answers }: Message): boolean {
  return (type === TYPE.ANY || type === TYPE.CNAME) && answers[0]?.type === TYPE.CNAME;
}

describe('the built-in name server and PowerDNS on the same zones', needs('pdns_server', 'pdnsutil'), () => {
  let powerDns: PowerDns;
  let builtin: NameServer;
  const random = randomFrom(20261115);
  const zones = ['alpha.test', 'beta.test', 'child.alpha.test', 'gamma.test', 'delta.test'].map((zone) =>
    makeZone(zone, random),
  );

  before(async () => {
    const source = new MemorySource();
    for (const zone of zones) source.put(zone);
    builtin = await startNameServer({
      source,
      address: '127.0.0.1',
      port: 0,
      onFault: (error) => assert.fail(String(error)),
    });
    powerDns = await startPowerDns();
    await using driver = openPowerDns({
      url: powerDns.apiUrl,
      apiKey: powerDns.apiKey,
      timeoutMs: 20_000,
      writers: 'one',
    });
    for (const zone of zones) await driver.publish(zone, AbortSignal.timeout(60_000));
    // PowerDNS knows of empty non-terminals only after this.
    await powerDns.util('rectify-all-zones');
  });

  after(async () => {
    await builtin?.[Symbol.asyncDispose]();
    await powerDns?.[Symbol.asyncDispose]();
  });

  it(`give the same code, answers and authority to ${QUESTIONS} questions`, async () => {
    const questions = makeQuestions(zones, random);
    const different: object[] = [];
    for (let start = 0; start < questions.length; start += AT_ONCE) {
      await Promise.all(
        questions.slice(start, start + AT_ONCE).map(async ({ name, type }) => {
          const [ours, theirs] = await Promise.all([ask(builtin, name, type), ask(powerDns, name, type)]);
          const [our, their] = [describeAnswer(ours), describeAnswer(theirs)];
          if (isAskedForAlias(type, ours) && isAskedForAlias(type, theirs)) return;
          if (JSON.stringify(our) !== JSON.stringify(their)) different.push({ name, type: typeName(type), our, their });
        }),
      );
    }
    assert.deepEqual(different, []);
  });
});
