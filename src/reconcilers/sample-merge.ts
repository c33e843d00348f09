// Moves the samples of past days from blocks to one row per series and day. It takes its time, because nothing waits for it and
// all blocks of a day become due at midnight; only if it falls behind by a day does it hurry.
import { mergeSamples } from '#equipment/machine-samples.ts';
import { mergeOldestBlocks } from '#equipment/sample-blocks.ts';
import { oldestBlockBefore } from '#store/network/sample-blocks.ts';
import { dayStartOf } from '#traffic/packed-day.ts';
import { daySeconds } from '#traffic/series.ts';
import type { Reconciler, ReconcilerParts } from './reconciler.ts';

const mergesWhenLate = 100;

export function sampleMerge({ store, clock }: Pick<ReconcilerParts, 'store' | 'clock'>): Reconciler {
  return {
    name: 'sample-merge',
    everySeconds: 20,
    deadlineSeconds: 120,
    async run(signal) {
      const today = dayStartOf(Math.floor(clock.now() / 1000));
      await mergeOldestBlocks(store, today, mergeSamples);
      for (let merges = 0; merges < mergesWhenLate && !signal.aborted; merges++)
        if (!(await mergeOldestBlocks(store, today - daySeconds, mergeSamples))) break;
      const late = await oldestBlockBefore(store.queries, today - daySeconds);
      return { backlog: late === undefined ? 0 : 1 };
    },
  };
}
