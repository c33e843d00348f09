// One interface as an object: a method for each of its operations, and under `each` one for each list that comes in pages. The
// methods' types are generated from the contract; here they are made from the generated tables.
import { makeCall, openTransport, type BodyFormat, type Call, type Input, type Transport } from './client.ts';
import { eachOf } from './pages.ts';
import type { CallOptions, ClientSettings, Paging, Route } from './settings.ts';

export interface OpenFace<Methods, Each> {
  readonly transport: Transport;
  readonly methods: Methods;
  readonly each: Each;
}

export function openFace<Methods, Each>(
  settings: ClientSettings,
  tables: { readonly routes: Readonly<Record<string, Route>>; readonly paging: Readonly<Record<string, Paging>> },
  format: BodyFormat,
): OpenFace<Methods, Each> {
  const transport = openTransport(settings);
  const methods: Record<string, Call> = {};
  for (const [name, route] of Object.entries(tables.routes)) methods[name] = makeCall(transport, route, format);
  const each = Object.fromEntries(
    Object.entries(tables.paging).map(([name, paging]) => [
      name,
      (input?: Input, options?: CallOptions) => eachOf(methods[name]!, paging, input, options),
    ]),
  );
  return { transport, methods: methods as Methods, each: each as Each };
}
