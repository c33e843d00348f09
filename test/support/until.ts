// The one way for tests to wait for a condition: poll until it holds. A wait that times out fails before the runner
// ends the file, and reports the condition and what it saw instead.
import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than any wait on the busiest machine. */
export const patienceMs = 200_000;
/** Short intervals at first, for conditions that hold soon; longer ones later, to leave the CPU to what is awaited. */
const pollMs = { least: 20, most: 200 };

export interface UntilOptions {
  /** Describes the current state for the failure message. */
  readonly saw?: () => unknown;
  readonly patienceMs?: number;
  /** Limits the interval between polls, for a condition that holds only briefly. */
  readonly pollMs?: number;
}

export async function until(condition: () => boolean | Promise<boolean>, options: UntilOptions = {}): Promise<void> {
  await poll(condition, async () => ((await condition()) ? true : undefined), options);
}

/** Polls until `look` returns a value, and returns it. */
export function untilDefined<Value>(
  look: () => Promise<Value | undefined>,
  options: UntilOptions = {},
): Promise<Value> {
  return poll(look, look, options);
}

async function poll<Value>(
  condition: () => unknown,
  look: () => Promise<Value | undefined>,
  options: UntilOptions,
): Promise<Value> {
  const giveUpAt = Date.now() + (options.patienceMs ?? patienceMs);
  const mostMs = options.pollMs ?? pollMs.most;
  for (let pauseMs = Math.min(pollMs.least, mostMs); ; pauseMs = Math.min(pauseMs * 1.2, mostMs)) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > giveUpAt) {
      const saw = options.saw === undefined ? '' : `\nbut saw: ${inspect(await options.saw(), { breakLength: 120 })}`;
      throw new Error(`never came true: ${String(condition)}${saw}`);
    }
    await sleep(pauseMs);
  }
}
