// The code that a thread of the built-in name server runs. It answers from memory, and has its own connections to the database to
// follow changes, so that queries never wait for the API, nor the API for queries.
import { type NameServerSettings, startNameServer } from '#drivers/dns/builtin/server.ts';
import { releaseMemoryLater } from '#lib/performance/memory.ts';
import { postToMain, readThreadData, reportReady } from '#lib/thread.ts';
import { secretBox } from '#lib/secrets.ts';
import { openReader } from '#store/engine/reader.ts';
import type { StoreLocation } from '#store/location.ts';
import { customerKeys } from './customer-keys.ts';
import type { CommitCount } from './zone-feed.ts';
import { openSource } from './zone-source.ts';

export interface NameServerThreadData {
  readonly location: StoreLocation;
  readonly sealingKey: Uint8Array;
  readonly commits: CommitCount;
  readonly settings: Omit<NameServerSettings, 'source' | 'freshness' | 'customers' | 'onError'>;
}

/** A zone has changed; with `notify`, this thread notifies the secondaries. */
export interface ZoneMessage {
  readonly zone: string;
  readonly notify: boolean;
}

/** Notify the secondaries of all zones: a process that was killed may not have told them of its last changes. */
export type NotifyAllMessage = 'notify all';

export interface NameServerFailure {
  /** The stack of the error. Errors themselves may refer to something that cannot be sent to another thread. */
  readonly stack: string;
  /** Failures since the last message, this one included. */
  readonly count: number;
}

const notifyMs = 10_000;
/** A database that is down fails several times a second, and one message about it is enough. */
const failureIntervalMs = 1000;

export async function runNameServer(): Promise<void> {
  const { location, sealingKey, commits, settings } = readThreadData<NameServerThreadData>();
  const onError = createFailureReport();
  const [reader, feedReader] = [await openReader(location), await openReader(location)];
  const secrets = secretBox(Buffer.from(sealingKey));
  const { source, feed } = await openSource({ feed: feedReader, other: reader }, secrets, commits, onError);
  const customers = customerKeys(reader, secrets);
  const server = await startNameServer({ ...settings, source, freshness: feed, customers, onError });
  const closing = new AbortController();
  releaseMemoryLater();
  await reportReady(
    { address: server.address, port: server.port },
    {
      onMessage: (message) => void onMessage(message as ZoneMessage | NotifyAllMessage).catch(onError),
      async onStop() {
        closing.abort();
        await server[Symbol.asyncDispose]();
        await feed.stop();
        await Promise.all([reader.close(), feedReader.close()]);
      },
    },
  );

  async function onMessage(message: ZoneMessage | NotifyAllMessage): Promise<void> {
    if (message === 'notify all') return server.notifyAll(closing.signal);
    const { zone, notify } = message;
    await feed.catchUp();
    if (notify) await server.notify(zone, AbortSignal.any([closing.signal, AbortSignal.timeout(notifyMs)]));
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
