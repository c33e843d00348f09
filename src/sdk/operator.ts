// The client of the operator API, for the provider's own programs.
import { openApi } from './api.ts';
import { paging, routes, type Each, type Methods, type Stream } from './generated/operator.ts';
import type { ClientSettings } from './settings.ts';

export * from './generated/operator.ts';
export { HostyardError, type ClientErrorCode } from './error.ts';
export type { ErrorCode } from './generated/errors.ts';
export type { CallOptions, ClientSettings, FileResponse, Id, RetrySettings } from './settings.ts';

export interface Client extends Methods {
  /** Iterates over all pages of a list. */
  readonly each: Each;
  /** Events as they happen. */
  readonly stream: Stream;
}

export function createClient(settings: ClientSettings): Client {
  const { methods, each, stream } = openApi<Methods, Each, Stream>(settings, { routes, paging }, 'json');
  return { ...methods, each, stream };
}
