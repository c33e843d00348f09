// Two instances on one PostgreSQL behind HAProxy, with the configuration that we ship: stopping an instance loses no
// request, and one that dies loses only what a repetition restores.
import assert from 'node:assert/strict';
import { Agent, request as dial } from 'node:http';
import { test } from 'node:test';
import { createContact, nameOf } from '#test/support/contacts.ts';
import type { Daemon } from '#test/support/daemon.ts';
import { startHaproxy } from '#test/support/haproxy.ts';
import { createInstances } from '#test/support/instances.ts';
import { needs } from '#test/support/needs.ts';
import { until } from '#test/support/until.ts';

/** Sends a GET from an address of its choice; resolves to status and text. */
function get(url: string, key: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key };
    const sent = dial(url, { agent, headers, localAddress: '127.0.0.5' }, (response) => {
      let text = `${response.statusCode} `;
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text)).on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

test('two instances behind the load balancer are one service', needs('initdb', 'postgres', 'haproxy'), async () => {
  await using owned = new AsyncDisposableStack();
  const { key, postgres, start } = await createInstances(owned);
  const [first, second] = [await start('a'), await start('b')];
  const { url } = owned.use(await startHaproxy([first.url.host, second.url.host]));
  const agent = new Agent({ keepAlive: true });
  owned.defer(() => agent.destroy());
  const ready = async () => (await get(`${url}/readyz`, key, agent).catch(() => '')).startsWith('200');
  await until(ready, { patienceMs: 60_000 });

  // Both serve, and both know the caller behind the load balancer.
  const requestsOf = ({ daemon }: { daemon: Daemon }) =>
    daemon.output().split('"operation":"v2.accountGet"').length - 1;
  await until(
    async () => {
      assert.match(await get(`${url}/v2/account`, key, agent), /^200 /);
      return requestsOf(first) > 0 && requestsOf(second) > 0;
    },
    { patienceMs: 60_000 },
  );
  assert.match(await get(`${url}/v2/account/key`, key, agent), /127\.0\.0\.5/);

  // One is stopped cleanly while calls arrive: none of them fails.
  const responses: string[] = [];
  const stop = new AbortController();
  const readers = Array.from({ length: 3 }, async () => {
    while (!stop.signal.aborted) responses.push(await get(`${url}/v2/account`, key, agent));
  });
  await until(() => responses.length > 20);
  await first.daemon.stop('SIGTERM');
  const then = responses.length;
  await until(() => responses.length > then + 20);
  stop.abort();
  await Promise.all(readers);
  assert.deepEqual(
    responses.filter((response) => !response.startsWith('200 ')),
    [],
  );

  // It comes back; the other is killed while customers write. Clients without a response repeat their call and get one
  // contact per call.
  const again = await start('a', { listen: first.url.host });
  assert.equal(again.url.host, first.url.host);
  const calls = { next: 0 };
  const unanswered = await writeThroughDeath(second.daemon, calls, (number) => createContact(url, key, number, agent));
  for (const number of unanswered)
    await until(async () => (await createContact(url, key, number, agent))?.startsWith('200 ') === true, {
      patienceMs: 60_000,
    });
  assert.deepEqual((await contactNames()).toSorted(), numbered(0, calls.next).toSorted());

  // The same without Idempotency-Keys: a call without a response may have been lost, but none ran twice.
  await start('b', { listen: second.url.host });
  const firstWithout = calls.next;
  const lost = await writeThroughDeath(again.daemon, calls, (number) =>
    createContact(url, key, number, agent, 'without key'),
  );
  const created = (await contactNames()).toSorted();
  assert.deepEqual(created, [...new Set(created)]);
  const answered = numbered(firstWithout, calls.next).filter((_, index) => !lost.has(firstWithout + index));
  assert.deepEqual(
    answered.filter((name) => !created.includes(name)),
    [],
  );

  // Without a database, callers get the documented error, from an instance at first and then from HAProxy.
  await postgres.daemon.stop();
  const errors: string[] = [];
  await until(
    async () => {
      errors.push(await get(`${url}/v2/account`, key, agent));
      return errors.filter((error) => error.startsWith('503 ')).length > 200;
    },
    { patienceMs: 60_000 },
  );
  const unavailable = /^503 \{"success":false,"results":0,"result":\{"code":"overloaded",/;
  assert.deepEqual(
    errors.filter((error) => !unavailable.test(error)),
    [],
  );

  async function contactNames(): Promise<string[]> {
    const list = await get(`${url}/v2/account/contact`, key, agent);
    return (JSON.parse(list.slice(4)) as { result: { firstname: string }[] }).result.map(({ firstname }) => firstname);
  }
});

function numbered(from: number, until: number): string[] {
  return Array.from({ length: until - from }, (_, index) => nameOf(from + index));
}

/** Kills an instance while three clients write. Returns the numbers of the calls that got no response. */
async function writeThroughDeath(
  victim: Daemon,
  calls: { next: number },
  write: (number: number) => Promise<string | undefined>,
): Promise<Set<number>> {
  const unanswered = new Set<number>();
  const writing = new AbortController();
  const from = calls.next;
  const writers = Array.from({ length: 3 }, async () => {
    while (!writing.signal.aborted) {
      const number = calls.next++;
      if ((await write(number))?.startsWith('200 ') !== true) unanswered.add(number);
    }
  });
  await until(() => calls.next > from + 6);
  await victim.stop('SIGKILL');
  const killedAt = calls.next;
  await until(() => calls.next > killedAt + 6);
  writing.abort();
  await Promise.all(writers);
  return unanswered;
}
