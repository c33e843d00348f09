import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { sensorHealths } from '#contract/shapes/sensors.ts';
import { sensorReadings, type Fault, type ServerSensors, type StoredReading } from '#store/devices/sensors.ts';
import { FaultWatch, figuresOf, isWorthStoring, toStored } from './sensor-judgement.ts';

const psu = (health: StoredReading['health']): StoredReading => ({ name: 'PSU 2', kind: 'psu', health });
const minute = 60_000;

/** Judges a series of checks a minute apart, and returns what began and ended. */
function judgeSeries(series: readonly StoredReading[][], everyMs = minute): string[] {
  const watch = new FaultWatch();
  let open: readonly Fault[] = [];
  return series.flatMap((readings, index) => {
    const { began, ended, faults } = watch.judge(readings, open, index * everyMs);
    open = faults;
    return [...began.map(() => `${index} began`), ...ended.map(() => `${index} ended`)];
  });
}

describe('a fault', () => {
  it('begins when two checks in a row see it, and ends when it was not seen for ten minutes', () => {
    const series = [psu('ok'), psu('critical'), ...Array.from({ length: 5 }, () => psu('warning'))];
    const repaired = Array.from({ length: 20 }, () => psu('ok'));
    assert.deepEqual(judgeSeries([...series, ...repaired].map((reading) => [reading])), ['2 began', '17 ended']);
  });

  it('neither begins nor ends because nothing is known', () => {
    const unknown = Array.from({ length: 30 }, () => [psu('unknown')]);
    assert.deepEqual(judgeSeries(unknown), []);
    assert.deepEqual(judgeSeries([[psu('critical')], [psu('critical')], ...unknown]), ['1 began']);
    assert.deepEqual(judgeSeries([[psu('critical')], [psu('unknown')], [psu('critical')]]), []);
  });

  it('ends when the part was taken out', () => {
    const gone = Array.from({ length: 12 }, () => []);
    assert.deepEqual(judgeSeries([[psu('critical')], [psu('critical')], ...gone]), ['1 began', '12 ended']);
  });

  it('is not remembered of parts that are gone, whatever names a BMC invents', () => {
    const watch = new FaultWatch();
    const check = (name: string) => watch.judge([{ ...psu('critical'), name }], [], 0).isInDoubt;
    for (let count = 0; count < 5; count++) assert.equal(check(`PSU ${count}`), true);
    assert.equal(check('PSU 0'), true, 'it was seen by one check in a row only');
  });

  it('begins and ends by turns, however the readings change', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...sensorHealths), { maxLength: 80 }), (healths) => {
        const turns = judgeSeries(healths.map((health) => [psu(health)])).map((text) => text.split(' ')[1]);
        assert.deepEqual(
          turns,
          turns.map((_, index) => (index % 2 === 0 ? 'began' : 'ended')),
        );
      }),
    );
  });

  it('does not flap with a reading at its threshold', () => {
    const series = Array.from({ length: 100 }, (_, index) => [psu(index % 4 < 2 ? 'warning' : 'ok')]);
    assert.deepEqual(judgeSeries(series), ['1 began']);
  });
});

describe('readings', () => {
  const cpu = (value: number): StoredReading => ({ name: 'CPU', kind: 'temperature', health: 'ok', value, unit: '°C' });
  const row = (readings: StoredReading[], read_at = 0, error: string | null = null) =>
    ({ readings: sensorReadings.encode(readings), read_at, error }) as ServerSensors;

  it('are stored when they mean something else, and every half hour', () => {
    assert.equal(isWorthStoring(row([cpu(40)]), [cpu(44)], minute), false);
    assert.equal(isWorthStoring(row([cpu(40)]), [cpu(46)], minute), true);
    assert.equal(isWorthStoring(row([cpu(40)]), [{ ...cpu(40), health: 'warning' }], minute), true);
    assert.equal(isWorthStoring(row([cpu(40)]), [cpu(40), psu('ok')], minute), true);
    assert.equal(isWorthStoring(row([cpu(40)]), [{ ...cpu(40), value: undefined as never }], minute), true);
    assert.equal(isWorthStoring(row([cpu(40)], 0, 'bmc_unreachable'), [cpu(40)], minute), true);
    assert.equal(isWorthStoring(row([cpu(40)]), [cpu(40)], 30 * minute), true);
  });

  it('that no sensor can have are left out, so that they can be stored and read back', () => {
    const reading = { name: 'PSU', kind: 'psu', unit: 'W', health: 'ok', detail: '' } as const;
    for (const value of [Infinity, -Infinity, NaN, 1e300, -1e300]) {
      const stored = toStored({ ...reading, value, low: value, high: value });
      assert.deepEqual(stored, { name: 'PSU', kind: 'psu', unit: 'W', health: 'ok' });
      assert.deepEqual(sensorReadings.decode(sensorReadings.encode([stored])), [stored]);
    }
    assert.equal(toStored({ ...reading, value: 240, low: 0, high: undefined }).value, 240);
  });

  it('are summarized by the highest temperature, the slowest fan, the power draw and the air at the front', () => {
    const fan = (value: number): StoredReading => ({ name: `${value}`, kind: 'fan', health: 'ok', value, unit: 'rpm' });
    const watts = (kind: 'power' | 'psu', value: number): StoredReading => ({ ...fan(value), kind, unit: 'W' });
    assert.deepEqual(figuresOf([cpu(40), cpu(51.4), fan(900), fan(5400), watts('power', 122), watts('psu', 60)]), {
      celsius: 51,
      rpm: 900,
      watts: 122,
      inlet_celsius: null,
    });
    const unknown = { celsius: null, rpm: null, inlet_celsius: null };
    assert.deepEqual(figuresOf([watts('psu', 60), watts('psu', 61)]), { ...unknown, watts: 121 });
    const inlet: StoredReading = { ...cpu(23.6), name: '01-Inlet Ambient' };
    assert.equal(figuresOf([cpu(51), inlet]).inlet_celsius, 24);
  });
});
