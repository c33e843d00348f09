// Builds a client from the generated tables: a method per operation, under `each` one per paginated list, and under `stream` one
// per event stream. The types of the methods are generated too.
import { createCall, openTransport, type BodyFormat, type Call, type Input } from './client.ts';
import { iteratePages } from './pages.ts';
import type { CallOptions, ClientSettings, Paging, Route } from './settings.ts';
import { openStream } from './stream.ts';

export function openApi<Methods, Each, Stream = object>(
  settings: ClientSettings,
  tables: { readonly routes: Readonly<Record<string, Route>>; readonly paging: Readonly<Record<string, Paging>> },
  format: BodyFormat,
): { methods: Methods; each: Each; stream: Stream } {
  const transport = openTransport(settings);
  const methods: Record<string, Call> = {};
  for (const [name, route] of Object.entries(tables.routes)) methods[name] = createCall(transport, route, format);
  const each = Object.fromEntries(
    Object.entries(tables.paging).map(([name, paging]) => [
      name,
      (input?: Input, options?: CallOptions) => iteratePages(methods[name]!, paging, input, options),
    ]),
  );
  const stream = Object.fromEntries(
    Object.entries(tables.routes)
      .filter(([, { streams }]) => streams === true)
      .map(([name, route]) => [
        name,
        (input?: Input, options?: CallOptions) => openStream(transport, route, input, options),
      ]),
  );
  return { methods: methods as Methods, each: each as Each, stream: stream as Stream };
}
