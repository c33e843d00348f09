// Parses the text that FastNetMon's notify script gets on standard input: lines of `Name: value unit`, a blank line,
// then flows or packets. The address in it is unreliable (0.0.0.0 for every IPv6 address); the script's arguments have
// the right one.
import { readFigures, type Figures } from './figures.ts';

export interface Notification {
  /** Such as `udp_flood`; undefined if missing, as in an unban. */
  readonly attackType: string | undefined;
  readonly protocol: string | undefined;
  readonly peakPacketsPerSecond: number | undefined;
  readonly figures: Figures;
}

const bitsPerMegabit = 1_000_000;
const maxWordLength = 64;

export function parseNotification(text: string): Notification {
  const lines = headerLines(text);
  return {
    attackType: parseWord(lines.get('attack type')),
    protocol: parseWord(lines.get('attack protocol')),
    peakPacketsPerSecond: leadingNumber(lines.get('peak attack power')),
    figures: parseFigures(lines),
  };
}

function headerLines(text: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line.trim() === '') break;
    const colon = line.indexOf(': ');
    if (colon > 0) lines.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 2).trim());
  }
  return lines;
}

function parseFigures(lines: ReadonlyMap<string, string>): Figures {
  return readFigures(
    (label) => leadingNumber(lines.get(`${label} pps`)),
    (label) => {
      const megabits = leadingNumber(lines.get(`${label} traffic`));
      return megabits && Math.min(megabits * bitsPerMegabit, Number.MAX_SAFE_INTEGER);
    },
  );
}

function leadingNumber(value: string | undefined): number | undefined {
  const digits = /^[0-9]{1,15}/.exec(value ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns undefined for unexpected characters, because the value is stored and displayed. */
function parseWord(value: string | undefined): string | undefined {
  return /^[\w .-]+$/.test(value ?? '') ? value!.slice(0, maxWordLength) : undefined;
}
