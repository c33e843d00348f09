import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Queries, Store } from '#store/store.ts';
import { combineReads, combineWrites } from './batching.ts';

const transaction = ((work: (queries: Queries) => Promise<void>) => work({} as Queries)) as Store['transaction'];

describe('combined writes', () => {
  it('share a transaction, and the next ones another', async () => {
    const written: number[][] = [];
    const write = combineWrites<number>({ transaction }, 1, async (_, items) => void written.push([...items]));
    await Promise.all([write(1), write(2)]);
    await write(3);
    assert.deepEqual(written, [[1, 2], [3]]);
  });

  it('fail with their transaction, and only with that', async () => {
    let isBroken = true;
    const write = combineWrites<number>({ transaction }, 1, async () => {
      if (isBroken) throw new Error('the disk is full');
    });
    for (const result of await Promise.allSettled([write(1), write(2)])) assert.equal(result.status, 'rejected');
    isBroken = false;
    await write(3);
  });
});

describe('combined reads', () => {
  it('get the values of their own keys', async () => {
    const reads: string[][] = [];
    const read = combineReads(async (keys: readonly string[]) => {
      reads.push([...keys]);
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
    });
    assert.deepEqual(await Promise.all([read('a'), read('none'), read('b')]), ['A', undefined, 'B']);
    assert.equal(await read('a'), 'A');
    assert.deepEqual(reads, [['a', 'none', 'b'], ['a']]);
  });
});
