// Keeps work that customers cause on the main thread, such as drawing their consoles, to a tenth of its time in total, however
// many cause it at once: after each piece of it, they pause for longer the more of them there are.
import { setTimeout as sleep } from 'node:timers/promises';

/** How much longer than the work its pause is. */
const pauseFactor = 9;

export interface MainThreadShare {
  /** Resolves when more may be done after work that took this long. */
  pauseAfter(spentMs: number): Promise<void>;
}

export function createMainThreadShare(pause: (ms: number) => Promise<unknown> = sleep): MainThreadShare {
  let pausing = 0;
  return {
    async pauseAfter(spentMs) {
      pausing++;
      try {
        await pause(Math.ceil(spentMs * pauseFactor * pausing));
      } finally {
        pausing--;
      }
    },
  };
}

/** Of all consoles of this process. */
export const consoleShare = createMainThreadShare();
