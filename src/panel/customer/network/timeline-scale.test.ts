import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areaPath, scaleOf, ticksOf } from './timeline-scale.ts';

const frame = { left: 0, right: 100, top: 10, bottom: 60 };

describe('the scale of a timeline', () => {
  it('puts its ends at the edges of the frame', () => {
    const scale = scaleOf(frame, 1000, 2000, 500);
    assert.deepEqual([scale.x(1000), scale.x(2000), scale.y(0), scale.y(500)], [0, 100, 60, 10]);
  });

  it('survives an attack without length and without strength', () => {
    const scale = scaleOf(frame, 1000, 1000, 0);
    assert.ok([scale.x(1000), scale.y(0)].every(Number.isFinite));
  });

  it('has few ticks, at round moments of the viewer’s zone', () => {
    assert.deepEqual(ticksOf(0, 1800, 6, 0), [0, 300, 600, 900, 1200, 1500, 1800]);
    // Half past in UTC is the hour in a zone that is half an hour off.
    assert.deepEqual(ticksOf(1000, 8200, 2, 1800), [1800, 5400]);
    assert.ok(ticksOf(0, 90 * 86_400, 6, 0).length <= 7);
  });

  it('closes the outline along the bottom', () => {
    const path = areaPath(scaleOf(frame, 0, 10, 10), [
      { at: 0, rate: 5 },
      { at: 10, rate: 10 },
    ]);
    assert.equal(path, 'M0.0 60.0L0.0 35.0L100.0 10.0L100.0 60.0Z');
    assert.equal(areaPath(scaleOf(frame, 0, 10, 10), []), '');
  });
});
