// The client of the legacy interface, for programs on their way to version 2: the same calls, errors and repetitions, under the
// operations' legacy names. docs/moving-from-legacy.md lists the twin of each.
import { openFace } from './face.ts';
import { paging, routes, type Each, type Methods } from './generated/legacy.ts';
import type { ClientSettings } from './settings.ts';

export * from './generated/legacy.ts';
export { HostyardError, type ClientErrorCode } from './error.ts';
export type { ErrorCode } from './generated/errors.ts';
export type { CallOptions, ClientSettings, FileAnswer, Id, RetrySettings } from './settings.ts';

export interface Client extends Methods {
  readonly each: Each;
}

export function createClient(settings: ClientSettings): Client {
  const { methods, each } = openFace<Methods, Each>(settings, { routes, paging }, 'form');
  return { ...methods, each };
}
