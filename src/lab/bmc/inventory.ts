// The hardware inventory of a lab server, and sensors whose readings follow the power.

import type { FruInventory } from '#protocols/ipmi/fru.ts';
import type { PowerState } from '#protocols/ipmi/power.ts';
import type { SensorRecord } from '#protocols/ipmi/sensor-record.ts';

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

export interface LabSensor {
  record: SensorRecord;
  /** Returns the raw reading, or undefined while the part has no power. */
  raw(power: PowerState): number | undefined;
}

const linear = { format: 'unsigned', offset: 0, offsetExponent: 0, resultExponent: 0, linearisation: 0 } as const;
const threshold = 0x01;

function analogSensor(
  number: number,
  name: string,
  kind: { sensorType: number; unitCode: number; entity: number; multiplier: number; resultExponent: number },
  raw: (power: PowerState) => number | undefined,
): LabSensor {
  const { sensorType, unitCode, entity, multiplier, resultExponent } = kind;
  return {
    record: {
      recordId: number,
      number,
      name,
      entity,
      sensorType,
      readingType: threshold,
      isPercentage: false,
      unitCode,
      conversion: { ...linear, multiplier, resultExponent },
    },
    raw,
  };
}

const temperature = { sensorType: 0x01, unitCode: 1, entity: 3, multiplier: 1, resultExponent: 0 };
const fan = { sensorType: 0x04, unitCode: 18, entity: 29, multiplier: 60, resultExponent: 0 };
const voltage = { sensorType: 0x02, unitCode: 4, entity: 10, multiplier: 6, resultExponent: -2 };

export const labSensors: readonly LabSensor[] = [
  analogSensor(1, 'CPU Temp', temperature, (power) => (power === 'on' ? 41 : undefined)),
  analogSensor(2, 'Inlet Temp', { ...temperature, entity: 55 }, () => 23),
  analogSensor(3, 'Fan 1', fan, (power) => (power === 'on' ? 90 : undefined)),
  analogSensor(4, '12V', voltage, (power) => (power === 'on' ? 201 : undefined)),
];
