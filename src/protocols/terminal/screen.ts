// A terminal as a screen for RFB: xterm.js interprets the output of a text console, and the lines are drawn with the
// bitmap font. Changes become visible at a fixed rate, so that a flood of output costs no more than a film.
import type { IBufferCell, Terminal } from '@xterm/headless';
import type { Display } from '../rfb/framebuffer.ts';
import { cell, drawLine, underlined, valuesPerColumn, type Line } from './font.ts';
import { terminalSize } from './size.ts';

const frameMs = 40;
const [ink, paper] = [0xd0d0d0, 0x000000];
const blank = ' '.charCodeAt(0);
const basicColours = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x2a5fd5, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
  0xffff00, 0x6f9fff, 0xff00ff, 0x00ffff, 0xffffff,
] as const;
const brightOffset = 8;
const firstGrey = 232;

export interface TerminalScreen extends Display, Disposable {
  readonly isApplicationMode: () => boolean;
  /** Resolves when the output has been interpreted. */
  write(output: Uint8Array): Promise<void>;
  /** Returns the visible text up to the cursor, or to the last line with text. */
  text(): string;
}

/** `reply` receives what the terminal responds to queries in the output. */
export async function createTerminalScreen(name: string, reply: (text: string) => void): Promise<TerminalScreen> {
  const { default: xterm } = await import('@xterm/headless');
  const { width: columns, height: rows } = terminalSize;
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true, logLevel: 'off' });
  const lines = Array.from({ length: rows }, () => new Uint32Array(columns * valuesPerColumn));
  const revisions = lines.map(() => 0);
  const listeners = new Set<() => void>();
  let frame: NodeJS.Timeout | undefined;
  let isCursorHidden = false;
  terminal.onData(reply);
  watchCursor(terminal, (isHidden) => (isCursorHidden = isHidden));

  let drawnAt = -frameMs;
  const draw = (): void => {
    const { cursorX, cursorY } = terminal.buffer.active;
    for (const [row, line] of lines.entries()) {
      const next = readLine(terminal, row, isCursorHidden || cursorY !== row ? undefined : cursorX);
      if (next.every((value, index) => value === line[index])) continue;
      line.set(next);
      revisions[row]!++;
    }
    for (const listener of listeners) listener();
  };
  draw();
  const drawFrame = (): void => {
    frame = undefined;
    drawnAt = performance.now();
    draw();
  };

  return {
    name,
    width: columns * cell.width,
    bandHeight: cell.height,
    bands: rows,
    revision: (row) => revisions[row]!,
    paint: (row) => drawLine(lines[row]!),
    listen(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    isApplicationMode: () => terminal.modes.applicationCursorKeysMode,
    async write(output) {
      await new Promise<void>((resolve) => terminal.write(output, resolve));
      const waitMs = drawnAt + frameMs - performance.now();
      if (waitMs <= 0) drawFrame();
      else frame ??= setTimeout(drawFrame, waitMs);
    },
    text() {
      const { active } = terminal.buffer;
      const texts = lines.map((_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '');
      const last = Math.max(
        active.cursorY,
        texts.findLastIndex((text) => text !== ''),
      );
      texts[active.cursorY] = texts[active.cursorY]!.padEnd(active.cursorX);
      return texts.slice(0, last + 1).join('\r\n');
    },
    [Symbol.dispose]() {
      clearTimeout(frame);
      terminal.dispose();
    },
  };
}

/** DECTCEM, which xterm.js keeps to itself. */
function watchCursor({ parser }: Terminal, onChange: (isHidden: boolean) => void): void {
  const cursorMode = 25;
  for (const final of ['h', 'l'] as const)
    parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
      if (parameters.includes(cursorMode)) onChange(final === 'l');
      return false;
    });
}

function readLine({ buffer: { active }, cols }: Terminal, row: number, cursor: number | undefined): Line {
  const line = new Uint32Array(cols * valuesPerColumn);
  const content = active.getLine(active.viewportY + row);
  const at = active.getNullCell();
  for (let column = 0; column < cols; column++) {
    // After the last column, the cursor waits there for the next character.
    const hasCursor = cursor !== undefined && column === Math.min(cursor, cols - 1);
    line.set(drawnCell(content?.getCell(column, at), hasCursor), column * valuesPerColumn);
  }
  return line;
}

function drawnCell(content: IBufferCell | undefined, hasCursor: boolean): [number, number, number] {
  if (content === undefined) return hasCursor ? [blank, paper, ink] : [blank, ink, paper];
  const front = content.isFgDefault() ? (content.isBold() ? 0xffffff : ink) : foreground(content);
  const back = content.isBgDefault() ? paper : colourOf(content.getBgColor(), content.isBgRGB());
  const isSwapped = (content.isInverse() !== 0) !== hasCursor;
  const [drawnInk, drawnPaper] = isSwapped ? [back, front] : [front, back];
  const code = content.isInvisible() !== 0 || content.getCode() === 0 ? blank : content.getCode();
  const isUnderlined = content.isUnderline() !== 0;
  return [code + (isUnderlined ? underlined : 0), drawnInk, drawnPaper];
}

/** Bold text in one of the eight dark colours is bright, as on a Linux console. */
function foreground(content: IBufferCell): number {
  const colour = content.getFgColor();
  const isBright = content.isBold() !== 0 && content.isFgPalette() && colour < brightOffset;
  return colourOf(isBright ? colour + brightOffset : colour, content.isFgRGB());
}

/** The palette of 256 colours: 16 basic ones, a cube of 6 × 6 × 6, and 24 greys. */
function colourOf(colour: number, isRgb: boolean): number {
  if (isRgb) return colour;
  if (colour < basicColours.length) return basicColours[colour]!;
  if (colour >= firstGrey) return (8 + (colour - firstGrey) * 10) * 0x010101;
  const index = colour - basicColours.length;
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  return (level(Math.floor(index / 36)) << 16) | (level(Math.floor(index / 6) % 6) << 8) | level(index % 6);
}
