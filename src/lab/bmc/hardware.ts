// The condition of a lab server's parts, and the event log in which its BMCs record changes of it. Parts can be broken and
// repaired.

const labParts = ['cpu', 'fan', 'psu', 'drive'] as const;
export type LabPart = (typeof labParts)[number];
export type LabCondition = 'ok' | 'warning' | 'critical';

export interface LabLogEntry {
  /** Counts from 1, again after the log was cleared. */
  readonly id: number;
  /** Seconds since 1970, or since the start of a BMC whose clock is not set. */
  readonly seconds: number;
  readonly part: LabPart;
  readonly condition: Exclude<LabCondition, 'ok'>;
  readonly hasEnded: boolean;
}

export class LabHardware {
  /** When it is full, the log overwrites its oldest entry. */
  readonly maxLogEntries = 20;
  readonly #conditions = new Map<LabPart, LabCondition>();
  #log: LabLogEntry[] = [];
  #lastId = 0;
  /** The BMC has lost the time, as after a change of its battery. */
  isClockUnset = false;

  get log(): readonly LabLogEntry[] {
    return this.#log;
  }

  conditionOf(part: LabPart): LabCondition {
    return this.#conditions.get(part) ?? 'ok';
  }

  /** Breaks or repairs a part, and records that. */
  setCondition(part: LabPart, condition: LabCondition): void {
    const before = this.conditionOf(part);
    if (before === condition) return;
    this.#conditions.set(part, condition);
    if (before !== 'ok') this.#record(part, before, true);
    if (condition !== 'ok') this.#record(part, condition, false);
  }

  clearLog(): void {
    this.#log = [];
    this.#lastId = 0;
  }

  #record(part: LabPart, condition: LabLogEntry['condition'], hasEnded: boolean): void {
    const seconds = this.isClockUnset ? 1 : Math.floor(Date.now() / 1000);
    this.#log = [...this.#log, { id: ++this.#lastId, seconds, part, condition, hasEnded }].slice(-this.maxLogEntries);
  }
}
