// What each operation that streams has to tell. Typed by the contract: one that is declared to stream and has nothing here does
// not compile.
import type { operator, v2 } from '#contract/contract.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { serviceOf } from '#app/services/services.ts';
import { eventFeed, eventsStreamed, type Streamed } from '#app/events/streamed.ts';
import { changesOf } from '#app/operator/changes.ts';
import { reloadLogFeed, reloadLogStreamed } from '#app/reload/log.ts';
import type { Context, Yard } from '#app/yard.ts';

type Streaming<F> = { [Name in keyof F as F[Name] extends { streams: true } ? Name : never]: F[Name] };
type AllStreaming = Streaming<typeof v2> & Streaming<typeof operator>;
export type Streams = {
  readonly [Name in keyof AllStreaming]: (
    context: Context,
    input: InputOf<AllStreaming[Name]>,
    /** The cursor of a reader that comes back. */
    resumedAfter: string | undefined,
  ) => Promise<Streamed>;
};

export function streamsOf(yard: Yard): { readonly streams: Streams; close(): void } {
  const events = eventFeed(yard);
  const reloads = reloadLogFeed(yard);
  const changes = changesOf(yard);
  return {
    streams: {
      eventLogGet: (context, input, resumedAfter) => eventsStreamed(context, input, resumedAfter, events),
      deviceReloadLog: async (context, { service }, resumedAfter) =>
        reloadLogStreamed(context, await serviceOf(context, service), resumedAfter, reloads),
      changeList: async () => changes.streamed(),
    },
    close() {
      events.close();
      reloads.close();
      changes.close();
    },
  };
}
