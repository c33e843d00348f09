import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLimited } from './read-limited.ts';

test('a stream is read up to the limit, and no further', async () => {
  let produced = 0;
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (;;) {
      produced++;
      yield Buffer.from('ab');
    }
  }
  await assert.rejects(readLimited(stream(), 5), { message: 'the response is too long' });
  assert.equal(produced, 3);
  await assert.rejects(
    readLimited(stream(), 5, () => new RangeError('too much')),
    RangeError,
  );
});

test('a stream of exactly the limit is returned, and no stream is empty', async () => {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('ab');
    yield Buffer.from('cde');
  }
  assert.equal((await readLimited(stream(), 5)).toString(), 'abcde');
  assert.equal((await readLimited(null, 5)).length, 0);
});
