// The code that the built-in name server's thread runs. It has its own connection to the database and loads little else, so that
// queries never wait for the API, nor the API for queries.
import { type NameServerSettings, startNameServer } from '#drivers/dns/builtin/server.ts';
import { postToMain, readThreadData, reportReady } from '#lib/thread.ts';
import { openReader } from '#store/engine/reader.ts';
import type { StoreLocation } from '#store/location.ts';
import { dnsSource } from './zone-source.ts';

export interface NameServerThreadData {
  readonly location: StoreLocation;
  readonly settings: Omit<NameServerSettings, 'source' | 'onError'>;
}

export interface NameServerFailure {
  /** The stack of the error. Errors themselves may refer to something that cannot be sent to another thread. */
  readonly stack: string;
  /** Failures since the last message, this one included. */
  readonly count: number;
}

const notifyMs = 10_000;
/** A database that is down fails every query, and one message about it is enough. */
const failureIntervalMs = 1000;

export async function runNameServer(): Promise<void> {
  const { location, settings } = readThreadData<NameServerThreadData>();
  const reader = await openReader(location);
  const onError = createFailureReport();
  const server = await startNameServer({ ...settings, source: dnsSource(reader), onError });
  const closing = new AbortController();
  await reportReady(
    { address: server.address, port: server.port },
    {
      onMessage(zone) {
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(notifyMs)]);
        server.notify(zone as string, signal).catch(onError);
      },
      async onStop() {
        closing.abort();
        await server[Symbol.asyncDispose]();
        await reader.close();
      },
    },
  );
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
