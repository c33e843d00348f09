// What staff do on a customer's page and in the search: notes, records, licence keys, and what a page of each list has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { roleNames } from '#contract/roles.ts';
import type { AccountId } from '#store/account-id.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { createFailedJob } from '#test/support/failed-job.ts';
import { asOperator, createAccount, createRoleKey, operatorResult, signInOperator } from '#test/support/operators.ts';
import { quarantineServer } from '#test/support/quarantine.ts';
import { request, requestResult, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly account: string;
  readonly link: string;
}
interface Note {
  readonly id: string;
  readonly operator: string;
  readonly text: string;
  readonly changed: string;
}

describeOnEngines('the work of staff', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));
  const list = <Item>(path: string, params: Record<string, unknown> = {}, key?: string) =>
    operatorResult<Item[]>(app, 'GET', path, params, key ?? app.lab.operator.key);
  const rejection = async (...call: Parameters<typeof asOperator>) => (await asOperator<ErrorResult>(...call)).status;
  const find = async (text: string, key?: string) =>
    (await list<Found>('search', { text }, key)).map(({ kind, id }) => `${kind} ${id}`);

  test('a note is edited by its author, deleted by an owner, and never seen by the customer', async () => {
    const account = await createAccount(app);
    const author = await signInOperator(app, 'support');
    const other = await signInOperator(app, 'engineer');
    const { id } = await operatorResult<Note>(
      app,
      'POST',
      'note',
      { account, text: 'Calls back on Friday' },
      author.key,
    );
    assert.equal(await rejection(app, 'PUT', 'note', { id, text: 'No' }, other.key), 409);
    assert.equal(await rejection(app, 'DELETE', 'note', { id }, other.key), 409);
    await operatorResult(app, 'PUT', 'note', { id, text: 'Calls back on Monday' }, author.key);
    const [note, ...rest] = await list<Note>('note', { account }, other.key);
    assert.deepEqual([note!.operator, note!.text, rest], [author.name, 'Calls back on Monday', []]);
    assert.notEqual(note!.changed, '');
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'key', {
      account,
      name: 'own',
      scopes: ['all'],
    });
    for (const path of ['account', 'account/audit', 'event']) {
      const { body } = await request<unknown>(app, 'GET', `/v2/${path}`, { key });
      assert.doesNotMatch(JSON.stringify(body), /Calls back|noteCreate|noteUpdate/, path);
    }
    await operatorResult(app, 'DELETE', 'note', { id });
    assert.deepEqual(await list('note', { account }), []);
  });

  test('the records of an account come in pages, and only its own', async () => {
    const { account } = app.lab.customer;
    for (const path of ['invoice', 'payment', 'event', 'contact', 'request', 'mail']) {
      const all = await list<{ id: string; account?: string }>(path, { account });
      assert.ok(
        all.every((item) => (item.account ?? account) === account),
        path,
      );
      if (path === 'invoice' || path === 'payment') assert.ok(all.length > 1, path);
      if (all.length < 2) continue;
      const [first] = await list<{ id: string }>(path, { account, limit: 1 });
      const next = { account, limit: 1, [path === 'contact' ? 'after' : 'before']: first!.id };
      const [second] = await list<{ id: string }>(path, next);
      assert.deepEqual([first!.id, second!.id], [all[0]!.id, all[1]!.id], path);
    }
    const [invoice] = await list<{ id: string; invoicenum: string }>('invoice', { account });
    const detail = await operatorResult<{ invoicenum: string }>(app, 'GET', `invoice/${invoice!.id}`);
    assert.equal(detail.invoicenum, invoice!.invoicenum);
    assert.deepEqual(await list('invoice', { account: await createAccount(app) }), []);
  });

  test('the search finds whatever staff have in their hand', async () => {
    const { customer, dedicated, vps } = app.lab;
    const { queries } = app.parts.store;
    await queries.updateTable('servers').set({ serial: 'SN-77A1' }).where('name', '=', dedicated.server).execute();
    await queries
      .updateTable('accounts')
      .set({ address1: 'Quay 99' })
      .where('id', '=', Number(customer.account) as AccountId)
      .execute();
    const [invoice] = await list<{ id: string; invoicenum: string }>('invoice', { account: customer.account });
    const { mac } = await queries
      .selectFrom('machines')
      .select('mac')
      .where('service_id', '=', Number(vps.service))
      .executeTakeFirstOrThrow();
    const card = await queries
      .selectFrom('server_macs')
      .select('mac')
      .where('server', '=', dedicated.server)
      .executeTakeFirst();
    const service = await operatorResult<{ hostname: string; netblocks: string[] }>(
      app,
      'GET',
      `service/${dedicated.service}`,
    );
    const zone = await requestResult<string>(app, 'POST', '/v2/dns/domain', {
      key: customer.key,
      params: { domain: 'search-story.net' },
    });
    const contact = await queries
      .selectFrom('contacts')
      .select(['id', 'email'])
      .where('account_id', '=', Number(customer.account) as AccountId)
      .executeTakeFirst();
    const expected: readonly (readonly [text: string, result: string])[] = [
      [customer.email, `customer ${customer.account}`],
      ['quay 99', `customer ${customer.account}`],
      [customer.account, `customer ${customer.account}`],
      [dedicated.service, `service ${dedicated.service}`],
      [service.hostname, `service ${dedicated.service}`],
      [dedicated.ips.at(-1)!, `service ${dedicated.service}`],
      [dedicated.ips.at(-1)!, `netblock ${service.netblocks.find((block) => block.startsWith(dedicated.ips.at(-1)!))}`],
      [dedicated.server.toUpperCase(), `server ${dedicated.server}`],
      [dedicated.server.slice(0, 6), `server ${dedicated.server}`],
      ['sn-77', `server ${dedicated.server}`],
      [mac.replaceAll(':', '-').toUpperCase(), `service ${vps.service}`],
      [invoice!.invoicenum.toLowerCase(), `invoice ${invoice!.id}`],
      ['www.search-story.net', `zone ${zone}`],
      ['search-st', `zone ${zone}`],
      ...(card === undefined ? [] : [[card.mac.replaceAll(':', ''), `server ${dedicated.server}`] as const]),
      ...(contact === undefined ? [] : [[contact.email, `contact ${contact.id}`] as const]),
    ];
    for (const [text, result] of expected) {
      const found = await find(text);
      assert.ok(found.includes(result), `${text}: ${found.join(', ')}`);
    }
    assert.deepEqual(await find('absent from everything'), []);
    const [first] = await list<Found>('search', { text: dedicated.service });
    assert.deepEqual([first!.kind, first!.id], ['service', dedicated.service], 'an exact match comes first');
    assert.equal((await list('search', { text: 'example', limit: 2 })).length, 2);
    for (const role of roleNames) {
      const results = await list<Found>('search', { text: customer.email }, await createRoleKey(app, role));
      assert.ok(results.length > 0, role);
    }
  });

  test('a preview is what happens, changes nothing, and does not reserve the server', async () => {
    const { account } = app.lab.customer;
    interface Options {
      readonly plans: readonly (Record<'name' | 'price' | 'currency', string> & { readonly cycle: string })[];
      readonly models: readonly { readonly free: string; readonly servers: readonly string[] }[];
      readonly nodes: readonly { readonly name: string; readonly memorymb: string; readonly error: string }[];
    }
    interface Preview {
      readonly netblock: string;
      readonly ip: string;
      readonly first: { readonly date: string; readonly total: string };
      readonly next: { readonly subtotal: string };
    }
    const { queries } = app.parts.store;
    const server = await quarantineServer(app.parts, queries);
    await queries.updateTable('reclaims').set({ ended_at: 1 }).where('server', '=', server).execute();
    await queries.updateTable('servers').set({ state: 'available' }).where('name', '=', server).execute();
    const options = await operatorResult<Options>(app, 'GET', 'service/options');
    assert.ok(options.nodes.every(({ memorymb, error }) => (memorymb === '') !== (error === '')));
    const plan = options.plans.find(({ cycle }) => cycle === 'monthly')!;
    assert.equal(plan.currency, 'EUR');
    assert.ok(options.models.some(({ free, servers }) => Number(free) > 0 && servers.includes(server)));
    const order = {
      account,
      type: 'dedicated',
      name: plan.name,
      plan: plan.name,
      hostname: 'picked.example.net',
      server,
    };
    const services = () => list<{ id: string }>('service', { account });
    const before = await services();
    const preview = await operatorResult<Preview>(app, 'POST', 'service/preview', order);
    assert.deepEqual(await services(), before);
    assert.deepEqual(await operatorResult<Preview>(app, 'POST', 'service/preview', order), preview);
    assert.equal(preview.next.subtotal, plan.price);
    assert.ok(Number(preview.first.total) > 0);
    const { service } = await operatorResult<{ service: string }>(app, 'POST', 'service', order);
    const made = await operatorResult<{ ip: string; netblocks: string[]; terms: { price: string }[] }>(
      app,
      'GET',
      `service/${service}`,
    );
    assert.deepEqual([made.ip, made.netblocks, made.terms[0]!.price], [preview.ip, [preview.netblock], plan.price]);
    for (const path of ['service/preview', 'service']) assert.equal(await rejection(app, 'POST', path, order), 409);
  });

  test('a licence key is delivered once, and only the customer reads it', async () => {
    const { customer, dedicated } = app.lab;
    const params = { service: dedicated.service, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
    const { orderid } = await requestResult<{ orderid: string }>(app, 'POST', '/software/order', {
      key: customer.key,
      params,
    });
    const orders = await list<{ id: string; service: string; licence: string }>('licence');
    const order = orders.find(({ id }) => id === orderid);
    assert.deepEqual([order?.service, order?.licence], [dedicated.service, params.license]);
    const delivery = { id: orderid, key: 'KEY-OF-THE-VENDOR-1' };
    await operatorResult(app, 'POST', 'licence/deliver', delivery);
    assert.equal(await rejection(app, 'POST', 'licence/deliver', delivery), 409);
    assert.ok(!(await list<{ id: string }>('licence')).some(({ id }) => id === orderid));
    const events = await listEvents(app, customer.key);
    assert.ok(events.some(({ type }) => type === 'software.fulfilled'));
    const audit = await list<object>('audit', { operation: 'operator.licenceOrderDeliver' });
    assert.ok(audit.length > 0);
    assert.doesNotMatch(JSON.stringify(audit), /KEY-OF-THE-VENDOR/);
  });

  test('null routes, failed jobs and servers between customers come in pages', async () => {
    const { dedicated } = app.lab;
    for (const ip of dedicated.ips.slice(0, 2))
      await operatorResult(app, 'POST', 'nullroute', { ip, reason: 'a test of pages' });
    for (let count = 0; count < 2; count++) {
      await createFailedJob(app.parts);
      await quarantineServer(app.parts, app.parts.store.queries);
    }
    for (const [path, member] of [
      ['nullroute', 'id'],
      ['job', 'id'],
      ['reclaim', 'server'],
    ] as const) {
      const all = (await list<Record<string, string>>(path)).map((item) => item[member]);
      assert.ok(all.length >= 2, path);
      const pages: (string | undefined)[] = [];
      for (;;) {
        const after = pages.length === 0 ? {} : { after: pages.at(-1) };
        const page = await list<Record<string, string>>(path, { limit: 1, ...after });
        if (page.length === 0) break;
        assert.equal(page.length, 1, path);
        pages.push(page[0]![member]);
      }
      assert.deepEqual(pages, all, path);
    }
  });

  test('each loop says when it ran, when it runs next, and where', async () => {
    const { queries } = app.parts.store;
    const now = app.parts.clock.now();
    const values = { signals: 0, lease_until: 0, last_duration_ms: 12, backlog: 3, holder: 'instance-1' };
    await queries
      .insertInto('reconcilers')
      .values([
        { name: 'test-late', ...values, run_at: now - 3_600_000, last_success_at: now - 3_700_000, last_error: null },
        { name: 'test-fails', ...values, run_at: now + 60_000, last_success_at: null, last_error: 'no answer' },
      ])
      .execute();
    const loops = await list<Record<string, string>>('reconciler');
    const late = loops.find(({ name }) => name === 'test-late')!;
    assert.deepEqual([late['state'], late['instance'], late['backlog']], ['late', 'instance-1', '3']);
    assert.ok(Number(late['lag']) >= 3600);
    const failing = loops.find(({ name }) => name === 'test-fails')!;
    assert.deepEqual([failing['state'], failing['error'], failing['lag']], ['failed', 'no answer', '0']);
  });
});
