// The API's latency while a machine is backed up with restic to a local folder, next to that of an idle server. Rounds alternate and
// medians count, because timings on this machine vary. The machine is a simulated one with 600 MB of content.
//
//   node bench/backups.ts
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { temporaryFolder } from '../test/support/folder.ts';
import { machineSite, smallMachine } from '../test/support/machine-site.ts';
import { requestResult } from '../test/support/request.ts';
import { until } from '../test/support/until.ts';
import { median, printFigure } from './support/figures.ts';
import { startHostyard } from './support/hostyard.ts';

/** The time of a request by percentile, in milliseconds. */
type Latency = (percentile: number) => number;

const token = 'bench-secret';
const contentMb = 600;
const rounds = 10;
const requestsPerRound = 500;
const betweenMs = 2;
const service = '2001';

await using folder = await temporaryFolder('bench-backups');
await using owned = new AsyncDisposableStack();
const simulator = join(import.meta.dirname, 'support', 'idle-hypervisor.ts');
const child = spawn('chrt', ['--idle', '0', process.execPath, simulator], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
owned.defer(() => void child.kill());
child.send({ token, timing: { bootMs: 0, buildMs: 0 }, fillMb: contentMb });
const [node] = (await once(child, 'message')) as [{ address: string; port: number }];
const settings = { ...node, token };
const { site, key } = machineSite([{ name: 'hv1', driver: 'lab', settings }], [smallMachine]);
const path = join(folder.path, 'repositories');
await mkdir(path);
const siteFile = join(folder.path, 'site.yaml');
await writeFile(siteFile, stringify({ ...site, backups: { repository: { driver: 'local', path } } }));
await using hostyard = await startHostyard({ HOSTYARD_SITE: siteFile });

const read = () => requestResult<{ status: string }[]>(hostyard, 'GET', '/v2/machine', { key });
await until(async () => (await read())[0]?.status === 'Active');

const idle: Latency[] = [];
const busy: Latency[] = [];
for (let round = 0; round < rounds; round++) {
  idle.push(await measureLatency());
  const params = { service };
  const { id } = await requestResult<{ id: string }>(hostyard, 'POST', '/v2/machine/backup', { key, params });
  // The process has started by then.
  await sleep(2000);
  busy.push(await measureLatency());
  const list = () =>
    requestResult<{ id: string; status: string }[]>(hostyard, 'GET', '/v2/machine/backup', { key, params });
  const status = (await list()).find((backup) => backup.id === id)?.status;
  if (status !== 'Creating') throw new Error(`the backup must take longer than the round, but is ${status} already`);
  await until(async () => (await list()).find((backup) => backup.id === id)?.status === 'Stored', {
    // It only gets the time that nothing else wants.
    patienceMs: 1_800_000,
  });
}
for (const [name, percentile, limit] of [
  ['median', 0.5, 1.05],
  ['99th percentile', 0.99, undefined],
] as const) {
  const [idleMs, busyMs] = [idle, busy].map((latencies) => median(latencies.map((of) => of(percentile))));
  const ratio = busyMs! / idleMs!;
  printFigure(`API, ${name}, idle and during a backup`, `${idleMs!.toFixed(2)} ms, ${busyMs!.toFixed(2)} ms`);
  if (limit === undefined) printFigure(`API, ${name} during a backup, relative to idle`, ratio.toFixed(2));
  else
    printFigure(`API, ${name} during a backup, relative to idle`, ratio.toFixed(2), `at most ${limit}`, ratio <= limit);
}

/** Sends requests one after another. */
async function measureLatency(): Promise<Latency> {
  const times: number[] = [];
  for (let count = 0; count < requestsPerRound; count++) {
    const startMs = performance.now();
    await read();
    times.push(performance.now() - startMs);
    await sleep(betweenMs);
  }
  const sorted = times.toSorted((left, right) => left - right);
  return (percentile) => sorted[Math.floor(sorted.length * percentile)]!;
}
