// When the SDK retries, and how long it waits.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { HostyardError, type ErrorDetails } from './error.ts';
import { retryDelay, pause, retryPolicy } from './retry.ts';

const errorWith = (code: ErrorDetails['code'], details: Partial<ErrorDetails> = {}): HostyardError =>
  new HostyardError({ status: 503, message: 'no', code, ...details });
const policy = retryPolicy();

describe('a retry', () => {
  test('waits at least as long as the server asks, and at most the longest delay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 60 }), (attempt, retryAfterSeconds) => {
        const error = errorWith('rate_limited', { retryAfterSeconds });
        const delayMs = retryDelay(policy, { attempt, repeat: 'with-key', error });
        if (retryAfterSeconds * 1000 > policy.longestDelayMs) assert.equal(delayMs, undefined);
        else assert.ok(delayMs! >= retryAfterSeconds * 1000 && delayMs! <= policy.longestDelayMs, String(delayMs));
      }),
    );
  });

  test('waits longer each time', () => {
    const shortest = [1, 2, 3, 4].map((attempt) => {
      const delays = Array.from({ length: 50 }, () =>
        retryDelay(policy, { attempt, repeat: 'freely', error: errorWith('overloaded') }),
      );
      return Math.min(...delays.map(Number));
    });
    assert.ok(
      shortest.every((delayMs, index) => delayMs >= (policy.firstDelayMs * 2 ** index) / 2),
      String(shortest),
    );
  });

  test('happens only for transient errors', () => {
    const isRetried = (error: unknown): boolean =>
      retryDelay(policy, { attempt: 1, repeat: 'freely', error }) !== undefined;
    for (const code of ['connection_failed', 'rate_limited', 'overloaded', 'idempotency_in_progress'] as const)
      assert.ok(isRetried(errorWith(code)), code);
    for (const code of ['not_found', 'bmc_unreachable', 'internal_error', 'idempotency_outcome_unknown'] as const)
      assert.ok(!isRetried(errorWith(code)), code);
    assert.ok(isRetried(errorWith('unexpected_answer', { status: 502 })));
    assert.ok(!isRetried(errorWith('unexpected_answer', { status: 404 })));
    assert.ok(!isRetried(new TypeError('not ours')));
  });

  test('never happens for calls that must not be repeated, nor after the last attempt', () => {
    const error = errorWith('connection_failed');
    assert.equal(retryDelay(policy, { attempt: 1, repeat: 'never', error }), undefined);
    assert.equal(retryDelay(policy, { attempt: policy.attempts, repeat: 'freely', error }), undefined);
  });

  test('can be aborted during its delay', async () => {
    const controller = new AbortController();
    const delay = pause(60_000, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(delay, /enough/);
  });
});
