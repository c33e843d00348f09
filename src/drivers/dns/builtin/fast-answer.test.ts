// The fast path gives the same answers as `answer.ts`, which works on objects, and as a naive server that looks at every record.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { linesOf, referenceAnswer } from '#test/support/dns-reference.ts';
import { makeQuestions, makeZone, randomFrom, zoneNames } from '#test/support/dns-zones.ts';
import { decodeMessage, encodeMessage, type Message } from '#protocols/dns/message.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { headerFlags, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { queryMessage } from '../client.ts';
import { createZone, rrset } from '../conformance.ts';
import type { ZoneContent } from '../driver.ts';
import { answerQuestion } from './answer.ts';
import { FastAnswer } from './fast-answer.ts';
import { FastQuery } from './fast-query.ts';
import { MemorySource } from '#test/support/memory-source.ts';

const maxBytes = 0xffff;
const query = new FastQuery();
const out = Buffer.alloc(maxBytes);

function askFast(source: MemorySource, request: Message, limit = maxBytes): Message {
  const bytes = encodeMessage(request);
  assert.ok(query.read(bytes, 0, bytes.length));
  const length = new FastAnswer(source.image, {}).write(query, out, 0, limit, false);
  assert.ok(length > 0 && length <= limit, `${length} bytes`);
  return decodeMessage(out.subarray(0, length));
}

function describeFast(source: MemorySource, name: string, type: number): object {
  const { rcode, flags, answers, authorities, additionals } = askFast(source, queryMessage(name, type));
  const authoritative = (flags & headerFlags.AUTHORITATIVE) !== 0;
  return { rcode, authoritative, ...linesOfSections({ answers, authorities, additionals }) };
}

async function describeSlow(source: MemorySource, name: string, type: number): Promise<object> {
  const { rcode, authoritative, ...sections } = await answerQuestion({ name, type, maySeeHidden: () => false }, source);
  return { rcode, authoritative, ...linesOfSections(sections) };
}

function linesOfSections(sections: Pick<Message, 'answers' | 'authorities' | 'additionals'>): object {
  const { answers, authorities, additionals } = sections;
  return { answers: linesOf(answers), authorities: linesOf(authorities), additionals: linesOf(additionals) };
}

const labels = fc.constantFrom('a', 'b', 'ab', '*', '_a');
const owners = fc.array(labels, { minLength: 1, maxLength: 4 });
const recordType = fc.constantFrom('A', 'A', 'TXT', 'NS', 'CNAME', 'DNAME');
const questionType = fc.constantFrom(
  rrTypes.A,
  rrTypes.TXT,
  rrTypes.NS,
  rrTypes.CNAME,
  rrTypes.DS,
  rrTypes.ANY,
  rrTypes.SOA,
);
const questions = fc.array(fc.tuple(fc.array(labels, { maxLength: 6 }), questionType), {
  minLength: 20,
  maxLength: 20,
});
const target = fc.array(labels, { maxLength: 3 });
const entries = fc.uniqueArray(fc.tuple(owners, recordType, target), {
  maxLength: 12,
  selector: ([owner]) => owner.join('.'),
});
type Entry = [string[], 'A' | 'TXT' | 'NS' | 'CNAME' | 'DNAME', string[]];

const apex = 'p.test';
const nameIn = (parts: readonly string[]): string => [...parts, apex].join('.');

function setOf([owner, type, targetLabels]: Entry): Rrset {
  const name = nameIn(owner);
  const targetName = nameIn(targetLabels);
  switch (type) {
    case 'A':
      return rrset(name, type, '192.0.2.1', '192.0.2.2');
    case 'TXT':
      return rrset(name, type, 'text');
    case 'NS':
      return rrset(name, type, `a.${apex}`, `a.b.${apex}`, 'ns.elsewhere.invalid');
    default:
      return {
        name,
        type: rrTypes[type],
        ttl: 300,
        rdata: rrset(name, 'CNAME', targetName.replaceAll('*', 'a')).rdata,
      };
  }
}

function sourceOf(zone: ZoneContent): MemorySource {
  const source = new MemorySource();
  source.put(zone);
  return source;
}

describe('the fast path', () => {
  it('answers as RFC 1034, RFC 4592 and RFC 6672 say, like the path on objects', async () => {
    await fc.assert(
      fc.asyncProperty(entries, questions, async (records, asked) => {
        const zone = createZone(apex, 1, ...records.map(setOf));
        const source = sourceOf(zone);
        const isPlain = records.every(([, type]) => type !== 'CNAME' && type !== 'DNAME');
        for (const [owner, type] of asked) {
          const name = nameIn(owner);
          const fast = describeFast(source, name, type);
          assert.deepEqual(fast, await describeSlow(source, name, type), `${name} ${type}`);
          if (!isPlain || type === rrTypes.ANY) continue;
          const { authoritative: _, ...compared } = fast as { authoritative: boolean };
          assert.deepEqual(compared, referenceAnswer(zone, name, type), `${name} ${type}`);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('answers over several zones, with CNAMEs and delegations between them', async () => {
    const random = randomFrom(5);
    const source = new MemorySource();
    const zones = zoneNames.map((name) => makeZone(name, random));
    for (const zone of zones) source.put(zone);
    const odd = ['', 'test', 'a\\.b.alpha.test', `${'x.'.repeat(100)}alpha.test`, 'alpha.test\\.x', '*.alpha.test'];
    for (const { name, type } of [...makeQuestions(zones, random, 3000), ...odd.map((name) => ({ name, type: 1 }))])
      assert.deepEqual(describeFast(source, name, type), await describeSlow(source, name, type), `${name} ${type}`);
  });

  it('answers from a zone that was changed name by name as from one that was built like that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entries, { minLength: 2, maxLength: 4 }), questions, async (states, asked) => {
        const source = sourceOf(createZone(apex, 1));
        const { image } = source;
        const empty = image.arena.usedBytes;
        for (const records of states) {
          const zone = image.zoneNamed(apex)!;
          const wanted = Map.groupBy(records.map(setOf), ({ name }) => name);
          const present = source.wholeZone(zone as never).map(({ name }) => name);
          for (const name of new Set([...present.filter((name) => name !== apex), ...wanted.keys()]))
            image.replaceName(
              zone,
              name,
              (wanted.get(name) ?? []).flatMap(({ rdata, ...set }) => rdata.map((data) => ({ ...set, rdata: data }))),
            );
          const rebuilt = sourceOf(createZone(apex, 1, ...records.map(setOf)));
          for (const [owner, type] of asked) {
            const name = nameIn(owner);
            assert.deepEqual(
              describeFast(source, name, type),
              await describeSlow(rebuilt, name, type),
              `${name} ${type}`,
            );
          }
          assert.equal(image.arena.usedBytes, rebuilt.image.arena.usedBytes, 'nothing is left of what was replaced');
        }
        source.put(createZone(apex, 1));
        assert.equal(image.arena.usedBytes, empty);
      }),
      { numRuns: 30 },
    );
  });

  it('reuses the memory of what was replaced', () => {
    const source = new MemorySource();
    const zone = createZone(
      apex,
      1,
      ...Array.from({ length: 2000 }, (_, index) => rrset(`h${index}.${apex}`, 'A', '192.0.2.1')),
    );
    source.put(zone);
    source.put(zone);
    const { totalBytes } = source.image.arena;
    for (let round = 0; round < 50; round++) source.put(zone);
    assert.equal(source.image.arena.totalBytes, totalBytes);
  });

  it('adds glue at any place of a long reply', async () => {
    const others = Array.from(
      { length: 80 },
      (_, index) => `${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(60)}.${index}.invalid`,
    );
    const servers = Array.from({ length: 10 }, (_, index) => `ns${index}.cut.${apex}`);
    const addresses = Array.from({ length: 30 }, (_, index) => `2001:db8::${index}`);
    const source = sourceOf(
      createZone(
        apex,
        1,
        rrset(`cut.${apex}`, 'NS', ...servers, ...others),
        ...servers.map((name) => rrset(name, 'AAAA', ...addresses)),
      ),
    );
    assert.deepEqual(
      describeFast(source, `cut.${apex}`, rrTypes.A),
      await describeSlow(source, `cut.${apex}`, rrTypes.A),
    );
  });

  it('gives one set for ANY, over either transport', () => {
    const source = sourceOf(createZone(apex, 1, rrset(apex, 'TXT', 'x'.repeat(200))));
    assert.deepEqual(
      askFast(source, queryMessage(apex, rrTypes.ANY)).answers.map(({ type }) => type),
      [rrTypes.SOA],
    );
  });

  it('ends a chain of CNAMEs that leads nowhere, and a DNAME that makes a name too long', () => {
    const loop = [0, 1].map((index) => rrset(`l${index}.${apex}`, 'CNAME', `l${1 - index}.${apex}`));
    const dname = {
      ...rrset(`d.${apex}`, 'CNAME', `${'y'.repeat(60)}.${'z'.repeat(60)}.invalid`),
      type: rrTypes.DNAME,
    };
    const source = sourceOf(createZone(apex, 1, ...loop, dname));
    assert.equal(askFast(source, queryMessage(`l0.${apex}`, rrTypes.A)).rcode, rcodes.SERVFAIL);
    const long = `${'x'.repeat(60)}.${'x'.repeat(60)}.${'x'.repeat(60)}.d.${apex}`;
    const answer = askFast(source, queryMessage(long, rrTypes.A));
    assert.deepEqual([answer.rcode, answer.answers.length], [rcodes.YXDOMAIN, 1]);
  });

  it('sends what fits: all of a set or a truncated reply', () => {
    const texts = Array.from({ length: 20 }, (_, index) => `"${String(index).padStart(50, 'x')}"`);
    const source = sourceOf(createZone(apex, 1, rrset(`big.${apex}`, 'TXT', ...texts)));
    const small = askFast(source, queryMessage(`big.${apex}`, rrTypes.TXT), 1232);
    assert.deepEqual([small.flags & headerFlags.TRUNCATED, small.answers.length], [headerFlags.TRUNCATED, 0]);
    assert.equal(askFast(source, queryMessage(`big.${apex}`, rrTypes.TXT)).answers.length, 20);
  });
});
