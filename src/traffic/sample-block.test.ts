import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { PackedDayError } from './packed-day.ts';
import { blockSamples, packBlock, type MemberSample } from './sample-block.ts';
import { intervalSeconds } from './series.ts';

const sample = fc.record(
  {
    member: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    series: fc.integer({ min: 0, max: 3 }),
    start: fc.integer({ min: 0, max: 20 }).map((interval) => 1_800_000_000 + interval * intervalSeconds),
    inBytes: fc.integer({ min: 0, max: 2 ** 50 }),
    outBytes: fc.integer({ min: 0, max: 255 }),
    // Not the mark of a missing interval, which has no bytes.
    marks: fc.integer({ min: 0, max: 31 }).map((bits) => bits * 2),
  },
  { noNullPrototype: true },
);
const name = ({ member, series, start }: MemberSample) => `${series} ${start} ${member}`;
const samples = fc.uniqueArray(sample, { selector: name, maxLength: 288 });

test('a block has the samples that were packed, of all members or of one', () => {
  fc.assert(
    fc.property(samples, (packed) => {
      const block = packBlock(packed);
      const inOrder = (list: readonly MemberSample[]) => list.map((each) => [name(each), each] as const).sort();
      assert.deepEqual(inOrder([...blockSamples(block)]), inOrder(packed));
      const member = packed[0]?.member ?? 1;
      assert.deepEqual(
        inOrder([...blockSamples(block, member)]),
        inOrder(packed.filter((each) => each.member === member)),
      );
    }),
  );
});

test('a block that was cut off is rejected', () => {
  const block = packBlock([{ member: 7, series: 0, start: 1_800_000_000, inBytes: 1000, outBytes: 5, marks: 0 }]);
  for (let length = 1; length < block.length; length++)
    assert.throws(() => [...blockSamples(block.subarray(0, length))], PackedDayError);
});
