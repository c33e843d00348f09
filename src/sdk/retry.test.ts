// When the SDK tries again, and how long it waits.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { HostyardError, type ErrorDetails } from './error.ts';
import { delayBefore, pause, retryPolicy } from './retry.ts';

const failed = (code: ErrorDetails['code'], more: Partial<ErrorDetails> = {}): HostyardError =>
  new HostyardError({ status: 503, message: 'no', code, ...more });
const policy = retryPolicy();

describe('a repetition', () => {
  test('waits at least as long as the server asks, and never longer than the longest delay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 60 }), (attempt, retryAfterSeconds) => {
        const error = failed('rate_limited', { retryAfterSeconds });
        const delayMs = delayBefore(policy, { attempt, repeat: 'with-key', error });
        if (retryAfterSeconds * 1000 > policy.longestDelayMs) assert.equal(delayMs, undefined);
        else assert.ok(delayMs! >= retryAfterSeconds * 1000 && delayMs! <= policy.longestDelayMs, String(delayMs));
      }),
    );
  });

  test('waits longer each time', () => {
    const least = [1, 2, 3, 4].map((attempt) => {
      const drawn = Array.from({ length: 50 }, () =>
        delayBefore(policy, { attempt, repeat: 'freely', error: failed('overloaded') }),
      );
      return Math.min(...drawn.map(Number));
    });
    assert.ok(
      least.every((delayMs, index) => delayMs >= (policy.firstDelayMs * 2 ** index) / 2),
      String(least),
    );
  });

  test('is for what may be over in a moment', () => {
    const tries = (error: unknown): boolean =>
      delayBefore(policy, { attempt: 1, repeat: 'freely', error }) !== undefined;
    for (const code of ['connection_failed', 'rate_limited', 'overloaded', 'idempotency_in_progress'] as const)
      assert.ok(tries(failed(code)), code);
    for (const code of ['not_found', 'bmc_unreachable', 'internal_error', 'idempotency_outcome_unknown'] as const)
      assert.ok(!tries(failed(code)), code);
    assert.ok(tries(failed('unexpected_answer', { status: 502 })));
    assert.ok(!tries(failed('unexpected_answer', { status: 404 })));
    assert.ok(!tries(new TypeError('not ours')));
  });

  test('is never of what must not be repeated, and ends after so many tries', () => {
    const error = failed('connection_failed');
    assert.equal(delayBefore(policy, { attempt: 1, repeat: 'never', error }), undefined);
    assert.equal(delayBefore(policy, { attempt: policy.attempts, repeat: 'freely', error }), undefined);
  });

  test('is given up in the middle of its delay by who asked for it', async () => {
    const giveUp = new AbortController();
    const waiting = pause(60_000, giveUp.signal);
    giveUp.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });
});
