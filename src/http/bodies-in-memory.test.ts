import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { createBodyMemory } from './bodies-in-memory.ts';

describe('the memory of request bodies', () => {
  const limits = { perNetwork: 100, all: 250, small: 10 };
  const response = () => new EventEmitter() as never as { once(): never } & EventEmitter;

  it('is limited by network, and free again after the response', () => {
    const take = createBodyMemory(limits);
    const first = response();
    take('a', 60, first);
    assert.throws(() => take('a', 60, response()), { code: 'rate_limited' });
    take('a', 40, response());
    take('b', 60, response());
    first.emit('close');
    take('a', 60, response());
  });

  it('is limited in total, except for small bodies', () => {
    const take = createBodyMemory(limits);
    for (const network of ['a', 'b']) take(network, 100, response());
    assert.throws(() => take('c', 60, response()), { code: 'overloaded' });
    take('c', 50, response());
    for (let count = 0; count < 1000; count++) take('c', 10, response());
  });
});
