// What can be wrong with a lab BMC, on demand. An empty object is a healthy one.

import type { PowerState } from '#wire/ipmi/power.ts';

/** A bad network, the same each time for the same seed. The shares are of datagrams, 0 to 1, in each direction. */
export interface LossyLink {
  seed: number;
  drop: number;
  duplicate: number;
  /** The share that is held back, and by how much at most, so that others overtake it. */
  delay: number;
  mostDelayMs: number;
}

export interface LabBmcFaults {
  /** Hears nothing and says nothing. */
  isSilent?: boolean;
  /** Answers after this long. */
  answersAfterMs?: number;
  lossy?: LossyLink;
  /** Reports this, whatever the power is. */
  reportsPower?: PowerState;
  refusesSessions?: boolean;
  /** The next chassis control runs, but the BMC restarts before it answers. */
  resetsOnControl?: boolean;
  /** The operating system does not heed the power button. */
  ignoresSoftShutdown?: boolean;
  /** Commands that it does not know, as on a plainer model. */
  lacks?: readonly { netFn: number; code: number }[];
}

/** Numbers from 0 up to 1, the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
