// Limits how many passwords are hashed at once. A run of argon2 takes tens of milliseconds of a core, 19 MiB, and one of
// the four threads that files and name lookups need too, so a flood of sign-ins waits in a short queue or is rejected.
import { availableParallelism } from 'node:os';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';

/** Whose turn it is. Lanes take turns, so that one caller cannot fill the queue for all. */
export interface Requester {
  readonly lane: string;
  /** A caller with a key, or a person on a network from which they have signed in before: strangers cannot keep them waiting. */
  readonly isKnown: boolean;
}
/** Commands on the server, and the site file. */
const local: Requester = { lane: 'local', isKnown: true };

export interface QueueLimits {
  readonly waiting: number;
  readonly perLane: number;
}
export interface PasswordQueueLimits {
  readonly running: number;
  readonly known: QueueLimits;
  readonly strangers: QueueLimits;
}
const defaultLimits: PasswordQueueLimits = {
  // One core stays free for requests.
  running: Math.min(Math.max(availableParallelism() - 1, 1), 3),
  // The rate limit of a key allows this many at once.
  known: { waiting: 200, perLane: 40 },
  strangers: { waiting: 32, perLane: 4 },
};
const retryAfterSeconds = 2;

export function callerLane({ key }: { readonly key: number }): Requester {
  return { lane: `key ${key}`, isKnown: true };
}

export function visitorLane(address: string, isKnown: boolean): Requester {
  return { lane: budgetNetwork(address), isKnown };
}

export function createPasswordQueue(limits: PasswordQueueLimits = defaultLimits) {
  const queues = [createLanes(limits.known), createLanes(limits.strangers)] as const;
  let free = limits.running;
  let turn = 0;

  /** Known people and strangers take turns too. */
  function startNext(): void {
    turn = 1 - turn;
    const start = queues[turn]!.take() ?? queues[1 - turn]!.take();
    if (start === undefined) free++;
    else start();
  }

  return async <T>(work: () => Promise<T>, { lane, isKnown }: Requester = local): Promise<T> => {
    if (free > 0) free--;
    else await queues[isKnown ? 0 : 1].wait(lane);
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}

function createLanes({ waiting, perLane }: QueueLimits) {
  const lanes = new Map<string, (() => void)[]>();
  let length = 0;
  return {
    async wait(lane: string): Promise<void> {
      const before = lanes.get(lane) ?? [];
      if (length >= waiting || before.length >= perLane)
        throw new ApiError('rate_limited', {
          message: 'Too many passwords are being checked at the moment. Try again shortly.',
          retryAfterSeconds,
        });
      const { promise, resolve } = Promise.withResolvers<void>();
      lanes.set(lane, [...before, resolve]);
      length++;
      await promise;
    },
    /** Takes the first of the lane that has waited the longest for its turn, which then goes to the end. */
    take(): (() => void) | undefined {
      const [entry] = lanes;
      if (entry === undefined) return undefined;
      const [lane, [start, ...rest]] = entry;
      lanes.delete(lane);
      if (rest.length > 0) lanes.set(lane, rest);
      length--;
      return start;
    },
  };
}
