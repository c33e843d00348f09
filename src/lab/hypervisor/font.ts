// A 5×7 font, good enough to read a login prompt. A glyph is seven base-32 digits, one per row from the top; the
// highest bit is the leftmost pixel.

const first = 0x20;
const digits =
  '0000000 4444404 aaa0000 aavavaa 4fke5u4 op248j3 cik8lid 4480000 2488842 8422248 04lel40 044v440 0000448 000v000 00000cc ' +
  '01248g0 ehjlphe 4c4444e eh1248v v2421he 26aiv22 vgu11he 68guhhe v124888 ehhehhe ehhf12c 0cc0cc0 0cc0c48 248g842 00v0v00 ' +
  '8421248 eh12404 eh1dlle ehhvhhh uhhuhhu ehggghe sihhhis vgguggv vgguggg ehgnhhf hhhvhhh e44444e 72222ic hikokih ggggggv ' +
  'hrllhhh hhpljhh ehhhhhe uhhuggg ehhhlid uhhukih fgge11u v444444 hhhhhhe hhhhha4 hhhllla hha4ahh hhha444 v1248gv e88888e ' +
  '0g84210 e22222e 4ah0000 000000v 8420000 00e1fhf ggmphhu 00egghe 11djhhf 00ehvge 698s888 0fhhf1e ggmphhh 40c444e 20622ic ' +
  'ggikoki c44444e 00qllhh 00mphhh 00ehhhe 00uhugg 00djf11 00mpggg 00ege1u 88s8896 00hhhjd 00hhha4 00hhlla 00ha4ah 00hhf1e ' +
  '00v248v 2448442 4444444 8442448 008l200';
const glyphs = digits.split(' ').map((glyph) => Array.from(glyph, (digit) => Number.parseInt(digit, 32)));

/** A character with its spacing. Pixels are doubled vertically, as on old text screens. */
export const cell = { width: 8, height: 16 } as const;
const left = 1;
const top = 1;
const glyphWidth = 5;

/** Draws a line of text as 0xRRGGBB colours, row by row. Characters missing from the font are blank. */
export function drawLine(text: string, columns: number, ink: number, paper: number): Uint32Array {
  const width = columns * cell.width;
  const colours = new Uint32Array(width * cell.height).fill(paper);
  for (let column = 0; column < Math.min(columns, text.length); column++) {
    const rows = glyphs[text.charCodeAt(column) - first] ?? [];
    for (const [row, points] of rows.entries()) {
      for (let point = 0; point < glyphWidth; point++) {
        if (((points >> (glyphWidth - 1 - point)) & 1) === 0) continue;
        const at = (top + 2 * row) * width + column * cell.width + left + point;
        colours[at] = ink;
        colours[at + width] = ink;
      }
    }
  }
  return colours;
}
