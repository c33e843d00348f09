// A log as server-sent events. The log itself is the buffer: a page is read when the reader has taken the one before, so that
// a slow reader costs a page of memory and no more. A stream ends when its log does, when its key does, when its reader stands
// still, and when the server stops; its reader comes back with the last cursor and misses nothing.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Scope } from '#contract/scopes.ts';
import type { Streamed } from '#app/events/streamed.ts';
import { readContext } from '#app/operation/context.ts';
import type { Context, Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';
import type { Input } from '../parameters.ts';
import { streamsOf, type Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: EventStreams;
  }
}

export interface EventStreams {
  /** The body of the answer. */
  open(request: FastifyRequest, reply: FastifyReply, call: StreamCall): Promise<Readable | string>;
  /** Ends them all, with a hint to come back soon. */
  end(): void;
}
export interface StreamCall {
  /** Of the operation. */
  readonly name: string;
  readonly access: Endpoint['access'];
  readonly keyText: string;
  readonly input: Input;
}

const streamsPerKey = 10;
const heartbeatMs = 15_000;
const overseeMs = 1000;
/** A reader that takes nothing for so long is cut off. */
const longestStandstillMs = 30_000;
/** A stream that was ended and whose reader does not take the last of it is cut off after so long. */
const endGraceMs = 500;
const retryMs = 1000;

type OpenLog = (context: Context, input: Input, resumedAfter: string | undefined) => Promise<Streamed>;

interface Stream {
  readonly key: number;
  /** Throws a Fault where the key does not open this stream any more. */
  readonly admitted: () => Promise<void>;
  readonly body: Readable;
  /** When something was handed over that the reader has not taken yet. */
  handedAt: number | undefined;
  ended: boolean;
  end(): void;
}

export function acceptsStream(request: FastifyRequest): boolean {
  // A HEAD would read a stream without end for its length.
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream');
}

export function eventStreams(yard: Yard): EventStreams {
  const logs = streamsOf(yard);
  const streams = new Set<Stream>();

  async function oversee(): Promise<void> {
    const now = performance.now();
    for (const stream of streams) {
      if (stream.handedAt !== undefined && now - stream.handedAt > longestStandstillMs) stream.body.destroy();
      // A database that does not answer is no reason to send readers away.
      await stream.admitted().catch((error: unknown) => error instanceof Fault && stream.end());
    }
  }
  let overseeing = false;
  const timer = setInterval(() => {
    if (overseeing) return;
    overseeing = true;
    void oversee().finally(() => (overseeing = false));
  }, overseeMs).unref();

  async function open(request: FastifyRequest, reply: FastifyReply, call: StreamCall): Promise<Readable | string> {
    const caller = request.caller!;
    const resumed = request.headers['last-event-id'];
    const log = await (logs.streams[call.name as keyof Streams] as OpenLog)(
      readContext(yard, caller, call.name),
      call.input,
      typeof resumed === 'string' && resumed !== '' ? resumed : undefined,
    );
    // Read once before anything is promised: a cursor from a database that is gone is refused as in pages.
    const first = await log.page(log.start);
    if (first.isLast && first.entries.length === 0) {
      // To a browser it says that it need not come back.
      reply.code(204);
      return '';
    }
    const ofKey = [...streams].filter(({ key }) => key === caller.key).length;
    if (ofKey >= streamsPerKey)
      throw new Fault('rate_limited', {
        message: `A key has at most ${streamsPerKey} streams open at once.`,
        retryAfterSeconds: 1,
      });
    const admitted = async (): Promise<void> => {
      const admission = await yard.authentication.admit(call.keyText, caller.address);
      if (admission.caller?.scopes.has(call.access as Scope) !== true) throw new Fault('scope_missing');
    };
    const stream = follow(caller.key, log, admitted);
    // The reader has gone. The body would notice only with the next thing that it has to say.
    reply.raw.once('close', () => stream.end());
    reply.code(200).headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    return stream.body;
  }

  function follow(key: number, log: Streamed, admitted: () => Promise<void>): Stream {
    const wait = alarm();
    const stream: Stream = {
      key,
      admitted,
      body: Readable.from(frames(), { objectMode: false }),
      handedAt: undefined,
      ended: yard.stopping.aborted,
      end() {
        if (stream.ended) return;
        stream.ended = true;
        wait.ring();
        setTimeout(() => stream.body.destroy(), endGraceMs).unref();
      },
    };

    async function* frames(): AsyncGenerator<string> {
      let position = log.start;
      yield* handed(`retry: ${retryMs}\n\n`);
      while (!stream.ended) {
        wait.set();
        const page = await log.page(position);
        position = page.position;
        if (page.entries.length > 0) {
          const written = page.entries.map(
            (entry) => `id: ${log.cursor(entry.position)}\ndata: ${JSON.stringify(entry.value)}\n\n`,
          );
          yield* handed(written.join(''));
        }
        if (page.isLast) return;
        if (page.entries.length === 0 && !(await wait.rung(heartbeatMs))) {
          // With the cursor, so that who filters much does not come back to much.
          yield* handed(`: still here\nid: ${log.cursor(position)}\n\n`);
        }
      }
      yield* handed(`retry: ${retryMs}\n\n`);
    }
    function* handed(text: string): Generator<string> {
      stream.handedAt = performance.now();
      yield text;
      stream.handedAt = undefined;
    }

    streams.add(stream);
    const stopListening = log.listen(wait.ring);
    stream.body.once('close', () => {
      stream.ended = true;
      stopListening();
      streams.delete(stream);
      wait.ring();
    });
    stream.body.on('error', (error) => yard.log.warn({ err: error }, 'a stream broke off'));
    return stream;
  }

  function end(): void {
    for (const stream of streams) stream.end();
    logs.close();
    clearInterval(timer);
  }
  yard.stopping.addEventListener('abort', end, { once: true });
  return { open, end };
}

/** Rings for what happened since it was last set. */
function alarm(): { set(): void; ring(): void; rung(timeoutMs: number): Promise<boolean> } {
  let { promise, resolve } = Promise.withResolvers<boolean>();
  return {
    set() {
      ({ promise, resolve } = Promise.withResolvers<boolean>());
    },
    ring: () => resolve(true),
    async rung(timeoutMs) {
      const late = setTimeout(resolve, timeoutMs, false);
      try {
        return await promise;
      } finally {
        clearTimeout(late);
      }
    },
  };
}
