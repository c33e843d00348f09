import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SilenceLimit } from './silence.ts';

/** Returns how often a BMC that closes silent sessions loses one in a day of keep-alives, and the last limit. */
function runDay(closesAfterMs: number): { losses: number; limitMs: number } {
  const limit = new SilenceLimit(20_000);
  let losses = 0;
  for (let atMs = 0; atMs < 86_400_000;) {
    // Keep-alives are sent up to five seconds late.
    const silentMs = limit.ms + 4999;
    atMs += silentMs;
    if (silentMs < closesAfterMs) limit.survived(silentMs);
    else {
      limit.lost(silentMs);
      losses++;
    }
  }
  return { losses, limitMs: limit.ms };
}

describe('the silence of a session', () => {
  it('grows to three quarters of the minute that IPMI allows', () => {
    assert.deepEqual(runDay(60_000), { losses: 0, limitMs: 45_000 });
  });

  it('stays below what a BMC allows that closes sessions sooner, which costs few of them', () => {
    for (const closesAfterMs of [26_000, 30_000, 35_000, 45_000]) {
      const { losses, limitMs } = runDay(closesAfterMs);
      assert.ok(limitMs + 5000 <= closesAfterMs || limitMs === 20_000, `${limitMs}`);
      assert.ok(losses >= 1 && losses <= 2, `${losses}`);
    }
  });

  it('is not shortened by a BMC that did not respond for another reason', () => {
    const limit = new SilenceLimit(20_000);
    limit.survived(44_000);
    limit.lost(10_000);
    assert.equal(limit.ms, 45_000);
  });
});
