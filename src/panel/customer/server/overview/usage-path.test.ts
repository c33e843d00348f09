import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toPath } from './usage-path.ts';

describe('the line of a usage graph', () => {
  const area = { width: 100, height: 40, max: 100 };

  it('has a gap where nothing was measured, and a dot for a sample between two gaps', () => {
    assert.equal(toPath([0, 100, null, 50, null], area), 'M0 40L25 0M75 20h0.5');
  });

  it('is empty without samples', () => {
    assert.equal(toPath([null, null], area), '');
  });
});
