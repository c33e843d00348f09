import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonText } from '#lib/json-text.ts';
import { successResponse } from './responses.ts';

describe('a response with a list that is JSON text', () => {
  it('is the same as text and as bytes', async () => {
    const list = new JsonText('[{"prefix":"€"},\n{"prefix":"$"}]', 2);
    for (let time = 0; time < 2; time++) {
      const { body, encode } = await successResponse({}, list);
      assert.deepEqual(JSON.parse(body), { success: true, results: 2, result: [{ prefix: '€' }, { prefix: '$' }] });
      assert.equal(encode!().toString(), body);
    }
  });
});
