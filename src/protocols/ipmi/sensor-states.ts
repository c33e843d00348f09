// The meaning of sensors' states: thresholds that were crossed, and the discrete states of the specification (tables 42-2
// and 42-3). Each state is fine, a warning or critical.
import type { SensorRecord } from './sensor-record.ts';

export type Severity = 'ok' | 'warning' | 'critical';
export type Health = Severity | 'unknown' | 'absent';

export interface SensorState {
  readonly text: string;
  readonly severity: Severity;
}

const fine = (text: string): SensorState => ({ text, severity: 'ok' });
const warning = (text: string): SensorState => ({ text, severity: 'warning' });
const critical = (text: string): SensorState => ({ text, severity: 'critical' });

export const readingTypes = { threshold: 0x01, presence: 0x08, sensorSpecific: 0x6f } as const;
/** A state that is asserted, whatever that means for the sensor. */
const digital = 0x03;

/** In the order of the bits of a reading. */
export const thresholdStates: readonly SensorState[] = [
  warning('below the lower threshold'),
  critical('below the lower critical threshold'),
  critical('below the lower non-recoverable threshold'),
  warning('above the upper threshold'),
  critical('above the upper critical threshold'),
  critical('above the upper non-recoverable threshold'),
];

const genericStates: Readonly<Record<number, readonly SensorState[]>> = {
  0x02: [fine('idle'), fine('active'), fine('busy')],
  [digital]: [fine('deasserted'), fine('asserted')],
  0x04: [fine('no failure predicted'), warning('failure predicted')],
  0x05: [fine('limit not exceeded'), warning('limit exceeded')],
  0x06: [fine('performance met'), warning('performance lags')],
  0x07: [
    fine('OK'),
    warning('non-critical'),
    critical('critical'),
    critical('non-recoverable'),
    warning('non-critical, was worse'),
    critical('critical, was non-recoverable'),
    critical('non-recoverable'),
    fine('monitor'),
    fine('informational'),
  ],
  [readingTypes.presence]: [fine('absent'), fine('present')],
  0x09: [fine('disabled'), fine('enabled')],
  0x0a: [
    fine('running'),
    fine('in test'),
    fine('power off'),
    fine('on line'),
    warning('off line'),
    fine('off duty'),
    warning('degraded'),
    fine('power save'),
    critical('install error'),
  ],
  0x0b: [
    fine('fully redundant'),
    critical('redundancy lost'),
    warning('redundancy degraded'),
    warning('not redundant'),
    warning('not redundant, was insufficient'),
    critical('insufficient resources'),
    warning('redundancy degraded from full'),
    warning('redundancy degraded from none'),
  ],
};

const powerSupply = 0x08;
const powerUnit = 0x09;
const processor = 0x07;
const memory = 0x0c;
const driveSlot = 0x0d;
const battery = 0x29;

const specificStates: Readonly<Record<number, readonly SensorState[]>> = {
  [processor]: [
    critical('internal error'),
    critical('thermal trip'),
    critical('self test failed'),
    critical('hang in self test'),
    critical('did not start'),
    critical('configuration error'),
    critical('uncorrectable error'),
    fine('present'),
    warning('disabled'),
    fine('terminator present'),
    warning('throttled'),
    critical('machine check'),
    warning('correctable machine check'),
  ],
  [powerSupply]: [
    fine('present'),
    critical('failed'),
    warning('failure predicted'),
    critical('input lost'),
    critical('input lost or out of range'),
    warning('input out of range'),
    critical('configuration error'),
    fine('inactive'),
  ],
  [powerUnit]: [
    fine('power off'),
    fine('power cycle'),
    critical('240 VA power down'),
    critical('interlock power down'),
    critical('input lost'),
    critical('power control failed'),
    critical('failed'),
    warning('failure predicted'),
  ],
  [memory]: [
    warning('correctable errors'),
    critical('uncorrectable errors'),
    critical('parity error'),
    critical('scrub failed'),
    warning('disabled'),
    warning('limit of correctable errors reached'),
    fine('present'),
    critical('configuration error'),
    fine('spare'),
    warning('throttled'),
    critical('too hot'),
  ],
  [driveSlot]: [
    fine('present'),
    critical('failed'),
    warning('failure predicted'),
    fine('hot spare'),
    fine('consistency check in progress'),
    critical('in a critical array'),
    critical('in a failed array'),
    warning('rebuild in progress'),
    critical('rebuild aborted'),
  ],
  [battery]: [warning('low'), critical('failed'), fine('present')],
};

/** The state that says that a part is in its slot. */
const presenceStates: Readonly<Record<number, number>> = {
  [processor]: 7,
  [powerSupply]: 0,
  [memory]: 6,
  [driveSlot]: 0,
  [battery]: 2,
};

/** Returns the states of a sensor by their numbers, or undefined if their meaning is the vendor's. */
export function statesOf(sensorType: number, readingType: number): readonly SensorState[] | undefined {
  return readingType === readingTypes.sensorSpecific ? specificStates[sensorType] : genericStates[readingType];
}

export interface SensorCondition {
  readonly health: Health;
  /** The problems; empty if there are none. */
  readonly detail: string;
}

const order: readonly Severity[] = ['ok', 'warning', 'critical'];

export function worstOf(states: readonly SensorState[]): SensorCondition {
  const health = order[Math.max(0, ...states.map(({ severity }) => order.indexOf(severity)))]!;
  const problems = states.filter(({ severity }) => severity !== 'ok').map(({ text }) => text);
  return { health, detail: problems.join(', ') };
}

/** Returns what the states of a sensor mean: one bit for each. */
export function judgeStates(record: SensorRecord, states: number): SensorCondition {
  const { sensorType, readingType, readable } = record;
  const isAsserted = (state: number): boolean => ((states >> state) & 1) === 1;
  if (readingType === readingTypes.threshold) return worstOf(thresholdStates.filter((_, state) => isAsserted(state)));
  const known = statesOf(sensorType, readingType);
  if (known === undefined || (readingType === digital && isAsserted(1))) return { health: 'unknown', detail: '' };
  const condition = worstOf(known.filter((_, state) => isAsserted(state)));
  const presence = readingType === readingTypes.sensorSpecific ? presenceStates[sensorType] : undefined;
  const isEmptySlot =
    readingType === readingTypes.presence
      ? isAsserted(0)
      : presence !== undefined && ((readable >> presence) & 1) === 1 && !isAsserted(presence);
  return isEmptySlot && condition.health === 'ok' ? { health: 'absent', detail: '' } : condition;
}
