// Each invariant of the simulated day notices a database that violates it, and a promise that was not kept.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { dayOf } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Queries } from '#store/store.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { anna } from '#test/support/contacts.ts';
import { issueUntaxed } from '#test/support/payment-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import { requestResult } from '#test/support/request.ts';
import { createStripeObjects } from '#test/support/stripe-objects.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import * as invariants from '#test/support/day/invariants.ts';
import { noteLeak, openJournal, type Journal } from '#test/support/day/journal.ts';
import * as promises from '#test/support/day/promises.ts';
import type { Tenant, TenantServer } from '#test/support/day/provider.ts';

describe('the invariants of a day', () => {
  const owned = suiteResources();
  let app: TestApp;
  let journal: Journal;
  before(async () => {
    app = owned.use(await openTestApp());
    const { queries } = app.parts.store;
    const account = Number(app.lab.customer.account) as AccountId;
    await issueUntaxed(app.parts, account, 1000);
    for (const table of ['contacts', 'workflows', 'machine_snapshots'] as const)
      await queries.deleteFrom(table).execute();
    const webhook = { received: [] as unknown[] };
    const tenant = {
      account,
      key: app.lab.customer.key,
      canary: 'okapi',
      otherCanaries: ['quetzal'],
      servers: [],
      webhook,
    };
    journal = openJournal(tenant as unknown as Tenant);
    const { key } = tenant;
    const call = async <Result>(operation: string, path: string, params: Record<string, unknown>): Promise<Result> => {
      const calls = journal.calls.get(operation) ?? { done: 0, unknown: 0 };
      journal.calls.set(operation, { ...calls, done: calls.done + 1 });
      return requestResult<Result>(app, 'POST', path, { key, params });
    };
    const { contactid } = await call<{ contactid: string }>('contactCreate', '/v2/account/contact', anna);
    journal.contacts.set(anna.firstname, contactid);
    journal.zone = await call<string>('zoneCreate', '/v2/dns/domain', { domain: 'okapi.test' });
    const record = { domain: journal.zone, record: 'www.okapi.test', type: 'A', content: '203.0.113.1' };
    await call('recordCreate', '/v2/dns/record', record);
    journal.records.set('www.okapi.test', '203.0.113.1');
    for (const { id, hostname, ip, vmid } of await queries
      .selectFrom('services')
      .selectAll()
      .where('account_id', '=', account)
      .where('type', '!=', 'dedicated')
      .execute())
      journal.machines.set(hostname, { service: String(id), vmid: String(vmid), ip, isDeleted: false });
  });

  /** Runs the check on a database that these statements have corrupted, and takes that back. */
  async function findProblems(
    check: (queries: Queries) => Promise<string[]> | string[],
    ...statements: string[]
  ): Promise<string[]> {
    let problems: string[] = [];
    const undo = new Error('undo');
    await app.parts.store
      .transaction(async (queries) => {
        for (const statement of statements) await sql.raw(statement).execute(queries);
        problems = await check(queries);
        throw undo;
      })
      .catch((error: unknown) => assert.equal(error, undo));
    return problems;
  }
  const now = (): number => app.parts.clock.now();
  const stripe = createStripeObjects(Date.now);
  const checks: Record<string, (queries: Queries) => Promise<string[]>> = {
    ledger: invariants.ledgerProblems,
    addresses: invariants.addressProblems,
    locks: (queries) => invariants.lockProblems(queries, now()),
    logs: invariants.logProblems,
    dates: (queries) => invariants.dateProblems(queries, dayOf(now())),
    payments: (queries) => invariants.paymentProblems(queries, stripe),
    work: (queries) => promises.workProblems(queries, journal),
  };

  test('hold in a database that nobody has corrupted', async () => {
    for (const [name, check] of Object.entries(checks)) assert.deepEqual(await findProblems(check), [], name);
  });

  const charge = (values: string): string =>
    `insert into payment_charges (account_id, key, driver, purpose, amount_cents, currency, state, external_id, checkout_id,
      failure_code, failure_message, attempt, refunded_cents, charged_back_cents, created_at, changed_at, invoice_id)
      select account_id, ${values}, '', '', '', 0, 0, 0, 0, 0, id from invoices limit 1`;
  const invoice = (number: string, day: number): string =>
    `insert into invoices (account_id, number, day, due_day, status, subtotal_cents, credit_cents, tax_cents, tax2_cents,
      total_cents, tax_rate, tax_rate2, payment_method, notes, kind)
      select id, '${number}', ${day}, ${day}, 'Paid', 0, 0, 0, 0, 0, 0, 0, '', '', 'Invoice' from accounts limit 1`;
  const violations: readonly (readonly [check: string, problem: RegExp, ...statements: string[]])[] = [
    [
      'ledger',
      /customers owe/,
      `insert into ledger (account_id, at, debit, credit, amount_cents, kind, reference)
        select account_id, 0, 'receivable', 'revenue:Hosting', 500, 'invoice', '' from invoices limit 1`,
    ],
    [
      'ledger',
      /paid twice/,
      `insert into payments (account_id, invoice_id, amount_cents, paid_at, method, reference)
        select account_id, id, total_cents + 1, 0, 'x', 'x' from invoices where kind = 'Invoice'`,
    ],
    ['ledger', /only .* were received/, `update invoices set status = 'Paid' where status = 'Unpaid'`],
    [
      'ledger',
      /lines of/,
      `insert into invoice_lines (account_id, invoice_id, type, description, amount_cents, taxed)
        select account_id, id, 'Hosting', 'x', 1, 0 from invoices limit 1`,
    ],
    ['ledger', /have a gap/, invoice('2999-1', 0), invoice('2999-3', 0)],
    [
      'ledger',
      /billed twice/,
      ...[1, 2].map(
        (
          day,
        ) => `insert into charges (account_id, period_day, kind, subject, from_day, until_day, amount_cents, invoice_id)
          select account_id, ${day}, 'Hosting', 'term 1', 10, 40, 500, id from invoices limit 1`,
      ),
    ],
    ['payments', /without a payment at Stripe/, charge(`'a', 'stripe', 'top-up', 500, 'EUR', 'succeeded', 'pi_x'`)],
    ['payments', /is still submitted/, charge(`'a', 'stripe', 'top-up', 500, 'EUR', 'submitted', 'pi_x'`)],
    [
      'payments',
      /was collected 2 times/,
      charge(`'a', 'stripe', 'invoice', 500, 'EUR', 'succeeded', 'pi_x'`),
      charge(`'b', 'stripe', 'invoice', 500, 'EUR', 'succeeded', 'pi_y'`),
    ],
    [
      'payments',
      /the ledger has 500 at Stripe/,
      `insert into ledger (account_id, at, debit, credit, amount_cents, kind, reference)
        select account_id, 0, 'paid:stripe', 'credit', 500, 'payment', '' from invoices limit 1`,
    ],
    [
      'addresses',
      /overlap/,
      `insert into netblocks (cidr, first, last, account_id, service_id, origin)
        select '203.0.113.0/25', first, last, account_id, (select max(id) from services where id <> service_id), 'request'
        from netblocks where service_id is not null limit 1`,
    ],
    ['addresses', /in no block/, `delete from netblocks where service_id is null`],
    ['addresses', /have the address/, `update services set ip = '203.0.113.99'`],
    [
      'locks',
      /is locked by/,
      `insert into device_locks (device, holder, purpose, held_until) values ('x', 'y', 'z', 9e15)`,
    ],
    [
      'locks',
      /is leased by/,
      `insert into reconcilers (name, run_at, signals, holder, lease_until, backlog) values ('x', 0, 0, 'gone', 9e15, 0)`,
    ],
    [
      'locks',
      /never ended/,
      `insert into idempotency (account_id, method, path, key, fingerprint, claimed_by, claimed_until, expires_at)
        select id, 'POST', '/v2/x', 'k', 'f', 'gone', 9e15, 9e15 from accounts limit 1`,
    ],
    ['logs', /is broken at/, `update audit_tips set hash = 'x'`],
    ['logs', /lacks the events/, `update audit_tips set events = events + 1`],
    ['dates', /is dated/, invoice('2999-1', 400_000)],
    ['work', /contact .* is lost/, `delete from contacts`],
    ['work', /contact .* was never acknowledged/, `update contacts set firstname = 'Eve'`],
    ['work', /record .* is lost/, `delete from records where name = 'www.okapi.test'`],
    [
      'work',
      /record .* exists 2 times/,
      `insert into records (account_id, zone_id, name, path, type, ttl, content, rdata)
        select account_id, zone_id, name, path, type, ttl, content, x'00000000' from records where name = 'www.okapi.test'`,
    ],
    ['work', /machine .* is lost/, `update services set hostname = 'other.okapi.test' where type <> 'dedicated'`],
  ];
  for (const [check, problem, ...statements] of violations)
    test(`of the ${check} report ${problem.source}`, async () => {
      const problems = await findProblems(checks[check]!, ...statements);
      assert.match(problems.join('\n'), problem);
    });

  test('report an acknowledged call that has no audit entry', async () => {
    const changed = { ...journal, calls: new Map([['contactCreate', { done: 2, unknown: 0 }]]) };
    const problems = await findProblems((queries) => promises.workProblems(queries, changed));
    assert.deepEqual(problems, ['contactCreate was acknowledged 2 times (0 unknown) and logged 1 times']);
  });

  test('report a top-up that is lost, but not one whose outcome is unknown', async () => {
    const topUps = new Map([
      [1000, 'done'],
      [1001, 'unknown'],
    ] as const);
    const problems = await findProblems((queries) => promises.workProblems(queries, { ...journal, topUps }));
    assert.deepEqual(problems, ['top-up 1000 was acknowledged and is lost']);
  });

  test('report equipment that is not as acknowledged', async () => {
    const { bmcs, network, hypervisor } = app.equipment;
    const server = { name: bmcs[0]!.server, service: '1001', bmc: bmcs[0]!.simulator, ifIndex: 1 };
    const [machine] = [...journal.machines.values()];
    const changed: Journal = {
      ...journal,
      tenant: { ...journal.tenant, servers: [server as TenantServer] },
      power: new Map([
        ['1001', 'off'],
        [machine!.service, 'off'],
      ]),
      ports: new Map([[1, 'down']]),
    };
    const equipment = { network: network.simulator, hypervisors: [hypervisor.simulator] };
    const check = (queries: Queries) => promises.equipmentProblems(queries, [changed], equipment);
    const problems = await findProblems(
      check,
      `update machines set vmid = 999999 where service_id <> ${machine!.service}`,
    );
    for (const problem of [
      /dc01r01ds01 is on, and null/,
      /dc01r01ds01 was acknowledged as off and is on/,
      /port 1 was acknowledged as down and is up/,
      /machine .* was acknowledged as off and is on/,
      /machine .* hypervisors have 0 of it|belongs to nobody/,
    ])
      assert.match(problems.join('\n'), problem);
  });

  test('report what a tenant saw of another, and events that are missing', async () => {
    const changed = { ...journal, leaks: [], streamed: ['event 2'] };
    noteLeak(changed, 'GET /v2/account', 'name: okapi');
    noteLeak(changed, 'GET /v2/account', 'name: quetzal');
    const problems = await findProblems((queries) => promises.eventProblems(queries, changed, [{ id: 'event 1' }]));
    assert.deepEqual(problems, [
      'okapi saw something of another tenant: GET /v2/account: name: quetzal',
      'the stream of okapi differs from its log',
      '1 events never reached the webhook of okapi',
    ]);
  });
});

test('a name server that answers something else than the database is reported', needs('dig'), async () => {
  await using app = await openTestApp({ answersDns: true });
  const { key, account } = app.lab.customer;
  const journal = openJournal({ account: Number(account) as AccountId, canary: 'okapi' } as Tenant);
  journal.zone = await requestResult(app, 'POST', '/v2/dns/domain', { key, params: { domain: 'okapi.test' } });
  const params = { domain: journal.zone, record: 'www.okapi.test', type: 'A', content: '203.0.113.1' };
  await requestResult(app, 'POST', '/v2/dns/record', { key, params });
  const { queries } = app.parts.store;
  assert.deepEqual(await promises.dnsProblems(queries, journal, app.dns), []);
  journal.reverse.set('203.0.113.200', 'nobody.okapi.test');
  await queries.updateTable('records').set({ content: '203.0.113.2' }).where('name', '=', 'www.okapi.test').execute();
  const { address } = app.dns;
  assert.deepEqual(await promises.dnsProblems(queries, journal, app.dns), [
    `${address} answers 203.0.113.1 to www.okapi.test A instead of 203.0.113.2`,
    `${address} answers nothing to 200.113.0.203.in-addr.arpa PTR instead of nobody.okapi.test`,
  ]);
});
