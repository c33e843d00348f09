import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { blockBytes, serialOutput } from './serial-output.ts';

it('the stored blocks and those in memory are all output, whenever it is stored', () => {
  const step = fc.oneof(fc.constant('save'), fc.integer({ min: 0, max: 2.5 * blockBytes }));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: blockBytes + 1 }), fc.array(step), (earlier, steps) => {
      const stored = new Map<number, Buffer>([[7, Buffer.alloc(earlier, 'e')]]);
      const output = serialOutput({ number: 7, bytes: stored.get(7)! }, 1000);
      let all = stored.get(7)!;
      for (const [index, next] of steps.entries()) {
        if (next === 'save') {
          const blocks = output.unsaved();
          for (const { number, bytes } of blocks) stored.set(number, bytes);
          output.markSaved(blocks);
          assert.ok(output.contents().length <= blockBytes + 1);
        } else {
          const data = Buffer.alloc(Number(next), String(index));
          output.push(data);
          all = Buffer.concat([all, data]);
        }
      }
      const before = [...stored].filter(([number]) => number < output.first()).map(([, bytes]) => bytes);
      assert.ok(Buffer.concat([...before, output.contents()]).equals(all));
    }),
    { numRuns: 50 },
  );
});

it('what cannot be stored is limited to the newest blocks', () => {
  const output = serialOutput({ number: 0, bytes: Buffer.alloc(0) }, 3);
  output.push(Buffer.alloc(10 * blockBytes, 'x'));
  assert.deepEqual([output.first(), output.unsaved().length], [7, 3]);
});
