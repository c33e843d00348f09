// The log behind each operation that streams. Typed by the contract: an operation declared to stream but missing here
// does not compile.
import type { operator, v2 } from '#contract/contract.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { serviceOf } from '#app/services/services.ts';
import { eventFeed, eventStream, type LogStream } from '#app/events/log-stream.ts';
import { createChangeNotifier } from '#app/operator/changes.ts';
import { reloadLogFeed, reloadLogStream } from '#app/reload/log.ts';
import type { Context, App } from '#app/app.ts';

type Streaming<F> = { [Name in keyof F as F[Name] extends { streams: true } ? Name : never]: F[Name] };
type AllStreaming = Streaming<typeof v2> & Streaming<typeof operator>;
export type Streams = {
  readonly [Name in keyof AllStreaming]: (
    context: Context,
    input: InputOf<AllStreaming[Name]>,
    /** The cursor of a client that reconnects. */
    resumedAfter: string | undefined,
  ) => Promise<LogStream>;
};

export function openStreamLogs(app: App): { readonly streams: Streams; close(): void } {
  const events = eventFeed(app);
  const reloads = reloadLogFeed(app);
  const changes = createChangeNotifier(app);
  return {
    streams: {
      eventLogGet: (context, input, resumedAfter) => eventStream(context, input, resumedAfter, events),
      deviceReloadLog: async (context, { service }, resumedAfter) =>
        reloadLogStream(context, await serviceOf(context, service), resumedAfter, reloads),
      changeList: async () => changes.openStream(),
    },
    close() {
      events.close();
      reloads.close();
      changes.close();
    },
  };
}
