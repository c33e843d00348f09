// The event log as an account reads it, in pages and as a stream, on both engines.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readEvents } from '#test/support/event-stream.ts';
import { anna } from '#test/support/contacts.ts';
import { createKey, request, requestResult } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

interface Page {
  events: { id: string; type: string; data: Record<string, unknown> }[];
  cursor: string;
}

const page = (app: TestApp, params: Record<string, unknown> = {}, key = app.lab.customer.key) =>
  requestResult<Page>(app, 'GET', '/v2/event', { key, params });
const makeKey = (app: TestApp, name: string, scopes = ['event:read']) =>
  createKey(app, app.lab.customer.key, { name, scopes });
const names = (events: readonly { data: Record<string, unknown> }[]) => events.map(({ data }) => data['name']);

describeOnEngines('events of concurrent calls', ({ newDatabase }) => {
  it('are numbered without gaps, and a reader that follows sees all of them', async () => {
    await using app = await openTestApp(await newDatabase());
    const writers = Array.from({ length: 60 }, async (_, index) => {
      await makeKey(app, `key ${index}`);
      // Rejected, so it leaves neither an event nor a gap.
      const response = await request(app, 'DELETE', '/v2/account/key', {
        key: app.lab.customer.key,
        params: { id: 999_999 },
      });
      assert.equal(response.status, 404);
    });
    const ids: string[] = [];
    let cursor: string | undefined;
    while (ids.length < 60) {
      const read: Page = await page(app, { limit: 7, ...(cursor === undefined ? {} : { after: cursor }) });
      ids.push(...read.events.map(({ id }) => id));
      cursor = read.cursor;
    }
    await Promise.all(writers);
    assert.deepEqual(
      ids,
      Array.from({ length: 60 }, (_, index) => `evt_1_${index + 1}`),
    );
  });
});

describeOnEngines('the event log', { postgres: 'in long runs' }, ({ newDatabase }) => {
  const open = async (): Promise<TestApp> => openTestApp(await newDatabase());

  it('reports contacts and keys, oldest first, to their own account only', async () => {
    await using app = await open();
    const { key } = app.lab.customer;
    const creation = { key, params: anna };
    const { contactid: id } = await requestResult<{ contactid: string }>(app, 'POST', '/v2/account/contact', creation);
    await request(app, 'PUT', '/v2/account/contact', { key, params: { id, city: 'Delft' } });
    await request(app, 'DELETE', '/v2/account/contact', { key, params: { id } });
    const ownKey = await makeKey(app, 'first');
    await request(app, 'PUT', '/v2/account/key', { key, params: { id: ownKey.id, name: 'second', rotate: true } });
    await request(app, 'DELETE', '/v2/account/key', { key, params: { id: ownKey.id } });

    const { events } = await page(app);
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
    assert.deepEqual((await page(app, {}, app.lab.stranger.key)).events, []);
    assert.doesNotMatch(JSON.stringify(events), /correct horse|hy_/);
  });

  it('continues from a cursor without gaps or repetitions, and past filtered events', async () => {
    await using app = await open();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await makeKey(app, name);
    const first = await page(app, { limit: 2 });
    const second = await page(app, { limit: 2, after: first.cursor });
    const third = await page(app, { limit: 2, after: second.cursor });
    assert.deepEqual(
      [first, second, third].map(({ events }) => names(events)),
      [['a', 'b'], ['c', 'd'], ['e']],
    );
    assert.deepEqual(await page(app, { after: third.cursor }), { events: [], cursor: third.cursor });
    const filtered = await page(app, { type: 'key.revoked,key.rotated' });
    assert.deepEqual(filtered, { events: [], cursor: third.cursor });
    assert.deepEqual((await page(app, { service: 1001 })).events, []);
    const strangers = await request(app, 'GET', '/v2/event', {
      key: app.lab.customer.key,
      params: { service: app.lab.stranger.service },
    });
    assert.equal(strangers.status, 404);
  });

  it('starts with the newest on request, and continues behind them', async () => {
    await using app = await open();
    for (const name of ['a', 'b', 'c']) await makeKey(app, name);
    const all = await page(app);
    const newest = await page(app, { newest: true, limit: 2 });
    assert.deepEqual(newest, { events: all.events.slice(-2), cursor: all.cursor });
    const { status } = await request(app, 'GET', '/v2/event', {
      key: app.lab.customer.key,
      params: { newest: 'true', after: all.cursor },
    });
    assert.equal(status, 400);
  });

  it('rejects a cursor of another account, of another installation, or altered', async () => {
    await using app = await open();
    await using other = await open();
    await makeKey(app, 'a');
    await makeKey(other, 'a');
    const { cursor } = await page(app);
    const { cursor: foreignCursor } = await page(other);
    const { cursor: strangers } = await page(app, {}, app.lab.stranger.key);
    const altered = [cursor.slice(1), `${cursor}A`, `A${cursor.slice(1)}`, 'MA', '1', 'x'.repeat(128)];
    for (const after of [foreignCursor, strangers, ...altered]) {
      const response = await request<{ result: { code: string; fields: object } }>(app, 'GET', '/v2/event', {
        key: app.lab.customer.key,
        params: { after },
      });
      assert.equal(response.status, 400, after);
      assert.deepEqual(Object.keys(response.body.result.fields), ['after']);
      await using reader = await readEvents(app, { key: app.lab.customer.key, lastEventId: after });
      assert.equal(reader.status, 400, after);
    }
  });

  it('streams past and then new events, and resumes after Last-Event-ID', async () => {
    await using app = await open();
    const { key } = app.lab.customer;
    await makeKey(app, 'a');
    await using reader = await readEvents(app, { key });
    assert.equal(reader.headers.get('content-type'), 'text/event-stream');
    assert.deepEqual(names([(await reader.next())!.data]), ['a']);
    await makeKey(app, 'b');
    const b = (await reader.next())!;
    assert.deepEqual(names([b.data]), ['b']);
    await makeKey(app, 'c');
    await makeKey(app, 'd');
    await using resumed = await readEvents(app, { key, lastEventId: b.id });
    assert.deepEqual(names((await resumed.take(2)).map(({ data }) => data)), ['c', 'd']);
    await using paged = await readEvents(app, { key, query: { after: b.id, type: 'key.created' } });
    assert.deepEqual(names((await paged.take(2)).map(({ data }) => data)), ['c', 'd']);
    assert.equal((await page(app, { after: b.id })).events.length, 2);
  });

  it('ends the streams of a revoked key, and limits their number', async () => {
    await using app = await open();
    const readerKey = await makeKey(app, 'reader');
    const readers = await Promise.all(Array.from({ length: 10 }, () => readEvents(app, { key: readerKey.key })));
    assert.deepEqual(
      readers.map(({ status }) => status),
      Array.from({ length: 10 }, () => 200),
    );
    const eleventh = await readEvents(app, { key: readerKey.key });
    assert.equal(eleventh.status, 429);
    await request(app, 'DELETE', '/v2/account/key', { key: app.lab.customer.key, params: { id: readerKey.id } });
    for (const reader of readers) while ((await reader.next()) !== undefined);
  });

  it('limits the number of streams of an account, whatever the number of its keys', async () => {
    await using app = await open();
    const keys = await Promise.all(Array.from({ length: 21 }, (_, index) => makeKey(app, `reader ${index}`)));
    const statuses = new Map<number, number>();
    for (const { key } of keys)
      for (const { status } of await Promise.all(Array.from({ length: 10 }, () => readEvents(app, { key }))))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    assert.deepEqual(Object.fromEntries(statuses), { 200: 200, 429: 10 });
  });

  it('ends all streams with a retry hint when the process is asked to stop', async () => {
    await using app = await open();
    const reader = await readEvents(app, { key: app.lab.customer.key });
    const ended = reader.next();
    app.parts.stop();
    assert.equal(await ended, undefined);
    assert.match(reader.text(), /retry: 1000\n\n$/);
  });

  it('requires its own scope', async () => {
    await using app = await open();
    const otherKey = await makeKey(app, 'other', ['account:read']);
    const response = await request(app, 'GET', '/v2/event', { key: otherKey.key });
    assert.equal(response.status, 403);
  });
});
