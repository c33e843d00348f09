// Billing and payments for customers and staff, on both engines: runs and the invoices they issue, payments by a
// provider's signed report, late payment, corrections, and a clock that jumps.
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { before, test } from 'node:test';
import {
  dryRunText,
  giveCreditText,
  importBankListText,
  recordPaymentText,
  refundText,
  startRunsText,
  cancelInvoiceText,
} from '#app/billing/admin.ts';
import { sendNotices } from '#app/billing/notices.ts';
import { createBillingActions, startDueRuns } from '#app/billing/run.ts';
import { applySite } from '#app/site/apply.ts';
import type { Site } from '#contract/site/site.ts';
import { hookSecret, signHook } from '#lib/hook-signature.ts';
import { dayText } from '#lib/time.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { openClock } from '#server/clock-watch.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditVerify } from '#store/account/audit.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { recordTime, startTrustedTime } from '#store/work/trusted-time.ts';
import type { InvoiceDetail, InvoiceListItem } from '#sdk/v2.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { requestResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { AccountId } from '#store/account-id.ts';
import { until } from '#test/support/until.ts';
import { listEvents } from '#test/support/event-stream.ts';

const dayMs = 86_400_000;
const secret = `whsec_${Buffer.from('sixteen bytes or more').toString('base64')}`;

/** The lab with terms for the stranger's server, which has one opening invoice of 106.80. */
function billedSite(site: Site): Site {
  return {
    ...site,
    plans: [{ name: 'Dedicated E3', price: '89.00', setup: '25.00', cycle: 'monthly' }],
    taxes: [{ country: 'FR', rate: '20.00' }],
    billing: {
      numbers: 'INV-{0000}',
      terms: 14,
      reminders: [3],
      lateFee: { after: 5, amount: '10.00' },
      suspendAfter: 7,
      hooks: [{ name: 'card', secret }],
    },
    services: (site.services ?? []).map(({ plan: _plan, start: _start, ...service }) =>
      service.id === 1101 ? { ...service, plan: 'Dedicated E3' } : service,
    ),
  };
}

describeOnEngines('billing', ({ engine, openApp }) => {
  let app: TestApp;
  let key: string;
  before(async () => {
    app = await openApp({ worksOffJobs: true });
    key = app.lab.stranger.key;
    // The billing day is that of the account's first service; a day that every month has gives whole months.
    while (new Date(app.parts.clock.now()).getUTCDate() > 28) app.pass(dayMs);
    await applySite(app.parts, billedSite(app.site));
  });

  async function get<Result>(path: string, params: Record<string, unknown> = {}): Promise<Result> {
    return requestResult<Result>(app, 'GET', path, { key, params });
  }
  const invoices = () => get<InvoiceListItem[]>('/v2/account/invoice');
  const detail = (id: string) => get<InvoiceDetail>('/v2/account/invoice', { invoice: id });
  const balance = () => get<string>('/v2/account/balance');
  const eventTypes = async () => (await listEvents(app, key)).map(({ type }) => type);
  async function invoiceCount(count: number): Promise<InvoiceListItem[]> {
    await until(async () => (await invoices()).length >= count, { saw: invoices });
    return invoices();
  }
  async function report(body: object, change: { signature?: string; at?: number } = {}) {
    const text = JSON.stringify(body);
    const timestamp = change.at ?? Math.floor(app.parts.clock.now() / 1000);
    const signature = change.signature ?? signHook(hookSecret(secret)!, 'msg_1', timestamp, Buffer.from(text));
    const response = await fetch(`${app.url}/hooks/payments/card`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      },
      body: text,
    });
    return { status: response.status, body: (await response.json()) as { result: unknown } };
  }
  async function lines(all: AsyncIterable<string>): Promise<string[]> {
    const collected: string[] = [];
    for await (const line of all) collected.push(line);
    return collected;
  }

  test('a dry run shows what would be billed and issues nothing', async () => {
    const report = await lines(dryRunText(app.parts));
    assert.match(report[0]!, /^account 2, period from .*: 0\.00 -> 114\.00$/);
    assert.ok(report.some((line) => line.includes('nothing -> 25.00  Setup of Dedicated E3 (mail.example.org)')));
    assert.equal((await invoices()).length, 1);
  });

  test('a run started several times at once issues one invoice', async () => {
    const started = await Promise.all([1, 2, 3].map(() => startDueRuns(app.parts, { operation: 'test' })));
    assert.equal(
      started.reduce((sum, count) => sum + count, 0),
      1,
    );
    const [, issued] = await invoiceCount(2);
    assert.deepEqual([issued!.invoicenum, issued!.status, issued!.total], ['INV-0001', 'Unpaid', '136.80']);
    const { items } = await detail(issued!.id);
    assert.deepEqual(
      items.item.map(({ type, amount }) => [type, amount]),
      [
        ['Setup', '25.00'],
        ['Hosting', '89.00'],
      ],
    );
    assert.equal(await balance(), '243.60');
    assert.ok((await eventTypes()).includes('invoice.issued'));
  });

  test('a repeated run, or a clock that jumps back, issues nothing more', async () => {
    assert.equal(await startDueRuns(app.parts, { operation: 'test' }), 0);
    app.pass(-60 * dayMs);
    assert.equal(await startDueRuns(app.parts, { operation: 'test' }), 0);
    app.pass(60 * dayMs);
    assert.equal(await startDueRuns(app.parts, { operation: 'test' }), 0);
    assert.equal((await invoices()).length, 2);
  });

  test('a report without a valid signature of the provider is rejected', async () => {
    const body = { reference: 'tx-1', amount: '10.00', invoice: 'INV-0001' };
    const now = Math.floor(app.parts.clock.now() / 1000);
    assert.equal((await report(body, { signature: 'v1,AAAA' })).status, 401);
    assert.equal((await report(body, { at: now - 3600 })).status, 401);
    const unknownGateway = await fetch(`${app.url}/hooks/payments/other`, { method: 'POST', body: '{}' });
    assert.equal(unknownGateway.status, 401);
    assert.equal(await balance(), '243.60');
  });

  test('an amount with three decimals, an unknown invoice and another currency are rejected', async () => {
    const good = { reference: 'tx-1', amount: '10.00', invoice: 'INV-0001' };
    assert.equal((await report({ ...good, amount: '10.001' })).status, 400);
    assert.equal((await report({ ...good, amount: '-1.00' })).status, 400);
    assert.equal((await report({ ...good, currency: 'USD' })).status, 400);
    assert.equal((await report({ ...good, invoice: 'INV-9999' })).status, 404);
    assert.equal((await report({ reference: 'tx-1', amount: '10.00' })).status, 400);
    assert.equal(await balance(), '243.60');
  });

  test('a payment settles the oldest invoice first, and counts once however often it is reported', async () => {
    const body = { reference: 'tx-1', amount: '120.00', invoice: 'INV-0001', currency: 'EUR' };
    const [first, again] = [await report(body), await report(body)];
    assert.deepEqual([first.status, first.body.result], [200, 'Payment Received']);
    assert.deepEqual([again.status, again.body.result], [200, 'Payment Known']);
    assert.equal((await report({ ...body, amount: '130.00' })).status, 409);
    const [opening, issued] = await invoices();
    assert.equal(opening!.status, 'Paid');
    assert.notEqual(opening!.datepaid, '0000-00-00 00:00:00');
    assert.match((await detail(opening!.id)).transactions, /^\S+ \S+ card tx-1 106\.80$/);
    const { balance: open, transactions } = await detail(issued!.id);
    assert.equal(open, '123.60');
    assert.match(transactions, /card tx-1 13\.20$/);
    assert.equal(await balance(), '123.60');
  });

  test('a customer who does not pay is notified, reminded, charged a fee and suspended, once each', async () => {
    app.pass(22 * dayMs);
    await sendNotices(app.parts);
    await sendNotices(app.parts);
    const types = (await eventTypes()).filter((type) => /^(invoice|account|service)\./.test(type));
    assert.deepEqual(types.slice(types.indexOf('invoice.overdue')), [
      'invoice.overdue',
      'invoice.reminder',
      'invoice.issued',
      'account.suspended',
      'service.suspended',
    ]);
    const all = await invoices();
    assert.deepEqual(
      all.map(({ status, total }) => [status, total]),
      [
        ['Paid', '106.80'],
        ['Overdue', '136.80'],
        ['Unpaid', '10.00'],
      ],
    );
    assert.equal((await get<{ status: string }>('/v2/account')).status, 'Suspended');
    const [device] = await get<{ status: string }[]>('/v2/device/list');
    assert.equal(device!.status, 'Suspended');
    // The site file does not mention it, so applying it changes nothing.
    await applySite(app.parts, billedSite(app.site));
    assert.equal((await get<{ status: string }[]>('/v2/device/list'))[0]!.status, 'Suspended');
  });

  test('a bank statement pays by its text, lifts the suspension, and lists what it cannot match', async () => {
    const day = new Date(app.parts.clock.now()).toISOString().slice(0, 10);
    const list = [
      'Date;Amount;Text;Reference',
      `${day};"200,00";"Rechnung inv 0001, danke";B1`,
      `${day};12.345;INV-0001;B2`,
      `${day};5,00;no invoice at all;B3`,
      `${day};-7,00;INV-0001;B4`,
    ].join('\n');
    const [summary, ...unmatched] = await lines(importBankListText(app.parts, list, 'banktransfer'));
    assert.equal(summary, '1 received (200.00), 0 already known, 1 outgoing, 2 not matched');
    assert.match(unmatched[0]!, /^line 3: "12\.345" is not an amount/);
    assert.match(unmatched[1]!, /^line 4: .*mentions no invoice$/);
    const again = await lines(importBankListText(app.parts, list, 'banktransfer'));
    assert.match(again[0]!, /^0 received \(0\.00\), 1 already known/);
    assert.deepEqual(
      (await invoices()).map(({ status }) => status),
      ['Paid', 'Paid', 'Paid'],
    );
    // 200.00 less 123.60 and the fee.
    assert.equal(await balance(), '-66.40');
    assert.equal((await get<{ status: string }>('/v2/account')).status, 'Active');
    assert.equal((await get<{ status: string }[]>('/v2/device/list'))[0]!.status, 'Active');
  });

  test('the next run uses the credit, and its dry run shows the difference to the last one', async () => {
    app.pass(10 * dayMs);
    const report = await lines(dryRunText(app.parts));
    assert.match(report[0]!, /: 114\.00 -> 89\.00$/);
    assert.ok(
      report.some((line) => /25\.00 -> nothing/.test(line)),
      report.join('\n'),
    );
    // The lab's other customer is due as well, with nothing to pay for.
    assert.equal(await startDueRuns(app.parts, { operation: 'test' }), 2);
    const issued = (await invoiceCount(4))[3]!;
    assert.deepEqual([issued.credit, issued.total], ['66.40', '40.40']);
    assert.equal(await balance(), '40.40');
  });

  test('an invoice is cancelled by a credit note, once; issued documents never change', async () => {
    const issued = (await invoices())[3]!;
    // Two of the numbers before are late fees of the lab's customers.
    const message = await cancelInvoiceText(app.parts, issued.invoicenum, 'Ordered by mistake');
    assert.equal(message, 'Issued credit note INV-0006 for -106.80.');
    await assert.rejects(cancelInvoiceText(app.parts, issued.invoicenum, 'again'), /already cancelled/);
    await assert.rejects(cancelInvoiceText(app.parts, 'INV-7777', 'nothing'), /Invoice not found/);
    const now = await detail(issued.id);
    assert.deepEqual([now.status, now.total, now.balance], ['Cancelled', '40.40', '0.00']);
    assert.equal(await balance(), '-66.40');
  });

  test('staff record payments, grant credit and pay it out, with strictly parsed amounts', async () => {
    const payment = { account: 2, method: 'cash', reference: 'till 1' };
    await assert.rejects(recordPaymentText(app.parts, { ...payment, amount: '1.005' }), /not an amount/);
    for (const other of [99, providerAccount])
      await assert.rejects(
        recordPaymentText(app.parts, { ...payment, amount: '1', account: other }),
        /Account not found/,
      );
    assert.equal(await recordPaymentText(app.parts, { ...payment, amount: '10' }), 'Payment recorded.');
    assert.match(await recordPaymentText(app.parts, { ...payment, amount: '10.00' }), /already been recorded/);
    await giveCreditText(app.parts, 2, '3.60', 'goodwill');
    assert.equal(await balance(), '-80.00');
    const refund = { account: 2, method: 'banktransfer', reference: 'out 1' };
    await assert.rejects(refundText(app.parts, { ...refund, amount: '80.01' }), /less credit/);
    await refundText(app.parts, { ...refund, amount: '80.00' });
    await assert.rejects(
      refundText(app.parts, { ...refund, amount: '80.00' }),
      /refund with this reference already exists/,
    );
    assert.equal(await balance(), '0.00');
  });

  test("staff's commands are in the account's audit log, once each, in its chain", async () => {
    app.pass(40 * dayMs);
    assert.equal(await startRunsText(app.parts), 'Started billing runs for 1 account.');
    const log =
      await get<{ operation: string; target: string; operator: string; outcome: string }[]>('/v2/account/audit');
    const acts = log.filter(({ operation }) => operation.startsWith('cli.')).toReversed();
    assert.deepEqual(
      acts.map(({ operation, target }) => [operation, target]),
      [
        ['cli.billingImport', 'B1'],
        ['cli.billingCancel', 'INV-0005'],
        ['cli.billingPay', 'till 1'],
        ['cli.billingCredit', 'goodwill'],
        ['cli.billingRefund', 'out 1'],
        ['cli.billingRun', ''],
      ],
    );
    const actor = `operator on the command line (${userInfo().username})`;
    for (const { operator, outcome } of acts) assert.deepEqual([operator, outcome], [actor, 'success']);
    assert.equal(await auditVerify(app.parts.store.queries, 2 as AccountId), undefined);
  });

  test('a clock more than a day ahead bills, suspends and deletes nothing on any instance until staff confirm', async () => {
    const { store, clock } = app.parts;
    const isBilling = () => store.queries.selectFrom('billing_accounts').where('run_day', 'is not', null);
    await until(async () => (await isBilling().select('account_id').execute()).length === 0);
    await startTrustedTime(store.queries, clock.now());
    const state = async () => [
      await invoices(),
      await eventTypes(),
      (await get<{ status: string }>('/v2/account')).status,
    ];
    const before = await state();
    // One node of a cluster is wrong: the others continue, and it cannot convince them.
    const wrong = { ...app.parts, clock: { now: () => clock.now() + 400 * dayMs } };
    await recordTime(store.queries, wrong.clock.now());
    await assert.rejects(startDueRuns(wrong, { operation: 'test' }), /Billing is paused/);
    await assert.rejects(startRunsText(wrong), /Billing is paused/);
    await assert.rejects(sendNotices(wrong), /Billing is paused/);
    await assert.rejects(cancelInvoiceText(wrong, 'INV-0001', 'too late'), /Billing is paused/);
    const { next_day } = (await billingAccountFind(store.queries, 2 as AccountId))!;
    // A run that started before the jump.
    await store.transaction((queries) => createBillingActions(wrong).bill(queries, 2 as AccountId, next_day!, []));
    await housekeeping(store, wrong.clock).run(new AbortController().signal);
    assert.equal(await startDueRuns(app.parts, { operation: 'test' }), 0);
    assert.deepEqual(await state(), before);

    app.pass(400 * dayMs);
    const resume = (at: number) => asOperator(app, 'POST', 'billing/resume', { date: dayText(at) });
    assert.equal((await resume(clock.now() - 400 * dayMs)).status, 409);
    assert.equal((await asOperator(app, 'POST', 'billing/run')).status, 409);
    assert.equal((await resume(clock.now())).status, 200);
    assert.equal((await resume(clock.now())).status, 409);
    const [{ operation }] = await operatorResult<[{ operation: string }]>(app, 'GET', 'audit', { limit: 1 });
    assert.equal(operation, 'operator.billingResume');
    assert.ok((await startDueRuns(app.parts, { operation: 'test' })) > 0);
  });

  if (engine === 'postgres')
    test('the clock of a single node does not count', async (context) => {
      const real = Date.now();
      context.mock.method(Date, 'now', () => real + 400 * dayMs);
      assert.ok((await openClock(app.parts.store)).now() < real + dayMs);
    });
});
