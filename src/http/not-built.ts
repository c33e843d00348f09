// Declared operations whose work comes later. They answer 501, and the sweeps list them, so that the list shrinks to none.
import type { Face, Handlers } from '#contract/endpoint.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';

export function notBuilt(): never {
  throw new Fault('not_built_yet');
}

export function notBuiltYet<F extends Face>(face: F): Handlers<F, Context, Visitor> {
  return Object.fromEntries(Object.keys(face).map((name) => [name, notBuilt])) as unknown as Handlers<
    F,
    Context,
    Visitor
  >;
}
