import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonText } from '#lib/json-text.ts';
import { countResults, successResponse } from './responses.ts';

describe('a response with a list that is JSON text', () => {
  it('is the same as text and as bytes', async () => {
    const list = new JsonText(['[{"prefix":"€"},\n', '{"prefix":"$"}]'], 2);
    for (let time = 0; time < 2; time++) {
      const { body, long } = await successResponse({}, list);
      assert.deepEqual(JSON.parse(body), { success: true, results: 2, result: [{ prefix: '€' }, { prefix: '$' }] });
      assert.equal(Buffer.concat(await long!.encode()).toString(), body);
      assert.equal(long!.length, body.length);
    }
  });
});

describe('a response with a long text', () => {
  it('is the same as JSON, also with characters that are escaped or pairs where it is divided', async () => {
    const text = `${'x'.repeat(65_535)}😀"\n\ud800${'é\\'.repeat(40_000)}`;
    for (const result of [text, { text, other: [1, { text }] }, [{ text }, { list: [] }]]) {
      const { body, long } = await successResponse({}, result);
      assert.deepEqual((JSON.parse(body) as { result: unknown }).result, result);
      assert.equal(body, JSON.stringify({ success: true, results: countResults(result), result }));
      assert.ok(Buffer.concat(await long!.encode()).equals(Buffer.from(body)));
    }
  });
});
