// Hostyard on a PostgreSQL cluster under Patroni: the primary crashes, loses its network and is switched over while
// customers write. Nothing that was acknowledged is lost, no call is executed twice, and writes succeed within 30 s.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { before, describe, test } from 'node:test';
import { createContact, nameOf } from '#test/support/contacts.ts';
import { needsRoot } from '#test/support/needs.ts';
import { startPatroni, type PatroniCluster } from '#test/support/patroni.ts';
import { requestResult } from '#test/support/request.ts';
import { startServer, type Server } from '#test/support/server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const recoveryMs = 30_000;
const suite = needsRoot('patroni', 'etcd', 'haproxy', 'postgres', 'ip', 'setpriv');

describe('Hostyard on a cluster under Patroni', suite, () => {
  const owned = suiteResources();
  const agent = new Agent({ keepAlive: true });
  const acknowledged = new Set<number>();
  let next = 0;
  let cluster: PatroniCluster;
  let server: Server;
  before(async () => {
    cluster = owned.use(await startPatroni());
    server = owned.use(await startServer({ database: cluster.database }));
    owned.defer(() => agent.destroy());
  });

  /** Writes before, during and after the event. Returns how long it took until a call after it was acknowledged. */
  async function writeThrough(event: () => Promise<void>): Promise<number> {
    const writing = new AbortController();
    let eventAt = Infinity;
    let recoveredAt: number | undefined;
    const writers = Array.from({ length: 3 }, async () => {
      while (!writing.signal.aborted) {
        const number = next++;
        const startedAt = performance.now();
        // A client without a response repeats its call until it has one.
        await until(
          async () =>
            (await createContact(server.url, server.lab.customer.key, number, agent))?.startsWith('200 ') === true,
          {
            patienceMs: 120_000,
          },
        );
        acknowledged.add(number);
        if (startedAt > eventAt) recoveredAt ??= performance.now();
      }
    });
    const atStart = acknowledged.size;
    await until(() => acknowledged.size > atStart + 10, { patienceMs: 60_000 });
    await event();
    eventAt = performance.now();
    await until(() => recoveredAt !== undefined, { patienceMs: 120_000 });
    const then = acknowledged.size;
    await until(() => acknowledged.size > then + 10, { patienceMs: 60_000 });
    writing.abort();
    await Promise.all(writers);
    return recoveredAt! - eventAt;
  }

  async function expectNothingLost(): Promise<void> {
    const { key } = server.lab.customer;
    const contacts = await requestResult<{ firstname: string }[]>(server, 'GET', '/v2/account/contact', { key });
    const names = contacts.map(({ firstname }) => firstname).filter((name) => name.startsWith('Nr'));
    assert.equal(new Set(names).size, names.length, 'a call was executed twice');
    assert.deepEqual(names.toSorted(), [...acknowledged].map(nameOf).toSorted());
  }

  test('a primary that crashes is replaced', async (context) => {
    const first = await cluster.leader();
    const tookMs = await writeThrough(() => cluster.crash(first));
    context.diagnostic(`recovered after ${Math.round(tookMs)} ms`);
    assert.notEqual(await cluster.leader(), first);
    await expectNothingLost();
    await cluster.start(first);
    await cluster.untilRedundant();
    assert.ok(tookMs < recoveryMs, `${tookMs} ms`);
  });

  test('a primary that loses its network is replaced', async (context) => {
    const first = await cluster.leader();
    const tookMs = await writeThrough(() => cluster.setLink(first, 'down'));
    context.diagnostic(`recovered after ${Math.round(tookMs)} ms`);
    assert.notEqual(await cluster.leader(), first);
    await cluster.setLink(first, 'up');
    await cluster.untilRedundant();
    await expectNothingLost();
    assert.ok(tookMs < recoveryMs, `${tookMs} ms`);
  });

  test('a switchover on purpose interrupts writes only for a moment', async (context) => {
    const first = await cluster.leader();
    const tookMs = await writeThrough(async () => assert.equal(await cluster.switchOver(), undefined));
    context.diagnostic(`recovered after ${Math.round(tookMs)} ms`);
    assert.notEqual(await cluster.leader(), first);
    await cluster.untilRedundant();
    await expectNothingLost();
    assert.ok(tookMs < recoveryMs, `${tookMs} ms`);
  });
});
