// Keys in the site file when the site is applied again, as happens at every start.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { loadStoredSite } from '#app/site/export.ts';
import type { DnsRule } from '#contract/shapes/dns-limits.ts';
import { createKeyText } from '#lib/key-text.ts';
import { request, requestResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

describeOnEngines('a key of the site file', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));

  const drawn = (printableId?: string) => {
    const { text, printableId: id, secretHash } = createKeyText(printableId);
    return { text, id, hash: secretHash.toString('hex') };
  };
  type SiteKey = Omit<ReturnType<typeof drawn>, 'text'> & {
    name?: string;
    scopes?: ['all'] | ['billing:read'];
    dns?: DnsRule[];
  };
  async function apply(key: SiteKey): Promise<void> {
    const { id, hash, name = 'site', scopes = ['all'], dns } = key;
    const [customer, ...others] = app.site.customers!;
    const keys = [...customer!.keys!, { id, hash, name, scopes, ...(dns && { dns }) }];
    await applySite(app.parts, { ...app.site, customers: [{ ...customer!, keys }, ...others] });
  }
  async function send<Result>(method: string, params: Record<string, unknown> = {}): Promise<Result> {
    const options = { key: app.lab.customer.key, params };
    return requestResult<Result>(app, method, '/v2/account/key', options);
  }
  async function numberOf(name: string): Promise<string> {
    const keys = await send<{ id: string; name: string }[]>('GET');
    return keys.find((key) => key.name === name)!.id;
  }
  const statusOf = async (key: string, path = '/v2/account') => (await request(app, 'GET', path, { key })).status;

  test('is limited to the DNS records that the file says', async () => {
    const { text: _, ...key } = drawn();
    const dnsOf = async () => {
      const keys = await send<{ name: string; dns: DnsRule[] }[]>('GET');
      return keys.find(({ name }) => name === 'limited')!.dns;
    };
    await apply({ ...key, name: 'limited', dns: [{ zones: ['Example.com'], types: ['TXT'] }] });
    const limits = [{ zones: ['example.com'], types: ['TXT'] as const }];
    assert.deepEqual(await dnsOf(), limits);
    const { customers } = (await loadStoredSite(app.parts, app.parts.store.queries))!;
    assert.deepEqual(customers!.flatMap(({ keys = [] }) => keys).find(({ id }) => id === key.id)!.dns, limits);
    await apply({ ...key, name: 'limited' });
    assert.deepEqual(await dnsOf(), []);
  });

  test('that was rotated stays rotated', async () => {
    const key = drawn();
    await apply({ ...key, name: 'rotated' });
    assert.equal(await statusOf(key.text), 200);
    const id = await numberOf('rotated');
    const rotated = await send<{ key: string }>('PUT', { id, rotate: true, overlap: 0 });
    await apply({ ...key, name: 'rotated' });
    assert.deepEqual([await statusOf(rotated.key), await statusOf(key.text)], [200, 401]);
  });

  test('takes a new secret from the file, which ends all older ones', async () => {
    const key = drawn();
    await apply({ ...key, name: 'renewed' });
    const id = await numberOf('renewed');
    const rotated = await send<{ key: string }>('PUT', { id, rotate: true, overlap: 3600 });
    const renewed = drawn(key.id);
    await apply({ ...renewed, name: 'renewed' });
    assert.deepEqual(
      [await statusOf(renewed.text), await statusOf(rotated.key), await statusOf(key.text)],
      [200, 401, 401],
    );
  });

  test('that was revoked stays revoked until the file has a new secret', async () => {
    const key = drawn();
    await apply({ ...key, name: 'revoked' });
    await send('DELETE', { id: await numberOf('revoked') });
    await apply({ ...key, name: 'revoked' });
    assert.equal(await statusOf(key.text), 401);
    const renewed = drawn(key.id);
    await apply({ ...renewed, name: 'revoked' });
    assert.deepEqual([await statusOf(renewed.text), await statusOf(key.text)], [200, 401]);
  });

  test('has the name and the scopes in the file', async () => {
    const key = drawn();
    await apply({ ...key, name: 'narrow', scopes: ['billing:read'] });
    await send('PUT', { id: await numberOf('narrow'), name: 'wide', scopes: ['all'] });
    assert.equal(await statusOf(key.text), 200);
    await apply({ ...key, name: 'narrow', scopes: ['billing:read'] });
    assert.deepEqual([await statusOf(key.text), await statusOf(key.text, '/v2/account/balance')], [403, 200]);
    await numberOf('narrow');
  });
});
