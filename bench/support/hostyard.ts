// Runs Hostyard for a benchmark with `npm start`, as an operator would, and logs to a file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon } from '../../test/support/daemon.ts';
import { temporaryFolder } from '../../test/support/folder.ts';

export interface Hostyard extends AsyncDisposable {
  readonly url: string;
  /** The process id of the server itself, not of npm or its shell. */
  readonly pid: number;
  /** From the command to the first response. */
  readonly startMs: number;
}

const root = join(import.meta.dirname, '..', '..');
const startWithinMs = 60_000;

// The first request of a process loads the client, which is not part of a server's start.
await fetch('data:,');

/** Starts on an empty data folder with these settings. */
export async function startHostyard(settings: Record<string, string> = {}): Promise<Hostyard> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('bench'));
  const log = join(folder.path, 'log');
  const env = {
    ...process.env,
    HOSTYARD_DATA: join(folder.path, 'data'),
    HOSTYARD_LISTEN: '127.0.0.1:0',
    ...settings,
  };
  const commandMs = performance.now();
  // npm forwards SIGTERM; SIGKILL would orphan the server.
  const npm = owned.use(
    await startDaemon('sh', ['-c', 'exec npm start >"$0" 2>&1', log], { cwd: root, env, stopSignal: 'SIGTERM' }),
  );
  while (performance.now() - commandMs < startWithinMs && npm.running()) {
    const url = /API +(http\S+)/.exec(readText(log))?.[1];
    if (url !== undefined && (await responds(url))) {
      const startMs = performance.now() - commandMs;
      const resources = owned.move();
      return { url, pid: lastChild(npm.process.pid!), startMs, [Symbol.asyncDispose]: () => resources.disposeAsync() };
    }
    await sleep(10);
  }
  throw new Error(`Hostyard did not start:\n${readText(log)}`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`);
    return response.ok && (await response.text()) !== '';
  } catch {
    return false;
  }
}

function lastChild(pid: number): number {
  const child = /^\d+/.exec(readText(`/proc/${pid}/task/${pid}/children`))?.[0];
  return child === undefined ? pid : lastChild(Number(child));
}
