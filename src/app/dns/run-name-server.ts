// The code that a thread of the built-in name server runs. It answers from memory, and has its own connections to the database to
// follow changes, so that queries never wait for the API, nor the API for queries.
import { type NameServerSettings, startNameServer } from '#drivers/dns/builtin/server.ts';
import { releaseMemoryLater } from '#lib/performance/memory.ts';
import { postToMain, readThreadData, reportReady } from '#lib/thread.ts';
import { secretBox } from '#lib/secrets.ts';
import { openReader } from '#store/engine/reader.ts';
import type { StoreLocation } from '#store/location.ts';
import { customerKeys } from './customer-keys.ts';
import { pollMs, type CommitCount } from './zone-feed.ts';
import { openSource } from './zone-source.ts';

export interface NameServerThreadData {
  readonly location: StoreLocation;
  readonly sealingKey: Uint8Array;
  readonly commits: CommitCount;
  readonly settings: Omit<NameServerSettings, 'source' | 'freshness' | 'customers' | 'onError'>;
  /** True for the thread that notifies the secondaries of changes. */
  readonly notifies: boolean;
}

/** This process has changed zones, or secondaries are to be notified of one. */
export type NameServerMessage = 'changed' | { readonly notify: string };

export interface NameServerFailure {
  /** The stack of the error. Errors themselves may refer to something that cannot be sent to another thread. */
  readonly stack: string;
  /** Failures since the last message, this one included. */
  readonly count: number;
}

/** Until all threads know of a change, because a secondary asks any of them at once. */
const notifyDelayMs = 1.5 * pollMs;
/** A database that is down fails several times a second, and one message about it is enough. */
const failureIntervalMs = 1000;

export async function runNameServer(): Promise<void> {
  const { location, sealingKey, commits, settings, notifies } = readThreadData<NameServerThreadData>();
  const onError = createFailureReport();
  const [reader, feedReader] = [await openReader(location), await openReader(location)];
  const secrets = secretBox(Buffer.from(sealingKey));
  const { source, feed } = await openSource({ feed: feedReader, other: reader }, secrets, commits, onError);
  const customers = customerKeys(reader, secrets);
  const server = await startNameServer({ ...settings, source, freshness: feed, customers, onError });
  const closing = new AbortController();
  if (notifies && (settings.secondaries ?? []).length > 0) notifySecondaries();
  releaseMemoryLater();
  await reportReady(
    { address: server.address, port: server.port },
    {
      onMessage: (message) => void onMessage(message as NameServerMessage).catch(onError),
      async onStop() {
        closing.abort();
        await server[Symbol.asyncDispose]();
        await feed.stop();
        await Promise.all([reader.close(), feedReader.close()]);
      },
    },
  );

  /** Starts with all zones, because a process that was killed may not have notified them of its last changes. */
  function notifySecondaries(): void {
    const { catalog } = settings;
    const notify = (zones?: readonly string[]) => void server.notifyAll(closing.signal, zones).catch(onError);
    const waiting = new Set<string>();
    feed.onChange = ({ names, isListChanged }) => {
      if (waiting.size === 0)
        setTimeout(() => {
          notify([...waiting]);
          waiting.clear();
        }, notifyDelayMs).unref();
      if (isListChanged && catalog !== undefined) waiting.add(catalog);
      for (const name of names) waiting.add(name);
    };
    notify();
  }

  async function onMessage(message: NameServerMessage): Promise<void> {
    if (message === 'changed') await feed.catchUp();
    else await server.notify(message.notify, closing.signal);
  }
}

function createFailureReport(): (error: unknown) => void {
  let count = 0;
  let lastReportMs = -failureIntervalMs;
  return (error) => {
    count++;
    const nowMs = performance.now();
    if (nowMs - lastReportMs < failureIntervalMs) return;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failure: NameServerFailure = { stack, count };
    postToMain(failure);
    count = 0;
    lastReportMs = nowMs;
  };
}
