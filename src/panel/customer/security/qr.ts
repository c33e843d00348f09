// A QR code (ISO/IEC 18004) of a text: bytes, error correction M, versions 1 to 10, which is up to 213 bytes: the address that an
// authenticator app reads is shorter. Every mask is tried and the one that scanners like best is taken, as the standard says.
import { codewordsOf, type Version } from './qr-codewords.ts';

/** Rows of dark (true) and light modules, without the quiet zone around. */
export type Modules = readonly (readonly boolean[])[];

type Cells = (boolean | undefined)[][];

const masks: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** Undefined where the text is too long. */
export function qrOf(text: string): Modules | undefined {
  const found = codewordsOf(new TextEncoder().encode(text));
  if (found === undefined) return undefined;
  const { version, codewords } = found;
  const fixed = fixedCells(version);
  const symbols = masks.map((isInverted, mask) => {
    const cells = fixed.map((row) => [...row]);
    drawFormat(cells, mask);
    fill(cells, codewords, isInverted);
    return cells as boolean[][];
  });
  return symbols.toSorted((one, other) => penaltyOf(one) - penaltyOf(other))[0];
}

/** What every symbol of a version has. Places for the format are taken by `false` until it is known. */
function fixedCells({ number, alignment }: Version): Cells {
  const size = number * 4 + 17;
  const cells: Cells = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined));
  for (let index = 0; index < size; index++) {
    cells[6]![index] = index % 2 === 0;
    cells[index]![6] = index % 2 === 0;
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(cells, row, column, 4, (ring) => ring !== 2 && ring !== 4);
  for (const row of alignment)
    for (const column of alignment) {
      const isAtFinder = (row === 6 && (column === 6 || column === size - 7)) || (column === 6 && row === size - 7);
      if (!isAtFinder) square(cells, row, column, 2, (ring) => ring !== 1);
    }
  drawFormat(cells, 0);
  if (number >= 7) drawVersion(cells, number);
  return cells;
}

function square(cells: Cells, row: number, column: number, reach: number, isDark: (ring: number) => boolean): void {
  for (let down = -reach; down <= reach; down++)
    for (let right = -reach; right <= reach; right++) {
      const line = cells[row + down];
      if (line !== undefined && column + right >= 0 && column + right < cells.length)
        line[column + right] = isDark(Math.max(Math.abs(down), Math.abs(right)));
    }
}

/** The remainder that makes `value` with its check bits a multiple of the generator. */
function withCheck(value: number, generator: number, checkBits: number): number {
  let rest = value << checkBits;
  for (let bit = 31 - Math.clz32(rest); bit >= checkBits; bit = 31 - Math.clz32(rest))
    rest ^= generator << (bit - checkBits);
  return (value << checkBits) | rest;
}

/** Error correction M is 00. */
function drawFormat(cells: Cells, mask: number): void {
  const bits = withCheck(mask, 0x537, 10) ^ 0x5412;
  const size = cells.length;
  for (let index = 0; index < 15; index++) {
    const isDark = ((bits >> index) & 1) === 1;
    const down = index < 6 ? index : index < 8 ? index + 1 : size - 15 + index;
    const left = index < 8 ? size - 1 - index : index === 8 ? 7 : 14 - index;
    cells[down]![8] = isDark;
    cells[8]![left] = isDark;
  }
  cells[size - 8]![8] = true;
}

function drawVersion(cells: Cells, number: number): void {
  const bits = withCheck(number, 0x1f25, 12);
  for (let index = 0; index < 18; index++) {
    const isDark = ((bits >> index) & 1) === 1;
    const near = Math.floor(index / 3);
    const far = cells.length - 11 + (index % 3);
    cells[near]![far] = isDark;
    cells[far]![near] = isDark;
  }
}

/** In columns of two, up and down by turns, from the right; the column of the timing pattern is left out. */
function fill(cells: Cells, codewords: Uint8Array, isInverted: (row: number, column: number) => boolean): void {
  const size = cells.length;
  let bit = 0;
  let isUpwards = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step++) {
      const row = isUpwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (cells[row]![column] !== undefined) continue;
        // What is left over behind the last codeword is light.
        const isDark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        cells[row]![column] = isDark !== isInverted(row, column);
        bit++;
      }
    }
    isUpwards = !isUpwards;
  }
}

function penaltyOf(symbol: Modules): number {
  const size = symbol.length;
  const columns = symbol.map((_, column) => symbol.map((row) => row[column]!));
  let penalty = 0;
  for (const line of [...symbol, ...columns]) {
    const text = line.map((isDark) => (isDark ? '1' : '0')).join('');
    for (const run of text.match(/1{5,}|0{5,}/g) ?? []) penalty += run.length - 2;
    for (let at = 0; at + 11 <= size; at++)
      if (['10111010000', '00001011101'].includes(text.slice(at, at + 11))) penalty += 40;
  }
  for (let row = 1; row < size; row++)
    for (let column = 1; column < size; column++) {
      const isDark = symbol[row]![column];
      if (
        symbol[row - 1]![column] === isDark &&
        symbol[row]![column - 1] === isDark &&
        symbol[row - 1]![column - 1] === isDark
      )
        penalty += 3;
    }
  const dark = symbol.flat().filter((isDark) => isDark).length;
  return penalty + Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10;
}
