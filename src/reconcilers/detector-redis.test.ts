import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { createClient } from '@redis/client';
import { pino } from 'pino';
import type { Finding } from '#drivers/detector/redis.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { detectorRedis } from './detector-redis.ts';
import { withResources } from '#test/support/resources.ts';

const port = 6379;
const running = () => AbortSignal.timeout(60_000);

/** Starts Redis on a random loopback address, so that its port does not collide. */
async function startRedis() {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('redis')).path;
  const address = `127.${randomInt(64, 250)}.${randomInt(256)}.8`;
  const args = ['--bind', address, '--port', String(port), '--requirepass', 'hush', '--save', '', '--dir', folder];
  const daemon = owned.use(await startDaemon('redis-server', args));
  await daemon.printed('Ready to accept connections');
  const url = `redis://:hush@${address}:${port}`;
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  owned.defer(() => client.destroy());
  return withResources(owned, { url, client, daemon });
}

describe('findings in Redis', needs('redis-server'), () => {
  it('are recorded and then removed unless newer ones arrived; other keys stay', async () => {
    await using redis = await startRedis();
    const recorded: Finding[] = [];
    const reconciler = detectorRedis({
      log: pino({ level: 'silent' }),
      detectors: async () => [{ name: 'fastnetmon', url: redis.url, prefix: 'dc[1]' }],
      record: async (_, finding) => {
        recorded.push(finding);
        if (finding.text === 'first') await redis.client.set(finding.key, 'second');
      },
    });
    for (const key of ['dc[1]_a_flow_dump', 'other_a_information', 'dc1_a_information'])
      await redis.client.set(key, 'x');
    await redis.client.set('dc[1]_a_information', 'first');
    await redis.client.set('dc[1]_b_information', 'only');
    assert.deepEqual(await reconciler.run(running()), { backlog: 0 });
    assert.deepEqual(recorded.map(({ text }) => text).sort(), ['first', 'only']);
    await reconciler.run(running());
    assert.deepEqual(recorded.at(-1), { key: 'dc[1]_a_information', text: 'second' });
    assert.equal(await redis.client.dbSize(), 3);
    await reconciler.run(AbortSignal.abort());
  });

  it('are looked for less often while no detector has a Redis', async () => {
    const reconciler = detectorRedis({
      log: pino({ level: 'silent' }),
      detectors: async () => [],
      record: async () => {},
    });
    assert.deepEqual(await reconciler.run(running()), { backlog: 0, againInSeconds: 60 });
  });

  it('stay if they cannot be recorded, and an unavailable Redis is retried', async () => {
    await using redis = await startRedis();
    let works = false;
    const recorded: string[] = [];
    const reconciler = detectorRedis({
      log: pino({ level: 'silent' }),
      detectors: async () => [{ name: 'fastnetmon', url: redis.url, prefix: 'p' }],
      record: async (_, { text }) => {
        if (!works) throw new Error('the database is unavailable');
        recorded.push(text);
      },
    });
    await redis.client.set('p_a_information', 'kept');
    assert.deepEqual(await reconciler.run(running()), { backlog: 1 });
    assert.equal(await redis.client.get('p_a_information'), 'kept');
    works = true;
    assert.deepEqual(await reconciler.run(running()), { backlog: 0 });
    assert.deepEqual(recorded, ['kept']);
    await redis.daemon.stop();
    assert.deepEqual(await reconciler.run(running()), { backlog: 1 });
    await reconciler.run(AbortSignal.abort());
  });
});
