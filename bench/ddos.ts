// Attacks at their worst: a burst of 1,000 signed reports over HTTP, until every address is null-routed in a real
// GoBGP; and the event list of a service with 10,000 events. On each database.
//
//   node bench/ddos.ts
import { randomUUID, type KeyObject } from 'node:crypto';
import { Agent, request } from 'undici';
import { applySite } from '#app/site/apply.ts';
import { hookSecret, signHook } from '#lib/hook-signature.ts';
import { attackEnd, attackLogsPut, attackRecordsPut, attacksInsert } from '#store/network/attacks.ts';
import { startGobgpPair } from '../test/support/gobgp.ts';
import { runNetworkReconcilers } from '../test/support/network-reconcilers.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { openTestApp, type TestApp } from '../test/support/app.ts';
import { until } from '../test/support/until.ts';
import { median, printFigure, startCpuWatch } from './support/figures.ts';
import type { AccountId } from '#store/account-id.ts';

const burst = 1000;
const warmUps = 2;
const burstWithinMs = 2000;
const events = 10_000;
const listWithinMs = 20;
const listings = 200;
const agent = new Agent({ connections: 64 });

/**
 * On a busy machine CPU time is more meaningful than wall time. It includes server and client, which share a process.
 */
function printVerdict(title: string, cost: { readonly ms: number; readonly cpuMs: number }, limitMs: number): void {
  const label = `${title} (${cost.cpuMs.toFixed(1)} ms of CPU)`;
  printFigure(label, `${cost.ms.toFixed(1)} ms`, `< ${limitMs} ms`, cost.ms < limitMs);
}

/** Returns one of the 4,096 addresses of 198.18.16.0/20. */
const address = (index: number): string => `198.18.${16 + (index >> 8)}.${index & 255}`;

type Report = Pick<NonNullable<Parameters<typeof request>[1]>, 'headers' | 'body'>;

/** Signed in advance, because in production the detectors do that. */
function createReport(target: string, secret: KeyObject): Report {
  const body = Buffer.from(
    JSON.stringify({ action: 'start', address: target, packetsPerSecond: 90_000, kind: 'udp_flood' }),
  );
  const id = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signHook(secret, id, timestamp, body),
  };
  return { headers, body };
}

async function send(app: TestApp, report: Report): Promise<void> {
  const url = `${app.url}/hooks/detector/lab`;
  const { statusCode, body } = await request(url, { method: 'POST', dispatcher: agent, ...report });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode}: ${text}`);
}

async function measureBurst(engine: string, app: TestApp): Promise<void> {
  await using pair = await startGobgpPair();
  const router = { driver: 'gobgp', settings: { address: pair.speaker.api } };
  await applySite(app.parts, {
    ...app.site,
    netblocks: [...app.site.netblocks!, { cidr: '198.18.16.0/20', service: 1001 }],
    nullroutes: { policy: 'automatic', threshold: { packetsPerSecond: 1 }, ceiling: 20 * burst, router },
  });
  await using _reconcilers = await runNetworkReconcilers(app);
  /** As counted by GoBGP's own client. */
  const routed = async () => Number(/Destination: (\d+)/.exec(await pair.speaker.run('global', 'rib', 'summary'))?.[1]);
  const secret = hookSecret(app.equipment.detector.secret)!;
  const reportsFrom = (first: number): Report[] =>
    Array.from({ length: burst }, (_, index) => createReport(address(first + index), secret));
  const sendAll = async (reports: readonly Report[], routes: number): Promise<number> => {
    const startMs = performance.now();
    await Promise.all(reports.map((report) => send(app, report)));
    const recordedMs = performance.now() - startMs;
    await until(async () => (await routed()) >= routes, { saw: routed, pollMs: 50 });
    return recordedMs;
  };
  // Warms up, because a production server rarely handles an attack right after its start.
  for (let round = 0; round < warmUps; round++) await sendAll(reportsFrom(round * burst), (round + 1) * burst);
  const reports = reportsFrom(warmUps * burst);
  const startMs = performance.now();
  const cpuMs = startCpuWatch();
  const recordedMs = await sendAll(reports, (warmUps + 1) * burst);
  const cost = { ms: performance.now() - startMs, cpuMs: cpuMs() };
  const rows = await app.parts.store.queries
    .selectFrom('attacks')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const lost = (warmUps + 1) * burst - Number(rows.count);
  if (lost !== 0) throw new Error(`${lost} reports were lost`);
  printVerdict(`${engine}: ${burst} reports recorded (${recordedMs.toFixed(0)} ms) and routed`, cost, burstWithinMs);
}

async function measureList(engine: string, app: TestApp): Promise<void> {
  const now = app.parts.clock.now();
  const figures = JSON.stringify({ d_total: 90_000, d_totalbits: 720_000_000, d_udp: 90_000, d_udpbits: 720_000_000 });
  await app.parts.store.transaction(async (queries) => {
    for (let index = 0; index < events; index++) {
      const at = now - (events - index) * 600_000;
      const owner = { account_id: 1 as AccountId, service_id: 1001, device: 'dc01r01ds01', network: '203.0.113.10/32' };
      const attack = { detector: 'bench', attack: String(index), address: '4cb00710a', started_at: at, seen_at: at };
      const { id } = (await attacksInsert(queries, [{ ...attack, ...owner }]))[0]!;
      const rule = {
        attack_id: id,
        direction: 'incoming',
        protocol: 'udp',
        filters: 'udp_flood',
        sensor_type: 'bench',
      };
      const times = { sensor_interface: '', first_at: at, last_at: at };
      await attackRecordsPut(queries, [
        { ...rule, ...times, unit: 'packets/s', value: 90_000 },
        { ...rule, ...times, unit: 'bits/s', value: 720_000_000 },
      ]);
      await attackLogsPut(
        queries,
        Array.from({ length: 5 }, (_, minute) => ({ attack_id: id, at: at + minute * 60_000, figures })),
      );
      await attackEnd(queries, id, at + 300_000);
    }
  });
  const headers = { 'x-api-key': app.lab.customer.key };
  const times: number[] = [];
  const cpuMs = startCpuWatch();
  let before: string | undefined;
  for (let round = 0; round < listings; round++) {
    const page = before === undefined ? '' : `&before=${before}`;
    const startMs = performance.now();
    const { body } = await request(`${app.url}/v2/network/events/1001?limit=100${page}`, {
      headers,
      dispatcher: agent,
    });
    const text = await body.text();
    times.push(performance.now() - startMs);
    const response = JSON.parse(text) as { results: string; result: Record<string, unknown> };
    // After the last of a hundred pages, starts again with the newest.
    before = response.results === '100' ? Object.keys(response.result)[0] : undefined;
  }
  printVerdict(
    `${engine}: a page of 100 of ${events} events, median of ${listings}`,
    { ms: median(times), cpuMs: cpuMs() / listings },
    listWithinMs,
  );
}

async function measure(engine: string, open: () => Promise<TestApp>): Promise<void> {
  {
    await using app = await open();
    await measureBurst(engine, app);
  }
  await using app = await open();
  await measureList(engine, app);
}

await measure('SQLite', () => openTestApp());
await using postgres = await startPostgres();
await measure('PostgreSQL', async () => openTestApp({ database: await postgres.createDatabase() }));
await agent.close();
