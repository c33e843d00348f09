// The hardware inventory of a lab server, and sensors whose readings follow the power and the condition of its parts.

import { logEventLayout } from '#protocols/ipmi/event-log.ts';
import type { FruInventory } from '#protocols/ipmi/fru.ts';
import type { PowerState } from '#protocols/ipmi/power.ts';
import { encodeSensorRecord, type SensorRecord, type Thresholds } from '#protocols/ipmi/sensor-record.ts';
import { readingTypes } from '#protocols/ipmi/sensor-states.ts';
import type { LabCondition, LabHardware, LabLogEntry, LabPart } from './hardware.ts';

export function labInventory(serial: string): FruInventory {
  return {
    chassis: { type: 0x17, partNumber: 'HY-CH-1U', serial: `C${serial}` },
    board: {
      // 2026-01-05 08:00 UTC.
      manufacturedMinutes: 15_785_760,
      manufacturer: 'Hostyard Lab',
      product: 'HY-MB-8',
      serial: `B${serial}`,
      partNumber: 'HY-MB-8-R2',
    },
    product: {
      manufacturer: 'Hostyard Lab',
      product: 'Lab Server 1U',
      partNumber: 'HY-LS1',
      version: '1.0',
      serial,
      assetTag: '',
    },
  };
}

export interface LabReading {
  /** Of a sensor with discrete states, only these. */
  readonly raw?: number;
  /** One bit per asserted state. */
  readonly states?: number;
}

export interface LabSensor {
  record: SensorRecord;
  /** Returns the reading, or undefined while the part has no power. */
  read(power: PowerState, hardware: LabHardware): LabReading | undefined;
}

const common = { owner: 0x20, lun: 0, isPercentage: false, unitCode: 0 } as const;
const linear = { format: 'unsigned', offset: 0, offsetExponent: 0, resultExponent: 0, linearisation: 0 } as const;
const noThresholds = {
  upperNonRecoverable: 0,
  upperCritical: 0,
  upperWarning: 0,
  lowerNonRecoverable: 0,
  lowerCritical: 0,
  lowerWarning: 0,
};

interface AnalogKind {
  readonly sensorType: number;
  readonly unitCode: number;
  readonly entity: number;
  readonly multiplier: number;
  readonly resultExponent?: number;
  readonly linearisation?: number;
  readonly readable?: number;
  readonly thresholds?: Partial<Thresholds>;
}

function analogSensor(number: number, name: string, kind: AnalogKind, read: LabSensor['read']): LabSensor {
  const { sensorType, unitCode, entity, multiplier, resultExponent = 0, linearisation = 0, readable = 0 } = kind;
  return {
    record: {
      ...common,
      recordId: number,
      number,
      name,
      entity,
      instance: 1,
      sensorType,
      readingType: readingTypes.threshold,
      readable,
      unitCode,
      conversion: { ...linear, multiplier, resultExponent, linearisation },
      thresholds: { ...noThresholds, ...kind.thresholds },
    },
    read,
  };
}

/** Sensors with consecutive numbers that share a record. */
function discreteSensors(
  number: number,
  name: string,
  kind: { sensorType: number; entity: number; readable: number },
  count: number,
  read: (index: number, hardware: LabHardware) => number,
): LabSensor[] {
  return Array.from({ length: count }, (_, index) => ({
    record: {
      ...common,
      ...kind,
      recordId: number,
      number: number + index,
      name,
      instance: 1,
      readingType: readingTypes.sensorSpecific,
      sharing: { count, endsInLetter: false, firstSuffix: 1 },
    },
    read: (_power, hardware) => ({ states: read(index, hardware) }),
  }));
}

const temperature = { sensorType: 0x01, unitCode: 1, entity: 3, multiplier: 1 };
const hotCpu = { readable: 0b01_1000, thresholds: { upperWarning: 85, upperCritical: 95 } };
const fan = { sensorType: 0x04, unitCode: 18, entity: 29, multiplier: 60 };
const slowFan = { readable: 0b00_0011, thresholds: { lowerWarning: 20, lowerCritical: 10 } };
const voltage = { sensorType: 0x02, unitCode: 4, entity: 10, multiplier: 6, resultExponent: -2 };
const watts = { sensorType: 0x0b, unitCode: 6, entity: 7, multiplier: 2 };
const nonLinear = 0x70;

/** By condition: the reading, and the thresholds that it crosses. */
const cpuReadings: Readonly<Record<LabCondition, LabReading>> = {
  ok: { raw: 41 },
  warning: { raw: 88, states: 0b00_1000 },
  critical: { raw: 99, states: 0b01_1000 },
};
const fanReadings: Readonly<Record<LabCondition, LabReading>> = {
  ok: { raw: 90 },
  warning: { raw: 15, states: 0b00_0001 },
  critical: { raw: 5, states: 0b00_0011 },
};
/** By condition: present, failed, failure predicted. */
const slotStates: Readonly<Record<LabCondition, number>> = { ok: 0b001, warning: 0b101, critical: 0b011 };

const firstPsu = 6;
const firstDisk = 8;

/** The second power supply and the second disk are those that break. */
export const labSensors: readonly LabSensor[] = [
  analogSensor(1, 'CPU Temp', { ...temperature, ...hotCpu }, (power, hardware) =>
    power === 'on' ? cpuReadings[hardware.conditionOf('cpu')] : undefined,
  ),
  analogSensor(2, 'Inlet Temp', { ...temperature, entity: 55 }, () => ({ raw: 23 })),
  analogSensor(3, 'Fan 1', { ...fan, ...slowFan }, (power, hardware) =>
    power === 'on' ? fanReadings[hardware.conditionOf('fan')] : undefined,
  ),
  analogSensor(4, '12V', voltage, (power) => (power === 'on' ? { raw: 201 } : undefined)),
  analogSensor(5, 'Power', watts, (power) => ({ raw: power === 'on' ? 61 : 4 })),
  ...discreteSensors(
    firstPsu,
    'PSU',
    { sensorType: 0x08, entity: 10, readable: 0b1111 },
    2,
    (index, hardware) => slotStates[index === 1 ? hardware.conditionOf('psu') : 'ok'],
  ),
  ...discreteSensors(
    firstDisk,
    'Disk',
    { sensorType: 0x0d, entity: 4, readable: 0b1_1111_1111 },
    2,
    (index, hardware) => slotStates[index === 1 ? hardware.conditionOf('drive') : 'ok'],
  ),
  analogSensor(10, 'VRM Temp', { ...temperature, entity: 20, linearisation: nonLinear }, (power) =>
    power === 'on' ? { raw: 50 } : undefined,
  ),
];

/** The factors of each reading of the non-linear sensor: one degree for each step, from 10 degrees on. */
export const labFactors = { multiplier: 1, offset: 10, resultExponent: 0, offsetExponent: 0 };

/** A record for each sensor, or for those that share one. */
export function labSensorRecords(): Buffer[] {
  const records = new Map(labSensors.toReversed().map(({ record }) => [record.recordId, record]));
  return [...records.values()].reverse().map(encodeSensorRecord);
}

const sensorOfPart: Readonly<Record<LabPart, number>> = { cpu: 1, fan: 3, psu: firstPsu + 1, drive: firstDisk + 1 };
/** The state of each condition: going below or above a threshold, or a state of the slot. */
const eventOffsets: Readonly<Record<LabPart, Record<LabLogEntry['condition'], number>>> = {
  cpu: { warning: 7, critical: 9 },
  fan: { warning: 0, critical: 2 },
  psu: { warning: 2, critical: 1 },
  drive: { warning: 2, critical: 1 },
};

export function encodeLabLogEntry({ id, seconds, part, condition, hasEnded }: LabLogEntry): Buffer {
  const { record } = labSensors.find(({ record: { number } }) => number === sensorOfPart[part])!;
  const { raw } = (part === 'cpu' ? cpuReadings : fanReadings)[condition];
  const isThreshold = record.readingType === readingTypes.threshold;
  const offset = eventOffsets[part][condition];
  return logEventLayout.encode({
    recordId: id,
    type: 0x02,
    seconds,
    generator: 0x20,
    revision: 0x04,
    sensorType: record.sensorType,
    sensor: record.number,
    readingType: record.readingType,
    isDeasserted: hasEnded,
    data: Buffer.from(isThreshold ? [0x40 | offset, raw!, 0xff] : [offset, 0xff, 0xff]),
  });
}
