// The database as a source of answers: on either engine the same as the zones themselves would give, question by question.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dnsSource } from '#app/dns/source.ts';
import { answerQuestion } from '#drivers/dns/builtin/answer.ts';
import { MemorySource } from '#drivers/dns/builtin/memory-source.ts';
import type { ZoneSource } from '#drivers/dns/builtin/source.ts';
import type { WantedZone } from '#drivers/dns/driver.ts';
import { recordInsert } from '#store/dns/records.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { zoneInsert } from '#store/dns/zones.ts';
import { makeQuestions, makeZone, randomFrom, zoneNames } from '#test/support/dns-zones.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines } from '#test/support/yard.ts';
import { wireToContent } from '#wire/dns/rdata.ts';

async function storeZone(store: Store, { name, rrsets }: WantedZone): Promise<void> {
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

for (const { engine, suite, start } of engines) {
  describe(`answers out of ${engine}`, suite, () => {
    let owned: AsyncDisposableStack;
    let store: Store;
    before(async () => {
      owned = new AsyncDisposableStack();
      const folder = owned.use(await temporaryFolder('dns-source'));
      const databases = owned.use(await start());
      store = await openStore({ dataFolder: folder.path, database: (await databases.newDatabase()).database });
      owned.defer(() => store.close());
    });
    after(() => owned.disposeAsync());

    it('are those of the zones themselves', async () => {
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

    it('list every zone, under a serial that goes forward with each', async () => {
      const source = dnsSource(store.queries);
      const before = await source.zonesSerial();
      await storeZone(store, makeZone('last.test', randomFrom(6)));
      assert.ok((await source.zonesSerial()) > before);
      const names = new Set((await source.zones()).map(({ name }) => name));
      assert.ok(names.has('last.test') && names.has('child.alpha.test'));
    });
  });
}
