import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutMounts, unitsUsed, unitText, type Mount, type Rack } from './rack-units.ts';

const mount = (name: string, unit: number, height: number): Mount => ({
  kind: 'server',
  name,
  unit: String(unit),
  height: String(height),
  state: 'on',
  error: '',
  seen: '',
});
const rack: Rack = {
  name: 'r1',
  height: '42',
  place: '',
  mounts: [mount('low', 1, 2), mount('high', 42, 1)],
  servers: '2',
  power: { watts: '', reporting: '0' },
  inlet: { max: '', median: '', reporting: '0' },
};

test('the highest unit is in the first row, the lowest in the last', () => {
  assert.deepEqual(
    layOutMounts(rack).map(({ mount: { name }, row, rows }) => [name, row, row + rows - 1]),
    [
      ['high', 1, 1],
      ['low', 41, 42],
    ],
  );
});

test('units are formatted and counted', () => {
  assert.deepEqual(rack.mounts.map(unitText), ['U1–2', 'U42']);
  assert.equal(unitsUsed(rack), 3);
});
