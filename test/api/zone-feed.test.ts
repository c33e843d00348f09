// The name server's image of the zones follows the database: every committed change, in whatever order changes become visible, and
// nothing more is read than what has changed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { createCommitCount, type FollowedChanges } from '#app/dns/zone-feed.ts';
import { openSource, type OpenSource } from '#app/dns/zone-source.ts';
import { answerQuestion } from '#drivers/dns/builtin/answer.ts';
import { createZone, rrset } from '#drivers/dns/conformance.ts';
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { secretBox } from '#lib/secrets.ts';
import { recordInsert, recordList, recordRemove } from '#store/dns/records.ts';
import { zoneChangesRemoveOld } from '#store/dns/zone-changes-removal.ts';
import { keptChanges } from '#store/dns/zone-changes.ts';
import { zoneInsert, zoneNamesLock, zoneRemove, zonesNamed, type Zone } from '#store/dns/zones.ts';
import { openReader, type Reader } from '#store/engine/reader.ts';
import type { Queries, Store } from '#store/store.ts';
import { linesOf, referenceAnswer } from '#test/support/dns-reference.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openTestStore } from '#test/support/store.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

function rowsOf(rrsets: readonly Rrset[]) {
  return rrsets.flatMap(({ name, type, ttl, rdata }) =>
    rdata.map((data) => ({
      account_id: null,
      name,
      type,
      ttl,
      content: wireToContent(type, data, 'plain'),
      rdata: Buffer.from(data),
      address: null,
    })),
  );
}

async function storeZone(queries: Queries, { name, rrsets }: ZoneContent): Promise<Zone> {
  const zone = await zoneInsert(queries, { account_id: null, name, kind: 'forward', created_at: 0 });
  await recordInsert(queries, zone, rowsOf(rrsets));
  return zone;
}

const labels = fc.constantFrom('a', 'b', 'a-b', 'a!', '*', '_a', '0');
const owners = fc.uniqueArray(fc.array(labels, { minLength: 1, maxLength: 3 }), {
  maxLength: 8,
  selector: (owner) => owner.join('.'),
});

describeOnEngines('the image of the zones', ({ engine, owned, newDatabase }) => {
  let store: Store;
  let reader: Reader;
  let opened: OpenSource;
  const commits = createCommitCount();
  const errors: unknown[] = [];
  let rows = 0;
  let isDown = false;

  /** Counts what is read, and fails while the database is to be down. */
  function watched(watchedReader: Reader): Reader {
    return {
      ...watchedReader,
      async read<Row>(sql: string, values: readonly unknown[]) {
        if (isDown) throw new Error('the database is down');
        const found = await watchedReader.read<Row>(sql, values);
        rows += found.length;
        return found;
      },
      readSnapshot: (work) => watchedReader.readSnapshot((snapshot) => work(watched(snapshot))),
    };
  }

  before(async () => {
    const folder = owned.use(await temporaryFolder('zone-feed'));
    const location = { dataFolder: folder.path, database: undefined, ...(await newDatabase()) };
    store = await openTestStore(location);
    owned.defer(() => store.close());
    reader = await openReader(location);
    owned.defer(() => reader.close());
    const watchedReader = watched(reader);
    const readers = { feed: watchedReader, other: watchedReader };
    opened = await openSource(readers, secretBox(randomBytes(32)), commits, (error) => void errors.push(error));
    owned.defer(() => opened.feed.stop());
  });

  /** As after a commit of this process. */
  async function catchUp(): Promise<void> {
    Atomics.add(commits, 0, 1);
    while (opened.feed.isStale()) await opened.feed.catchUp();
  }

  async function answerLines(name: string, type: number): Promise<object> {
    const answer = await answerQuestion({ name, type, maySeeHidden: () => false }, opened.source);
    const [answers, authorities, additionals] = [answer.answers, answer.authorities, answer.additionals].map(linesOf);
    return { rcode: answer.rcode, answers, authorities, additionals };
  }

  async function addressOf(name: string): Promise<string[]> {
    const { answers } = await answerQuestion({ name, type: rrTypes.A, maySeeHidden: () => false }, opened.source);
    return answers.flatMap(({ rdata }) => rdata.map((data) => data.join('.')));
  }

  it('follows every change of records', async () => {
    let zoneCount = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(owners, { minLength: 2, maxLength: 4 }), owners, async (states, asked) => {
        const apex = `p${zoneCount++}.test`;
        const { id } = await storeZone(store.queries, createZone(apex, 1));
        for (const names of states) {
          const sets = names.map((owner) => rrset([...owner, apex].join('.'), 'A', '192.0.2.1', '192.0.2.2'));
          await store.transaction(async (queries) => {
            const zone = { id } as Zone;
            const present = (await recordList(queries, zone, 'in a transaction')).filter(
              ({ type }) => type === rrTypes.A,
            );
            await recordRemove(
              queries,
              zone,
              present.map((record) => record.id),
            );
            await recordInsert(queries, zone, rowsOf(sets));
          });
          await catchUp();
          const zone = createZone(apex, 1, ...sets);
          for (const owner of [...asked, ...names, ['x']]) {
            const name = [...owner, apex].join('.');
            assert.deepEqual(await answerLines(name, rrTypes.A), referenceAnswer(zone, name, rrTypes.A), name);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it('reads only what has changed', async () => {
    const hosts = Array.from({ length: 3000 }, (_, index) => rrset(`h${index}.large.test`, 'A', '192.0.2.1'));
    const zone = await store.transaction((queries) => storeZone(queries, createZone('large.test', 1, ...hosts)));
    await catchUp();
    rows = 0;
    await recordInsert(store.queries, zone, rowsOf([rrset('h7.large.test', 'A', '192.0.2.7')]));
    await catchUp();
    assert.deepEqual(await addressOf('h7.large.test'), ['192.0.2.1', '192.0.2.7']);
    assert.ok(rows < 20, `${rows} rows were read`);
  });

  it('follows zones that are created, deleted and created again', async () => {
    const create = (address: string) =>
      store.transaction(async (queries) => {
        await zoneNamesLock(queries);
        await storeZone(queries, createZone('again.test', 1, rrset('www.again.test', 'A', address)));
      });
    const remove = () =>
      store.transaction(async (queries) => {
        const [zone] = await zonesNamed(queries, ['again.test']);
        await zoneRemove(queries, zone!, { serial: 1, now: 0 });
      });
    const serial = opened.source.zonesSerial();
    const followed: FollowedChanges[] = [];
    opened.feed.onChange = (changes) => void followed.push(changes);
    await create('192.0.2.1');
    await catchUp();
    assert.deepEqual(await addressOf('www.again.test'), ['192.0.2.1']);
    assert.deepEqual(followed, [{ names: ['again.test'], isListChanged: true }]);
    await remove();
    await create('192.0.2.2');
    await catchUp();
    assert.deepEqual(await addressOf('www.again.test'), ['192.0.2.2']);
    await remove();
    await catchUp();
    assert.deepEqual(followed.at(-1), { names: [], isListChanged: true });
    assert.equal(
      (await answerQuestion({ name: 'again.test', type: 1, maySeeHidden: () => false }, opened.source)).rcode,
      5,
    );
    assert.ok(Number(opened.source.zonesSerial()) > Number(serial));
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres')
    it('follows a change that becomes visible after a later one', async () => {
      const [early, late] = [
        await storeZone(store.queries, createZone('early.test', 1)),
        await storeZone(store.queries, createZone('late.test', 1)),
      ];
      const [mayCommit, hasWritten] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = store.transaction(async (queries) => {
        await recordInsert(queries, early, rowsOf([rrset('www.early.test', 'A', '192.0.2.1')]));
        hasWritten.resolve();
        await mayCommit.promise;
      });
      await hasWritten.promise;
      await recordInsert(store.queries, late, rowsOf([rrset('www.late.test', 'A', '192.0.2.2')]));
      await catchUp();
      assert.deepEqual([await addressOf('www.early.test'), await addressOf('www.late.test')], [[], ['192.0.2.2']]);
      mayCommit.resolve();
      await slow;
      await catchUp();
      assert.deepEqual(await addressOf('www.early.test'), ['192.0.2.1']);
    });

  it('keeps its state while the database is down, and catches up afterwards', async () => {
    const zone = await storeZone(store.queries, createZone('down.test', 1, rrset('www.down.test', 'A', '192.0.2.1')));
    await catchUp();
    isDown = true;
    await recordInsert(store.queries, zone, rowsOf([rrset('new.down.test', 'A', '192.0.2.2')]));
    errors.length = 0;
    await catchUp();
    assert.match(String(errors[0]), /the database is down/);
    assert.equal(opened.feed.isStale(), false, 'queries do not wait for it');
    assert.deepEqual([await addressOf('www.down.test'), await addressOf('new.down.test')], [['192.0.2.1'], []]);
    isDown = false;
    await catchUp();
    assert.deepEqual(await addressOf('new.down.test'), ['192.0.2.2']);
  });

  it('is read again if the log has lost changes', async () => {
    const zone = await storeZone(store.queries, createZone('lost.test', 1));
    await catchUp();
    let followed: FollowedChanges | undefined;
    opened.feed.onChange = (changes) => void (followed = changes);
    isDown = true;
    await store.transaction(async (queries) => {
      await zoneNamesLock(queries);
      await storeZone(queries, createZone('missed.test', 1));
    });
    await recordInsert(store.queries, zone, rowsOf([rrset('www.lost.test', 'A', '192.0.2.1')]));
    // As if that many other changes had followed.
    await store.queries
      .insertInto('zone_changes')
      .values({ id: 3 * keptChanges, zone_id: zone.id, path: 'test.lost' } as never)
      .execute();
    await zoneChangesRemoveOld(store.queries, store.engine);
    isDown = false;
    await catchUp();
    assert.deepEqual(await addressOf('www.lost.test'), ['192.0.2.1']);
    assert.equal(followed?.isListChanged, true);
    assert.ok(followed.names.includes('missed.test') && followed.names.includes('lost.test'));
    assert.equal((await store.queries.selectFrom('zone_changes').select('id').execute()).length, 1);
  });
});
