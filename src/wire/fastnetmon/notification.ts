// The text that FastNetMon's notify script gets on its standard input: lines of `Name: value unit`, then a blank line, then
// flows or packets. The address in it is not to be trusted (0.0.0.0 for every IPv6 address): the script's arguments have it.
import { directions, kinds, type FigureName, type Figures } from './figures.ts';

export interface Notification {
  /** Such as `udp_flood`; undefined where the text does not say, as at an unban. */
  readonly attackType: string | undefined;
  readonly protocol: string | undefined;
  readonly peakPacketsPerSecond: number | undefined;
  readonly figures: Figures;
}

const bitsPerMegabit = 1_000_000;
const longestWord = 64;

export function parseNotification(text: string): Notification {
  const lines = headerLines(text);
  return {
    attackType: word(lines.get('attack type')),
    protocol: word(lines.get('attack protocol')),
    peakPacketsPerSecond: leadingNumber(lines.get('peak attack power')),
    figures: figuresOf(lines),
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

function figuresOf(lines: ReadonlyMap<string, string>): Figures {
  const figures: Partial<Record<FigureName, number>> = {};
  for (const { mark, word: direction } of directions) {
    for (const [name, theirs] of Object.entries(kinds)) {
      const label = theirs === 'total' ? `total ${direction}` : `${direction} ${theirs}`;
      const packets = leadingNumber(lines.get(`${label} pps`));
      const megabits = leadingNumber(lines.get(`${label} traffic`));
      if (packets !== undefined) figures[`${mark}_${name}` as FigureName] = packets;
      if (megabits !== undefined)
        figures[`${mark}_${name}bits` as FigureName] = Math.min(megabits * bitsPerMegabit, Number.MAX_SAFE_INTEGER);
    }
  }
  return figures;
}

function leadingNumber(value: string | undefined): number | undefined {
  const digits = /^[0-9]{1,15}/.exec(value ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Undefined for what is no word of FastNetMon's: what comes out of it is kept and shown. */
function word(value: string | undefined): string | undefined {
  return /^[\w .-]+$/.test(value ?? '') ? value!.slice(0, longestWord) : undefined;
}
