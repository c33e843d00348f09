// The client of API version 2: a method per operation, and iterators over lists, actions and events.
//
//   const client = createClient({ url: 'https://api.example.net', key });
//   await client.devicePowerSet({ service: 1001, action: 'cycle' });
//   for await (const step of client.follow(action)) console.log(step.progress);
import { openApi } from './api.ts';
import {
  paging,
  routes,
  type Action,
  type Each,
  type Event,
  type EventLogGetInput,
  type Methods,
  type Stream,
} from './generated/v2.ts';
import type { CallOptions, ClientSettings } from './settings.ts';

export * from './generated/v2.ts';
export { verifyCertificate } from './certificate.ts';
export { HostyardError, type ClientErrorCode } from './error.ts';
export { solveChallenge, type Challenge, type SolveOptions } from './proof-of-work.ts';
export type { ErrorCode } from './generated/errors.ts';
export type { CallOptions, ClientSettings, FileResponse, Id, RetrySettings } from './settings.ts';

export interface Client extends Methods {
  /** Iterates over all pages of a list. */
  readonly each: Each;
  /** Yields an action now and whenever it changes, until it has ended. */
  follow(action: string | { readonly id: string }, options?: CallOptions): AsyncGenerator<Action, void, void>;
  /** Events as they happen. A broken connection is resumed without a gap. */
  readonly stream: Stream;
  /** Yields events of the account endlessly: `stream.eventLogGet`. */
  events(
    input?: Omit<EventLogGetInput, 'limit'>,
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<Event, void, void>;
}

/** How long the server may delay its response while nothing changes. */
const waitSeconds = 10;

export function createClient(settings: ClientSettings): Client {
  const { methods, each, stream } = openApi<Methods, Each, Stream>(settings, { routes, paging }, 'json');

  async function* follow(
    action: string | { readonly id: string },
    options?: CallOptions,
  ): AsyncGenerator<Action, void> {
    const id = typeof action === 'string' ? action : action.id;
    let previous = '';
    for (let wait = 0; ; wait = waitSeconds) {
      const current = await methods.actionGet({ id, wait }, options);
      const json = JSON.stringify(current);
      if (json !== previous) yield current;
      previous = json;
      if (current.ended !== '') return;
    }
  }

  return {
    ...methods,
    each,
    follow,
    stream,
    events: stream.eventLogGet,
  };
}
