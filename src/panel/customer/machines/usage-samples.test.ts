import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reduceSeries, selectSpan, usageCsv } from './usage-samples.ts';

describe('samples of a machine', () => {
  it('are averaged for a chart, with gaps only if nothing was measured', () => {
    assert.deepEqual(reduceSeries([1, 3, null, 5, null, null], 3), [2, 5, null]);
    assert.deepEqual(reduceSeries([1, 2], 3), [1, 2]);
  });

  it('are written as CSV with empty values for what was not measured', () => {
    const sample = { start: '0', cpu: '1.5', memory: '2', disk: '', diskread: '3', diskwritten: '4' };
    assert.equal(
      usageCsv([sample]),
      'start,cpu,memory,disk,diskread,diskwritten\r\n1970-01-01T00:00:00.000Z,1.5,2,,3,4\r\n',
    );
  });

  it('are selected by dragging in either direction, at least half an hour', () => {
    const span = { start: 0, end: 86_400 };
    assert.deepEqual(selectSpan(span, [0.75, 0.5]), { start: 43_200, end: 64_800 });
    assert.equal(selectSpan(span, [0.5, 0.51]), undefined);
  });
});
