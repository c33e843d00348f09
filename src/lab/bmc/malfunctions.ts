// Malfunctions that a lab BMC can be given. An empty object is a healthy BMC.

import type { PowerState } from '#protocols/ipmi/power.ts';
import type { LabDiskMalfunctions } from '../disks.ts';

/**
 * A bad network, reproducible by its seed. Drop, duplicate and delay are shares of the datagrams in each direction,
 * from 0 to 1.
 */
export interface LossyLink {
  seed: number;
  drop: number;
  duplicate: number;
  /** The share that is delayed, by up to `maxDelayMs`, so that other datagrams overtake it. */
  delay: number;
  maxDelayMs: number;
}

export interface LabBmcMalfunctions extends LabDiskMalfunctions {
  /** Neither receives nor sends anything. */
  isSilent?: boolean;
  responseDelayMs?: number;
  lossy?: LossyLink;
  /** Reports this state regardless of the actual power. */
  reportsPower?: PowerState;
  rejectsSessions?: boolean;
  /** Runs the next chassis control, but restarts the BMC before it responds. */
  resetsOnControl?: boolean;
  /** The operating system ignores the power button. */
  ignoresSoftShutdown?: boolean;
  /** The firmware version that it reports, such as after an update. */
  firmware?: string;
  /** Accepts changes to users without making them. */
  ignoresUserChanges?: boolean;
  /** Derives keys from the privilege in Open Session instead of the role in RAKP 1. */
  hashesOpenPrivilege?: boolean;
  /** Sends wrong checksums in the messages of a session. */
  sendsWrongChecksums?: boolean;
  /** The size of SOL payloads that it reports. */
  solBytes?: number;
  /** Does not respond to Get Channel Cipher Suites. */
  hidesSuites?: boolean;
  sensors?: {
    /** The longest piece of a sensor record that it sends. */
    readonly maxRecordBytes?: number;
    /** Sends this many bytes more than were requested of a record. */
    readonly extraBytes?: number;
    /** After the last record, sends them again under other numbers. */
    readonly repeatsRecords?: boolean;
    /** Sends readings without the thresholds that they cross. */
    readonly omitsStates?: boolean;
    /** Another reader takes the reservation of the records after this one. */
    readonly losesReservationAt?: number;
  };
  /** Rejected as unknown, as on a simpler model. */
  unsupportedCommands?: readonly { netFn: number; code: number }[];
  /** Rejected for their values. */
  rejectedCommands?: readonly { netFn: number; code: number }[];
}

/** Returns a generator of numbers in [0, 1) that is reproducible by its seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
