import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayMs } from '#lib/time.ts';
import { isAttemptDue, nextAttemptDay } from './attempts.ts';

const settings = { retryDays: [3, 7] };
const dueDay = 1000;
const failure = { state: 'failed', attempt: 1, charged_back_cents: 0, method_id: 1, checkout_id: '' } as const;
const attempt = (number: number, day: number) => ({ ...failure, attempt: number, created_at: day * dayMs });
const isDue = (charges: Parameters<typeof isAttemptDue>[1], today: number, method = 1): boolean =>
  isAttemptDue({ due_day: dueDay }, charges, method, today, settings);

describe('automatic attempts', () => {
  test('happen on the due day and on each day of the retries, and then stop', () => {
    const days = [0, 1, 2, 3].map((count) =>
      nextAttemptDay(dueDay, count === 0 ? [] : [attempt(count, dueDay)], settings),
    );
    assert.deepEqual(days, [1000, 1003, 1007, undefined]);
    assert.equal(isDue([], dueDay - 1), false);
    assert.equal(isDue([], dueDay), true);
    assert.equal(isDue([attempt(1, dueDay)], dueDay + 2), false);
    assert.equal(isDue([attempt(1, dueDay)], dueDay + 3), true);
  });

  test('happen at most once a day, even after an outage', () => {
    assert.equal(isDue([attempt(1, dueDay + 20)], dueDay + 20), false);
    assert.equal(isDue([attempt(1, dueDay + 20)], dueDay + 21), true);
  });

  test('ignore payments that the customer started and did not complete, but not an open page', () => {
    const abandoned = { ...attempt(0, dueDay), method_id: null };
    assert.equal(isDue([abandoned], dueDay), true);
    assert.equal(isDue([{ ...abandoned, state: 'needs_action', checkout_id: 'cs_1' }], dueDay), false);
  });

  test('stop after a chargeback, while a charge is on its way, and for a card that its owner has to confirm', () => {
    const first = attempt(1, dueDay);
    const today = dueDay + 3;
    assert.equal(isDue([{ ...first, state: 'succeeded', charged_back_cents: 1 }], today), false);
    assert.equal(isDue([{ ...first, state: 'submitted' }], today), false);
    assert.equal(isDue([{ ...first, state: 'needs_action' }], today), false);
    assert.equal(isDue([{ ...first, state: 'needs_action' }], today, 2), true, 'another card may work');
  });
});
