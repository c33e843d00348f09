// A real daemon, or Hostyard itself, as a child of the test. The kernel kills it when the test process exits for any
// reason (setpriv --pdeathsig), so an aborted run leaves nothing behind. Its output is kept for the message of a
// failing test.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findBinary } from './needs.ts';
import { patienceMs } from './until.ts';

export interface Daemon extends AsyncDisposable {
  process: ChildProcess;
  /** Standard output and standard error so far, interleaved. */
  output(): string;
  /** Resolves when the text has been printed; rejects if the process exits or the time is up first. */
  printed(text: string, withinMs?: number): Promise<void>;
  /** Resolves when the process is gone, or at once if it already is. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  running(): boolean;
  /**
   * Resolves when the process is gone and all its output has arrived: to its exit code, or null if a signal ended it.
   */
  ended: Promise<number | null>;
}

export interface DaemonOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The user to run as; only root can change it. */
  user?: string;
  /** The signal that makes it stop at once and clean up; SIGKILL if omitted. */
  stopSignal?: NodeJS.Signals;
}

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

  const printed = async (expected: string, withinMs = patienceMs) => {
    const deadline = AbortSignal.timeout(withinMs);
    while (!text.includes(expected)) {
      if (!running()) {
        await ended;
        throw new Error(`${program} ended before it printed "${expected}":\n${text}`);
      }
      await once(changed, 'change', { signal: deadline }).catch((cause: unknown) => {
        throw new Error(`${program} did not print "${expected}" within ${withinMs} ms:\n${text}`, { cause });
      });
    }
  };

  return { process: child, output: () => text, printed, stop, running, ended, [Symbol.asyncDispose]: () => stop() };
}

/** Starts a file of the tests as a process of its own, which loads our modules as quickly as a test process does. */
export function startProgram(file: string, ...args: string[]): Promise<Daemon> {
  return startDaemon(process.execPath, [`--import=${join(import.meta.dirname, 'preload.ts')}`, file, ...args]);
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
