// Colour says again what the words say, for the eye: good, bad, under way. Only on a terminal, and never with NO_COLOR.
import type { Shell } from '../shell.ts';

export type Paint = (text: string) => string;
export interface Palette {
  readonly heading: Paint;
  readonly faint: Paint;
  readonly incoming: Paint;
  readonly outgoing: Paint;
  /** A cell by what it says. */
  status(text: string, meaning: string): string;
}

const good = new Set(['active', 'on', 'up', 'online', 'completed', 'paid', 'delivered', 'success', 'assigned']);
const bad = new Set(['failed', 'overdue', 'off', 'down', 'offline', 'suspended', 'terminated', 'revoked', 'closed']);
const underWay = new Set(['pending', 'queued', 'running', 'unpaid', 'booting', 'unknown', 'expired', 'cancelled']);

const codes = { bold: 1, faint: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
const plain: Paint = (text) => text;
const painted =
  (code: number): Paint =>
  (text) =>
    `\u001B[${code}m${text}\u001B[0m`;

export function paletteFor({ out, env }: Shell): Palette {
  const isColoured = out.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!isColoured) return { heading: plain, faint: plain, incoming: plain, outgoing: plain, status: plain };
  return {
    heading: painted(codes.bold),
    faint: painted(codes.faint),
    incoming: painted(codes.cyan),
    outgoing: painted(codes.blue),
    status(text, meaning) {
      const word = meaning.toLowerCase().split(/[ :]/, 1)[0]!;
      if (good.has(word)) return painted(codes.green)(text);
      if (bad.has(word)) return painted(codes.red)(text);
      return underWay.has(word) ? painted(codes.yellow)(text) : text;
    },
  };
}
