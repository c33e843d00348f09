// Caches what is computed from a frozen object for as long as the object lives. A frozen object cannot change, so nothing has to be
// invalidated. Benchmark: bench/api.ts (account, zone records, invoice lists); see docs/decisions/performance.md.

/** Returns a function that computes a value once per frozen source, and every time for any other. */
export function frozenCache<Source, Extra extends unknown[], Value>(
  compute: (source: Source, ...extra: Extra) => Value,
): (source: Source, ...extra: Extra) => Value {
  const values = new WeakMap<object, Value>();
  return (source, ...extra) => {
    if (typeof source !== 'object' || source === null || !Object.isFrozen(source)) return compute(source, ...extra);
    let value = values.get(source);
    if (value === undefined) values.set(source, (value = compute(source, ...extra)));
    return value;
  };
}
