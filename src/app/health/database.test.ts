import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openOwnedStore } from '#test/support/store.ts';
import { createDatabaseCheck } from './database.ts';

describe('the check of the database', () => {
  it('runs once for many calls, and notices within half a second that the database failed', async (context) => {
    await using owned = new AsyncDisposableStack();
    const store = await openOwnedStore(owned, 'database-check');
    let checks = 0;
    const counted = {
      ...store,
      get queries() {
        checks++;
        return store.queries;
      },
    };
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const isAvailable = createDatabaseCheck({ store: counted });
    const calls = Array.from({ length: 100 }, isAvailable);
    assert.deepEqual(new Set(await Promise.all(calls)), new Set([true]));
    await store.close();
    assert.equal(await isAvailable(), true);
    assert.equal(checks, 1);
    context.mock.timers.tick(500);
    assert.equal(await isAvailable(), false);
    assert.equal(checks, 2);
  });
});
