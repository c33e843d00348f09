import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { latestSpan, spanProblem } from './traffic-span.ts';

describe('a traffic span', () => {
  it('ends with the last complete interval', () => {
    const nowMs = 1_800_000_299_999;
    assert.deepEqual(latestSpan('Day', nowMs), { start: 1_799_913_600, end: 1_800_000_000 });
    assert.equal(latestSpan('Week', nowMs).start, 1_800_000_000 - 7 * 86_400);
  });

  it('is rejected with a reason if it is invalid', () => {
    assert.equal(spanProblem(1, undefined), 'Enter a start and an end.');
    assert.equal(spanProblem(2, 2), 'The end must be after the start.');
    assert.match(spanProblem(0, 101 * 86_400)!, /100 days/);
    assert.equal(spanProblem(0, 100 * 86_400), undefined);
  });
});
