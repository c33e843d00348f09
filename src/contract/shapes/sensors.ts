// Sensors and event logs of BMCs, in responses and events.
import { Type } from 'typebox';
import { described, text } from './text.ts';

export const sensorKinds = [
  'temperature',
  'fan',
  'power',
  'psu',
  'drive',
  'voltage',
  'current',
  'processor',
  'memory',
  'battery',
] as const;
export type SensorKind = (typeof sensorKinds)[number];

/** `unknown` is a reading that the BMC does not have, such as that of a part without power; `absent` an empty slot. */
export const sensorHealths = ['ok', 'warning', 'critical', 'unknown', 'absent'] as const;
export type SensorHealth = (typeof sensorHealths)[number];

export const faultSeverities = ['warning', 'critical'] as const;

const logSeverities = ['ok', ...faultSeverities] as const;
export type LogSeverity = (typeof logSeverities)[number];

const number = described('Decimal; empty if there is none');

export const Sensor = Type.Object({
  name: text,
  kind: Type.Enum(sensorKinds),
  value: described('Decimal; empty if the sensor has states instead, or if the value is unknown'),
  unit: described('Such as °C, rpm, W or %; for a drive, the share of its life that is left'),
  health: Type.Enum(sensorHealths, {
    description:
      'unknown: the BMC does not respond or has no reading, for example because the part has no power; absent: an empty slot',
  }),
  detail: described('The problem as reported by the BMC; empty if there is none'),
  low: number,
  high: number,
});

export const LogEntry = Type.Object({
  time: described('By the BMC’s clock, in UTC; empty if the clock is not set'),
  seen: described('When Hostyard read it, in UTC'),
  severity: Type.Enum(logSeverities),
  text,
});

export const Fault = Type.Object({
  sensor: text,
  kind: Type.Enum(sensorKinds),
  severity: Type.Enum(faultSeverities),
  detail: text,
  since: described('When it was confirmed, in UTC'),
});

export const SensorReport = Type.Object({
  state: Type.Enum(['current', 'unreachable', 'unsupported', 'waiting'], {
    description:
      'current: as of the last check. unreachable: the BMC did not respond to the last check, so every sensor is unknown. unsupported: the BMC has no sensors. waiting: not read yet.',
  }),
  read: described(
    'When the readings were stored, in UTC; empty if never. They are stored when they change noticeably, and at least every half hour.',
  ),
  sensors: Type.Array(Sensor),
  log: Type.Array(LogEntry, { description: 'Entries of the event log, newest first' }),
});

export const OperatorSensorReport = Type.Object({
  ...SensorReport.properties,
  error: described('Error of the last check; empty if it succeeded'),
  faults: Type.Array(Fault, { description: 'Parts that are broken' }),
});
