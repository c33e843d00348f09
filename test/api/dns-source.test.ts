// The database as a source of answers: on either engine they equal those from the zones themselves, query by query.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import fc from 'fast-check';
import { dnsSource } from '#app/dns/zone-source.ts';
import { answerQuestion } from '#drivers/dns/builtin/answer.ts';
import { MemorySource } from '#drivers/dns/builtin/memory-source.ts';
import type { ZoneSource } from '#drivers/dns/builtin/source.ts';
import { createZone, rrset } from '#drivers/dns/conformance.ts';
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { recordInsert } from '#store/dns/records.ts';
import { openReader } from '#store/engine/reader.ts';
import type { Store } from '#store/store.ts';
import { zoneInsert, zoneNamesLock } from '#store/dns/zones.ts';
import { linesOf, referenceAnswer } from '#test/support/dns-reference.ts';
import { makeQuestions, makeZone, randomFrom, zoneNames } from '#test/support/dns-zones.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openTestStore } from '#test/support/store.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

async function storeZone(store: Store, { name, rrsets }: ZoneContent): Promise<void> {
  const zone = await zoneInsert(store.queries, { account_id: null, name, kind: 'forward', created_at: 0 });
  const records = rrsets.flatMap(({ name: owner, type, ttl, rdata }) =>
    rdata.map((data) => ({
      account_id: null,
      name: owner,
      type,
      ttl,
      content: wireToContent(type, data, 'plain'),
      rdata: Buffer.from(data),
      address: null,
    })),
  );
  await recordInsert(store.queries, zone, records);
}

async function answerLines(source: ZoneSource, name: string, type: number): Promise<object> {
  const answer = await answerQuestion({ name, type, maySeeHidden: () => false }, source);
  const [answers, authorities, additionals] = [answer.answers, answer.authorities, answer.additionals].map(linesOf);
  return { rcode: answer.rcode, answers, authorities, additionals };
}

/** Some sort before the dot that separates labels, some after it. */
const labels = fc.constantFrom('a', 'b', 'a-b', 'a-', 'a!', 'ab', '*', '_a', '0');
const ownerLabels = fc.array(labels, { minLength: 1, maxLength: 4 });
const recordType = fc.constantFrom('A', 'TXT', 'NS', 'CNAME');
const contents = { A: '192.0.2.1', TXT: 'text', CNAME: 'www.elsewhere.invalid' };
const zoneOwners = fc.uniqueArray(fc.tuple(ownerLabels, recordType), {
  maxLength: 12,
  selector: ([owner]) => owner.join('.'),
});
const questionTypes = [rrTypes.A, rrTypes.TXT, rrTypes.NS, rrTypes.DS];
const questions = fc.array(fc.tuple(fc.array(labels, { maxLength: 6 }), fc.constantFrom(...questionTypes)), {
  minLength: 20,
  maxLength: 20,
});

describeOnEngines('the zones in the database', ({ owned, newDatabase }) => {
  let store: Store;
  let source: ZoneSource;
  let reads = 0;
  before(async () => {
    const folder = owned.use(await temporaryFolder('dns-source'));
    const location = { dataFolder: folder.path, database: undefined, ...(await newDatabase()) };
    store = await openTestStore(location);
    owned.defer(() => store.close());
    const reader = await openReader(location);
    owned.defer(() => reader.close());
    source = dnsSource({
      ...reader,
      read(sql, values) {
        reads++;
        return reader.read(sql, values);
      },
    });
  });

  it('give the same answers as the zones themselves', async () => {
    const random = randomFrom(5);
    const memory = new MemorySource();
    const zones = zoneNames.map((name) => makeZone(name, random));
    for (const zone of zones) {
      memory.put(zone);
      await storeZone(store, zone);
    }
    const odd = ['', 'test', 'a\\.b.alpha.test', `${'x.'.repeat(100)}alpha.test`, 'alpha.test\\.x', '*.alpha.test'];
    const questionList = [...makeQuestions(zones, random, 2000), ...odd.map((name) => ({ name, type: 1 }))];
    for (const { name, type } of questionList)
      assert.deepEqual(await answerLines(source, name, type), await answerLines(memory, name, type), `${name} ${type}`);
  });

  it('are answered from as RFC 1034 and RFC 4592 say, like the zones in memory', async () => {
    let zoneCount = 0;
    await fc.assert(
      fc.asyncProperty(zoneOwners, questions, async (owners, asked) => {
        const apex = `p${zoneCount++}.test`;
        const rrsets = owners.map(([owner, type]) => {
          const name = [...owner, apex].join('.');
          return type === 'NS' ? rrset(name, 'NS', `a.${apex}`, `a.b.${apex}`) : rrset(name, type, contents[type]);
        });
        const zone = createZone(apex, 1, ...rrsets);
        const memory = new MemorySource();
        memory.put(zone);
        await storeZone(store, zone);
        for (const [owner, type] of asked) {
          const name = [...owner, apex].join('.');
          const expected = referenceAnswer(zone, name, type);
          assert.deepEqual(await answerLines(source, name, type), expected, `${name} ${type}`);
          assert.deepEqual(await answerLines(memory, name, type), expected, `${name} ${type} in memory`);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('decide on a missing name with the same number of reads, however many labels it has', async () => {
    const deep = `${'d.'.repeat(50)}reads.test`;
    await storeZone(store, createZone('reads.test', 1, rrset(deep, 'A', '192.0.2.1')));
    const countReads = async (name: string): Promise<number> => {
      reads = 0;
      await answerLines(source, name, rrTypes.A);
      return reads;
    };
    const few = await countReads('x.y.z.reads.test');
    assert.ok(few <= 4, `${few} reads`);
    for (const name of [`${'x.'.repeat(117)}reads.test`, `x.${deep}`, `${'x.'.repeat(60)}${deep}`])
      assert.ok((await countReads(name)) <= few, `${reads} reads for ${name}`);
  });

  it('list every zone in the catalog, with a serial that increases with each change', async () => {
    const before = await source.zonesSerial();
    await zoneNamesLock(store.queries);
    await storeZone(store, makeZone('last.test', randomFrom(6)));
    assert.ok((await source.zonesSerial()) > before);
    const names = new Set((await source.zones()).map(({ name }) => name));
    assert.ok(names.has('last.test') && names.has('child.alpha.test'));
  });
});
