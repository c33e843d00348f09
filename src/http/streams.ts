// What each operation that streams has to tell. Typed by the contract: one that is declared to stream and has nothing here does
// not compile.
import type { v2 } from '#contract/contract.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { serviceOf } from '#app/devices/devices.ts';
import { eventFeed, eventsStreamed, type Streamed } from '#app/events/streamed.ts';
import { reloadLogFeed, reloadLogStreamed } from '#app/reload/log.ts';
import type { Context, Yard } from '#app/yard.ts';

type V2 = typeof v2;
type StreamingName = { [Name in keyof V2]: V2[Name] extends { streams: true } ? Name : never }[keyof V2];
export type Streams = {
  readonly [Name in StreamingName]: (
    context: Context,
    input: InputOf<V2[Name]>,
    /** The cursor of a reader that comes back. */
    resumedAfter: string | undefined,
  ) => Promise<Streamed>;
};

export function streamsOf(yard: Yard): { readonly streams: Streams; close(): void } {
  const events = eventFeed(yard);
  const reloads = reloadLogFeed(yard);
  return {
    streams: {
      eventLogGet: (context, input, resumedAfter) => eventsStreamed(context, input, resumedAfter, events),
      deviceReloadLog: async (context, { service }, resumedAfter) =>
        reloadLogStreamed(context, await serviceOf(context, service), resumedAfter, reloads),
    },
    close() {
      events.close();
      reloads.close();
    },
  };
}
