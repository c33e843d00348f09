import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurns } from './turns.ts';

/** An event loop whose turns run when asked to. Each request takes a while, and `turn` returns those that started. */
function manualTurns(requestMs: number) {
  let scheduled: (() => void)[] = [];
  let nowMs = 0;
  const started: string[] = [];
  const takeTurn = createTurns({ now: () => nowMs, schedule: (run) => void scheduled.push(run) });
  return {
    request: (network: string, name: string) =>
      takeTurn(network, () => {
        nowMs += requestMs;
        started.push(name);
      }),
    scheduled: () => scheduled.length,
    turn(): string[] {
      const runs = scheduled;
      scheduled = [];
      for (const run of runs) run();
      return started.splice(0);
    },
  };
}

describe('requests', () => {
  it('of a network with many do not delay those of another', () => {
    const { request, turn } = manualTurns(1.2);
    for (let index = 1; index <= 100; index++) request('192.0.2.1', `a${index}`);
    request('192.0.2.2', 'b1');
    assert.deepEqual(turn(), ['a1', 'b1']);
    request('192.0.2.2', 'b2');
    assert.deepEqual(turn(), ['a2', 'b2']);
    assert.deepEqual(turn(), ['a3', 'a4']);
  });

  it('of many networks have their turns one after the other', () => {
    const { request, turn } = manualTurns(0.6);
    for (const network of 'abcdef') for (const index of [1, 2]) request(network, `${network}${index}`);
    assert.deepEqual(turn(), ['a1', 'b1', 'c1', 'd1']);
    assert.deepEqual(turn(), ['e1', 'f1', 'a2', 'b2']);
    assert.deepEqual(turn(), ['c2', 'd2', 'e2', 'f2']);
    assert.deepEqual(turn(), []);
  });

  it('that are cheap start several at a time, and expensive ones alone', () => {
    const cheap = manualTurns(0.25);
    const expensive = manualTurns(50);
    for (const { request } of [cheap, expensive]) for (const name of 'abcdefghij') request('192.0.2.1', name);
    assert.equal(cheap.turn().join(''), 'abcdefgh');
    assert.equal(cheap.turn().join(''), 'ij');
    assert.deepEqual([expensive.turn(), expensive.turn()], [['a'], ['b']]);
  });

  it('cost nothing while they wait, however many there are', () => {
    const { request, turn, scheduled } = manualTurns(1);
    for (let index = 1; index <= 10_000; index++) request('192.0.2.1', `a${index}`);
    for (let turns = 0; turns < 3; turns++) {
      assert.ok(scheduled() < 200, `${scheduled()} are scheduled`);
      assert.equal(turn().length, 2);
    }
  });

  it('that arrive later are started, too', () => {
    const { request, turn } = manualTurns(0.2);
    request('a', 'a1');
    assert.deepEqual(turn(), ['a1']);
    assert.deepEqual(turn(), []);
    request('a', 'a2');
    assert.deepEqual(turn(), ['a2']);
  });
});
