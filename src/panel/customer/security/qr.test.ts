// QR codes: one that a scanner has read, and what the standard asks of all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codewordsOf, product, versions } from './qr-codewords.ts';
import { qrOf } from './qr.ts';

test('a short text is the symbol that a scanner reads as that text', () => {
  const rows = qrOf('HOSTYARD')!.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));
  assert.deepEqual(rows, [
    '#######..##...#######',
    '#.....#....#..#.....#',
    '#.###.#.#.#.#.#.###.#',
    '#.###.#.#..##.#.###.#',
    '#.###.#.#####.#.###.#',
    '#.....#.#.#.#.#.....#',
    '#######.#.#.#.#######',
    '........#..##........',
    '#.#####.....#.#####..',
    '##..##.#..#.##.#.#...',
    '.###.###...#.....#.#.',
    '##..#..###.....####..',
    '#.#.####.#.#...#.##.#',
    '........#..####...#..',
    '#######..##.#.#..#.#.',
    '#.....#.##.####..##..',
    '#.###.#.#.#.#..#.##.#',
    '#.###.#.#.#.#..#.##..',
    '#.###.#.##.#.#....#..',
    '#.....#..........##..',
    '#######.##.#.#.#####.',
  ]);
});

test('the smallest version that holds the text is taken, up to 213 bytes', () => {
  const sizeFor = (length: number): number | undefined => qrOf('x'.repeat(length))?.length;
  assert.deepEqual([14, 15, 62, 63, 180, 181, 213, 214].map(sizeFor), [21, 25, 33, 37, 53, 57, 57, undefined]);
});

test('every block of every text is a word of its Reed-Solomon code', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 213 }), (bytes) => {
      const { version, codewords } = codewordsOf(bytes)!;
      for (const block of blocksOf(version.number, codewords))
        for (let power = 0, root = 1; power < version.check; power++, root = product(root, 2))
          assert.equal(
            block.reduce((sum, value) => product(sum, root) ^ value, 0),
            0,
          );
    }),
    { numRuns: 20 },
  );
});

/** The blocks as they were before they were interleaved. */
function blocksOf(number: number, codewords: Uint8Array): number[][] {
  const { blocks: lengths, check } = versions.find((version) => version.number === number)!;
  const blocks: number[][] = lengths.map(() => []);
  let at = 0;
  for (let index = 0; index < Math.max(...lengths); index++)
    for (const [which, length] of lengths.entries()) if (index < length) blocks[which]!.push(codewords[at++]!);
  for (let index = 0; index < check; index++) for (const block of blocks) block.push(codewords[at++]!);
  assert.equal(at, codewords.length);
  return blocks;
}
