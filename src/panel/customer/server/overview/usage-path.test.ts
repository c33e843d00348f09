import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toArea, toPath } from './usage-path.ts';

describe('the line of a usage graph', () => {
  const area = { width: 100, height: 40, max: 100 };

  it('has a gap where nothing was measured, and a dot for a sample between two gaps', () => {
    assert.equal(toPath([0, 100, null, 50, null], area), 'M0 40L25 0M75 20h0.5');
  });

  it('is empty without samples', () => {
    assert.equal(toPath([null, null], area), '');
  });

  it('has an area below it, closed at the bottom for each part without a gap', () => {
    assert.equal(toArea([0, 100, null, 50, 50], area), 'M0 40L25 0V40H0ZM75 20L100 20V40H75Z');
    assert.equal(toArea([null, 50, null], area), '');
  });
});
