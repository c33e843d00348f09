// The one way in which tests wait for what comes in its own time: they look again until it is so. A wait that is in vain ends
// before the runner ends the file, and says what was waited for and what was there instead.
import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

/** Long beyond anything that is waited for, on the busiest machine. */
const patienceMs = 200_000;
/** The first looks are close together, for what comes at once; later ones leave the machine to what is waited for. */
const lookAgainMs = { least: 20, most: 200 };

export interface Waiting {
  /** What was there instead, for the one who reads the failure. */
  readonly saw?: () => unknown;
  readonly patienceMs?: number;
}

export async function until(condition: () => boolean | Promise<boolean>, waiting: Waiting = {}): Promise<void> {
  const giveUpAt = Date.now() + (waiting.patienceMs ?? patienceMs);
  for (let pauseMs = lookAgainMs.least; !(await condition()); pauseMs = Math.min(pauseMs * 1.2, lookAgainMs.most)) {
    if (Date.now() > giveUpAt) {
      const saw = waiting.saw === undefined ? '' : `\nbut saw: ${inspect(await waiting.saw(), { breakLength: 120 })}`;
      throw new Error(`never came true: ${String(condition)}${saw}`);
    }
    await sleep(pauseMs);
  }
}
