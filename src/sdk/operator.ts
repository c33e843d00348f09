// The client of the operator's interface, for the provider's own programs: the same calls, errors and repetitions.
import { openFace } from './face.ts';
import { paging, routes, type Each, type Methods, type Stream } from './generated/operator.ts';
import type { ClientSettings } from './settings.ts';

export * from './generated/operator.ts';
export { HostyardError, type ClientErrorCode } from './error.ts';
export type { ErrorCode } from './generated/errors.ts';
export type { CallOptions, ClientSettings, FileAnswer, Id, RetrySettings } from './settings.ts';

export interface Client extends Methods {
  /** Lists that come in pages, as one sequence each. */
  readonly each: Each;
  /** What is told as it happens. */
  readonly stream: Stream;
}

export function createClient(settings: ClientSettings): Client {
  const { methods, each, stream } = openFace<Methods, Each, Stream>(settings, { routes, paging }, 'json');
  return { ...methods, each, stream };
}
