// Turns of accounts: a customer with much work does not delay that of another by more than one piece.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '#store/account-id.ts';
import { createAccountSlots } from './account-slots.ts';

const [greedy, honest] = [1, 2] as AccountId[];
const never = new AbortController().signal;

test('the next piece of work is of the account with the fewest running, and then of the first that came', async () => {
  const slots = createAccountSlots();
  const order: string[] = [];
  const take = async (account: AccountId, name: string): Promise<Disposable> => {
    const slot = await slots.take(account, 2, never);
    order.push(name);
    return slot;
  };
  const running = await Promise.all([take(greedy!, 'a1'), take(greedy!, 'a2')]);
  const waiting = [take(greedy!, 'a3'), take(greedy!, 'a4'), take(honest!, 'b1'), take(honest!, 'b2')];
  running[0]![Symbol.dispose]();
  await waiting[2];
  assert.deepEqual(order, ['a1', 'a2', 'b1']);
  running[1]![Symbol.dispose]();
  await waiting[0];
  (await waiting[2]!)[Symbol.dispose]();
  await waiting[3];
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('work that is aborted while it waits takes no turn', async () => {
  const slots = createAccountSlots();
  const running = await slots.take(greedy!, 1, never);
  const controller = new AbortController();
  const aborted = slots.take(honest!, 1, controller.signal);
  const next = slots.take(honest!, 1, never);
  controller.abort(new Error('enough'));
  await assert.rejects(aborted, /enough/);
  running[Symbol.dispose]();
  await next;
});
