// Reads the euro's reference rates in the format of the European Central Bank (eurofxref), of one day or many.
import { readFile, stat } from 'node:fs/promises';
import { readLimited } from '#lib/read-limited.ts';

export interface PublishedRate {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly currency: string;
  /** Millionths of the currency for one euro. */
  readonly micros: number;
}

/** The source did not answer, or not with rates. */
export class RateSourceError extends Error {
  override readonly name = 'RateSourceError';
}

const timeoutMs = 20_000;
/** The file of 90 days has 160 kilobytes; that of all days is not needed. */
const maxBytes = 2_000_000;
const cube =
  /<Cube\s+(?:time=['"]([0-9]{4}-[0-9]{2}-[0-9]{2})['"]|currency=['"]([A-Z]{3})['"]\s+rate=['"]([0-9]{1,9}(?:\.[0-9]{1,6})?)['"])\s*\/?>/g;

export type RateSource = { readonly url: string } | { readonly file: string };

export async function fetchRates(source: RateSource, signal: AbortSignal): Promise<PublishedRate[]> {
  try {
    const text = 'file' in source ? await readSmallFile(source.file) : await download(source.url, signal);
    return parseRates(text);
  } catch (error) {
    if (error instanceof RateSourceError) throw error;
    throw new RateSourceError(`the exchange rates cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function readSmallFile(file: string): Promise<string> {
  if ((await stat(file)).size > maxBytes) throw new Error('the file is too long');
  return readFile(file, 'utf8');
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(url, { redirect: 'error', signal: limit });
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return (await readLimited(response.body, maxBytes)).toString();
}

/** Throws if the text has no rate, or one without a day. */
export function parseRates(text: string): PublishedRate[] {
  const rates: PublishedRate[] = [];
  let day: string | undefined;
  for (const [, time, currency, rate] of text.matchAll(cube)) {
    if (time !== undefined) day = time;
    else if (day === undefined) throw new RateSourceError('a rate has no day');
    else rates.push({ day, currency: currency!, micros: requireMicros(rate!) });
  }
  if (rates.length === 0) throw new RateSourceError('there are no rates in it');
  return rates;
}

function requireMicros(text: string): number {
  const micros = parseRate(text);
  if (micros === undefined) throw new RateSourceError(`${text} is not a rate`);
  return micros;
}

/** Returns the millionths of a decimal with at most six places, or undefined if it is not one above zero. */
export function parseRate(text: string): number | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,9})(?:\.([0-9]{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const micros = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
  return micros > 0 ? micros : undefined;
}
