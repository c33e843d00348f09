// A stopped clock, so that pages of two runs have the same dates. Timers still run.

/** Sets the date of this process until it is disposed of. */
export function fixDate(at: Date): Disposable & { readonly now: number } {
  const real = globalThis.Date;
  const now = at.getTime();
  globalThis.Date = new Proxy(real, {
    construct: (target, args: unknown[]) => Reflect.construct(target, args.length === 0 ? [now] : args) as object,
    get: (target, name, receiver) => (name === 'now' ? () => now : Reflect.get(target, name, receiver)),
  });
  return { now, [Symbol.dispose]: () => void (globalThis.Date = real) };
}
