// A real daemon, or Hostyard itself, as a child of the test. The kernel ends it when the test process is gone in whatever way
// (setpriv --pdeathsig), so that an aborted run leaves nothing running; what it prints is kept for the error message of the
// one test that fails at three in the morning.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findBinary } from './needs.ts';

export interface Daemon extends AsyncDisposable {
  process: ChildProcess;
  /** All that it has printed, standard output and standard error together. */
  output(): string;
  /** Resolves when it has printed the text; fails when it ends, or the time is over, before that. */
  printed(text: string, timeoutMs?: number): Promise<void>;
  /** Resolves when the process is gone; what is gone already is fine. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  running(): boolean;
  /** Resolves when it is gone and all its output is here: with its exit code, or null where a signal ended it. */
  ended: Promise<number | null>;
}

export interface DaemonOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** An account of this machine to run as; only root can change to one. */
  user?: string;
  /** The signal by which it stops at once and cleans up after itself; SIGKILL unless told. */
  stopSignal?: NodeJS.Signals;
}

const startTimeoutMs = 60_000;

export async function startDaemon(program: string, args: string[], options: DaemonOptions = {}): Promise<Daemon> {
  const { cwd, env, user, stopSignal = 'SIGKILL' } = options;
  const child = spawn(locate('setpriv'), [...privileges(stopSignal, user), '--', locate(program), ...args], {
    cwd: cwd ?? process.cwd(),
    env: env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

  let text = '';
  const changed = new EventTarget();
  const keep = (chunk: string) => {
    text += chunk;
    changed.dispatchEvent(new Event('change'));
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  // 'close' comes after the last output, so that a failure's message is complete.
  child.once('close', (code) => {
    resolve(code);
    changed.dispatchEvent(new Event('change'));
  });
  await once(child, 'spawn');

  const running = () => child.exitCode === null && child.signalCode === null;

  const stop = async (signal: NodeJS.Signals = stopSignal) => {
    child.kill(signal);
    await ended;
  };

  const printed = async (wanted: string, timeoutMs = startTimeoutMs) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    while (!text.includes(wanted)) {
      if (!running()) {
        await ended;
        throw new Error(`${program} ended before it printed "${wanted}":\n${text}`);
      }
      await once(changed, 'change', { signal: deadline }).catch((cause: unknown) => {
        throw new Error(`${program} did not print "${wanted}" within ${timeoutMs} ms:\n${text}`, { cause });
      });
    }
  };

  return { process: child, output: () => text, printed, stop, running, ended, [Symbol.asyncDispose]: () => stop() };
}

function privileges(deathSignal: NodeJS.Signals, user: string | undefined): string[] {
  const bound = ['--pdeathsig', deathSignal.replace('SIG', '')];
  return user === undefined ? bound : [...bound, `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
}

function locate(program: string): string {
  const path = program.startsWith('/') ? program : findBinary(program);
  if (path === undefined) throw new Error(`no program ${program} on this machine; does the suite name it in needs(…)?`);
  return path;
}
