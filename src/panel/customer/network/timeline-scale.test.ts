import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areaPath, createScale, timeTicks } from './timeline-scale.ts';

const frame = { left: 0, right: 100, top: 10, bottom: 60 };

describe('the scale of a timeline', () => {
  it('puts its ends at the edges of the frame', () => {
    const scale = createScale(frame, 1000, 2000, 500);
    assert.deepEqual([scale.x(1000), scale.x(2000), scale.y(0), scale.y(500)], [0, 100, 60, 10]);
  });

  it('handles an attack without duration and without traffic', () => {
    const scale = createScale(frame, 1000, 1000, 0);
    assert.ok([scale.x(1000), scale.y(0)].every(Number.isFinite));
  });

  it("has few ticks, at round times in the viewer's time zone", () => {
    assert.deepEqual(timeTicks(0, 1800, 6, 0), [0, 300, 600, 900, 1200, 1500, 1800]);
    // Half past the hour in UTC is the full hour in a time zone with a 30-minute offset.
    assert.deepEqual(timeTicks(1000, 8200, 2, 1800), [1800, 5400]);
    assert.ok(timeTicks(0, 90 * 86_400, 6, 0).length <= 7);
  });

  it('closes the outline along the bottom', () => {
    const path = areaPath(createScale(frame, 0, 10, 10), [
      { at: 0, rate: 5 },
      { at: 10, rate: 10 },
    ]);
    assert.equal(path, 'M0.0 60.0L0.0 35.0L100.0 10.0L100.0 60.0Z');
    assert.equal(areaPath(createScale(frame, 0, 10, 10), []), '');
  });
});
