// Node makes an object for every `process.nextTick`, and V8 finds its shape by way of the shapes that begin as `{}`. That way is
// forgotten at every great collection unless such an object lives; found anew a few times, as happens while two thousand modules
// are loaded, V8 gives up on it for the life of the process, and each tick costs seven times as much: a tenth of a request.
// One tick object that is never let go keeps the way. See docs/decisions/tick-shape.md.
import { createHook } from 'node:async_hooks';

let kept: object | undefined;

/** To be called before the program itself is loaded. */
export function keepTickShape(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept ??= resource;
    },
  }).enable();
  process.nextTick(() => kept);
  hook.disable();
}
