// The threads of the built-in name server. All listen on one port and share it: while one is replaced and loads the zones,
// the others answer.
import { availableParallelism } from 'node:os';
import { createCounters, readCounters, type CounterName } from '#drivers/dns/builtin/counters.ts';
import { createLimitMemory } from '#drivers/dns/builtin/response-limit.ts';
import type { ServerAddress } from '#drivers/dns/client.ts';
import type { Log } from '#lib/log.ts';
import { startThread, type Thread } from '#lib/thread.ts';
import type { NameServerFailure, NameServerMessage, NameServerThreadData } from './run-name-server.ts';
import { createCommitCount } from './zone-feed.ts';

export interface NameServerStatus {
  /** True if any thread answers. */
  readonly isRunning: boolean;
  readonly restarts: number;
  readonly counters: Readonly<Record<CounterName, number>>;
}

export interface NameServerThreads extends AsyncDisposable {
  readonly address: ServerAddress;
  status(): NameServerStatus;
  /** Makes committed changes visible at once. */
  catchUp(): void;
  /** Notifies the secondaries of a zone that has not changed. */
  notify(zone: string): void;
}

interface ThreadsSettings {
  readonly count: number | undefined;
  readonly data: Omit<NameServerThreadData, 'commits' | 'notifies'>;
  readonly onQuestion: (question: unknown) => Promise<unknown>;
  readonly log: Log;
}

/** Leaves a core for the API. Each thread has all zones in its memory. */
const maxDefaultThreads = 4;

export async function startNameServerThreads({
  count = defaultThreads(),
  data,
  onQuestion,
  log,
}: ThreadsSettings): Promise<NameServerThreads> {
  const commits = createCommitCount();
  const shared = { limitMemory: createLimitMemory(), reusePort: count > 1 };
  const counters = Array.from({ length: count }, createCounters);
  const start = (index: number, address?: ServerAddress): Promise<Thread<ServerAddress>> =>
    startThread<NameServerThreadData, ServerAddress, NameServerFailure>({
      file: new URL('./name-server-thread.js', import.meta.url),
      name: 'the name server',
      data: (ready) => {
        const settings = { ...data.settings, ...shared, counters: counters[index]!, ...address, ...ready };
        return { ...data, commits, settings, notifies: index === 0 };
      },
      onMessage: (failure) => log.error(failure, 'the name server failed'),
      onQuestion,
      log,
    });
  // The first may choose the port.
  const first = await start(0);
  const others = Array.from({ length: count - 1 }, (_, index) => start(index + 1, first.ready));
  const threads = [first, ...(await Promise.all(others))];

  return {
    address: first.ready,
    status() {
      const all = counters.map((ofThread) => readCounters(ofThread));
      return {
        isRunning: threads.some(({ isRunning }) => isRunning),
        restarts: threads.reduce((sum, { restarts }) => sum + restarts, 0),
        counters: sumCounters(all),
      };
    },
    catchUp() {
      Atomics.add(commits, 0, 1);
      for (const thread of threads) thread.post('changed' satisfies NameServerMessage);
    },
    notify(zone) {
      threads.find(({ isRunning }) => isRunning)?.post({ notify: zone } satisfies NameServerMessage);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(threads.map((thread) => thread[Symbol.asyncDispose]()));
    },
  };
}

function defaultThreads(): number {
  const cores = availableParallelism();
  return cores <= 2 ? 1 : Math.min(cores - 1, maxDefaultThreads);
}

function sumCounters(all: readonly Record<CounterName, number>[]): Record<CounterName, number> {
  const names = Object.keys(all[0]!) as CounterName[];
  const sums = names.map((name) => [name, all.reduce((sum, counters) => sum + counters[name], 0)]);
  return Object.fromEntries(sums) as Record<CounterName, number>;
}
