// Colours repeat what the words say: good, bad or in progress. Only on a terminal, and never with NO_COLOR.
import type { Shell } from '../shell.ts';

export type Paint = (text: string) => string;
export interface Palette {
  readonly heading: Paint;
  readonly faint: Paint;
  readonly incoming: Paint;
  readonly outgoing: Paint;
  /** Colours a table cell by its value; `text` may be truncated or padded. */
  status(text: string, value: string): string;
}

const good = new Set(['active', 'on', 'up', 'online', 'completed', 'paid', 'delivered', 'success', 'assigned']);
const bad = new Set(['failed', 'overdue', 'off', 'down', 'offline', 'suspended', 'terminated', 'revoked', 'closed']);
const inProgress = new Set(['pending', 'queued', 'running', 'unpaid', 'booting', 'unknown', 'expired', 'cancelled']);

const codes = { bold: 1, faint: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
const plain: Paint = (text) => text;
const paint =
  (code: number): Paint =>
  (text) =>
    `\u001B[${code}m${text}\u001B[0m`;

export function paletteFor({ out, env }: Shell): Palette {
  const isColoured = out.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!isColoured) return { heading: plain, faint: plain, incoming: plain, outgoing: plain, status: plain };
  return {
    heading: paint(codes.bold),
    faint: paint(codes.faint),
    incoming: paint(codes.cyan),
    outgoing: paint(codes.blue),
    status(text, value) {
      const word = value.toLowerCase().split(/[ :]/, 1)[0]!;
      if (good.has(word)) return paint(codes.green)(text);
      if (bad.has(word)) return paint(codes.red)(text);
      return inProgress.has(word) ? paint(codes.yellow)(text) : text;
    },
  };
}
