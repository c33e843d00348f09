// People and keys that are limited to certain servers: who grants what, and that a change of the limits takes effect on
// what is already open.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createLinkToken } from '#app/account/links.ts';
import { appendEvent } from '#events/append.ts';
import type { AccountId } from '#store/account-id.ts';
import { volumeInsert } from '#store/devices/volumes.ts';
import type { TestApp } from '#test/support/app.ts';
import { upgradeStatus } from '#test/support/console.ts';
import { anna } from '#test/support/contacts.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { readEvents } from '#test/support/event-stream.ts';
import { createLimitedContact } from '#test/support/limited-contacts.ts';
import { createKey, request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';

const [web, vps] = ['1001', '2001'] as const;

describeOnEngines('limits to servers', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let owner: string;
  before(async () => {
    // Nothing is sent: no jobs run.
    const relays = [{ host: '127.0.0.1', port: 9, security: 'none' as const }];
    const mail = { from: 'noreply@provider.example', url: 'https://provider.example', relays };
    app = await openApp({ site: { webhooks: { allow: ['127.0.0.0/8'] }, mail } });
    owner = app.lab.customer.key;
  });

  const send = async (method: string, path: string, key: string, params: Record<string, unknown>) => {
    const { status, body } = await request<Envelope<ErrorResult>>(app, method, path, { key, params });
    return { status, ...body.result };
  };
  const servicesOf = async (key: string): Promise<string[]> =>
    (await requestResult<{ service: string }[]>(app, 'GET', '/v2/device/list', { key })).map(({ service }) => service);
  const contactOf = async (id: string, key = owner) =>
    (await requestResult<Record<string, string>[]>(app, 'GET', '/v2/account/contact', { key, params: { id } }))[0]!;
  const settings = (id: string, change: Record<string, unknown>, key = owner) =>
    send('PUT', '/v2/account/contact/settings', key, { id, ...change });

  test('hold for sessions and keys of a contact, from the moment they change', async () => {
    const contact = await createLimitedContact(app, [web]);
    assert.deepEqual(await servicesOf(contact.session), [web]);
    assert.deepEqual(await servicesOf(contact.key), [web]);
    assert.deepEqual(pick(await contactOf(contact.id)), { limited: '1', services: web });
    assert.equal((await settings(contact.id, { services: [web, vps] })).status, 200);
    assert.deepEqual(await servicesOf(contact.key), [web, vps]);
    assert.equal((await settings(contact.id, { services: [vps] })).status, 200);
    assert.deepEqual(await servicesOf(contact.key), [vps]);
    assert.equal((await settings(contact.id, { services: [] })).status, 200);
    assert.ok((await servicesOf(contact.key)).includes(web));
    assert.deepEqual(pick(await contactOf(contact.id)), { limited: '0', services: '' });
  });

  test('keep a contact from giving themselves or others more', async () => {
    const technician = await createLimitedContact(app, [web]);
    const colleague = await createLimitedContact(app, [web, vps]);
    const { key } = technician;
    assert.equal((await settings(technician.id, { services: [vps] }, key)).status, 404);
    // To remove the limit means the technician's own.
    assert.equal((await settings(technician.id, { services: [] }, key)).status, 200);
    assert.deepEqual(await servicesOf(key), [web]);
    for (const change of [{ services: [web] }, { permissions: ['device:read'] }, { subaccount: true }])
      assert.equal((await settings(colleague.id, change, key)).status, 403, JSON.stringify(change));
    const password = await send('PUT', '/v2/account/contact', key, { id: colleague.id, password: 'another password' });
    assert.equal(password.status, 403);
    assert.equal((await settings(colleague.id, { subaccount: false }, key)).status, 403);
    assert.equal((await send('DELETE', '/v2/account/contact', key, { id: colleague.id })).status, 403);
    assert.deepEqual(pick(await contactOf(colleague.id, key)), { limited: '1', services: web });

    const created = await requestResult<{ contactid: string }>(app, 'POST', '/v2/account/contact', {
      key,
      params: { ...anna, email: 'helper@example.com' },
    });
    assert.deepEqual(pick(await contactOf(created.contactid)), { limited: '1', services: web });
    const invited = await send('POST', '/v2/account/invitation', key, {
      firstname: 'Eve',
      lastname: 'Berg',
      email: 'eve@example.com',
      permissions: ['device:read'],
      services: [vps],
    });
    assert.equal(invited.status, 404);
    const widened = await send('POST', '/v2/account/key', key, { name: 'all', scopes: ['all'], services: [vps] });
    assert.equal(widened.status, 404);
    const { key: plain } = await createKey(app, key, { scopes: ['all'] });
    assert.deepEqual(await servicesOf(plain), [web]);
  });

  test('let who may not do everything limit a person, but not widen their access', async () => {
    const { id } = await createLimitedContact(app, [web, vps]);
    const { key: admin } = await createKey(app, owner, { scopes: ['account:keys', 'account:read'] });
    assert.equal((await settings(id, { services: [web] }, admin)).status, 200);
    assert.equal((await settings(id, { services: [web, vps] }, admin)).status, 403);
  });

  test('come with an invitation', async () => {
    const email = 'invited@example.com';
    const person = { firstname: 'Eve', lastname: 'Berg', email, permissions: ['device:read'], services: [vps] };
    const created = await requestResult<{ contact: string }>(app, 'POST', '/v2/account/invitation', {
      key: owner,
      params: person,
    });
    const [listed] = await requestResult<Record<string, string>[]>(app, 'GET', '/v2/account/invitation', {
      key: owner,
    });
    assert.deepEqual(pick(listed!), { limited: '1', services: vps });
    // The token is only in the message, so that the test gives it another one.
    const { token, token_hash } = createLinkToken();
    const { queries } = app.parts.store;
    await queries
      .updateTable('invitations')
      .set({ token_hash })
      .where('contact_id', '=', Number(created.contact))
      .execute();
    const newpassword = 'a password of my own';
    await requestResult(app, 'PUT', '/v2/session/invitation', { params: { token, newpassword } });
    const { key } = await requestResult<{ key: string }>(app, 'POST', '/v2/session', {
      params: { email, password: newpassword },
    });
    assert.deepEqual(await servicesOf(key), [vps]);
  });

  test('can be those of a key, on top of those of its person', async () => {
    const both = await createLimitedContact(app, [web, vps]);
    const { id, key } = await createKey(app, both.session, { scopes: ['all'], services: [web] });
    assert.deepEqual(await servicesOf(key), [web]);
    await settings(both.id, { services: [vps] });
    assert.deepEqual(await servicesOf(key), [], 'neither alone is enough');
    await settings(both.id, { services: [] });
    assert.deepEqual(await servicesOf(key), [web]);
    // Its own keys are limited like it, and it gets no secret of a key that is not.
    const { key: inherited } = await createKey(app, key, { scopes: ['device:read', 'account:keys'] });
    assert.deepEqual(await servicesOf(inherited), [web]);
    const wide = await createKey(app, both.session, { scopes: ['device:read'] });
    assert.equal((await send('PUT', '/v2/account/key', key, { id: wide.id, rotate: true })).status, 403);
    assert.equal((await send('PUT', '/v2/account/key', both.session, { id, services: [] })).status, 200);
    assert.ok((await servicesOf(key)).includes(vps));
  });

  test('keep people from approving plans for other servers, however these are named', async () => {
    const { key: assistant } = await createKey(app, owner, { scopes: ['read-only', 'plan:write'] });
    const limited = await createLimitedContact(app, ['3001']);
    const { queries } = app.parts.store;
    const common = { account_id: Number(app.lab.customer.account) as AccountId, service_id: Number(vps), size_gb: 1 };
    const volume = await volumeInsert(queries, {
      ...common,
      node: app.equipment.hypervisor.name,
      name: 'secret plans',
      state: 'Ready',
      is_attached: 0,
      created_at: 0,
    });
    const id = String(volume!.id);
    for (const [operation, params] of Object.entries({
      volumeDelete: { id, name: 'secret plans' },
      volumeAttach: { id, service: '3001' },
      machineBackupVolumeCreate: { service: '3001', backup: 'a'.repeat(16), name: 'copy', target: vps },
    })) {
      const plan = await requestResult<{ id: string; hits: string[] }>(app, 'POST', '/v2/plan', {
        key: assistant,
        params: { operation, params },
      });
      const decided = await send('PUT', '/v2/plan', limited.key, { id: plan.id, decision: 'approve' });
      assert.equal(decided.status, 404, `${operation}: ${JSON.stringify(decided)}`);
      if (operation === 'volumeDelete') {
        assert.match(plan.hits[0]!, /^volume secret plans of 1 GB$/);
        const listed = await requestResult<{ id: string }[]>(app, 'GET', '/v2/plan', { key: limited.key });
        assert.ok(!listed.some((other) => other.id === plan.id), 'listed');
        const { events } = await requestResult<{ events: object[] }>(app, 'GET', '/v2/event?limit=100', {
          key: limited.key,
        });
        assert.doesNotMatch(JSON.stringify(events), /secret plans/);
      }
      const approved = { key: owner, params: { id: plan.id, decision: 'approve' } };
      await requestResult(app, 'PUT', '/v2/plan', approved);
    }
  });

  test('keep webhooks from sending events of other servers', async () => {
    const { key } = await createLimitedContact(app, [web]);
    const url = 'https://127.0.0.1/hook';
    for (const events of [[], ['device.power.changed'], ['invoice.paid', 'plan.created']]) {
      const { status, message } = await send('POST', '/v2/account/webhook', key, { url, events });
      assert.equal(status, 403);
      assert.match(message, /limited to certain servers/);
    }
    assert.equal((await send('POST', '/v2/account/webhook', key, { url, events: ['invoice.paid'] })).status, 200);
  });

  test('hold for webhooks that a person created before, and end them with the access of the person', async () => {
    const person = await createLimitedContact(app, []);
    const url = 'https://127.0.0.1/hook';
    const { id } = await requestResult<{ id: string }>(app, 'POST', '/v2/account/webhook', {
      key: person.key,
      params: { url, events: ['device.power.changed'] },
    });
    const emit = (service: string): Promise<void> =>
      app.parts.store.transaction((queries) =>
        appendEvent(app.parts, queries, {
          account: Number(app.lab.customer.account) as AccountId,
          type: 'device.power.changed',
          service: Number(service),
          data: { state: 'off', source: 'command' },
        }),
      );
    const sent = async (): Promise<string[]> =>
      (
        await requestResult<{ service: string }[]>(app, 'GET', '/v2/account/webhook/delivery', {
          key: owner,
          params: { webhook: id },
        })
      ).map(({ service }) => service);
    const webhook = async () =>
      (
        await requestResult<{ status: string; reason: string }[]>(app, 'GET', '/v2/account/webhook', {
          key: owner,
          params: { id },
        })
      )[0]!;
    await emit(web);
    assert.deepEqual(await sent(), [web]);
    await settings(person.id, { services: [vps] });
    await emit(web);
    await emit(vps);
    assert.deepEqual(await sent(), [vps, web]);
    await settings(person.id, { subaccount: false });
    await emit(vps);
    assert.deepEqual(await sent(), [vps, web]);
    const { status, reason } = await webhook();
    assert.equal(status, 'Off');
    assert.match(reason, /no longer has access/);
    assert.equal((await send('PUT', '/v2/account/webhook', owner, { id, status: 'Active' })).status, 200);
    await emit(web);
    assert.deepEqual(await sent(), [web, vps, web]);
  });

  test('hide actions and webhook deliveries of other servers', async () => {
    const { key } = await createLimitedContact(app, [vps]);
    const owners = { key: owner };
    await requestResult(app, 'POST', '/v2/account/webhook', { ...owners, params: { url: 'https://127.0.0.1/all' } });
    for (const service of [web, vps])
      await requestResult(app, 'POST', '/v2/device/shutdown', { ...owners, params: { service } });
    const actions = await requestResult<{ id: string; service: string }[]>(app, 'GET', '/v2/action', owners);
    const hidden = actions.find(({ service }) => service === web)!;
    const visible = await requestResult<{ service: string }[]>(app, 'GET', '/v2/action', { key });
    assert.deepEqual(
      visible.map(({ service }) => service),
      [vps],
    );
    assert.equal((await send('GET', `/v2/action/${hidden.id}`, key, {})).status, 404);
    for (const [service, label] of [
      [web, 'front'],
      [vps, 'back'],
    ])
      await requestResult(app, 'PUT', '/v2/device/label', { ...owners, params: { service, add: [label] } });
    const path = '/v2/account/webhook/delivery';
    const deliveries = await requestResult<{ id: string; service: string }[]>(app, 'GET', path, owners);
    const ofWeb = deliveries.find(({ service }) => service === web)!;
    const seen = await requestResult<{ service: string }[]>(app, 'GET', path, { key });
    assert.deepEqual(new Set(seen.map(({ service }) => service).filter((service) => service !== '')), new Set([vps]));
    assert.equal((await send('POST', path, key, { id: ofWeb.id })).status, 404);
  });

  test('send a contact no email about other servers', async () => {
    const mailed = await createLimitedContact(app, [vps]);
    await settings(mailed.id, { productemails: true, generalemails: false });
    const { queries } = app.parts.store;
    const account = Number(app.lab.customer.account) as AccountId;
    const mails = queries.selectFrom('mails').select('id').where('contact_id', '=', Number(mailed.id));
    const countMails = async () => (await mails.where('kind', '=', 'device.maintenance.ended').execute()).length;
    for (const [service, expected] of [
      [web, 0],
      [vps, 1],
    ] as const) {
      const event = { account, service: Number(service), type: 'device.maintenance.ended', data: {} } as const;
      await app.parts.store.transaction((inside) => appendEvent(app.parts, inside, event));
      assert.equal(await countMails(), expected, service);
    }
  });

  test('hide email about other servers from keys of the account', async () => {
    const account = Number(app.lab.customer.account) as AccountId;
    for (const service of [Number(web), Number(vps)])
      await app.parts.store.transaction((queries) =>
        appendEvent(app.parts, queries, { account, service, type: 'service.provisioned', data: {} }),
      );
    const mailsOf = async (key: string) => {
      const mails = await requestResult<Record<string, string>[]>(app, 'GET', '/v2/account/mail', { key });
      return mails.filter(({ kind, contact }) => kind === 'service.provisioned' && contact === '');
    };
    const [ofVps, ofWeb] = await mailsOf(owner);
    const { key } = await createKey(app, owner, { scopes: ['account:read'], services: [vps] });
    assert.deepEqual(await mailsOf(key), [ofVps]);
    assert.equal((await send('GET', '/v2/account/mail', key, { id: ofWeb!['id'] })).status, 404);
  });

  test('hide the numbers of other servers from what keeps the account from being erased', async () => {
    const { key } = await createLimitedContact(app, [vps]);
    const obstaclesOf = async (caller: string) =>
      (await requestResult<{ obstacles: string[] }>(app, 'GET', '/v2/account/erasure', { key: caller })).obstacles;
    assert.match((await obstaclesOf(owner))[0]!, /\b1001\b/);
    assert.equal((await obstaclesOf(key))[0], `Terminate these services first: ${vps}.`);
  });

  test('end a stream and a console within a second once the server is no longer among them', async () => {
    const contact = await createLimitedContact(app, [web, vps]);
    const { cursor } = await requestResult<{ cursor: string }>(app, 'GET', '/v2/event', {
      key: contact.key,
      params: { newest: true },
    });
    await using stream = await readEvents(app, { key: contact.key, query: { after: cursor } });
    const openConsole = async () =>
      (
        await requestResult<{ url: string }>(app, 'POST', '/v2/device/console', {
          key: contact.key,
          params: { service: web },
        })
      ).url;
    const [earlier, later] = [await openConsole(), await openConsole()];
    const accepted = await upgradeStatus(app.url, earlier);
    assert.notEqual(accepted, 401);
    await settings(contact.id, { services: [vps] });
    while ((await stream.next()) !== undefined);
    assert.equal(await upgradeStatus(app.url, later), 401);
  });
});

function pick({ limited, services }: Readonly<Record<string, string>>) {
  return { limited, services };
}
