// The ports of a lab switch and their counters. As on a real switch, a disabled port loses its link at once, and gets it
// back a moment after it is enabled.
import type { Clock } from '#lib/clock.ts';
import { labOctetsBetween, type LabTraffic } from './traffic.ts';

export interface LabPortOptions {
  readonly ifIndex: number;
  readonly name: string;
  readonly alias: string;
  readonly speedBitsPerSecond: number;
  /** Undefined for a port with nothing plugged in: it is enabled but has no link. */
  readonly traffic?: LabTraffic;
  /** Frames that arrive damaged, as through a bad cable. */
  readonly errorsPerMinute?: number;
}

export type LabPortStatus = 'up' | 'down';

export class LabPort {
  /** Changes when the switch renumbers its ports. */
  ifIndex: number;
  name: string;
  alias: string;
  readonly speedBitsPerSecond: number;
  readonly #traffic: LabTraffic | undefined;
  readonly #errorsPerMinute: number;
  #errorsSinceMs: number;
  readonly #clock: Clock;
  readonly #linkDelayMs: number;
  #adminStatus: LabPortStatus = 'up';
  #link: LabPortStatus;
  /** When the link of an enabled port will be back; undefined if it is, or if nothing is plugged in. */
  #linkUpAtMs: number | undefined;
  #countedUntilMs: number;
  #inOctets = 0n;
  #outOctets = 0n;

  constructor(options: LabPortOptions, clock: Clock, linkDelayMs: number) {
    this.ifIndex = options.ifIndex;
    this.name = options.name;
    this.alias = options.alias;
    this.speedBitsPerSecond = options.speedBitsPerSecond;
    this.#traffic = options.traffic;
    this.#errorsPerMinute = options.errorsPerMinute ?? 0;
    this.#errorsSinceMs = clock.now();
    this.#clock = clock;
    this.#linkDelayMs = linkDelayMs;
    this.#link = options.traffic === undefined ? 'down' : 'up';
    this.#countedUntilMs = clock.now();
  }

  get adminStatus(): LabPortStatus {
    return this.#adminStatus;
  }

  get operStatus(): LabPortStatus {
    this.#count();
    return this.#link;
  }

  get inOctets(): bigint {
    this.#count();
    return this.#inOctets;
  }

  get outOctets(): bigint {
    this.#count();
    return this.#outOctets;
  }

  get inErrors(): number {
    const minutes = (this.#clock.now() - this.#errorsSinceMs) / 60_000;
    return Math.floor(minutes * this.#errorsPerMinute) % 2 ** 32;
  }

  setAdmin(status: LabPortStatus): void {
    this.#count();
    if (status === this.#adminStatus) return;
    this.#adminStatus = status;
    this.#link = 'down';
    const isConnected = status === 'up' && this.#traffic !== undefined;
    this.#linkUpAtMs = isConnected ? this.#clock.now() + this.#linkDelayMs : undefined;
  }

  clearCounters(): void {
    this.#count();
    this.#inOctets = 0n;
    this.#outOctets = 0n;
    this.#errorsSinceMs = this.#clock.now();
  }

  #count(): void {
    const nowMs = this.#clock.now();
    const linkUpAtMs = this.#linkUpAtMs;
    if (linkUpAtMs !== undefined && linkUpAtMs <= nowMs) {
      this.#countUntil(linkUpAtMs);
      this.#link = 'up';
      this.#linkUpAtMs = undefined;
    }
    this.#countUntil(nowMs);
  }

  #countUntil(untilMs: number): void {
    if (this.#link === 'up' && this.#traffic !== undefined) {
      const octets = labOctetsBetween(this.#traffic, this.#countedUntilMs, untilMs);
      this.#inOctets += BigInt(octets.in);
      this.#outOctets += BigInt(octets.out);
    }
    this.#countedUntilMs = untilMs;
  }
}
