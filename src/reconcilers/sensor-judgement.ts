// Decides when readings are worth storing, and when a part counts as broken or repaired, so that a reading at its threshold
// neither writes to the database nor notifies anyone repeatedly.
import type { SensorReading } from '#drivers/bmc/driver.ts';
import { pickDefined } from '#lib/defined.ts';
import { sensorReadings, type Fault, type ServerSensors, type StoredReading } from '#store/devices/sensors.ts';

const storedAtLeastEveryMs = 30 * 60_000;
/** A part is repaired when it has not been reported as broken for this long. */
const repairedAfterMs = 10 * 60_000;
/** A part is broken when this many checks in a row say so. */
const confirmations = 2;

const maxTextLength = 300;

/** Root on the server can write to the event log, and firmware is not careful either. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, maxTextLength);
}

/** Of any sensor. JSON has no infinity, and databases store no integers that are much larger. */
const largestValue = 1e9;

function plausible(value: number | undefined): number | undefined {
  return value !== undefined && Math.abs(value) <= largestValue ? value : undefined;
}

export function toStored(reading: SensorReading): StoredReading {
  const { kind, health, unit } = reading;
  const [value, low, high] = [reading.value, reading.low, reading.high].map(plausible);
  const [name, detail] = [printable(reading.name), printable(reading.detail)];
  return {
    name,
    kind,
    health,
    ...pickDefined({ value, low, high }),
    ...(unit !== '' && { unit }),
    ...(detail !== '' && { detail }),
  };
}

/** Returns whether the stored readings say something else than these, or are old. */
export function isWorthStoring(
  row: ServerSensors | undefined,
  readings: readonly StoredReading[],
  now: number,
): boolean {
  if (row === undefined || row.read_at === null || row.error !== null) return true;
  if (Math.abs(now - row.read_at) >= storedAtLeastEveryMs) return true;
  const stored = sensorReadings.decode(row.readings);
  if (stored.length !== readings.length) return true;
  return readings.some((reading, index) => {
    const before = stored[index]!;
    const isSame = before.name === reading.name && before.health === reading.health && before.detail === reading.detail;
    return !isSame || hasMoved(before, reading);
  });
}

function hasMoved(before: StoredReading, { kind, value }: StoredReading): boolean {
  if (before.value === undefined || value === undefined) return before.value !== value;
  const tolerance = kind === 'temperature' ? 5 : kind === 'drive' ? 0 : Math.abs(before.value) * 0.2;
  return Math.abs(value - before.value) > tolerance;
}

/** Makers call the sensor at the front of a server Inlet Temp, 01-Inlet Ambient, System Ambient Temp or Front Panel Temp. */
const inletName = /inlet|ambient|intake|front/i;

/** The highest temperature, the slowest fan, the power draw, and the temperature of the air that the server draws in. */
export function figuresOf(
  readings: readonly StoredReading[],
): Pick<ServerSensors, 'celsius' | 'rpm' | 'watts' | 'inlet_celsius'> {
  const values = (kind: StoredReading['kind'], unit: string): number[] =>
    readings.flatMap((reading) => (reading.kind === kind && reading.unit === unit ? (reading.value ?? []) : []));
  const atMost = (list: readonly number[]): number | null => (list.length === 0 ? null : Math.round(Math.max(...list)));
  const speeds = values('fan', 'rpm');
  const supplies = values('psu', 'W');
  const inlets = readings.flatMap(({ kind, unit, name, value }) =>
    kind === 'temperature' && unit === '°C' && inletName.test(name) ? (value ?? []) : [],
  );
  const draw = supplies.length === 0 ? null : Math.round(supplies.reduce((sum, watts) => sum + watts, 0));
  return {
    celsius: atMost(values('temperature', '°C')),
    rpm: speeds.length === 0 ? null : Math.round(Math.min(...speeds)),
    watts: atMost(values('power', 'W')) ?? draw,
    inlet_celsius: atMost(inlets),
  };
}

/** What the checks since the last change of a sensor's fault have seen. */
interface Streak {
  count: number;
  readonly since: number;
}

export interface Judgement {
  readonly began: readonly Fault[];
  readonly ended: readonly Fault[];
  /** All open faults, with their current severity. */
  readonly faults: readonly Fault[];
  /** A part may be broken: check again soon. */
  readonly isInDoubt: boolean;
}

/** Remembers what recent checks of a server saw. */
export class FaultWatch {
  readonly #streaks = new Map<string, Streak>();

  judge(readings: readonly StoredReading[], open: readonly Fault[], now: number): Judgement {
    const bySensor = new Map(readings.map((reading) => [reading.name, reading]));
    const began: Fault[] = [];
    const ended: Fault[] = [];
    const kept: Fault[] = [];
    let isInDoubt = false;
    for (const fault of open) {
      const reading = bySensor.get(fault.sensor);
      // Not knowing is neither broken nor repaired. A part that is gone was taken out.
      if (reading?.health === 'unknown') kept.push(fault);
      else if (isBroken(reading)) {
        this.#streaks.delete(fault.sensor);
        kept.push({ ...fault, severity: reading.health, detail: reading.detail ?? '' });
      } else if (
        this.#extend(fault.sensor, now).count > 1 &&
        now - this.#streaks.get(fault.sensor)!.since >= repairedAfterMs
      ) {
        this.#streaks.delete(fault.sensor);
        ended.push(fault);
      } else kept.push(fault);
    }
    const known = new Set(open.map(({ sensor }) => sensor));
    for (const reading of readings.filter(({ name }) => !known.has(name))) {
      const { name: sensor, kind } = reading;
      if (!isBroken(reading)) this.#streaks.delete(sensor);
      else if (this.#extend(sensor, now).count < confirmations) isInDoubt = true;
      else {
        this.#streaks.delete(sensor);
        began.push({ sensor, kind, severity: reading.health, detail: reading.detail ?? '', since: now });
      }
    }
    for (const sensor of this.#streaks.keys())
      if (!bySensor.has(sensor) && !known.has(sensor)) this.#streaks.delete(sensor);
    return { began, ended, faults: [...kept, ...began], isInDoubt };
  }

  #extend(sensor: string, now: number): Streak {
    const streak = this.#streaks.get(sensor) ?? { count: 0, since: now };
    streak.count++;
    this.#streaks.set(sensor, streak);
    return streak;
  }
}

type BrokenReading = StoredReading & { readonly health: 'warning' | 'critical' };
function isBroken(reading: StoredReading | undefined): reading is BrokenReading {
  return reading?.health === 'warning' || reading?.health === 'critical';
}
