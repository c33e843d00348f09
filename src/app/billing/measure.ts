// Measures the 95th percentile of a service's traffic for its bill: once, before the bill is computed, with a
// fingerprint of the samples, so that anyone who has the samples can prove that they are the ones billed.
import type { Period } from './billing-periods.ts';
import { sha256 } from '#lib/secrets.ts';
import { sampleAt, sampleMarks, sumSeries, type Series } from '#traffic/series.ts';
import { computePercentile, type RankingPolicy } from '#traffic/statistics.ts';
import { termsOfAccount, usagePrices, type ServiceTerm } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import { readHeldTraffic } from '../network/held-traffic.ts';
import type { AccountId } from '#store/account-id.ts';

export interface Measurement {
  readonly term: number;
  readonly from: number;
  readonly until: number;
  readonly bitsPerSecond: number;
  readonly intervals: number;
  /** In both directions. Undefined in runs that an earlier release started. */
  readonly bytes?: number;
  /** Of the samples that were ranked. */
  readonly fingerprint: string;
}

const daySeconds = 86_400;

/** Measures all services of the account, or one. */
export async function measureAccount(
  queries: Queries,
  account: AccountId,
  period: Period,
  policy: RankingPolicy,
  service?: number,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const term of await termsOfAccount(queries, account, period.from)) {
    if (service !== undefined && term.service_id !== service) continue;
    const from = Math.max(term.from_day, period.from);
    const until = Math.min(term.until_day ?? Infinity, period.until);
    if (!isMeasured(term) || from >= until) continue;
    const measurement = await measureTerm(queries, term, { from, until }, policy);
    if (measurement !== undefined) measurements.push(measurement);
  }
  return measurements;
}

function isMeasured({ committed_mbits, usage_prices }: ServiceTerm): boolean {
  return committed_mbits !== null || usagePrices.decode(usage_prices).some(({ item }) => item === 'traffic');
}

async function measureTerm(
  queries: Queries,
  term: ServiceTerm,
  { from, until }: Period,
  policy: RankingPolicy,
): Promise<Measurement | undefined> {
  const service = { account_id: term.account_id, id: term.service_id };
  const span = { start: from * daySeconds, end: until * daySeconds };
  const ports = await readHeldTraffic(queries, service, span);
  if (ports.length === 0) return undefined;
  const series = sumSeries(ports.map(({ series: ofPort }) => ofPort));
  const { bitsPerSecond, intervals } = computePercentile(series, policy);
  const bytes = countBytes(series, policy);
  if (intervals === 0 && bytes === 0) return undefined;
  return { term: term.id, from, until, bitsPerSecond, intervals, bytes, fingerprint: fingerprintSamples(series) };
}

/** Returns the bytes in both directions, without those of attacks if the policy says so. */
function countBytes(series: Series, { attacks }: RankingPolicy): number {
  let bytes = 0;
  for (let index = 0; index < series.marks.length; index++) {
    const { inBytes, outBytes, marks } = sampleAt(series, index);
    if (attacks === 'count' || (marks & sampleMarks.attack) === 0) bytes += inBytes + outBytes;
  }
  return bytes;
}

/** Returns the SHA-256 of one line per sample: start, bytes in, bytes out and marks, separated by commas. */
function fingerprintSamples(series: Series): string {
  let lines = '';
  for (let index = 0; index < series.marks.length; index++) {
    const { start, inBytes, outBytes, marks } = sampleAt(series, index);
    lines += `${start},${inBytes},${outBytes},${marks}\n`;
  }
  return sha256(lines).toString('hex');
}
