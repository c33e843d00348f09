// Graphs in braille characters.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { columnsOf, graphRows } from './graph.ts';
import { trafficGraph } from './traffic-graph.ts';

const plain = { heading: identity, faint: identity, incoming: identity, outgoing: identity, status: identity };
function identity(text: string): string {
  return text;
}

describe('a graph', () => {
  it('fills the dots below its values, two values per character', () => {
    assert.deepEqual(graphRows([1, 2, 3, 4, 8, 0], 8, 0, { width: 3, height: 2 }), ['  ⡇', '⣠⣾⡇']);
  });

  it('shows a level as a dashed line behind the values', () => {
    assert.deepEqual(graphRows([0, 0, 8, 8, 0, 0], 8, 6, { width: 3, height: 2 }), ['╌⣿╌', ' ⣿ ']);
  });

  it('is empty without values, and keeps every peak when there are more values than columns', () => {
    assert.deepEqual(graphRows([], 0, 0, { width: 2, height: 1 }), ['  ']);
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1, maxLength: 500 }),
        fc.integer({ min: 1, max: 100 }),
        (all, count) => {
          const columns = columnsOf(all, count);
          assert.equal(columns.length, count);
          if (all.length >= count) assert.equal(Math.max(...columns), Math.max(...all));
        },
      ),
    );
  });
});

describe('a traffic graph', () => {
  it('shows both directions on one scale, the 95th percentile and the time range', () => {
    const samples = Array.from({ length: 12 }, (_, index) => ({
      start: String(1_794_700_800 + index * 300),
      inbytes: String(index * 1_000_000),
      outbytes: String(index === 6 ? 37_500_000 : 0),
      marks: '',
    }));
    assert.equal(
      trafficGraph(samples, 500_000, { width: 34, palette: plain }),
      [
        '1 Mbit/s    │',
        '            │',
        '            │',
        '            │╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌',
        '            │             ⢀⣀⣤⣤⣤⣴⣶',
        'in          │  ⣀⣀⣀⣤⣤⣶⣶⣶⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿',
        '            ├────────────────────',
        '1 Mbit/s    │          ⣿⣿',
        '            │          ⣿⣿',
        '            │          ⣿⣿',
        '            │╌╌╌╌╌╌╌╌╌╌⣿⣿╌╌╌╌╌╌╌╌',
        '            │          ⣿⣿',
        'out         │          ⣿⣿',
        '            └────────────────────',
        '             2026-11-15 00:00:00 to 2026-11-15 00:55:00 UTC',
        '             ╌ 95th percentile 500 kbit/s',
        '',
      ].join('\n'),
    );
  });
});
