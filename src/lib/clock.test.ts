import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyClock } from './clock.ts';
import { hourMs } from './time.ts';

test('a start that was recorded before its instance noticed a jump forward counts from the new time', () => {
  const clock = steadyClock(1_800_000_000_000);
  const before = clock.now();
  clock.move(hourMs);
  assert.equal(clock.startOf!(before), before + hourMs);
  // Moved with the jump, or long before it.
  for (const time of [before + hourMs - 300_000, before - 300_000]) assert.equal(clock.startOf!(time), time);
  // Whatever was recorded before has moved with the second jump, too.
  clock.move(2 * hourMs);
  assert.equal(clock.startOf!(before + 2 * hourMs), before + 3 * hourMs);
  clock.move(-hourMs);
  assert.equal(clock.startOf!(clock.now() + hourMs), clock.now() + hourMs);
});
