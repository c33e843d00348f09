// The sensors of an IPMI BMC in the kinds and units that all drivers share.
import type { SensorKind } from '#contract/shapes/sensors.ts';
import type { SensorRecord } from '#protocols/ipmi/sensor-record.ts';
import type { Sensor } from '#protocols/ipmi/sensors.ts';
import type { SensorReading } from './driver.ts';

/** By the sensor type of the specification. */
const kinds: Readonly<Record<number, SensorKind>> = {
  0x01: 'temperature',
  0x02: 'voltage',
  0x03: 'current',
  0x04: 'fan',
  0x07: 'processor',
  0x08: 'psu',
  0x09: 'psu',
  0x0a: 'fan',
  0x0c: 'memory',
  0x0d: 'drive',
  0x29: 'battery',
};
/** Of analog sensors, whose type is often "other". */
const kindsByUnit: Readonly<Record<number, SensorKind>> = {
  1: 'temperature',
  2: 'temperature',
  3: 'temperature',
  4: 'voltage',
  5: 'current',
  6: 'power',
  18: 'fan',
};
const powerSupply = 10;

/** Returns undefined for a sensor that says nothing about the hardware, such as a watchdog. */
export function sensorKind({ sensorType, unitCode, entity }: SensorRecord): SensorKind | undefined {
  const kind = kindsByUnit[unitCode] ?? kinds[sensorType];
  return kind === 'power' && entity === powerSupply ? 'psu' : kind;
}

const toCelsius: Readonly<Record<string, (value: number) => number>> = {
  '°F': (value) => ((value - 32) * 5) / 9,
  K: (value) => value - 273.15,
};

export function describeSensors(sensors: readonly Sensor[]): SensorReading[] {
  const names = new Set<string>();
  return sensors.map(({ record, value, unit, low, high, health, detail }) => {
    const convert = (number: number | undefined): number | undefined =>
      number === undefined ? undefined : rounded(toCelsius[unit]?.(number) ?? number);
    // BMCs give the same name to the sensors of several processors or modules.
    const name = names.has(record.name) ? `${record.name} #${record.number}` : record.name;
    names.add(name);
    return {
      name,
      kind: sensorKind(record)!,
      value: convert(value),
      unit: unit in toCelsius ? '°C' : unit,
      health,
      detail,
      low: convert(low),
      high: convert(high),
    };
  });
}

/** A byte has three significant digits; the rest comes from the conversion. */
function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
