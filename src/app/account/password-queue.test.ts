import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import { createPasswordQueue } from './password-queue.ts';

const limits = { running: 2, known: { waiting: 6, perLane: 4 }, strangers: { waiting: 4, perLane: 2 } };

/** A queue whose work ends when told, with the order in which it started. */
function controlledQueue() {
  const enqueue = createPasswordQueue(limits);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  return {
    started,
    most: () => most,
    add(name: string, lane: string, isKnown = false): Promise<void> {
      const work = async (): Promise<void> => {
        started.push(name);
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => ends.push(resolve));
        running--;
      };
      return enqueue(work, { lane, isKnown });
    },
    /** Ends everything, one after the other. */
    async finish(): Promise<void> {
      while (ends.length > 0) {
        ends.shift()!();
        await new Promise(setImmediate);
      }
    },
  };
}

const isRateLimited = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'rate_limited' && error.retryAfterSeconds! > 0;

describe('the queue of passwords', () => {
  test('runs as many at once as it may, and the others later', async () => {
    const queue = controlledQueue();
    const all = ['a', 'b', 'c', 'd'].map((name) => queue.add(name, name));
    assert.deepEqual(queue.started, ['a', 'b']);
    await queue.finish();
    await Promise.all(all);
    assert.deepEqual([queue.started, queue.most()], [['a', 'b', 'c', 'd'], 2]);
  });

  test('lets networks take turns, so that one that sends many does not go first', async () => {
    const queue = controlledQueue();
    const all = [queue.add('x1', 'x'), queue.add('x2', 'x'), queue.add('x3', 'x'), queue.add('x4', 'x')];
    all.push(queue.add('y1', 'y'), queue.add('z1', 'z'));
    await queue.finish();
    await Promise.all(all);
    assert.deepEqual(queue.started, ['x1', 'x2', 'x3', 'y1', 'z1', 'x4']);
  });

  test('rejects what is too many for a network, or for all, with a time to come back', async () => {
    const queue = controlledQueue();
    const all = [1, 2, 3, 4].map((number) => queue.add(`x${number}`, 'x'));
    await assert.rejects(queue.add('x5', 'x'), isRateLimited);
    all.push(queue.add('y1', 'y'), queue.add('z1', 'z'));
    await assert.rejects(queue.add('v1', 'v'), isRateLimited);
    await queue.finish();
    await Promise.all(all);
    const late = queue.add('v2', 'v');
    await queue.finish();
    await late;
  });

  test('keeps places for known people, who take turns with the strangers', async () => {
    const queue = controlledQueue();
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => queue.add(name, name));
    await assert.rejects(queue.add('g', 'g'), isRateLimited);
    all.push(queue.add('home', 'home', true), queue.add('office', 'office', true));
    await queue.finish();
    await Promise.all(all);
    assert.deepEqual(queue.started, ['a', 'b', 'c', 'home', 'd', 'office', 'e', 'f']);
  });

  test('continues after work that failed', async () => {
    const enqueue = createPasswordQueue({ ...limits, running: 1 });
    const failing = enqueue(() => Promise.reject(new Error('broken')), { lane: 'a', isKnown: false });
    const next = enqueue(async () => 'done', { lane: 'b', isKnown: false });
    await assert.rejects(failing, /broken/);
    assert.equal(await next, 'done');
  });
});
