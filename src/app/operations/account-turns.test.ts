// One piece of work at a time: a customer who starts many neither delays those of others nor keeps them from waiting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '#store/account-id.ts';
import { createAccountTurns } from './account-turns.ts';

const [greedy, honest, third] = [1, 2, 3] as [AccountId, AccountId, AccountId];

function recordTurns(maxWaiting: number) {
  const turns = createAccountTurns(maxWaiting);
  const order: string[] = [];
  const run = (account: AccountId, name: string): Promise<unknown> =>
    turns.run(account, async () => void order.push(name)).catch((error: Error) => order.push(`${name} ${error.name}`));
  return { order, run };
}

test('work of an account waits for one piece of another at most', async () => {
  const { order, run } = recordTurns(10);
  const names = ['a1', 'a2', 'a3', 'a4'];
  await Promise.all([
    ...names.map((name) => run(greedy, name)),
    run(honest, 'b1'),
    run(honest, 'b2'),
    run(third, 'c1'),
  ]);
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('an account with many waiting makes room for others, and gets no further places', async () => {
  const { order, run } = recordTurns(3);
  const names = ['a1', 'a2', 'a3', 'a4', 'a5'];
  await Promise.all([...names.map((name) => run(greedy, name)), run(honest, 'b1'), run(honest, 'b2')]);
  assert.deepEqual(order.toSorted(), ['a1', 'a2', 'a3', 'a4 ApiError', 'a5 ApiError', 'b1', 'b2 ApiError']);
});

test('work that fails ends its turn', async () => {
  const turns = createAccountTurns(1);
  const failed = turns.run(greedy, () => Promise.reject(new Error('broken')));
  const next = turns.run(greedy, () => Promise.resolve('done'));
  await assert.rejects(failed, /broken/);
  assert.equal(await next, 'done');
});
