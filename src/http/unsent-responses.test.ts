// Responses that nobody reads: an account keeps little of them in memory.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { createUnsentResponses } from './unsent-responses.ts';

const [slow, other] = [1, 2];

class Response extends EventEmitter {
  stall = (): void => {};
  isDestroyed = false;
  setTimeout(_ms: number, stalled?: () => void): this {
    this.stall = stalled!;
    return this;
  }
  destroy(): this {
    this.isDestroyed = true;
    this.emit('close');
    return this;
  }
}

test('an account gets no further large response before it has read some', () => {
  const unsent = createUnsentResponses(100);
  const add = (account: number, bytes: number): Response => {
    const response = new Response();
    unsent.requireRoom(account, bytes);
    unsent.add(account, bytes, response as never);
    return response;
  };
  const first = add(slow, 150);
  assert.throws(() => add(slow, 1), { code: 'rate_limited' });
  add(other, 60);
  first.emit('close');
  const second = add(slow, 60);
  add(slow, 40);
  assert.throws(() => add(slow, 1), { code: 'rate_limited' });
  second.stall();
  assert.ok(second.isDestroyed, 'a client that stopped reading');
  add(slow, 60);
});
