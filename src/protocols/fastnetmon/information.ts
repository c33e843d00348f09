// Parses the JSON that FastNetMon stores in Redis under `<prefix>_<address>_information` when it bans an address.
import { readFigures, type Figures } from './figures.ts';

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
  const read = (label: string, unit: string) => toInteger(details[`${label.replaceAll(' ', '_')}_${unit}`]);
  return readFigures(
    (label) => read(label, 'pps'),
    (label) => read(label, 'traffic_bits'),
  );
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
