import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { queueByKey } from './queue.ts';

describe('a queue by key', () => {
  it('runs work with the same key in order, despite failures, and other keys concurrently', async () => {
    const queue = queueByKey();
    const events: string[] = [];
    const work = (name: string, steps: number) => async () => {
      events.push(`${name} begins`);
      for (let step = 0; step < steps; step++) await tick();
      events.push(`${name} ends`);
      if (name === 'two') throw new Error('two fails');
    };
    const results = await Promise.allSettled([
      queue('a', work('one', 3)),
      queue('a', work('two', 1)),
      queue('a', work('three', 1)),
      queue('b', work('other', 1)),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.deepEqual(
      events.filter((event) => !event.startsWith('other')),
      ['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'],
    );
    assert.ok(events.indexOf('other begins') < events.indexOf('one ends'));
  });
});
