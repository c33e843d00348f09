import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { groupInSlices, mapInSlices } from './slices.ts';

describe('work in slices', () => {
  it('returns the results in order', async () => {
    const values = Array.from({ length: 1000 }, (_, index) => index);
    assert.deepEqual(
      await mapInSlices(values, (value) => value * 2),
      values.map((value) => value * 2),
    );
  });

  it('groups like Map.groupBy', async () => {
    const remainder = (value: number): number => value % 7;
    const values = Array.from({ length: 1000 }, (_, index) => index);
    assert.deepEqual(await groupInSlices(values, remainder), Map.groupBy(values, remainder));
  });

  it('runs one slice in each turn, however much of it there is', async () => {
    const progress = { handled: 0 };
    const jobs = Array.from({ length: 20 }, () => mapInSlices(Array(1000).keys(), () => progress.handled++));
    const perTurn: number[] = [];
    // The first slice of each starts with its call.
    await nextTurn();
    while (progress.handled < 20_000) {
      const before = progress.handled;
      await nextTurn();
      perTurn.push(progress.handled - before);
    }
    await Promise.all(jobs);
    assert.ok(Math.max(...perTurn) <= 400, `${Math.max(...perTurn)} in one turn`);
  });
});
