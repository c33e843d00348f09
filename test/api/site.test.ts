// Making the site so, again and again: the second time nothing changes, and what customers did since is theirs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { applySite } from '#app/site/apply.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

for (const { engine, suite, start } of engines) {
  describe(`a site that is applied again on ${engine}`, suite, () => {
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

    async function everything(): Promise<Record<string, unknown[]>> {
      const { queries } = yard.parts.store;
      const tables = await queries.introspection.getTables();
      const contents: Record<string, unknown[]> = {};
      for (const { name, schema } of tables) {
        // The queue's own, where it has a schema.
        if (schema === 'pgboss') continue;
        const { rows } = await sql`select * from ${sql.table(name)}`.execute(queries);
        contents[name] = rows.map((row) => JSON.stringify(row)).sort();
      }
      return contents;
    }

    test('changes nothing', async () => {
      const before = await everything();
      yard.pass(86_400_000);
      await applySite(yard.parts, yard.site);
      assert.deepEqual(await everything(), before);
    });

    test('is applied whole or not at all', async () => {
      const before = await everything();
      const [ada, bruno] = yard.site.customers ?? [];
      const customers = [
        { ...ada!, city: 'Elsewhere' },
        { ...bruno!, email: ada!.email },
      ];
      await assert.rejects(applySite(yard.parts, { ...yard.site, customers }), /signs in/);
      assert.deepEqual(await everything(), before);
    });

    test('does not bring back what a customer removed', async () => {
      const { key } = yard.lab.customer;
      const contacts = () => request<{ result: { id: string }[] }>(yard, 'GET', '/v2/account/contact', { key });
      const [first] = (await contacts()).body.result;
      await request(yard, 'DELETE', '/v2/account/contact', { key, params: { id: first!.id } });
      const left = (await contacts()).body;
      await applySite(yard.parts, yard.site);
      assert.deepEqual((await contacts()).body, left);
    });

    test('does not undo the rotation or the revocation of a key that it names', async () => {
      const { key } = yard.lab.stranger;
      const ask = <Result>(method: string, params: object, as: string) =>
        request<{ result: Result }>(yard, method, '/v2/account/key', { key: as, params: { ...params } });
      const status = async (as: string) => (await request(yard, 'GET', '/v2/account', { key: as })).status;
      const [own] = (await ask<{ id: string }[]>('GET', {}, key)).body.result;
      const rotated = (await ask<{ key: string }>('PUT', { id: own!.id, rotate: true, overlap: 0 }, key)).body.result
        .key;
      assert.deepEqual([await status(key), await status(rotated)], [401, 200]);
      await applySite(yard.parts, yard.site);
      assert.deepEqual([await status(key), await status(rotated)], [401, 200]);
      await ask('DELETE', { id: own!.id }, rotated);
      await applySite(yard.parts, yard.site);
      assert.deepEqual([await status(key), await status(rotated)], [401, 401]);
    });
  });
}
