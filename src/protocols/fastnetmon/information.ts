// Parses the JSON that FastNetMon stores in Redis under `<prefix>_<address>_information` when it bans an address.
import { directions, kinds, type FigureName, type Figures } from './figures.ts';

export interface Information {
  readonly action: string;
  readonly address: string;
  /** FastNetMon's id of the attack; empty if it is all zeros, as in its free edition. */
  readonly attack: string;
  readonly figures: Figures;
}

const isName = /^[0-9a-z-]{1,64}$/i;

/** Returns undefined if the text is not such JSON. */
export function parseInformation(text: string): Information | undefined {
  const information = parseJson(text);
  if (!isObject(information)) return undefined;
  const { action, ip, attack_details: details } = information;
  if (typeof action !== 'string' || typeof ip !== 'string' || !isObject(details)) return undefined;
  const uuid = details['attack_uuid'];
  const attack = typeof uuid === 'string' && isName.test(uuid) && /[1-9a-f]/i.test(uuid) ? uuid : '';
  return { action, address: ip, attack, figures: parseFigures(details) };
}

function parseFigures(details: Readonly<Record<string, unknown>>): Figures {
  const figures: Partial<Record<FigureName, number>> = {};
  for (const { mark, word } of directions) {
    for (const [name, kindLabel] of Object.entries(kinds)) {
      const label = kindLabel === 'total' ? `total_${word}` : `${word}_${kindLabel.replace(' ', '_')}`;
      const packets = toInteger(details[`${label}_pps`]);
      const bits = toInteger(details[`${label}_traffic_bits`]);
      if (packets !== undefined) figures[`${mark}_${name}` as FigureName] = packets;
      if (bits !== undefined) figures[`${mark}_${name}bits` as FigureName] = bits;
    }
  }
  return figures;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(Math.round(value)) && value >= 0
    ? Math.round(value)
    : undefined;
}
