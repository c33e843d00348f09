import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { createRateLimiter } from './rate-limits.ts';

const limits = { rate: 10, burst: 5 };

describe('a rate limit', () => {
  it('allows a burst, rejects, and refills with time', () => {
    let now = 0;
    const spend = createRateLimiter(() => now);
    const allowed = () => spend('a', limits).allowed;
    assert.deepEqual(Array.from({ length: 7 }, allowed), [true, true, true, true, true, false, false]);
    now += 100;
    assert.deepEqual([allowed(), allowed()], [true, false]);
    now += 60_000;
    assert.deepEqual(Array.from({ length: 6 }, allowed), [true, true, true, true, true, false]);
  });

  it('counts expensive requests several times, and one beyond the burst as the whole burst', () => {
    let now = 0;
    const spend = createRateLimiter(() => now);
    assert.deepEqual([spend('a', limits, 3).allowed, spend('a', limits, 3).allowed], [true, false]);
    assert.equal(spend('a', limits, 2).allowed, true);
    assert.equal(spend('a', { rate: 1, burst: 5 }, 100).retryAfterSeconds, 5);
    now += 60_000;
    assert.deepEqual([spend('a', limits, 100).allowed, spend('a', limits).allowed], [true, false]);
  });

  it('can be overdrawn by what is known only afterwards, at most by the burst', () => {
    let now = 0;
    const spend = createRateLimiter(() => now);
    assert.equal(spend('a', limits).allowed, true);
    assert.equal(spend('a', limits, 100, 'always').allowed, true);
    assert.match(spend('a', limits).state, /r=0;/);
    now += 200;
    assert.equal(spend('a', limits).allowed, true);
    assert.equal(spend('a', limits).allowed, false);
  });

  it('is separate for each name', () => {
    const spend = createRateLimiter(() => 0);
    for (let call = 0; call < 10; call++) spend('a', limits);
    assert.ok(!spend('a', limits).allowed && spend('b', limits).allowed);
  });

  it('never allows more than the burst and what refills, whatever the clock does', () => {
    const steps = fc.array(fc.integer({ min: -50, max: 300 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (passing) => {
        let now = 1000;
        let forward = 0;
        const spend = createRateLimiter(() => now);
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

  it('says how long to wait, and allows a request after that', () => {
    let now = 0;
    const spend = createRateLimiter(() => now);
    const slow = { rate: 1, burst: 2 };
    spend('a', slow);
    spend('a', slow);
    const { allowed, retryAfterSeconds } = spend('a', slow);
    assert.equal(allowed, false);
    now += retryAfterSeconds * 1000;
    assert.ok(spend('a', slow).allowed);
  });
});
