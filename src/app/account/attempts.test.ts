import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import { createAttemptCounter, createSignInBudget } from './attempts.ts';

const second = 1000;
const hour = 3_600_000;

/** Returns how long the call must wait, 0 if it may go ahead. */
function waitOf(call: () => unknown): number {
  try {
    call();
    return 0;
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'rate_limited');
    return error.retryAfterSeconds!;
  }
}

describe('a counter of attempts', () => {
  test('doubles the wait after five free attempts, up to a quarter of an hour', () => {
    const counter = createAttemptCounter();
    for (let attempt = 0; attempt < 5; attempt++) counter.begin('a', 0);
    const waits: number[] = [];
    let now = 0;
    while (waits.length < 12) {
      waits.push(waitOf(() => counter.begin('a', now)));
      now += waits.at(-1)! * second;
      counter.begin('a', now);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  test('takes back a correct attempt, but none of the wrong ones before it', () => {
    const counter = createAttemptCounter();
    for (let attempt = 0; attempt < 4; attempt++) counter.begin('a', 0);
    for (let attempt = 0; attempt < 10; attempt++) {
      counter.begin('a', 0);
      counter.forgive('a', 0);
    }
    counter.begin('a', 0);
    assert.equal(
      waitOf(() => counter.begin('a', 0)),
      1,
    );
  });

  test('forgets attempts after an hour without any, and ignores a clock that was set back', () => {
    const counter = createAttemptCounter();
    for (let attempt = 0; attempt < 5; attempt++) counter.begin('a', 0);
    assert.equal(
      waitOf(() => counter.begin('a', 0)),
      1,
    );
    for (let attempt = 0; attempt < 5; attempt++) counter.begin('a', 2 * hour);
    assert.equal(
      waitOf(() => counter.begin('a', 2 * hour)),
      1,
    );
    assert.equal(
      waitOf(() => counter.begin('a', hour)),
      0,
    );
  });
});

describe('a budget of sign-ins', () => {
  const stranger = { isKnownNetwork: false };
  const known = { isKnownNetwork: true };

  test('of a name refills slowly, and a success costs nothing', () => {
    const budget = createSignInBudget();
    let networks = 0;
    const attempt = (now: number, people: { isKnownNetwork: boolean }[] = []) => {
      const begun = budget.begin('kim', `192.0.2.${++networks}`, now);
      begun.select(people);
      return begun;
    };
    for (let count = 0; count < 50; count++) attempt(0).takeBack();
    for (let count = 0; count < 20; count++) attempt(0);
    assert.equal(
      waitOf(() => attempt(0)),
      30,
    );
    assert.equal(
      waitOf(() => attempt(15 * second)),
      15,
    );
    assert.equal(
      waitOf(() => attempt(30 * second)),
      0,
    );
    assert.equal(
      waitOf(() => attempt(30 * second)),
      30,
    );
    // A rejected attempt does not make the wait longer.
    const again = () => budget.begin('kim', '198.51.100.9', 30 * second).select([]);
    for (let count = 0; count < 20; count++) assert.equal(waitOf(again), 30);
  });

  test('that is used up leaves those who know the network, and only them', () => {
    const budget = createSignInBudget();
    for (let count = 0; count < 20; count++) budget.begin('kim', `192.0.2.${count}`, 0).select([]);
    const begun = budget.begin('kim', '198.51.100.1', 0);
    assert.deepEqual(begun.select([stranger, known]), [known]);
    assert.equal(
      waitOf(() => begun.select([stranger])),
      30,
    );
    assert.equal(
      waitOf(() => begun.select([])),
      30,
    );
  });
});
