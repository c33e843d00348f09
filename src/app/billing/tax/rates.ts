// Standard VAT rates by territory and day, from assets/tax/vat-rates.yaml.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { moneyCents } from '#lib/money.ts';
import { dayMs } from '#lib/time.ts';

interface RateFrom {
  /** Days since 1970. */
  readonly day: number;
  /** Hundredths of a percent. */
  readonly rate: number;
}

let rates: ReadonlyMap<string, readonly RateFrom[]> | undefined;

function loadRates(): ReadonlyMap<string, readonly RateFrom[]> {
  const text = readFileSync(new URL('../../../../assets/tax/vat-rates.yaml', import.meta.url), 'utf8');
  const file = parse(text) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  return new Map(
    Object.entries(file).map(([territory, byDay]) => [
      territory,
      Object.entries(byDay)
        .map(([day, rate]) => ({ day: Date.parse(day) / dayMs, rate: moneyCents(rate)! }))
        .toSorted((left, right) => left.day - right.day),
    ]),
  );
}

/** Returns the rate in hundredths of a percent, or undefined if the file does not have the territory. */
export function standardRate(territory: string, day: number): number | undefined {
  rates ??= loadRates();
  const known = rates.get(territory);
  return (known?.findLast((candidate) => candidate.day <= day) ?? known?.[0])?.rate;
}

export function ratedTerritories(): string[] {
  rates ??= loadRates();
  return [...rates.keys()];
}

export interface RateInForce extends RateFrom {
  readonly territory: string;
}

/** Returns the rate of each territory on a day. */
export function ratesInForce(day: number): RateInForce[] {
  rates ??= loadRates();
  return [...rates].flatMap(([territory, known]) => {
    const rate = known.findLast((candidate) => candidate.day <= day) ?? known[0];
    return rate === undefined ? [] : [{ territory, ...rate }];
  });
}
