import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { writeExposition } from './exposition.ts';

/** Reads the labels of a line as Prometheus does. */
function readLabels(line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name, text] of line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
    labels[name!] = text!.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  return labels;
}

describe('writeExposition', () => {
  it('writes any text as a label that reads back the same, on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-composite' }), (first, second) => {
        const labels = { first, second };
        const text = writeExposition([
          { name: 'some_value', help: 'Line\nand \\', type: 'gauge', samples: [{ labels, value: 1.5 }] },
        ]);
        const lines = text.split('\n');
        assert.equal(lines.length, 4);
        assert.ok(lines[2]!.endsWith('} 1.5'));
        assert.deepEqual(readLabels(lines[2]!), { first: first.toWellFormed(), second: second.toWellFormed() });
      }),
    );
  });

  it('leaves out families without samples', () => {
    assert.equal(writeExposition([{ name: 'empty', help: 'Nothing', type: 'gauge', samples: [] }]), '');
  });
});
