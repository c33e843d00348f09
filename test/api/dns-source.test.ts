// The database as a source of answers: on either engine they equal those from the zones themselves, query by query.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { dnsSource } from '#app/dns/zone-source.ts';
import { answerQuestion } from '#drivers/dns/builtin/answer.ts';
import { MemorySource } from '#drivers/dns/builtin/memory-source.ts';
import type { ZoneSource } from '#drivers/dns/builtin/source.ts';
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { recordInsert } from '#store/dns/records.ts';
import type { Store } from '#store/store.ts';
import { zoneInsert } from '#store/dns/zones.ts';
import { makeQuestions, makeZone, randomFrom, zoneNames } from '#test/support/dns-zones.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
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
  await recordInsert(store.queries, zone!, records);
}

async function answerText(source: ZoneSource, name: string, type: number): Promise<string> {
  const { answers, authorities, additionals, ...rest } = await answerQuestion(
    { name, type, maySeeHidden: () => false },
    source,
  );
  const lines = [answers, authorities, additionals].map((section) =>
    section
      .flatMap((set) =>
        set.rdata.map((data) => `${set.name} ${set.ttl} ${set.type} ${Buffer.from(data).toString('hex')}`),
      )
      .sort(),
  );
  return JSON.stringify({ rest, lines });
}

describeOnEngines('the zones in the database', ({ owned, newDatabase }) => {
  let store: Store;
  before(async () => {
    store = await openOwnedStore(owned, 'dns-source', (await newDatabase()).database);
  });

  it('give the same answers as the zones themselves', async () => {
    const random = randomFrom(5);
    const memory = new MemorySource();
    const zones = zoneNames.map((name) => makeZone(name, random));
    for (const zone of zones) {
      memory.put(zone);
      await storeZone(store, zone);
    }
    const source = dnsSource(store.queries);
    const odd = ['', 'test', 'a\\.b.alpha.test', `${'x.'.repeat(100)}alpha.test`, 'alpha.test\\.x', '*.alpha.test'];
    const questions = [...makeQuestions(zones, random, 2000), ...odd.map((name) => ({ name, type: 1 }))];
    for (const { name, type } of questions)
      assert.equal(await answerText(source, name, type), await answerText(memory, name, type), `${name} ${type}`);
  });

  it('list every zone in the catalog, with a serial that increases with each change', async () => {
    const source = dnsSource(store.queries);
    const before = await source.zonesSerial();
    await storeZone(store, makeZone('last.test', randomFrom(6)));
    assert.ok((await source.zonesSerial()) > before);
    const names = new Set((await source.zones()).map(({ name }) => name));
    assert.ok(names.has('last.test') && names.has('child.alpha.test'));
  });
});
