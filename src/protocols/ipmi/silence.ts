// How long a BMC keeps a session open without a request. IPMI says one minute, but some close it after half of that, so the time is
// found out for each: it grows as long as sessions survive, and stays below the time after which one was lost. In a large fleet,
// most sessions then need no keep-alives, because a power check comes first.

// As shares of the shortest time, which keep-alives may be a quarter late. The longest leaves time to retransmit them.
const longest = 2.25;
const step = 0.25;
const margin = 0.5;

export class SilenceLimit {
  readonly #shortestMs: number;
  #survivedMs = 0;
  #lostAfterMs = Infinity;

  constructor(shortestMs: number) {
    this.#shortestMs = shortestMs;
  }

  get ms(): number {
    const nextMs = this.#survivedMs + this.#shortestMs * step;
    const longestMs = Math.min(this.#shortestMs * longest, this.#lostAfterMs - this.#shortestMs * margin);
    return Math.max(this.#shortestMs, Math.min(nextMs, longestMs));
  }

  survived(silentMs: number): void {
    this.#survivedMs = Math.max(this.#survivedMs, silentMs);
  }

  /** Every BMC keeps a session for the shortest time: one that does not respond sooner has another problem. */
  lost(silentMs: number): void {
    if (silentMs >= this.#shortestMs) this.#lostAfterMs = Math.min(this.#lostAfterMs, silentMs);
  }
}
