// A key's budget: told on every answer, refused past it, and one key's excess is nobody else's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

describe('the budget of a key', () => {
  let yard: TestYard;
  let small: string;
  before(async () => {
    yard = await openTestYard();
    const { text, printableId, secretHash } = makeKeyText();
    small = text;
    const key = {
      name: 'small',
      id: printableId,
      hash: secretHash.toString('hex'),
      scopes: ['all' as const],
      limits: { rate: 1, burst: 5 },
    };
    const customers = (yard.site.customers ?? []).map((one) =>
      one.id === 1 ? { ...one, keys: [...(one.keys ?? []), key] } : one,
    );
    await applySite(yard.parts, { ...yard.site, customers });
  });
  after(() => yard[Symbol.asyncDispose]());

  test('is told, and past it is 429 with the time to wait', async () => {
    const calls = Array.from({ length: 40 }, () =>
      request<{ result: { code?: string } }>(yard, 'GET', '/v2/account', { key: small }),
    );
    const answers = await Promise.all(calls);
    for (const { status, headers, body } of answers) {
      assert.equal(headers.get('ratelimit-policy'), '"key";q=5;w=5');
      assert.match(headers.get('ratelimit') ?? '', /^"key";r=\d+;t=\d+$/);
      assert.equal(status === 429, body.result.code === 'rate_limited');
      assert.equal(headers.get('retry-after'), status === 429 ? '1' : null);
    }
    assert.ok(answers.filter(({ status }) => status === 200).length >= 5);
    assert.ok(answers.some(({ status }) => status === 429));
  });

  test('is its own', async () => {
    assert.equal((await request(yard, 'GET', '/v2/account', { key: yard.lab.customer.key })).status, 200);
  });

  test('of the lab is 2,000 a second and 10,000 at once', async () => {
    const { headers } = await request(yard, 'GET', '/v2/account', { key: yard.lab.customer.key });
    assert.equal(headers.get('ratelimit-policy'), '"key";q=10000;w=5');
  });

  test('of who signs in without a key is small and by address', async () => {
    const params = { email: 'not an address', password: 'x' };
    const calls = Array.from({ length: 100 }, () => request(yard, 'POST', '/v2/session', { params }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.ok(statuses.includes(429), statuses.join());
    assert.ok(statuses.includes(400));
  });
});
