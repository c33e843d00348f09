import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { ReplayWindow, windowAhead } from './window.ts';

describe('the replay window', () => {
  it('accepts each number once, in any order, within sixteen of the highest', () => {
    const window = new ReplayWindow(windowAhead);
    const accepted = [3, 1, 2, 3, 1, 18, 2, 4, 4].map((sequence) => window.accept(sequence));
    assert.deepEqual(accepted, [true, true, true, false, false, true, false, true, false]);
  });

  it('rejects numbers too far behind, too far ahead, or zero', () => {
    const window = new ReplayWindow(windowAhead);
    assert.equal(window.accept(0), false);
    assert.equal(window.accept(16), false);
    assert.equal(window.accept(15), true);
    assert.equal(window.accept(30), true);
    assert.equal(window.accept(13), false);
    assert.equal(window.accept(14), true);
  });

  it('accepts nothing from before the first number', () => {
    const window = new ReplayWindow(windowAhead);
    assert.equal(window.accept(0xffffffff), false);
  });

  it('wraps around', () => {
    const window = new ReplayWindow(0x7fffffff);
    for (const sequence of [0x7fffffff, 0xfffffffe, 0xffffffff, 1, 2]) assert.equal(window.accept(sequence), true);
    assert.equal(window.accept(0xffffffff), false);
  });

  it('never accepts a number twice', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 200 }), (sequences) => {
        const window = new ReplayWindow(windowAhead);
        const accepted = sequences.filter((sequence) => window.accept(sequence));
        assert.equal(new Set(accepted).size, accepted.length);
      }),
    );
  });
});
