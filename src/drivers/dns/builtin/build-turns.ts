// When signed zones may be built in memory, which takes a third of a second for the largest. The smallest waits least, and half of
// the time is left for everything else: a customer who alternates between large zones, or keeps changing one, must not keep
// the name server from answering for others.
import { OverSigningLimit, type SigningReason } from './sign-set.ts';

/** Resolvers ask again by then. */
const maxQueryWaitMs = 2000;

interface Waiting {
  readonly names: number;
  start(): void;
}

export class BuildTurns {
  readonly #now: () => number;
  readonly #waiting = new Set<Waiting>();
  #isTaken = false;
  #freeAtMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Runs the work when it is the turn of a zone with this many names. Throws OverSigningLimit if a query would wait for too long. */
  async run<T>(names: number, reason: SigningReason, work: () => T): Promise<T> {
    if (this.#isTaken || this.#waiting.size > 0 || this.#now() < this.#freeAtMs) await this.#wait(names, reason);
    this.#isTaken = true;
    const startMs = this.#now();
    try {
      return work();
    } finally {
      const endMs = this.#now();
      this.#isTaken = false;
      this.#freeAtMs = endMs + (endMs - startMs);
      this.#startNextLater();
    }
  }

  async #wait(names: number, reason: SigningReason): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { names, start: resolve };
    this.#waiting.add(waiting);
    const giveUp = (): void => {
      if (this.#waiting.delete(waiting)) reject(new OverSigningLimit('too many zones have to be built'));
    };
    const timer = reason === 'query' ? setTimeout(giveUp, maxQueryWaitMs).unref() : undefined;
    this.#startNextLater();
    await promise.finally(() => clearTimeout(timer));
  }

  #startNextLater(): void {
    if (this.#isTaken || this.#waiting.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#startNext(), Math.max(0, this.#freeAtMs - this.#now())).unref();
  }

  #startNext(): void {
    this.#timer = undefined;
    if (this.#isTaken || this.#waiting.size === 0) return;
    const next = [...this.#waiting].reduce((least, other) => (other.names < least.names ? other : least));
    this.#waiting.delete(next);
    this.#isTaken = true;
    next.start();
  }
}
