// Glyph outlines for chart labels. The SVG renderer can draw text itself, but applies all layout rules of the font to
// every label, which took longer than the rest of a chart. Here each glyph becomes a path once, and labels concatenate
// the paths.
import { createRequire } from 'node:module';
import type * as fontkit from 'fontkit';

export interface Font {
  readonly unitsPerEm: number;
  /** Returns SVG path data relative to the pen, in font units with y upwards, and the advance of the whole text. */
  outline(text: string): { readonly path: string; readonly width: number };
}

const require = createRequire(import.meta.url);

export function openFont(file: string): Font {
  // Loaded with the first chart: it takes 20 MB, which installations without charts save.
  const font = (require('fontkit') as typeof fontkit).openSync(file) as fontkit.Font;
  const cache = new Map<string, { path: string; width: number }>();
  const outlineOf = (character: string) => {
    let outline = cache.get(character);
    if (outline === undefined) {
      const glyph = font.glyphForCodePoint(character.codePointAt(0)!);
      outline = { path: relativePath(glyph.path.commands, glyph.advanceWidth), width: glyph.advanceWidth };
      cache.set(character, outline);
    }
    return outline;
  };

  return {
    unitsPerEm: font.unitsPerEm,
    outline: (text) => {
      const parts = Array.from(text, outlineOf);
      return { path: parts.map(({ path }) => path).join(''), width: parts.reduce((sum, { width }) => sum + width, 0) };
    },
  };
}

const svgLetters: Readonly<Record<string, string>> = {
  moveTo: 'm',
  lineTo: 'l',
  quadraticCurveTo: 'q',
  bezierCurveTo: 'c',
  closePath: 'z',
};

/** Returns a path that starts at the pen and ends at the pen of the next glyph, so that paths can be concatenated. */
function relativePath(commands: fontkit.PathCommand[], advance: number): string {
  let [path, x, y, startX, startY] = ['', 0, 0, 0, 0];
  for (const { command, args } of commands) {
    path += svgLetters[command]! + args.map((value, index) => value - (index % 2 === 0 ? x : y)).join(' ');
    [x, y] = command === 'closePath' ? [startX, startY] : [args.at(-2)!, args.at(-1)!];
    if (command === 'moveTo') [startX, startY] = [x, y];
  }
  return `${path}m${advance - x} ${-y}`;
}
