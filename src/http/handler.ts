// Shared by the files of handlers: their type, and handlers that respond with a fixed text.
import type { Api, Handlers } from '#contract/endpoint.ts';
import type { Context, Visitor } from '#app/app.ts';

export type HandlersOf<Declarations extends Api> = Handlers<Declarations, Context, Visitor>;

/** Returns a handler that responds with this text once the work is done. */
export function respondWith<Text extends string, Args extends unknown[]>(
  text: Text,
  work: (...args: Args) => Promise<unknown>,
): (...args: Args) => Promise<Text> {
  return async (...args) => {
    await work(...args);
    return text;
  };
}
