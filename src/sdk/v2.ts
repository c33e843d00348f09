// The client of version 2: every operation by its name, lists as sequences, and what goes on after an answer as a sequence too.
//
//   const client = createClient({ url: 'https://api.example.net', key });
//   await client.devicePowerSet({ service: 1001, action: 'cycle' });
//   for await (const step of client.follow(action)) console.log(step.progress);
import { openFace } from './face.ts';
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
export { HostyardError, type ClientErrorCode } from './error.ts';
export type { ErrorCode } from './generated/errors.ts';
export type { CallOptions, ClientSettings, FileAnswer, Id, RetrySettings } from './settings.ts';

export interface Client extends Methods {
  /** Lists that come in pages, as one sequence each. */
  readonly each: Each;
  /** An action as it is now and whenever it has changed, until it has ended. */
  follow(action: string | { readonly id: string }, options?: CallOptions): AsyncGenerator<Action, void, void>;
  /** What is told as it happens; a connection that breaks off is taken up again, without a gap. */
  readonly stream: Stream;
  /** What happens in the account, without an end: `stream.eventLogGet`. */
  events(
    input?: Omit<EventLogGetInput, 'limit'>,
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<Event, void, void>;
}

/** How long the server may hold back an answer in which nothing has changed. */
const waitSeconds = 10;

export function createClient(settings: ClientSettings): Client {
  const { methods, each, stream } = openFace<Methods, Each, Stream>(settings, { routes, paging }, 'json');

  async function* follow(
    action: string | { readonly id: string },
    options?: CallOptions,
  ): AsyncGenerator<Action, void> {
    const id = typeof action === 'string' ? action : action.id;
    let told = '';
    for (let wait = 0; ; wait = waitSeconds) {
      const now = await methods.actionGet({ id, wait }, options);
      const words = JSON.stringify(now);
      if (words !== told) yield now;
      told = words;
      if (now.ended !== '') return;
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
