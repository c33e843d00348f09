// The cost of one request: GET /v2/account with a key, on each database, next to a bare `node:http` server that returns
// the same text. On one busy core the request rate is the inverse of the CPU time per request, so the ratio compares
// CPU times, which other load on the machine affects less. Rounds alternate between the servers, and the median ratio
// counts. The start lasts from `npm start` to the first response, as the median of several, and an idle server is measured a minute
// after the last. Both are next to the bare server, started without npm. The equipment that the lab simulates runs in the server, so a site file of a provider is measured as well.
//
//   node bench/api.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '#contract/site/site.ts';
import { createKeyText } from '#lib/key-text.ts';
import { startDaemon, type Daemon } from '../test/support/daemon.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startHostyard } from './support/hostyard.ts';
import { median, printFigure } from './support/figures.ts';
import { cores, load, pin, residentMegabytes, type Run, type Target } from './support/load.ts';

const limits = { sqliteRatio: 0.4, postgresRatio: 0.25, startSeconds: 2, idleMegabytes: 130 };
const rounds = 9;
const roundSeconds = 2;
/** V8 keeps compiling for about ten seconds. */
const warmUpSeconds = 12;
const idleAfterMs = 60_000;
/** One alone varies by half a second. */
const starts = 5;

await using folder = await temporaryFolder('bench');
const { key, file } = writeSite(folder.path);
// All on an empty data folder. The code cache is warm after an install.
await measureStart('start');
await measureStart('start without the lab', { HOSTYARD_SITE: file });
await measureSpeed();

async function measureStart(name: string, settings: Record<string, string> = {}): Promise<void> {
  const startMs = performance.now();
  await using bare = await startBareServer('text');
  const bareSeconds = (performance.now() - startMs) / 1000;
  const earlierMs: number[] = [];
  while (earlierMs.length < starts - 1) {
    await using earlier = await startHostyard(settings);
    earlierMs.push(earlier.startMs);
  }
  await using hostyard = await startHostyard(settings);
  const seconds = median([...earlierMs, hostyard.startMs]) / 1000;
  await sleep(idleAfterMs);
  const bareMegabytes = residentMegabytes(bare.process.pid!);
  const megabytes = residentMegabytes(hostyard.pid);
  const print = (label: string, value: string, limit: number, isMet: boolean, peer: string): void =>
    printFigure(`${name}, ${label}`, value, `< ${limit}`, isMet, `bare node:http, ${peer}`);
  const { startSeconds, idleMegabytes } = limits;
  print('seconds', seconds.toFixed(2), startSeconds, seconds < startSeconds, bareSeconds.toFixed(2));
  print('idle MB', megabytes.toFixed(0), idleMegabytes, megabytes < idleMegabytes, bareMegabytes.toFixed(0));
}

async function startBareServer(text: string): Promise<Daemon> {
  const bareServer = join(import.meta.dirname, 'support', 'bare-server.ts');
  const bare = await startDaemon(process.execPath, [bareServer, text]);
  await bare.printed('http://');
  return bare;
}

async function measureSpeed(): Promise<void> {
  await using onSqlite = await startHostyard({ HOSTYARD_SITE: file });
  await using postgres = await startPostgres();
  await using onPostgres = await startHostyard({ HOSTYARD_SITE: file, HOSTYARD_DATABASE: postgres.url });
  const response = await fetch(`${onSqlite.url}/v2/account`, { headers: { 'x-api-key': key } });
  await using bare = await startBareServer(await response.text());

  const targets = {
    bare: { url: bare.output().trim(), pid: bare.process.pid! },
    sqlite: { url: `${onSqlite.url}/v2/account`, pid: onSqlite.pid },
    postgres: { url: `${onPostgres.url}/v2/account`, pid: onPostgres.pid },
  };
  for (const { pid } of Object.values(targets)) pin(pid, cores.measured);
  pin(postgres.daemon.process.pid!, cores.other);
  const results = alternate(targets, `X-API-KEY: ${key}`);

  const ratioOf = (runs: readonly Run[]): number =>
    median(runs.map((run, round) => results.bare[round]!.microseconds / run.microseconds));
  const print = (name: string, runs: readonly Run[], limit: number): void => {
    const ratio = ratioOf(runs);
    printFigure(
      `${name} (${costText(runs)})`,
      ratio.toFixed(2),
      `>= ${limit.toFixed(2)}`,
      ratio >= limit,
      'bare node:http',
    );
  };
  printFigure(`bare node:http (${costText(results.bare)})`, '1.00');
  print('SQLite', results.sqlite, limits.sqliteRatio);
  print('PostgreSQL', results.postgres, limits.postgresRatio);
}

/** A customer with invoices, and a key that the load does not exhaust. */
function writeSite(folder: string): { key: string; file: string } {
  const { text, printableId, secretHash } = createKeyText();
  const bill = (number: string, amount: string) => ({
    number,
    date: '2026-01-01',
    due: '2026-01-15',
    lines: [{ type: 'Hosting' as const, description: 'One month', amount }],
  });
  const paidInPart = { date: '2026-01-10', amount: '5.00', method: 'banktransfer', reference: 'T-1' };
  const site: Site = {
    provider: { name: 'Benchmark', currency: { code: 'EUR' } },
    customers: [
      {
        id: 1,
        firstname: 'Ada',
        lastname: 'Winter',
        company: 'Winter Hosting',
        email: 'ada@example.net',
        phone: '+31.201234567',
        address1: 'Keizersgracht 12',
        city: 'Amsterdam',
        state: 'Noord-Holland',
        postcode: '1015CJ',
        country: 'NL',
        keys: [
          {
            name: 'load',
            id: printableId,
            hash: secretHash.toString('hex'),
            scopes: ['all'],
            limits: { rate: 1_000_000, burst: 10_000_000 },
          },
        ],
        opening: { invoices: [bill('B-1', '89.00'), { ...bill('B-2', '9.00'), payments: [paidInPart] }] },
      },
    ],
  };
  const file = join(folder, 'site.yaml');
  // YAML is a superset of JSON.
  writeFileSync(file, JSON.stringify(site));
  return { key: text, file };
}

function alternate<Name extends string>(targets: Record<Name, Target>, header: string): Record<Name, Run[]> {
  const entries = Object.entries(targets) as [Name, Target][];
  for (const [, target] of entries) load(target, header, warmUpSeconds);
  const results = Object.fromEntries(entries.map(([name]) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of entries) results[name].push(load(target, header, roundSeconds));
  }
  return results;
}

function costText(runs: readonly Run[]): string {
  const microseconds = median(runs.map((run) => run.microseconds));
  const perSecond = median(runs.map((run) => run.requestsPerSecond));
  return `${microseconds.toFixed(0)} µs of CPU per request, ${perSecond.toFixed(0)} requests/s`;
}
