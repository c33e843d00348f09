// A rack is drawn from the top, and counted from the bottom.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, unitsUsed, unitText, type Mount, type Rack } from './rack-units.ts';

const mount = (name: string, unit: number, height: number): Mount => ({
  kind: 'server',
  name,
  unit: String(unit),
  height: String(height),
  state: 'on',
  error: '',
  seen: '',
});
const rack: Rack = { name: 'r1', height: '42', place: '', mounts: [mount('low', 1, 2), mount('high', 42, 1)] };

test('what stands in the highest unit is in the first row, what stands on the floor ends in the last', () => {
  assert.deepEqual(
    drawn(rack).map(({ mount: { name }, row, rows }) => [name, row, row + rows - 1]),
    [
      ['high', 1, 1],
      ['low', 41, 42],
    ],
  );
});

test('units are named and counted', () => {
  assert.deepEqual(rack.mounts.map(unitText), ['U1–2', 'U42']);
  assert.equal(unitsUsed(rack), 3);
});
