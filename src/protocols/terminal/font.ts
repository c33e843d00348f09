// The bitmap font of text screens: Spleen 8×16 as a PSF file, which lists the characters of each glyph after the glyphs.
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

export const cell = { width: 8, height: 16 } as const;
/** Added to the code of an underlined character. */
export const underlined = 2 ** 24;
const headerBytes = 4;
const glyphCount = 512;
const endOfGlyph = 0xffff;
const replacement = '?'.charCodeAt(0);
const leftmost = 0x80;

const glyphs = await loadGlyphs(new URL('../../../assets/fonts/spleen-8x16.psfu.gz', import.meta.url));

async function loadGlyphs(file: URL): Promise<ReadonlyMap<number, Uint8Array>> {
  const bytes = await promisify(gunzip)(await readFile(file));
  const byCode = new Map<number, Uint8Array>();
  let index = 0;
  for (let at = headerBytes + glyphCount * cell.height; at < bytes.length; at += 2) {
    const code = bytes.readUInt16LE(at);
    const from = headerBytes + index * cell.height;
    if (code === endOfGlyph) index++;
    else if (!byCode.has(code)) byCode.set(code, bytes.subarray(from, from + cell.height));
  }
  return byCode;
}

/** A line of text: for each column the character's code, then its ink and its paper as 0xRRGGBB. */
export type Line = Uint32Array;
export const valuesPerColumn = 3;

/** Draws a line as 0xRRGGBB colours, row by row. Characters that the font lacks are drawn as question marks. */
export function drawLine(line: Line): Uint32Array {
  const columns = line.length / valuesPerColumn;
  const width = columns * cell.width;
  const colours = new Uint32Array(width * cell.height);
  for (let column = 0; column < columns; column++) {
    const [code, ink, paper] = line.subarray(column * valuesPerColumn) as unknown as [number, number, number];
    const glyph = glyphs.get(code % underlined) ?? glyphs.get(replacement)!;
    for (let row = 0; row < cell.height; row++) {
      const points = code >= underlined && row === cell.height - 2 ? 0xff : glyph[row]!;
      const at = row * width + column * cell.width;
      for (let x = 0; x < cell.width; x++) colours[at + x] = (points & (leftmost >> x)) === 0 ? paper : ink;
    }
  }
  return colours;
}

/** Returns a line of text in one colour, padded with blanks. */
export function plainLine(text: string, columns: number, ink: number, paper: number): Line {
  const line = new Uint32Array(columns * valuesPerColumn);
  for (let column = 0; column < columns; column++)
    line.set([text.charCodeAt(column) || ' '.charCodeAt(0), ink, paper], column * valuesPerColumn);
  return line;
}
