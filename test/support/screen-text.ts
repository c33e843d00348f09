// Reads the text on a picture of a text screen, by comparing its cells with the font.
import { cell, drawLine, plainLine } from '#protocols/terminal/font.ts';

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));
const [ink, paper] = [1, 0];
const characters = new Map(
  printable.map((character) => [drawLine(plainLine(character, 1, ink, paper)).join(''), character]),
);

/** Returns the lines without trailing blanks; characters outside of the font become a `?`. */
export function recognizeText(colours: Uint32Array, width: number): string {
  const lines: string[] = [];
  for (let top = 0; top < colours.length / width; top += cell.height) {
    let line = '';
    for (let left = 0; left < width; left += cell.width) {
      // In a corner of the cell, no character has ink.
      const background = colours[top * width + left];
      let points = '';
      for (let y = top; y < top + cell.height; y++)
        for (let x = left; x < left + cell.width; x++) points += colours[y * width + x] === background ? paper : ink;
      line += characters.get(points) ?? '?';
    }
    lines.push(line.trimEnd());
  }
  return lines.join('\n').trimEnd();
}
