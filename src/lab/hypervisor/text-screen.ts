// The screen of a lab machine: a terminal of 25 lines for RFB. It stores text rather than pixels, so that a thousand
// machines cost next to nothing; pixels are drawn only for viewers.
import type { Display } from '#protocols/rfb/framebuffer.ts';
import { cell, drawLine, plainLine } from '#protocols/terminal/font.ts';

const columns = 80;
const lines = 25;
const ink = 0xd0d0d0;
const paper = 0x000000;
const cursorCharacter = '_';

export interface TextScreen extends Display {
  print(text: string): void;
  clear(): void;
  /** Returns the visible lines without the cursor, and without trailing blanks except in its line. */
  text(): string;
}

export function createTextScreen(name: string): TextScreen {
  const rows = Array.from({ length: lines }, () => '');
  const revisions = rows.map(() => 0);
  const listeners = new Set<() => void>();
  let line = 0;
  let column = 0;

  const touch = (row: number): number => revisions[row]!++;
  const notify = (): void => listeners.forEach((listener) => listener());
  const newLine = (): void => {
    touch(line);
    if (line < lines - 1) {
      line++;
    } else {
      rows.shift();
      rows.push('');
      for (let row = 0; row < lines; row++) touch(row);
    }
  };
  const put = (character: string): void => {
    if (column === columns) {
      newLine();
      column = 0;
    }
    const row = rows[line]!.padEnd(column);
    rows[line] = row.slice(0, column) + character + row.slice(column + 1);
    column++;
  };
  const controls: Readonly<Record<string, () => void>> = {
    '\r': () => void (column = 0),
    '\n': newLine,
    '\b': () => void (column = Math.max(0, column - 1)),
  };

  return {
    name,
    width: columns * cell.width,
    bandHeight: cell.height,
    bands: lines,
    revision: (row) => revisions[row]!,
    paint(row) {
      const text = rows[row]!;
      const visible =
        row === line ? text.padEnd(column).slice(0, column) + cursorCharacter + text.slice(column + 1) : text;
      return drawLine(plainLine(visible, columns, ink, paper));
    },
    listen(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    print(text) {
      for (const character of text) {
        const control = controls[character];
        if (control !== undefined) control();
        else if (character >= ' ') put(character);
      }
      touch(line);
      notify();
    },
    clear() {
      rows.fill('');
      line = column = 0;
      for (let row = 0; row < lines; row++) touch(row);
      notify();
    },
    text: () => rows.map((row, index) => (index === line ? row : row.trimEnd())).join('\n'),
  };
}
