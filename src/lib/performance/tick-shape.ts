// Keeps `process.nextTick` fast. Node creates an object per tick, and V8 finds its shape through transitions from `{}`. V8 drops
// those transitions at every major collection if no such object is alive; after a few rediscoveries, as happen while two thousand
// modules load, it gives up for the life of the process, and each tick costs seven times as much: a tenth of a request. One tick
// object that stays alive keeps the transitions. See docs/decisions/tick-shape.md.
import { createHook } from 'node:async_hooks';

let tickObject: object | undefined;

/** Must be called before the program itself is loaded. */
export function keepTickShape(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') tickObject ??= resource;
    },
  }).enable();
  process.nextTick(() => tickObject);
  hook.disable();
}
