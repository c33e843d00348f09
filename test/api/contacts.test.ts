// A contact's life on both interfaces: made, read, changed, removed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { request, type RequestOptions } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Envelope<Result> {
  success: boolean;
  results: number;
  result: Result;
}
type Contact = Record<string, string>;

const anna = {
  firstname: 'Anna Maria',
  lastname: 'Berg',
  company: 'Berg',
  phone: '+33 1',
  email: 'anna@example.com',
  password: 'canary-password-1',
  address1: "Rue d'Anna 1, Apt. 2",
  address2: 'Rear',
  city: 'Lyon',
  state: 'Rhone',
  zipcode: '69003',
  country: 'fr',
};
const shown = {
  firstname: 'Anna Maria',
  lastname: 'Berg',
  companyname: 'Berg',
  email: 'anna@example.com',
  address1: "Rue d'Anna 1, Apt. 2",
  address2: 'Rear',
  city: 'Lyon',
  state: 'Rhone',
  postcode: '69003',
  country: 'FR',
  phonenumber: '+33 1',
  subaccount: '0',
  permissions: '',
  domainemails: '0',
  generalemails: '1',
  invoiceemails: '0',
  productemails: '0',
  supportemails: '0',
  affiliateemails: '0',
  status: 'Active',
};

for (const { engine, suite, start } of engines) {
  describe(`contacts on ${engine}`, suite, () => {
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

    const ask = <Result>(method: string, path: string, sent: RequestOptions = {}) =>
      request<Envelope<Result>>(yard, method, path, { key: yard.lab.customer.key, ...sent });
    const one = async (id: string) =>
      (await ask<Contact[]>('GET', '/v2/account/contact', { params: { id } })).body.result[0]!;
    const made = async (path: string, sent: RequestOptions): Promise<string> => {
      const { status, body } = await ask<{ contactid: string }>('POST', path, sent);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(Object.keys(body.result), ['contactid']);
      assert.equal(body.results, 1);
      assert.match(body.result.contactid, /^\d+$/);
      return body.result.contactid;
    };

    test('are made from JSON and from a form alike', async () => {
      for (const sent of [{ params: anna }, { form: anna }]) {
        const id = await made('/v2/account/contact', sent);
        assert.deepEqual(await one(id), { id, ...shown });
      }
    });

    test('are made by the legacy interface under its own names and the right ones', async () => {
      const { country, company, zipcode, phone, ...same } = anna;
      const spellings = [
        { ...same, county: country, company, zipcode, phone },
        { ...same, country, companyname: company, postcode: zipcode, phonenumber: phone },
      ];
      for (const form of spellings) {
        for (const sent of [{ form }, { params: form }]) {
          const id = await made('/client/contact', sent);
          assert.deepEqual(await one(id), { id, ...shown });
          const { body } = await ask<Contact[]>('GET', `/client/contact/${id}`);
          assert.deepEqual(body, { success: true, results: 1, result: [{ id, ...shown }] });
        }
      }
    });

    test('may live in New York, as far as the legacy interface is concerned', async () => {
      const { country, ...same } = anna;
      const form = { ...same, county: country, city: 'New York', state: 'N.Y.', firstname: 'Jo', zipcode: '10 001' };
      const id = await made('/client/contact', { form });
      assert.equal((await one(id))['city'], 'New York');
      assert.equal((await ask('POST', '/client/contact', { form: { ...form, city: 'New/York' } })).status, 400);
    });

    test('in v2 are known by companyname, phonenumber and postcode too', async () => {
      const { company, phone, zipcode, country, ...same } = anna;
      const params = { ...same, country, companyname: company, phonenumber: phone, postcode: zipcode };
      const id = await made('/v2/account/contact', { params });
      assert.deepEqual(await one(id), { id, ...shown });
      const county = { ...same, zipcode, county: country };
      assert.equal((await ask('POST', '/v2/account/contact', { params: county })).status, 400);
    });

    test('are changed in what is given and nothing else', async () => {
      const id = await made('/v2/account/contact', { params: anna });
      const params = { id: Number(id), city: 'Paris' };
      const { status, body } = await ask<string>('PUT', '/v2/account/contact', { params });
      assert.deepEqual([status, body.result, body.results], [200, 'Contact Updated', 1]);
      assert.deepEqual(await one(id), { id, ...shown, city: 'Paris' });
      await ask('PUT', `/v2/account/contact?id=${id}&company=&address2=&phone=`);
      assert.deepEqual(await one(id), { id, ...shown, city: 'Paris', companyname: '', address2: '', phonenumber: '' });
      const form = { id, phone: '2', county: 'be', city: 'New York' };
      const legacy = await ask<{ contactid: string }>('POST', '/client/contactUpdate', { form });
      assert.deepEqual(legacy.body.result, { contactid: id });
      const { phonenumber, country, city } = await one(id);
      assert.deepEqual([phonenumber, country, city], ['2', 'BE', 'New York']);
    });

    test('are not changed by nothing', async () => {
      const id = await made('/v2/account/contact', { params: anna });
      const { status, body } = await ask<{ message: string }>('PUT', '/v2/account/contact', { params: { id } });
      assert.deepEqual([status, body.result.message], [400, 'There is nothing to change.']);
      assert.equal((await ask('POST', '/client/contactUpdate', { form: { id, city: 'Nice' } })).status, 400);
    });

    test('are removed, by id and by contactid, from a body and from the query', async () => {
      const removals: ((id: string) => ReturnType<typeof ask>)[] = [
        (id) => ask('DELETE', `/v2/account/contact?id=${id}`),
        (id) => ask('DELETE', `/v2/account/contact?contactid=${id}`),
        (id) => ask('DELETE', '/v2/account/contact', { form: { contactid: id } }),
        (id) => ask('POST', '/client/contactDelete', { params: { id: Number(id) } }),
        (id) => ask('POST', '/client/contactDelete', { form: { contactid: id } }),
      ];
      for (const remove of removals) {
        const id = await made('/v2/account/contact', { params: anna });
        const { status, body } = await remove(id);
        assert.equal(status, 200);
        assert.ok(body.result === 'Contact Deleted' || (body.result as { contactid: string }).contactid === id);
        assert.equal((await ask('GET', `/v2/account/contact?id=${id}`)).status, 404);
        assert.equal((await remove(id)).status, 404);
      }
    });

    test('have passwords that are kept hashed and told to nobody', async () => {
      const id = Number(await made('/v2/account/contact', { params: anna }));
      const contacts = yard.parts.store.queries.selectFrom('contacts').select('password_hash');
      const row = await contacts.where('id', '=', id).executeTakeFirstOrThrow();
      assert.match(row.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      const { body } = await ask<Contact[]>('GET', '/v2/account/contact');
      assert.doesNotMatch(JSON.stringify(body), /argon2|canary|password/);
      assert.equal(body.results, body.result.length);
    });

    test('whose names would make a slow pattern run for ever are refused at once', async () => {
      for (const firstname of [`${'a'.repeat(60)}!`, `${'abc '.repeat(63)}!`])
        assert.equal((await ask('POST', '/v2/account/contact', { params: { ...anna, firstname } })).status, 400);
    });
  });
}
