// The sliding window over session sequence numbers, which rejects packets that were seen before or are too old. The
// specification allows 16 numbers behind the highest and 15 ahead of it.

export const windowBehind = 16;
export const windowAhead = 15;

export class ReplayWindow {
  readonly #ahead: number;
  #highest = 0;
  /** Bit n is set if `highest - n` was seen; numbers before the first one count as seen. */
  #seen = -1;

  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  /** Returns whether this number is new, and records it. Must be called for authentic packets only. */
  accept(sequence: number): boolean {
    const distance = (sequence - this.#highest) | 0;
    if (sequence === 0 || distance > this.#ahead || distance < -windowBehind) return false;
    if (distance > 0) {
      this.#seen = distance > windowBehind ? 1 : (this.#seen << distance) | 1;
      this.#highest = sequence;
      return true;
    }
    const bit = 1 << -distance;
    if ((this.#seen & bit) !== 0) return false;
    this.#seen |= bit;
    return true;
  }
}
