// The client of the legacy API, for programs that are moving to version 2: the same errors and retries, with the legacy names of
// the operations. docs/reference/moving-from-legacy.md lists the equivalent of each.
import { openApi } from './api.ts';
import { paging, routes, type Each, type Methods } from './generated/legacy.ts';
import type { ClientSettings } from './settings.ts';

export * from './generated/legacy.ts';
export { HostyardError, type ClientErrorCode } from './error.ts';
export type { ErrorCode } from './generated/errors.ts';
export type { CallOptions, ClientSettings, FileResponse, Id, RetrySettings } from './settings.ts';

export interface Client extends Methods {
  readonly each: Each;
}

export function createClient(settings: ClientSettings): Client {
  const { methods, each } = openApi<Methods, Each>(settings, { routes, paging }, 'form');
  return { ...methods, each };
}
