// The sliding window over session sequence numbers: a packet that was seen before, or is too old to know, is refused.
// The specification gives sixteen numbers behind the highest and fifteen ahead of it.

export const windowBehind = 16;
export const windowAhead = 15;

export class ReplayWindow {
  readonly #ahead: number;
  #highest = 0;
  /** Bit n is set when `highest - n` was seen; nothing before the first number was ever sent, so all count as seen. */
  #seen = -1;

  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  /** Whether this number is new; it is remembered if so. Call it only for packets known to be authentic. */
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
