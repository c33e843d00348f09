// Notifies customers when the traffic of a service reaches 80 and 100 % of its committed rate, once per month each. The
// notice is recorded together with its event and messages, so that neither a restart nor a second instance repeats it.
import { appendEvent } from '#events/append.ts';
import { pauseWork } from '#lib/slices.ts';
import { monthText } from '#lib/time.ts';
import { commitmentPage, noticedThreshold, noticeInsert, type Commitment } from '#store/network/bandwidth-notices.ts';
import { estimateMonth, monthBounds } from '#traffic/month.ts';
import { daySeconds, sumSeries } from '#traffic/series.ts';
import type { RankingPolicy } from '#traffic/statistics.ts';
import type { App } from '../app.ts';
import { getBillingSettings } from '../billing/settings.ts';
import { readHeldTraffic } from './held-traffic.ts';

const thresholds = ['100', '80'] as const;
const pageSize = 200;
/** Before this, a few busy hours would decide the percentile of the month so far. */
const settledSeconds = 3 * daySeconds;

export async function giveBandwidthNotices(
  app: Pick<App, 'store' | 'queue' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { queries } = app.store;
  const policy = await getBillingSettings(queries);
  const now = Math.floor(app.clock.now() / 1000);
  for (let after = 0; ;) {
    const page = await commitmentPage(queries, Math.floor(now / daySeconds), after, pageSize);
    for (const commitment of page) {
      if (signal.aborted) return;
      await noticeCommitment(app, commitment, now, policy);
      await pauseWork('outside a transaction');
    }
    if (page.length < pageSize) return;
    after = page.at(-1)!.service_id;
  }
}

async function noticeCommitment(
  app: Pick<App, 'store' | 'queue' | 'clock'>,
  { account_id, service_id, committed_mbits, from_day }: Commitment,
  now: number,
  policy: RankingPolicy,
): Promise<void> {
  const { queries } = app.store;
  const month = monthBounds(now);
  const noticed = await noticedThreshold(queries, service_id, month.start);
  if (noticed >= 100 || committed_mbits === 0) return;
  const start = Math.max(month.start, from_day * daySeconds);
  const ports = await readHeldTraffic(queries, { account_id, id: service_id }, { start, end: month.end });
  if (ports.length === 0) return;
  const estimate = estimateMonth(sumSeries(ports.map(({ series }) => series)), now, policy);
  const isSettled = now - start >= settledSeconds;
  const bitsPerSecond = Math.max(estimate.leastBitsPerSecond, isSettled ? estimate.soFar.bitsPerSecond : 0);
  const threshold = thresholds.find((percent) => bitsPerSecond >= committed_mbits * 10_000 * Number(percent));
  if (threshold === undefined || Number(threshold) <= noticed) return;
  await app.store.transaction(async (transaction) => {
    const notice = { account_id, service_id, month: month.start, threshold: Number(threshold) };
    if (!(await noticeInsert(transaction, { ...notice, created_at: app.clock.now() }))) return;
    const used = String(Math.round(bitsPerSecond / 10_000) / 100);
    const data = { threshold, month: monthText(month.start * 1000), committed: String(committed_mbits), used };
    await appendEvent(app, transaction, {
      account: account_id,
      type: 'network.bandwidth.reached',
      service: service_id,
      data,
    });
  });
}
