// What one request costs: GET /v2/account with a key, on each database, beside a bare `node:http` server that answers the
// same text. Rounds alternate between the servers and the median of the ratios counts, since the machine has its moods.
//
//   node bench/api.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLabFile } from '#lab/file.ts';
import { labSite } from '#lab/site.ts';
import { startDaemon } from '../test/support/daemon.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startHostyard } from './support/hostyard.ts';
import { cores, load, median, pin, residentMegabytes, type Run, type Target } from './support/load.ts';

const limits = { ratio: 0.4, startMs: 3000, idleMegabytes: 150 };
const rounds = 9;
const roundSeconds = 2;
const warmUpSeconds = 4;
const idleAfterMs = 3000;

await start('first start (no compile cache)', { NODE_DISABLE_COMPILE_CACHE: '1' });
await start('later start');
await speed();

async function start(name: string, settings: Record<string, string> = {}): Promise<void> {
  await using hostyard = await startHostyard(settings);
  await sleep(idleAfterMs);
  const { startMs, pid } = hostyard;
  const megabytes = residentMegabytes(pid);
  print(`${name}, seconds`, (startMs / 1000).toFixed(2), `< ${limits.startMs / 1000}`, startMs < limits.startMs);
  print(`${name}, idle MB`, megabytes.toFixed(0), `< ${limits.idleMegabytes}`, megabytes < limits.idleMegabytes);
}

async function speed(): Promise<void> {
  await using folder = await temporaryFolder('bench');
  const { key, file } = await writeSite(folder.path);
  const header = `X-API-KEY: ${key}`;

  await using sqlite = await startHostyard({ HOSTYARD_SITE: file });
  await using postgres = await startPostgres();
  await using onPostgres = await startHostyard({ HOSTYARD_SITE: file, HOSTYARD_DATABASE: postgres.url });
  const answer = await fetch(`${sqlite.url}/v2/account`, { headers: { 'x-api-key': key } });
  await using bare = await startDaemon(process.execPath, ['bench/support/bare-server.ts', await answer.text()]);
  await bare.printed('http://');

  const targets = {
    bare: { url: bare.output().trim(), pid: bare.process.pid! },
    sqlite: { url: `${sqlite.url}/v2/account`, pid: sqlite.pid },
    postgres: { url: `${onPostgres.url}/v2/account`, pid: onPostgres.pid },
  };
  for (const { pid } of Object.values(targets)) pin(pid, cores.measured);
  pin(postgres.daemon.process.pid!, cores.other);
  const results = alternate(targets, header);

  const costs = (runs: readonly Run[]): string =>
    `${median(runs.map((run) => run.requestsPerSecond)).toFixed(0)} requests/s, ${median(
      runs.map((run) => run.cpuMicroseconds),
    ).toFixed(0)} µs of CPU each`;
  const ratio = (runs: readonly Run[]): number =>
    median(runs.map((run, round) => run.requestsPerSecond / results.bare[round]!.requestsPerSecond));
  print(`bare node:http (${costs(results.bare)})`, '1.00');
  const reached = ratio(results.sqlite);
  print(
    `SQLite (${costs(results.sqlite)})`,
    reached.toFixed(2),
    `>= ${limits.ratio.toFixed(2)}`,
    reached >= limits.ratio,
  );
  print(`PostgreSQL (${costs(results.postgres)})`, ratio(results.postgres).toFixed(2));
}

/** The lab, with a key that a load does not exhaust. */
async function writeSite(folder: string): Promise<{ key: string; file: string }> {
  const lab = await readLabFile(folder, new Date().toISOString().slice(0, 10), async () => '$argon2id$none');
  const site = { ...labSite(lab, { bmcs: [] }), keyLimits: { rate: 1_000_000, burst: 10_000_000 } };
  for (const key of site.customers?.flatMap((customer) => customer.keys ?? []) ?? []) delete key.limits;
  const file = join(folder, 'site.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(site));
  return { key: lab.customer.key, file };
}

function alternate<Name extends string>(targets: Record<Name, Target>, header: string): Record<Name, Run[]> {
  const entries = Object.entries(targets) as [Name, Target][];
  for (const [, target] of entries) load(target, [header], warmUpSeconds);
  const results = Object.fromEntries(entries.map(([name]) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of entries) results[name].push(load(target, [header], roundSeconds));
  }
  return results;
}

function print(what: string, value: string, limit = '', met?: boolean): void {
  const verdict = met === undefined ? '' : met ? 'met' : 'not met';
  console.log([what.padEnd(64), value.padStart(6), limit.padEnd(8), verdict].join('  ').trimEnd());
  if (met === false) process.exitCode = 1;
}
