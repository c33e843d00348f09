// Stores samples in two steps, so that a reading of a device writes a few rows instead of one per port or machine: first as
// blocks, one row for many, and a day later merged into one row per series and day. Readers see both.
import { pauseWork } from '#lib/slices.ts';
import {
  blocksLike,
  blocksOfMember,
  oldestBlockBefore,
  sampleBlocksAdd,
  sampleBlocksRemove,
  type MemberSpan,
  type SampleKind,
} from '#store/network/sample-blocks.ts';
import type { Queries, Store } from '#store/store.ts';
import { blockSamples, packBlock, type MemberSample } from '#traffic/sample-block.ts';
import type { Sample } from '#traffic/series.ts';

/** Few enough that reading the day of one of them costs little, and of all of them does not hold up requests. */
const membersPerBlock = 48;

export async function addBlocks(
  queries: Queries,
  kind: SampleKind,
  device: string,
  samples: readonly MemberSample[],
): Promise<void> {
  const byMember = [...Map.groupBy(samples, ({ member }) => member)].sort(([a], [b]) => a - b);
  const blocks = [];
  for (let at = 0; at < byMember.length; at += membersPerBlock) {
    const members = byMember.slice(at, at + membersPerBlock);
    const inBlock = members.flatMap(([, ofMember]) => ofMember);
    const starts = inBlock.map(({ start }) => start);
    blocks.push({
      kind,
      device,
      first_member: members[0]![0],
      last_member: members.at(-1)![0],
      first_start: Math.min(...starts),
      last_start: Math.max(...starts),
      packed: packBlock(inBlock),
    });
  }
  await sampleBlocksAdd(queries, blocks);
}

/** Returns the samples of one series that are not merged yet, oldest first. */
export async function readBlocks(
  queries: Queries,
  kind: SampleKind,
  span: MemberSpan,
  series?: number,
): Promise<MemberSample[]> {
  const blocks = await blocksOfMember(queries, kind, span);
  const samples = blocks.flatMap((block) => [...blockSamples(block, span.member)]);
  return series === undefined ? samples : samples.filter((sample) => sample.series === series);
}

export type AddSamples = (
  queries: Queries,
  kind: SampleKind,
  member: number,
  series: number,
  samples: readonly Sample[],
) => Promise<void>;

/**
 * Merges the oldest block and all like it into the rows of their days, if they are from before this time. Returns false if there
 * is none. Safe to repeat: a sample that is merged twice stays the same.
 */
export async function mergeOldestBlocks(store: Store, before: number, addSamples: AddSamples): Promise<boolean> {
  const oldest = await oldestBlockBefore(store.queries, before);
  if (oldest === undefined) return false;
  const blocks = await blocksLike(store.queries, oldest, before);
  const samples = new Map<string, MemberSample[]>();
  for (const { packed } of blocks) {
    for (const sample of blockSamples(packed)) {
      const name = `${sample.member} ${sample.series}`;
      const ofSeries = samples.get(name);
      if (ofSeries === undefined) samples.set(name, [sample]);
      else ofSeries.push(sample);
    }
    await pauseWork('outside a transaction');
  }
  await store.transaction(async (queries) => {
    for (const ofSeries of samples.values()) {
      const { member, series } = ofSeries[0]!;
      await addSamples(queries, oldest.kind, member, series, ofSeries);
      await pauseWork('in a transaction');
    }
    await sampleBlocksRemove(
      queries,
      blocks.map(({ id }) => id),
    );
  });
  return true;
}
