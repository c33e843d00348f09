// Shared by the files of handlers: their type, and handlers that respond with a fixed text.
import type { Api, Handlers } from '#contract/endpoint.ts';
import type { Context, Visitor } from '#app/app.ts';
import type { WithJsonText } from '#lib/json-text.ts';

type PlainHandlers<Declarations extends Api> = Handlers<Declarations, Context, Visitor>;
export type HandlersOf<Declarations extends Api> = {
  readonly [Name in keyof Declarations]: (
    ...args: Parameters<PlainHandlers<Declarations>[Name]>
  ) => OrPromise<WithJsonText<Awaited<ReturnType<PlainHandlers<Declarations>[Name]>>>>;
};
type OrPromise<T> = T | Promise<T>;

/** Returns a handler that responds with this text, or with nothing, once the work is done. */
export function respondWith<Text extends string | null, Args extends unknown[]>(
  text: Text,
  work: (...args: Args) => Promise<unknown>,
): (...args: Args) => Promise<Text> {
  return async (...args) => {
    await work(...args);
    return text;
  };
}
