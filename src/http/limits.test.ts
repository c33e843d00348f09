import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { budgets } from './limits.ts';

const limits = { rate: 10, burst: 5 };

describe('a budget', () => {
  it('is spent, refused, and comes back with time', () => {
    let now = 0;
    const spend = budgets(() => now);
    const allowed = () => spend('a', limits).allowed;
    assert.deepEqual(Array.from({ length: 7 }, allowed), [true, true, true, true, true, false, false]);
    now += 100;
    assert.deepEqual([allowed(), allowed()], [true, false]);
    now += 60_000;
    assert.deepEqual(Array.from({ length: 6 }, allowed), [true, true, true, true, true, false]);
  });

  it('is spent faster by what costs more, and wholly by what costs more than there can be', () => {
    let now = 0;
    const spend = budgets(() => now);
    assert.deepEqual([spend('a', limits, 3).allowed, spend('a', limits, 3).allowed], [true, false]);
    assert.equal(spend('a', limits, 2).allowed, true);
    assert.equal(spend('a', { rate: 1, burst: 5 }, 100).retryAfterSeconds, 5);
    now += 60_000;
    assert.deepEqual([spend('a', limits, 100).allowed, spend('a', limits).allowed], [true, false]);
  });

  it('is one per name', () => {
    const spend = budgets(() => 0);
    for (let call = 0; call < 10; call++) spend('a', limits);
    assert.ok(!spend('a', limits).allowed && spend('b', limits).allowed);
  });

  it('never allows more in a span than the burst and what comes back in it, whatever the clock does', () => {
    const steps = fc.array(fc.integer({ min: -50, max: 300 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (passing) => {
        let now = 1000;
        let forward = 0;
        const spend = budgets(() => now);
        let allowed = 0;
        for (const step of passing) {
          now += step;
          forward += Math.max(0, step);
          if (spend('a', limits).allowed) allowed++;
        }
        assert.ok(allowed <= limits.burst + (forward / 1000) * limits.rate + 1e-6, `${allowed} in ${forward} ms`);
      }),
    );
  });

  it('says how long to wait, and waiting so long helps', () => {
    let now = 0;
    const spend = budgets(() => now);
    const slow = { rate: 1, burst: 2 };
    spend('a', slow);
    spend('a', slow);
    const { allowed, retryAfterSeconds } = spend('a', slow);
    assert.equal(allowed, false);
    now += retryAfterSeconds * 1000;
    assert.ok(spend('a', slow).allowed);
  });
});
