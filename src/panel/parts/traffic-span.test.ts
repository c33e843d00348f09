import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastOf, localText, secondsOfLocal, spanFault } from './traffic-span.ts';

describe('the span of a traffic graph', () => {
  it('ends with the last whole interval', () => {
    const nowMs = 1_800_000_299_999;
    assert.deepEqual(lastOf('Day', nowMs), { start: 1_799_913_600, end: 1_800_000_000 });
    assert.equal(lastOf('Week', nowMs).start, 1_800_000_000 - 7 * 86_400);
  });

  it('comes back from the text of an input as it was, to the minute', () => {
    assert.equal(secondsOfLocal(localText(1_800_000_060)), 1_800_000_060);
    assert.equal(secondsOfLocal(''), undefined);
  });

  it('says what is the matter with it', () => {
    assert.equal(spanFault(1, undefined), 'Both moments are needed.');
    assert.equal(spanFault(2, 2), 'The end must come after the beginning.');
    assert.match(spanFault(0, 101 * 86_400)!, /100 days/);
    assert.equal(spanFault(0, 100 * 86_400), undefined);
  });
});
