// The 95th percentile of what a service sent and received, for its bill: measured once, before the bill is drawn, with a
// fingerprint of the samples, so that whoever has the samples can show that they are the ones that were billed.
import { readTraffic } from '#equipment/traffic.ts';
import type { Period } from '#kernel/billing-calendar.ts';
import { sha256 } from '#kernel/secrets.ts';
import { sampleAt, sumSeries, type Series } from '#kernel/traffic/series.ts';
import { percentileOf, type RankingPolicy } from '#kernel/traffic/statistics.ts';
import { termsOfAccount, type ServiceTerm } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import { portsOfService } from '#store/network/switches.ts';
import type { AccountId } from '#store/tables.ts';

export interface Measured {
  readonly term: number;
  readonly from: number;
  readonly until: number;
  readonly bitsPerSecond: number;
  readonly intervals: number;
  /** Of the samples that were ranked. */
  readonly fingerprint: string;
}

const daySeconds = 86_400;

export async function measureAccount(
  queries: Queries,
  account: AccountId,
  period: Period,
  policy: RankingPolicy,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const term of await termsOfAccount(queries, account, period.from)) {
    const from = Math.max(term.from_day, period.from);
    const until = Math.min(term.until_day ?? Infinity, period.until);
    if (term.committed_mbits === null || from >= until) continue;
    const found = await measureTerm(queries, term, { from, until }, policy);
    if (found !== undefined) measured.push(found);
  }
  return measured;
}

async function measureTerm(
  queries: Queries,
  term: ServiceTerm,
  { from, until }: Period,
  policy: RankingPolicy,
): Promise<Measured | undefined> {
  const ports = await portsOfService(queries, term.account_id, term.service_id);
  if (ports.length === 0) return undefined;
  const series = sumSeries(
    await Promise.all(ports.map(({ id }) => readTraffic(queries, id, from * daySeconds, until * daySeconds))),
  );
  const { bitsPerSecond, intervals } = percentileOf(series, policy);
  if (intervals === 0) return undefined;
  return { term: term.id, from, until, bitsPerSecond, intervals, fingerprint: fingerprintOf(series) };
}

/** SHA-256 of a line for each sample: its start, bytes in, bytes out and the number of its marks, with commas between. */
export function fingerprintOf(series: Series): string {
  let lines = '';
  for (let index = 0; index < series.marks.length; index++) {
    const { start, inBytes, outBytes, marks } = sampleAt(series, index);
    lines += `${start},${inBytes},${outBytes},${marks}\n`;
  }
  return sha256(lines).toString('hex');
}
