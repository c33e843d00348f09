// HTTP load from Debian's wrk: keep-alive connections from one core against a process on another.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One core runs the measured process, the other the load and the databases. */
export const cores = { measured: 1, other: 0 };
const connections = 32;

export interface Target {
  readonly url: string;
  readonly pid: number;
}

export interface Run {
  readonly requestsPerSecond: number;
  /** CPU time of the measured process, all threads, per request. */
  readonly microseconds: number;
}

export function pin(pid: number, core: number | 'any'): void {
  const list = core === 'any' ? Object.values(cores).join() : String(core);
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(pid)], { stdio: 'ignore' });
}

export function load(target: Target, header: string, seconds: number): Run {
  const wrk = ['wrk', '--threads=1', `--connections=${connections}`, `--duration=${seconds}s`, `--header=${header}`];
  const startSeconds = cpuSeconds(target.pid);
  const output = execFileSync('taskset', ['--cpu-list', String(cores.other), ...wrk, target.url], { encoding: 'utf8' });
  const spent = cpuSeconds(target.pid) - startSeconds;
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec: +([\d.]+)/.exec(output)?.[1]);
  if (/Non-2xx|Socket errors/.test(output) || !(requests > 0)) throw new Error(`some requests failed:\n${output}`);
  return { requestsPerSecond, microseconds: (spent / requests) * 1e6 };
}

const ticksPerSecond = 100;

export function cpuSeconds(pid: number): number {
  const [user, system] = cpuTicks(pid);
  return (user! + system!) / ticksPerSecond;
}

/** Of a process and its children, including those that have ended. None has several threads. */
export function cpuSecondsOfTree(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const [, , endedUser, endedSystem] = cpuTicks(pid);
  try {
    const running = [String(pid), ...children].reduce((sum, process) => sum + runSeconds(process), 0);
    return running + (endedUser! + endedSystem!) / ticksPerSecond;
  } catch (error) {
    // A child has ended since; now its time is part of the parent's.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return cpuSecondsOfTree(pid);
    throw error;
  }
}

/** Of one thread, in nanoseconds: ticks are as long as several requests. */
function runSeconds(pid: string): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
}

/** In user and system mode, and both again of children that have ended. */
function cpuTicks(pid: number): number[] {
  // They are the 12th to 15th fields after the program's name in parentheses, which may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return fields.slice(11, 15).map(Number);
}

export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) / 1024;
}
