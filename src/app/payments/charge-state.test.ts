import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import type { ChargeOutcome } from '#drivers/payment/driver.ts';
import { expiredCode, stateAfter, type ChargeState } from './charge-state.ts';

const externalId = 'pi_1';
const failed = (code: string): ChargeOutcome => ({ state: 'failed', externalId, code, message: '', isRetryable: true });
const outcome = fc.constantFrom<ChargeOutcome>(
  { state: 'succeeded', externalId, cents: 100 },
  { state: 'submitted', externalId },
  { state: 'needs_action', externalId },
  failed('insufficient_funds'),
  failed(expiredCode),
);

/** Returns the final state, and how often money was received. */
function report(outcomes: readonly ChargeOutcome[], checkout_id = ''): { state: ChargeState; received: number } {
  let state: ChargeState = 'created';
  let received = 0;
  for (const each of outcomes) {
    const next = stateAfter({ state, checkout_id }, each);
    if (next === 'succeeded') received++;
    state = next ?? state;
  }
  return { state, received };
}

describe('the state of a charge', () => {
  test('receives money once if any report says so, in whatever order they arrive and however often', () => {
    fc.assert(
      fc.property(fc.array(outcome), fc.constantFrom('', 'cs_1'), (outcomes, page) => {
        const isPaid = outcomes.some(({ state }) => state === 'succeeded');
        const { state, received } = report(outcomes, page);
        assert.equal(received, isPaid ? 1 : 0);
        assert.equal(state === 'succeeded', isPaid);
      }),
    );
  });

  test('does not depend on repetitions', () => {
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        const { state } = report(outcomes);
        assert.equal(report([...outcomes, ...outcomes.filter((each) => each.state === state)]).state, state);
      }),
    );
  });

  test('never returns to an earlier stage, so that nothing is charged again after it was decided', () => {
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1 }), (outcomes) => {
        assert.notEqual(report(outcomes).state, 'created');
        if (outcomes.some(({ state }) => state === 'failed'))
          assert.ok(['failed', 'succeeded'].includes(report(outcomes).state));
      }),
    );
  });

  test('leaves a page open on which a card was declined, until the page expires', () => {
    const state = (code: string) => stateAfter({ state: 'needs_action', checkout_id: 'cs_1' }, failed(code));
    assert.equal(state('insufficient_funds'), undefined);
    assert.equal(state(expiredCode), 'failed');
  });
});
