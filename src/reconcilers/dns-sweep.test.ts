import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameServerError, type DnsDriver, type NameServerErrorCode } from '#drivers/dns/driver.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { publicationRequest, publicationsWaiting } from '#store/dns/zone-publications.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { dnsSweep } from './dns-sweep.ts';

/** Publishes two zones, of which the name server fails the first, and returns those that it was asked for. */
async function sweep(code: NameServerErrorCode) {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'sweep');
  const asked: string[] = [];
  const driver: Pick<DnsDriver, 'publish'> = {
    async publish({ name }) {
      asked.push(name);
      if (name === 'a.example') throw new NameServerError(code, 'no');
    },
  };
  for (const zone of ['a.example', 'b.example']) await publicationRequest(store.queries, zone);
  const parts = { store, clock: systemClock, log: createLog('silent'), instanceId: 'one' };
  const desiredZone = async (_: unknown, name: string) => ({ name, rrsets: [] });
  const { run } = dnsSweep({ ...parts, driver: driver as DnsDriver, desiredZone });
  const result = await run(AbortSignal.timeout(60_000)).catch((error: unknown) => error);
  return { asked, result, waiting: await publicationsWaiting(store.queries, systemClock.now(), 10) };
}

test('a zone that the name server refuses waits, and the zones of others do not wait for it', async () => {
  for (const code of ['record_refused', 'nameserver_refused', 'nameserver_error'] as const) {
    const { asked, result, waiting } = await sweep(code);
    assert.deepEqual(asked, ['a.example', 'b.example']);
    assert.deepEqual(result, { backlog: 1 });
    assert.deepEqual(waiting, ['a.example']);
  }
});

test('a name server that does not respond is not asked for the other zones', async () => {
  const { asked, result, waiting } = await sweep('nameserver_unreachable');
  assert.deepEqual(asked, ['a.example']);
  assert.ok(result instanceof NameServerError);
  assert.deepEqual(waiting, ['a.example', 'b.example']);
});

test('a zone that changes while it is published is published again', async () => {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'sweep');
  const published: number[] = [];
  let ttl = 1;
  const driver: Pick<DnsDriver, 'publish'> = {
    async publish({ rrsets }) {
      published.push(rrsets[0]!.ttl);
      if (ttl === 2) return;
      // Another transaction changes the zone after the sweep has read it.
      ttl = 2;
      await publicationRequest(store.queries, 'a.example');
    },
  };
  await publicationRequest(store.queries, 'a.example');
  const parts = { store, clock: systemClock, log: createLog('silent'), instanceId: 'one' };
  const desiredZone = async (_: unknown, name: string) => ({ name, rrsets: [{ name, type: 1, ttl, rdata: [] }] });
  const { run } = dnsSweep({ ...parts, driver: driver as DnsDriver, desiredZone });
  assert.deepEqual(await run(AbortSignal.timeout(60_000)), { backlog: 1 });
  assert.deepEqual(await run(AbortSignal.timeout(60_000)), { backlog: 0 });
  assert.deepEqual(published, [1, 2]);
});

test('a zone that takes too long does not keep the zones of others from being published', async () => {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'sweep');
  const names = ['a.example', 'b.example', 'c.example', 'd.example'];
  const published = new Set<string>();
  const driver: Pick<DnsDriver, 'publish'> = {
    async publish({ name }) {
      if (name < 'c') throw new NameServerError('nameserver_unreachable', 'no');
      published.add(name);
    },
  };
  for (const zone of names) await publicationRequest(store.queries, zone);
  const parts = { store, clock: systemClock, log: createLog('silent'), instanceId: 'one' };
  const desiredZone = async (_: unknown, name: string) => ({ name, rrsets: [] });
  const { run } = dnsSweep({ ...parts, driver: driver as DnsDriver, desiredZone });
  for (let runs = 0; runs < 3; runs++) await assert.rejects(run(AbortSignal.timeout(60_000)), NameServerError);
  assert.deepEqual(published, new Set(['c.example', 'd.example']));
  assert.deepEqual(await publicationsWaiting(store.queries, systemClock.now(), 10), ['a.example', 'b.example']);
});
