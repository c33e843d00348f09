// A contact's life on both APIs: create, read, update, delete.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { request, type Envelope, type ErrorResult, type RequestOptions } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

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
const expectedContact = {
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
  limited: '0',
  services: '',
  domainemails: '0',
  generalemails: '1',
  invoiceemails: '0',
  productemails: '0',
  supportemails: '0',
  affiliateemails: '0',
  status: 'Active',
};

describeOnEngines('contacts', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));

  const send = <Result>(method: string, path: string, sent: RequestOptions = {}) =>
    request<Envelope<Result>>(app, method, path, { key: app.lab.customer.key, ...sent });
  const getContact = async (id: string) =>
    (await send<Contact[]>('GET', '/v2/account/contact', { params: { id } })).body.result[0]!;
  const update = (params: Record<string, unknown>) => send('PUT', '/v2/account/contact', { params });
  const createContact = async (path: string, sent: RequestOptions): Promise<string> => {
    const { status, body } = await send<{ contactid: string }>('POST', path, sent);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body.result), ['contactid']);
    assert.equal(body.results, 1);
    assert.match(body.result.contactid, /^\d+$/);
    return body.result.contactid;
  };

  test('can be read, modified and sent back, while fields of other operations stay as they are', async () => {
    const id = await createContact('/v2/account/contact', { params: anna });
    const contact = await getContact(id);
    const { status, body } = await update({ ...contact, city: 'Paris' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(await getContact(id), { ...contact, city: 'Paris' });
    const changed = { subaccount: '1', permissions: 'all', generalemails: '0', status: 'Closed' };
    for (const [name, value] of Object.entries(changed)) {
      const rejected = await update({ ...contact, city: 'Nice', [name]: value });
      assert.equal(rejected.status, 400, name);
      assert.deepEqual(Object.keys((rejected.body.result as { fields: object }).fields), [name]);
    }
    assert.deepEqual(await getContact(id), { ...contact, city: 'Paris' });
  });

  test('take a postal code and a phone number as JSON numbers', async () => {
    const id = await createContact('/v2/account/contact', { params: { ...anna, zipcode: 69003, phone: 3312345 } });
    const { postcode, phonenumber } = await getContact(id);
    assert.deepEqual([postcode, phonenumber], ['69003', '3312345']);
    const legacy = { id, phone: 33, zipcode: 75001 };
    assert.equal((await send('POST', '/client/contactUpdate', { params: legacy })).status, 200);
    assert.equal((await getContact(id))['postcode'], '75001');
    for (const zipcode of [-69003, 69003.5, true]) assert.equal((await update({ id, zipcode })).status, 400);
  });

  test('are created from JSON and from a form alike', async () => {
    for (const sent of [{ params: anna }, { form: anna }]) {
      const id = await createContact('/v2/account/contact', sent);
      assert.deepEqual(await getContact(id), { id, ...expectedContact });
    }
  });

  test('are created through the legacy API with its own field names and the standard ones', async () => {
    const { country, company, zipcode, phone, ...same } = anna;
    const spellings = [
      { ...same, county: country, company, zipcode, phone },
      { ...same, country, companyname: company, postcode: zipcode, phonenumber: phone },
    ];
    for (const form of spellings) {
      for (const sent of [{ form }, { params: form }]) {
        const id = await createContact('/client/contact', sent);
        assert.deepEqual(await getContact(id), { id, ...expectedContact });
        const { body } = await send<Contact[]>('GET', `/client/contact/${id}`);
        assert.deepEqual(body, { success: true, results: 1, result: [{ id, ...expectedContact }] });
      }
    }
  });

  test('may live in New York on the legacy API', async () => {
    const { country, ...same } = anna;
    const form = { ...same, county: country, city: 'New York', state: 'N.Y.', firstname: 'Jo', zipcode: '10 001' };
    const id = await createContact('/client/contact', { form });
    assert.equal((await getContact(id))['city'], 'New York');
    assert.equal((await send('POST', '/client/contact', { form: { ...form, city: 'New/York' } })).status, 400);
  });

  test('on v2 accept companyname, phonenumber and postcode as well', async () => {
    const { company, phone, zipcode, country, ...same } = anna;
    const params = { ...same, country, companyname: company, phonenumber: phone, postcode: zipcode };
    const id = await createContact('/v2/account/contact', { params });
    assert.deepEqual(await getContact(id), { id, ...expectedContact });
    const county = { ...same, zipcode, county: country };
    assert.equal((await send('POST', '/v2/account/contact', { params: county })).status, 400);
  });

  test('are updated only in the given fields', async () => {
    const id = await createContact('/v2/account/contact', { params: anna });
    const params = { id: Number(id), city: 'Paris' };
    const { status, body } = await send<string>('PUT', '/v2/account/contact', { params });
    assert.deepEqual([status, body.result, body.results], [200, 'Contact Updated', 1]);
    assert.deepEqual(await getContact(id), { id, ...expectedContact, city: 'Paris' });
    await send('PUT', `/v2/account/contact?id=${id}&company=&address2=&phone=`);
    assert.deepEqual(await getContact(id), {
      id,
      ...expectedContact,
      city: 'Paris',
      companyname: '',
      address2: '',
      phonenumber: '',
    });
    const form = { id, phone: '2', county: 'be', city: 'New York' };
    const legacy = await send<{ contactid: string }>('POST', '/client/contactUpdate', { form });
    assert.deepEqual(legacy.body.result, { contactid: id });
    const { phonenumber, country, city } = await getContact(id);
    assert.deepEqual([phonenumber, country, city], ['2', 'BE', 'New York']);
  });

  test('live in a country that exists, or in the one that is stored from before', async () => {
    const rejected = { ...anna, country: 'zz' };
    const { status, body } = await send<ErrorResult>('POST', '/v2/account/contact', { params: rejected });
    assert.deepEqual([status, Object.keys(body.result.fields ?? {})], [400, ['country']]);
    const { country: county, ...legacy } = rejected;
    const id = await createContact('/v2/account/contact', { params: anna });
    for (const path of ['/client/contact', '/client/contactUpdate']) {
      const response = await send<string>('POST', path, { form: { ...legacy, id, county } });
      assert.equal(response.status, 400);
      assert.match(response.body.result, /^county must be /);
    }
    const update = (country: string) => send('PUT', '/v2/account/contact', { params: { id, country, city: 'Nice' } });
    assert.equal((await update('zz')).status, 400);
    const stored = app.parts.store.queries.updateTable('contacts').set({ country: 'ZZ' }).where('id', '=', Number(id));
    await stored.execute();
    assert.equal((await update('zz')).status, 200);
    assert.equal((await getContact(id))['country'], 'ZZ');
    assert.equal((await update('xk')).status, 400);
  });

  test('are not updated by an empty request', async () => {
    const id = await createContact('/v2/account/contact', { params: anna });
    const { status, body } = await send<{ message: string }>('PUT', '/v2/account/contact', { params: { id } });
    assert.deepEqual([status, body.result.message], [400, 'Nothing to change. Give at least one field.']);
    assert.equal((await send('POST', '/client/contactUpdate', { form: { id, city: 'Nice' } })).status, 400);
  });

  test('are deleted, by id and by contactid, from a body and from the query', async () => {
    const removals: ((id: string) => ReturnType<typeof send>)[] = [
      (id) => send('DELETE', `/v2/account/contact?id=${id}`),
      (id) => send('DELETE', `/v2/account/contact?contactid=${id}`),
      (id) => send('DELETE', '/v2/account/contact', { form: { contactid: id } }),
      (id) => send('POST', '/client/contactDelete', { params: { id: Number(id) } }),
      (id) => send('POST', '/client/contactDelete', { form: { contactid: id } }),
    ];
    for (const remove of removals) {
      const id = await createContact('/v2/account/contact', { params: anna });
      const { status, body } = await remove(id);
      assert.equal(status, 200);
      assert.ok(body.result === 'Contact Deleted' || (body.result as { contactid: string }).contactid === id);
      assert.equal((await send('GET', `/v2/account/contact?id=${id}`)).status, 404);
      assert.equal((await remove(id)).status, 404);
    }
  });

  test('have passwords that are stored hashed and never returned', async () => {
    const id = Number(await createContact('/v2/account/contact', { params: anna }));
    const contacts = app.parts.store.queries.selectFrom('contacts').select('password_hash');
    const row = await contacts.where('id', '=', id).executeTakeFirstOrThrow();
    assert.match(row.password_hash ?? '', /^\$argon2id\$/);
    const { body } = await send<Contact[]>('GET', '/v2/account/contact');
    assert.doesNotMatch(JSON.stringify(body), /argon2|canary|password/);
    assert.equal(body.results, body.result.length);
  });

  test('with names that would make a slow pattern hang are rejected at once', async () => {
    for (const firstname of [`${'a'.repeat(60)}!`, `${'abc '.repeat(63)}!`])
      assert.equal((await send('POST', '/v2/account/contact', { params: { ...anna, firstname } })).status, 400);
  });
});
