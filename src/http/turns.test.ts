import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurns } from './turns.ts';

/** Turns that run when asked to, and what started in each. */
function manualTurns() {
  const scheduled: (() => void)[] = [];
  const started: string[] = [];
  const takeTurn = createTurns((run) => void scheduled.push(run));
  return {
    request: (network: string, name: string) => takeTurn(network, () => void started.push(name)),
    turn(): string[] {
      scheduled.shift()?.();
      return started.splice(0);
    },
  };
}

describe('requests', () => {
  it('of a network with many do not delay those of another', () => {
    const { request, turn } = manualTurns();
    for (let index = 1; index <= 100; index++) request('192.0.2.1', `a${index}`);
    request('192.0.2.2', 'b1');
    assert.deepEqual(turn(), ['a1', 'b1']);
    request('192.0.2.2', 'b2');
    assert.deepEqual(turn(), ['a2', 'b2']);
    assert.deepEqual(turn(), ['a3']);
  });

  it('of many networks have their turns one after the other', () => {
    const { request, turn } = manualTurns();
    for (const network of 'abcdef') for (const index of [1, 2]) request(network, `${network}${index}`);
    assert.deepEqual(turn(), ['a1', 'b1', 'c1', 'd1']);
    assert.deepEqual(turn(), ['e1', 'f1', 'a2', 'b2']);
    assert.deepEqual(turn(), ['c2', 'd2', 'e2', 'f2']);
    assert.deepEqual(turn(), []);
  });

  it('that arrive while others start are started later', () => {
    const { request, turn } = manualTurns();
    request('a', 'a1');
    assert.deepEqual(turn(), ['a1']);
    request('a', 'a2');
    assert.deepEqual(turn(), ['a2']);
  });
});
