import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reduceSamples, usageCsv } from './usage-samples.ts';

const sample = { start: '0', cpu: '1.5', memory: '2', disk: '', diskread: '3', diskwritten: '4' };

describe('samples of a machine', () => {
  it('are averaged for a chart, with gaps only if nothing was measured', () => {
    const samples = ['1', '3', '', '5', '', ''].map((cpu, index) => ({ ...sample, start: String(index * 300), cpu }));
    assert.deepEqual(reduceSamples(samples, 'cpu', 3), { starts: [0, 600, 1200], values: [2, 5, null] });
    assert.deepEqual(reduceSamples(samples.slice(0, 2), 'cpu', 3), { starts: [0, 300], values: [1, 3] });
  });

  it('are written as CSV with empty values for what was not measured', () => {
    assert.equal(
      usageCsv([sample]),
      'start,cpu,memory,disk,diskread,diskwritten\r\n1970-01-01T00:00:00.000Z,1.5,2,,3,4\r\n',
    );
  });
});
