// Keys that the site file names, when the site is applied again: at every start.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

for (const { engine, suite, start } of engines) {
  describe(`a key of the site file on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    before(async () => {
      running = await start();
      yard = await openTestYard(await running.newDatabase());
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });

    const drawn = (printableId?: string) => {
      const { text, printableId: id, secretHash } = makeKeyText(printableId);
      return { text, id, hash: secretHash.toString('hex') };
    };
    type SiteKey = Omit<ReturnType<typeof drawn>, 'text'> & { name?: string; scopes?: ['all'] | ['billing:read'] };
    async function apply(key: SiteKey): Promise<void> {
      const { id, hash, name = 'site', scopes = ['all'] } = key;
      const [customer, ...others] = yard.site.customers!;
      const keys = [...customer!.keys!, { id, hash, name, scopes }];
      await applySite(yard.parts, { ...yard.site, customers: [{ ...customer!, keys }, ...others] });
    }
    async function ask<Result>(method: string, params: Record<string, unknown> = {}): Promise<Result> {
      const options = { key: yard.lab.customer.key, params };
      const { status, body } = await request<{ result: Result }>(yard, method, '/v2/account/key', options);
      assert.equal(status, 200, JSON.stringify(body));
      return body.result;
    }
    async function numberOf(name: string): Promise<string> {
      const keys = await ask<{ id: string; name: string }[]>('GET');
      return keys.find((key) => key.name === name)!.id;
    }
    const works = async (key: string, path = '/v2/account') => (await request(yard, 'GET', path, { key })).status;

    test('that was rotated stays so', async () => {
      const key = drawn();
      await apply({ ...key, name: 'rotated' });
      assert.equal(await works(key.text), 200);
      const id = await numberOf('rotated');
      const rotated = await ask<{ key: string }>('PUT', { id, rotate: true, overlap: 0 });
      await apply({ ...key, name: 'rotated' });
      assert.deepEqual([await works(rotated.key), await works(key.text)], [200, 401]);
    });

    test('takes a new secret from the file, which ends all older ones', async () => {
      const key = drawn();
      await apply({ ...key, name: 'renewed' });
      const id = await numberOf('renewed');
      const rotated = await ask<{ key: string }>('PUT', { id, rotate: true, overlap: 3600 });
      const renewed = drawn(key.id);
      await apply({ ...renewed, name: 'renewed' });
      assert.deepEqual([await works(renewed.text), await works(rotated.key), await works(key.text)], [200, 401, 401]);
    });

    test('that was revoked stays so until the file brings a new secret', async () => {
      const key = drawn();
      await apply({ ...key, name: 'revoked' });
      await ask('DELETE', { id: await numberOf('revoked') });
      await apply({ ...key, name: 'revoked' });
      assert.equal(await works(key.text), 401);
      const renewed = drawn(key.id);
      await apply({ ...renewed, name: 'revoked' });
      assert.deepEqual([await works(renewed.text), await works(key.text)], [200, 401]);
    });

    test('has the name and the scopes that the file says', async () => {
      const key = drawn();
      await apply({ ...key, name: 'narrow', scopes: ['billing:read'] });
      await ask('PUT', { id: await numberOf('narrow'), name: 'wide', scopes: ['all'] });
      assert.equal(await works(key.text), 200);
      await apply({ ...key, name: 'narrow', scopes: ['billing:read'] });
      assert.deepEqual([await works(key.text), await works(key.text, '/v2/account/balance')], [403, 200]);
      await numberOf('narrow');
    });
  });
}
