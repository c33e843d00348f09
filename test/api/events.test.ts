// The event log as an account reads it, in pages and as a stream, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readEvents } from '#test/support/event-stream.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Page {
  result: { events: { id: string; type: string; data: Record<string, unknown> }[]; cursor: string };
}

for (const { engine, suite, start } of engines) {
  describe(`the event log on ${engine}`, suite, () => {
    let database: Awaited<ReturnType<typeof start>>;
    before(async () => {
      database = await start();
    });
    after(() => database[Symbol.asyncDispose]());
    const open = async (): Promise<TestYard> => openTestYard(await database.newDatabase());

    const page = async (yard: TestYard, params: Record<string, unknown> = {}, key = yard.lab.customer.key) => {
      const answer = await request<Page>(yard, 'GET', '/v2/event', { key, params });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.result;
    };
    const makeKey = async (yard: TestYard, name: string, scopes = ['event:read']) => {
      const params = { name, scopes };
      const answer = await request<{ result: { id: string; key: string } }>(yard, 'POST', '/v2/account/key', {
        key: yard.lab.customer.key,
        params,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.result;
    };
    const names = (events: readonly { data: Record<string, unknown> }[]) => events.map(({ data }) => data['name']);

    it('tells of contacts and keys, oldest first, and only the account they belong to', async () => {
      await using yard = await open();
      const { key } = yard.lab.customer;
      const person = {
        firstname: 'Anna',
        lastname: 'Berg',
        email: 'anna@example.net',
        password: 'correct horse',
        address1: 'Weg 1',
        city: 'Utrecht',
        state: 'Utrecht',
        zipcode: '3511',
        country: 'NL',
      };
      const made = await request<{ result: { contactid: string } }>(yard, 'POST', '/v2/account/contact', {
        key,
        params: person,
      });
      const id = made.body.result.contactid;
      await request(yard, 'PUT', '/v2/account/contact', { key, params: { id, city: 'Delft' } });
      await request(yard, 'DELETE', '/v2/account/contact', { key, params: { id } });
      const own = await makeKey(yard, 'first');
      await request(yard, 'PUT', '/v2/account/key', { key, params: { id: own.id, name: 'second', rotate: true } });
      await request(yard, 'DELETE', '/v2/account/key', { key, params: { id: own.id } });

      const { events } = await page(yard);
      assert.deepEqual(
        events.map(({ id: event, type }) => [event, type]),
        [
          ['evt_1_1', 'contact.created'],
          ['evt_1_2', 'contact.updated'],
          ['evt_1_3', 'contact.deleted'],
          ['evt_1_4', 'key.created'],
          ['evt_1_5', 'key.updated'],
          ['evt_1_6', 'key.rotated'],
          ['evt_1_7', 'key.revoked'],
        ],
      );
      assert.deepEqual(events[1]!.data, { contactid: id, changed: ['city'] });
      assert.deepEqual((await page(yard, {}, yard.lab.stranger.key)).events, []);
      assert.doesNotMatch(JSON.stringify(events), /correct horse|hy_/);
    });

    it('goes on from a cursor without gap or repetition, and past what a filter leaves out', async () => {
      await using yard = await open();
      for (const name of ['a', 'b', 'c', 'd', 'e']) await makeKey(yard, name);
      const first = await page(yard, { limit: 2 });
      const second = await page(yard, { limit: 2, after: first.cursor });
      const third = await page(yard, { limit: 2, after: second.cursor });
      assert.deepEqual(
        [first, second, third].map(({ events }) => names(events)),
        [['a', 'b'], ['c', 'd'], ['e']],
      );
      assert.deepEqual(await page(yard, { after: third.cursor }), { events: [], cursor: third.cursor });
      const filtered = await page(yard, { type: 'key.revoked,key.rotated' });
      assert.deepEqual(filtered, { events: [], cursor: third.cursor });
      assert.deepEqual((await page(yard, { service: 1001 })).events, []);
      const strangers = await request(yard, 'GET', '/v2/event', {
        key: yard.lab.customer.key,
        params: { service: yard.lab.stranger.service },
      });
      assert.equal(strangers.status, 404);
    });

    it('begins with the newest where that is asked for, and goes on behind them', async () => {
      await using yard = await open();
      for (const name of ['a', 'b', 'c']) await makeKey(yard, name);
      const all = await page(yard);
      const newest = await page(yard, { newest: true, limit: 2 });
      assert.deepEqual(newest, { events: all.events.slice(-2), cursor: all.cursor });
      const { status } = await request(yard, 'GET', '/v2/event', {
        key: yard.lab.customer.key,
        params: { newest: 'true', after: all.cursor },
      });
      assert.equal(status, 400);
    });

    it('refuses a cursor of another account, of another installation, or altered', async () => {
      await using yard = await open();
      await using other = await open();
      await makeKey(yard, 'a');
      await makeKey(other, 'a');
      const { cursor } = await page(yard);
      const { cursor: elsewhere } = await page(other);
      const { cursor: strangers } = await page(yard, {}, yard.lab.stranger.key);
      const altered = [cursor.slice(1), `${cursor}A`, `A${cursor.slice(1)}`, 'MA', '1', 'x'.repeat(128)];
      for (const after of [elsewhere, strangers, ...altered]) {
        const answer = await request<{ result: { code: string; fields: object } }>(yard, 'GET', '/v2/event', {
          key: yard.lab.customer.key,
          params: { after },
        });
        assert.equal(answer.status, 400, after);
        assert.deepEqual(Object.keys(answer.body.result.fields), ['after']);
        await using reader = await readEvents(yard, { key: yard.lab.customer.key, lastEventId: after });
        assert.equal(reader.status, 400, after);
      }
    });

    it('numbers what is done at the same time without gaps, and a reader that follows along sees all of it', async () => {
      await using yard = await open();
      const writers = Array.from({ length: 60 }, async (_, index) => {
        await makeKey(yard, `key ${index}`);
        // Refused, so that it leaves no event and no gap.
        const refused = await request(yard, 'DELETE', '/v2/account/key', {
          key: yard.lab.customer.key,
          params: { id: 999_999 },
        });
        assert.equal(refused.status, 404);
      });
      const seen: string[] = [];
      let cursor: string | undefined;
      while (seen.length < 60) {
        const read: Page['result'] = await page(yard, { limit: 7, ...(cursor === undefined ? {} : { after: cursor }) });
        seen.push(...read.events.map(({ id }) => id));
        cursor = read.cursor;
      }
      await Promise.all(writers);
      assert.deepEqual(
        seen,
        Array.from({ length: 60 }, (_, index) => `evt_1_${index + 1}`),
      );
    });

    it('streams what was and then what comes, and resumes after Last-Event-ID', async () => {
      await using yard = await open();
      const { key } = yard.lab.customer;
      await makeKey(yard, 'a');
      await using reader = await readEvents(yard, { key });
      assert.equal(reader.headers.get('content-type'), 'text/event-stream');
      assert.deepEqual(names([(await reader.next())!.data]), ['a']);
      await makeKey(yard, 'b');
      const b = (await reader.next())!;
      assert.deepEqual(names([b.data]), ['b']);
      await makeKey(yard, 'c');
      await makeKey(yard, 'd');
      await using resumed = await readEvents(yard, { key, lastEventId: b.id });
      assert.deepEqual(names((await resumed.take(2)).map(({ data }) => data)), ['c', 'd']);
      await using paged = await readEvents(yard, { key, query: { after: b.id, type: 'key.created' } });
      assert.deepEqual(names((await paged.take(2)).map(({ data }) => data)), ['c', 'd']);
      assert.equal((await page(yard, { after: b.id })).events.length, 2);
    });

    it('ends the streams of a key that is revoked, and bounds their number', async () => {
      await using yard = await open();
      const own = await makeKey(yard, 'reader');
      const readers = await Promise.all(Array.from({ length: 10 }, () => readEvents(yard, { key: own.key })));
      assert.deepEqual(
        readers.map(({ status }) => status),
        Array.from({ length: 10 }, () => 200),
      );
      const eleventh = await readEvents(yard, { key: own.key });
      assert.equal(eleventh.status, 429);
      await request(yard, 'DELETE', '/v2/account/key', { key: yard.lab.customer.key, params: { id: own.id } });
      for (const reader of readers) while ((await reader.next()) !== undefined);
    });

    it('ends all streams with a hint to come back when the process is asked to stop', async () => {
      await using yard = await open();
      const reader = await readEvents(yard, { key: yard.lab.customer.key });
      const ended = reader.next();
      yard.parts.stop();
      assert.equal(await ended, undefined);
      assert.match(reader.text(), /retry: 1000\n\n$/);
    });

    it('wants a scope of its own', async () => {
      await using yard = await open();
      const own = await makeKey(yard, 'other', ['account:read']);
      const answer = await request(yard, 'GET', '/v2/event', { key: own.key });
      assert.equal(answer.status, 403);
    });
  });
}
