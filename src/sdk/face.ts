// One interface as an object: a method for each of its operations, under `each` one for each list that comes in pages, under
// `stream` one for what is told as it happens. The
// methods' types are generated from the contract; here they are made from the generated tables.
import { makeCall, openTransport, type BodyFormat, type Call, type Input } from './client.ts';
import { eachOf } from './pages.ts';
import type { CallOptions, ClientSettings, Paging, Route } from './settings.ts';
import { streamOf } from './stream.ts';

export interface OpenFace<Methods, Each, Stream> {
  readonly methods: Methods;
  readonly each: Each;
  readonly stream: Stream;
}

export function openFace<Methods, Each, Stream = object>(
  settings: ClientSettings,
  tables: { readonly routes: Readonly<Record<string, Route>>; readonly paging: Readonly<Record<string, Paging>> },
  format: BodyFormat,
): OpenFace<Methods, Each, Stream> {
  const transport = openTransport(settings);
  const methods: Record<string, Call> = {};
  for (const [name, route] of Object.entries(tables.routes)) methods[name] = makeCall(transport, route, format);
  const each = Object.fromEntries(
    Object.entries(tables.paging).map(([name, paging]) => [
      name,
      (input?: Input, options?: CallOptions) => eachOf(methods[name]!, paging, input, options),
    ]),
  );
  const stream = Object.fromEntries(
    Object.entries(tables.routes)
      .filter(([, { streams }]) => streams === true)
      .map(([name, route]) => [
        name,
        (input?: Input, options?: CallOptions) => streamOf(transport, route, input, options),
      ]),
  );
  return { methods: methods as Methods, each: each as Each, stream: stream as Stream };
}
