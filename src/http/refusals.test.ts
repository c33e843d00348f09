import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRefusals } from './refusals.ts';

describe('refusals', () => {
  it('reach a network that ignores them late, and other networks at once', () => {
    let nowMs = 0;
    const late: (() => void)[] = [];
    const refuse = createRefusals(
      () => nowMs,
      (send) => void late.push(send),
    );
    const sent: string[] = [];
    const refuseMany = (network: string, count: number): void => {
      for (let index = 0; index < count; index++) refuse(network, () => sent.push(network));
    };
    refuseMany('192.0.2.1', 45);
    refuseMany('192.0.2.2', 1);
    assert.deepEqual([sent.length, sent.at(-1), late.length], [41, '192.0.2.2', 5]);
    for (const send of late.splice(0)) send();
    assert.equal(sent.length, 46);
    nowMs += 1000;
    refuseMany('192.0.2.1', 25);
    assert.deepEqual([sent.length, late.length], [66, 5]);
  });
});
