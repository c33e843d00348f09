// A log as server-sent events. The log itself is the buffer: the next page is read once the client has taken the
// previous one, so a slow client costs one page of memory. A stream ends with its log or its key, when its client
// stalls, and when the server stops; the client reconnects with the last cursor and misses nothing.
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Scope } from '#contract/scopes.ts';
import type { LogStream, LogStreamPage } from '#app/events/log-stream.ts';
import { readContext } from '#app/operations/context.ts';
import type { Caller } from '#app/caller.ts';
import type { Context, App } from '#app/app.ts';
import { ApiError } from '#lib/api-error.ts';
import { pauseWork } from '#lib/slices.ts';
import type { Input } from '../parameters.ts';
import { openStreamLogs, type Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: EventStreams;
  }
}

export interface EventStreams {
  /** Returns the body of the response. */
  open(request: FastifyRequest, reply: FastifyReply, call: StreamCall): Promise<Readable | string>;
  /** Ends all streams with a hint to reconnect soon. */
  end(): void;
}
export interface StreamCall {
  /** Name of the operation. */
  readonly name: string;
  readonly access: Endpoint['access'];
  readonly keyText: string;
  readonly input: Input;
}

const streamsPerKey = 10;
/** An account can have a thousand keys. */
const streamsPerAccount = 200;
const heartbeatMs = 15_000;
const checkMs = 1000;
/** A client that reads nothing for this long is disconnected. */
const maxStallMs = 30_000;
/** How long the client of an ended stream gets to read the rest. */
const endGraceMs = 500;
const retryMs = 1000;

type OpenLog = (context: Context, input: Input, resumedAfter: string | undefined) => Promise<LogStream>;

interface Stream {
  readonly caller: Caller;
  /** Throws an ApiError if the key no longer allows this stream. */
  readonly requireAdmission: () => Promise<void>;
  readonly body: Readable;
  /** When something was handed over that the client has not read yet. */
  pendingSince: number | undefined;
  ended: boolean;
  end(): void;
}

export function acceptsStream(request: FastifyRequest): boolean {
  // A HEAD would read an endless stream to learn its length.
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream');
}

export function createEventStreams(app: App): EventStreams {
  const logs = openStreamLogs(app);
  const streams = new Set<Stream>();
  const openOf = new Map<Caller['account'], Stream[]>();

  async function checkStreams(): Promise<void> {
    const now = performance.now();
    for (const stream of streams) {
      if (stream.pendingSince !== undefined && now - stream.pendingSince > maxStallMs) stream.body.destroy();
      // A temporarily unavailable database ends no stream.
      await stream.requireAdmission().catch((error: unknown) => error instanceof ApiError && stream.end());
    }
  }
  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void checkStreams().finally(() => (isChecking = false));
  }, checkMs).unref();

  function requireRoom({ key, account }: Caller): void {
    const open = openOf.get(account) ?? [];
    const ofKey = open.filter(({ caller }) => caller.key === key);
    if (ofKey.length < streamsPerKey && open.length < streamsPerAccount) return;
    const [holder, limit] = ofKey.length < streamsPerKey ? ['An account', streamsPerAccount] : ['A key', streamsPerKey];
    const message = `${holder} can have at most ${limit} open streams.`;
    throw new ApiError('rate_limited', { message, retryAfterSeconds: 1 });
  }

  async function open(request: FastifyRequest, reply: FastifyReply, call: StreamCall): Promise<Readable | string> {
    const caller = request.caller!;
    // Before anything is read, and again below: others may have opened theirs in between.
    requireRoom(caller);
    const resumed = request.headers['last-event-id'];
    const log = await (logs.streams[call.name as keyof Streams] as OpenLog)(
      readContext(app, caller, call.name),
      call.input,
      typeof resumed === 'string' && resumed !== '' ? resumed : undefined,
    );
    // Read before the response starts, so that a cursor of a lost database is rejected as in pages.
    const first = await log.page(log.start);
    if (first.isLast && first.entries.length === 0) {
      // Tells a browser not to reconnect.
      reply.code(204);
      return '';
    }
    requireRoom(caller);
    const requireAdmission = async (): Promise<void> => {
      const admission = await app.authentication.admit(call.keyText, caller.address);
      const isSame = (['dnsLimits', 'services'] as const).every((name) =>
        isDeepStrictEqual(admission.caller?.[name], caller[name]),
      );
      if (!isSame || admission.caller?.scopes.has(call.access as Scope) !== true) throw new ApiError('scope_missing');
    };
    const stream = startStream(caller, log, first, requireAdmission);
    // The client has disconnected. The body would notice only when it next has something to send.
    reply.raw.once('close', () => stream.end());
    reply.code(200).headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    return stream.body;
  }

  function startStream(
    caller: Caller,
    log: LogStream,
    first: LogStreamPage,
    requireAdmission: () => Promise<void>,
  ): Stream {
    const wakeup = createWakeup();
    const stream: Stream = {
      caller,
      requireAdmission,
      body: Readable.from(frames(), { objectMode: false }),
      pendingSince: undefined,
      ended: app.stopping.aborted,
      end() {
        if (stream.ended) return;
        stream.ended = true;
        wakeup.notify();
        setTimeout(() => stream.body.destroy(), endGraceMs).unref();
      },
    };

    async function* frames(): AsyncGenerator<string> {
      // An empty first page is read again, because something may have been added before this stream listened.
      let page = first.entries.length > 0 ? first : await log.page(log.start);
      yield* handOver(`retry: ${retryMs}\n\n`);
      while (!stream.ended) {
        if (page.entries.length > 0) {
          const events = page.entries.map(
            (entry) => `id: ${log.cursor(entry.position)}\ndata: ${JSON.stringify(entry.value)}\n\n`,
          );
          yield* handOver(events.join(''));
          // Streams that catch up share the turns of the event loop with all other long work.
          await pauseWork('outside a transaction');
        }
        if (page.isLast) return;
        if (page.entries.length === 0 && !(await wakeup.wait(heartbeatMs))) {
          // Includes the cursor, so that a client with a narrow filter does not start far back after a reconnect.
          yield* handOver(`: still here\nid: ${log.cursor(page.position)}\n\n`);
        }
        wakeup.reset();
        page = await log.page(page.position);
      }
      yield* handOver(`retry: ${retryMs}\n\n`);
    }
    function* handOver(text: string): Generator<string> {
      stream.pendingSince = performance.now();
      yield text;
      stream.pendingSince = undefined;
    }

    streams.add(stream);
    openOf.set(caller.account, [...(openOf.get(caller.account) ?? []), stream]);
    const stopListening = log.listen(wakeup.notify);
    stream.body.once('close', () => {
      stream.ended = true;
      stopListening();
      streams.delete(stream);
      const others = openOf.get(caller.account)!.filter((other) => other !== stream);
      if (others.length > 0) openOf.set(caller.account, others);
      else openOf.delete(caller.account);
      wakeup.notify();
    });
    stream.body.on('error', (error) => app.log.warn({ err: error }, 'a stream failed'));
    return stream;
  }

  function end(): void {
    for (const stream of streams) stream.end();
    logs.close();
    clearInterval(timer);
  }
  app.stopping.addEventListener('abort', end, { once: true });
  return { open, end };
}

/** Returns a flag to wait for. `wait` returns true once `notify` has been called since the last `reset`, false after the timeout. */
function createWakeup(): { reset(): void; notify(): void; wait(timeoutMs: number): Promise<boolean> } {
  let { promise, resolve } = Promise.withResolvers<boolean>();
  return {
    reset() {
      ({ promise, resolve } = Promise.withResolvers<boolean>());
    },
    notify: () => resolve(true),
    async wait(timeoutMs) {
      const timer = setTimeout(resolve, timeoutMs, false);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
