// The built-in name server next to PowerDNS: the same zones, thousands of the same queries, the same answers.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MemorySource } from '#test/support/memory-source.ts';
import { type NameServer, startNameServer } from '#drivers/dns/builtin/server.ts';
import { type ServerAddress, queryTcp, queryUdp, queryMessage } from '#drivers/dns/client.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { makeQuestions, makeZone, randomFrom, zoneNames } from '#test/support/dns-zones.ts';
import { needs } from '#test/support/needs.ts';
import { type PowerDns, startPowerDns } from '#test/support/powerdns.ts';
import type { Message } from '#protocols/dns/message.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { headerFlags, rrTypes, typeName } from '#protocols/dns/types.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const queryCount = 4000;
const batchSize = 20;

async function query(server: ServerAddress, name: string, type: number): Promise<Message> {
  const signal = AbortSignal.timeout(20_000);
  const answer = await queryUdp(server, queryMessage(name, type), signal);
  return answer.flags & headerFlags.TRUNCATED ? queryTcp(server, queryMessage(name, type), signal) : answer;
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
    authoritative: (message.flags & headerFlags.AUTHORITATIVE) !== 0,
    answers: lines(message.answers),
    authorities: lines(message.authorities),
  };
}

/**
 * For ANY at a CNAME, and for CNAME at a wildcard CNAME, PowerDNS adds what it finds at the target. RFC 1034 section
 * 3.6.2 says that a query answered by the CNAME itself goes no further.
 */
function isAliasQuery(type: number, { answers }: Message): boolean {
  return (type === rrTypes.ANY || type === rrTypes.CNAME) && answers[0]?.type === rrTypes.CNAME;
}

/** For ANY, PowerDNS gives all sets over TCP, and we one of them (RFC 8482 section 4.1). */
function isPartOf(ours: Message, theirs: Message): boolean {
  const types = new Set(theirs.answers.map(({ type }) => type));
  return new Set(ours.answers.map(({ type }) => type)).size === 1 && types.has(ours.answers[0]!.type);
}

describe('the built-in name server and PowerDNS on the same zones', needs('pdns_server', 'pdnsutil'), () => {
  const owned = suiteResources();
  let powerDns: PowerDns;
  let builtin: NameServer;
  const random = randomFrom(20261115);
  const zones = zoneNames.map((zone) => makeZone(zone, random));

  before(async () => {
    const source = new MemorySource();
    for (const zone of zones) source.put(zone);
    builtin = owned.use(
      await startNameServer({
        source,
        address: '127.0.0.1',
        port: 0,
        responsesPerSecond: 1_000_000,
        onError: (error) => assert.fail(String(error)),
      }),
    );
    powerDns = owned.use(await startPowerDns());
    await using driver = openPowerDns({
      url: powerDns.apiUrl,
      apiKey: powerDns.apiKey,
      timeoutMs: 20_000,
      writers: 'one',
    });
    for (const zone of zones) await driver.publish(zone, AbortSignal.timeout(60_000));
    // PowerDNS knows empty non-terminals only after this.
    await powerDns.util('rectify-all-zones');
  });

  it(`give the same code, answers and authority to ${queryCount} queries`, async () => {
    const questions = makeQuestions(zones, random, queryCount);
    const different: object[] = [];
    for (let start = 0; start < questions.length; start += batchSize) {
      await Promise.all(
        questions.slice(start, start + batchSize).map(async ({ name, type }) => {
          const [ours, theirs] = await Promise.all([query(builtin, name, type), query(powerDns, name, type)]);
          const [our, their] = [describeAnswer(ours), describeAnswer(theirs)];
          if (isAliasQuery(type, ours) && isAliasQuery(type, theirs)) return;
          if (type === rrTypes.ANY && isPartOf(ours, theirs)) return;
          if (JSON.stringify(our) !== JSON.stringify(their)) different.push({ name, type: typeName(type), our, their });
        }),
      );
    }
    assert.deepEqual(different, []);
  });
});
