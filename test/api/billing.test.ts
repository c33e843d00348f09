// Bills and payments as customers and staff live them, on both engines: a run and what it issues, payments by a provider's
// signed report, what follows for who does not pay, corrections, and a clock that jumps.
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  dryRunText,
  giveCreditText,
  importText,
  payText,
  refundText,
  runText,
  takeBackText,
} from '#app/billing/admin.ts';
import { giveNotices } from '#app/billing/notices.ts';
import { startDueRuns } from '#app/billing/run.ts';
import { applySite } from '#app/site/apply.ts';
import type { Site } from '#contract/site.ts';
import { hookSecret, signHook } from '#kernel/hook-signature.ts';
import { auditVerify } from '#store/account/audit.ts';
import type { AccountId } from '#store/tables.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

const dayMs = 86_400_000;
const secret = `whsec_${Buffer.from('sixteen bytes or more').toString('base64')}`;

interface Invoice {
  readonly id: string;
  readonly invoicenum: string;
  readonly status: string;
  readonly total: string;
  readonly credit: string;
  readonly datepaid: string;
}
interface Detail extends Invoice {
  readonly balance: string;
  readonly transactions: string;
  readonly items: { readonly item: readonly { readonly type: string; readonly description: string; amount: string }[] };
}

/** The lab with terms for the stranger's one server; it owes one opening invoice, of 106.80. */
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

for (const { engine, suite, start } of engines) {
  describe(`billing on ${engine}`, suite, () => {
    const owned = new AsyncDisposableStack();
    let yard: TestYard;
    let key: string;
    before(async () => {
      const running = owned.use(await start());
      yard = owned.use(await openTestYard({ ...(await running.newDatabase()), worksOffJobs: true }));
      key = yard.lab.stranger.key;
      // The account's billing day is that of its first service; one that every month has makes whole months.
      while (new Date(yard.parts.clock.now()).getUTCDate() > 28) yard.pass(dayMs);
      await applySite(yard.parts, billedSite(yard.site));
    });
    after(() => owned.disposeAsync());

    async function get<Result>(path: string, params: Record<string, unknown> = {}): Promise<Result> {
      const { status, body } = await request<{ result: Result }>(yard, 'GET', path, { key, params });
      assert.equal(status, 200);
      return body.result;
    }
    const invoices = () => get<Invoice[]>('/v2/account/invoice');
    const detail = (id: string) => get<Detail>('/v2/account/invoice', { invoice: id });
    const balance = () => get<string>('/v2/account/balance');
    async function events(): Promise<string[]> {
      const { events: all } = await get<{ events: { type: string }[] }>('/v2/event');
      return all.map(({ type }) => type);
    }
    async function invoiceCount(count: number): Promise<Invoice[]> {
      for (;;) {
        const all = await invoices();
        if (all.length >= count) return all;
        await sleep(50);
      }
    }
    async function report(body: object, change: { signature?: string; at?: number } = {}) {
      const text = JSON.stringify(body);
      const timestamp = change.at ?? Math.floor(yard.parts.clock.now() / 1000);
      const signature = change.signature ?? signHook(hookSecret(secret)!, 'msg_1', timestamp, Buffer.from(text));
      const answer = await fetch(`${yard.url}/hooks/payments/card`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature,
        },
        body: text,
      });
      return { status: answer.status, body: (await answer.json()) as { result: unknown } };
    }
    async function lines(all: AsyncIterable<string>): Promise<string[]> {
      const said: string[] = [];
      for await (const line of all) said.push(line);
      return said;
    }

    test('a dry run shows what would be billed, and issues nothing', async () => {
      const said = await lines(dryRunText(yard.parts));
      assert.match(said[0]!, /^account 2, period from .*: 0\.00 -> 114\.00$/);
      assert.ok(said.some((line) => line.includes('nothing -> 25.00  Setup of Dedicated E3 (mail.example.org)')));
      assert.equal((await invoices()).length, 1);
    });

    test('a run that is started several times at once issues one invoice', async () => {
      const started = await Promise.all([1, 2, 3].map(() => startDueRuns(yard.parts, { operation: 'test' })));
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
      assert.ok((await events()).includes('invoice.issued'));
    });

    test('a run that is repeated, and a clock that jumps back, issue nothing more', async () => {
      assert.equal(await startDueRuns(yard.parts, { operation: 'test' }), 0);
      yard.pass(-60 * dayMs);
      assert.equal(await startDueRuns(yard.parts, { operation: 'test' }), 0);
      yard.pass(60 * dayMs);
      assert.equal(await startDueRuns(yard.parts, { operation: 'test' }), 0);
      assert.equal((await invoices()).length, 2);
    });

    test('a report that is not signed by the provider is refused, whatever is wrong with it', async () => {
      const body = { reference: 'tx-1', amount: '10.00', invoice: 'INV-0001' };
      const now = Math.floor(yard.parts.clock.now() / 1000);
      assert.equal((await report(body, { signature: 'v1,AAAA' })).status, 401);
      assert.equal((await report(body, { at: now - 3600 })).status, 401);
      const elsewhere = await fetch(`${yard.url}/hooks/payments/other`, { method: 'POST', body: '{}' });
      assert.equal(elsewhere.status, 401);
      assert.equal(await balance(), '243.60');
    });

    test('an amount with three decimals, an unknown invoice and another currency are refused', async () => {
      const good = { reference: 'tx-1', amount: '10.00', invoice: 'INV-0001' };
      assert.equal((await report({ ...good, amount: '10.001' })).status, 400);
      assert.equal((await report({ ...good, amount: '-1.00' })).status, 400);
      assert.equal((await report({ ...good, currency: 'USD' })).status, 400);
      assert.equal((await report({ ...good, invoice: 'INV-9999' })).status, 404);
      assert.equal((await report({ reference: 'tx-1', amount: '10.00' })).status, 400);
      assert.equal(await balance(), '243.60');
    });

    test('a payment goes to the oldest invoice first, and counts once however often it is reported', async () => {
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

    test('who does not pay is told, reminded, charged a fee and suspended, each once', async () => {
      yard.pass(22 * dayMs);
      await giveNotices(yard.parts);
      await giveNotices(yard.parts);
      const told = (await events()).filter((type) => /^(invoice|account|service)\./.test(type));
      assert.deepEqual(told.slice(told.indexOf('invoice.overdue')), [
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
      // The site file says nothing of it, and so does not undo it.
      await applySite(yard.parts, billedSite(yard.site));
      assert.equal((await get<{ status: string }[]>('/v2/device/list'))[0]!.status, 'Suspended');
    });

    test('a bank’s list pays by what its text says, lifts the suspension, and lists what it cannot match', async () => {
      const day = new Date(yard.parts.clock.now()).toISOString().slice(0, 10);
      const list = [
        'Date;Amount;Text;Reference',
        `${day};"200,00";"Rechnung inv 0001, danke";B1`,
        `${day};12.345;INV-0001;B2`,
        `${day};5,00;no invoice at all;B3`,
        `${day};-7,00;INV-0001;B4`,
      ].join('\n');
      const [summary, ...unmatched] = await lines(importText(yard.parts, list, 'banktransfer'));
      assert.equal(summary, '1 received (200.00), 0 known before, 1 outgoing, 2 not matched');
      assert.match(unmatched[0]!, /^line 3: 12\.345 is no amount/);
      assert.match(unmatched[1]!, /^line 4: .*names no invoice$/);
      const again = await lines(importText(yard.parts, list, 'banktransfer'));
      assert.match(again[0]!, /^0 received \(0\.00\), 1 known before/);
      assert.deepEqual(
        (await invoices()).map(({ status }) => status),
        ['Paid', 'Paid', 'Paid'],
      );
      // 200.00 less 123.60 and the fee.
      assert.equal(await balance(), '-66.40');
      assert.equal((await get<{ status: string }>('/v2/account')).status, 'Active');
      assert.equal((await get<{ status: string }[]>('/v2/device/list'))[0]!.status, 'Active');
    });

    test('the next run uses up the credit, and its dry run shows the difference to the last', async () => {
      yard.pass(10 * dayMs);
      const said = await lines(dryRunText(yard.parts));
      assert.match(said[0]!, /: 114\.00 -> 89\.00$/);
      assert.ok(
        said.some((line) => /25\.00 -> nothing/.test(line)),
        said.join('\n'),
      );
      // The lab's other customer is due as well, with nothing to pay for.
      assert.equal(await startDueRuns(yard.parts, { operation: 'test' }), 2);
      const issued = (await invoiceCount(4))[3]!;
      assert.deepEqual([issued.credit, issued.total], ['66.40', '40.40']);
      assert.equal(await balance(), '40.40');
    });

    test('an invoice is taken back by a credit note, once; nothing that was issued changes', async () => {
      const issued = (await invoices())[3]!;
      // 0002 is a late fee of the lab's other customer.
      const said = await takeBackText(yard.parts, issued.invoicenum, 'Ordered by mistake');
      assert.equal(said, 'Credit note INV-0005 over -106.80.');
      await assert.rejects(takeBackText(yard.parts, issued.invoicenum, 'again'), /has been taken back/);
      await assert.rejects(takeBackText(yard.parts, 'INV-7777', 'nothing'), /no invoice with this number/);
      const now = await detail(issued.id);
      assert.deepEqual([now.status, now.total, now.balance], ['Cancelled', '40.40', '0.00']);
      assert.equal(await balance(), '-66.40');
    });

    test('staff note payments, give credit and pay it out, with amounts read strictly', async () => {
      const payment = { account: 2, method: 'cash', reference: 'till 1' };
      await assert.rejects(payText(yard.parts, { ...payment, amount: '1.005' }), /not an amount/);
      await assert.rejects(payText(yard.parts, { ...payment, amount: '1', account: 99 }), /no such account/);
      assert.equal(await payText(yard.parts, { ...payment, amount: '10' }), 'Received.');
      assert.match(await payText(yard.parts, { ...payment, amount: '10.00' }), /received before/);
      await giveCreditText(yard.parts, 2, '3.60', 'goodwill');
      assert.equal(await balance(), '-80.00');
      const refund = { account: 2, method: 'banktransfer', reference: 'out 1' };
      await assert.rejects(refundText(yard.parts, { ...refund, amount: '80.01' }), /less credit/);
      await refundText(yard.parts, { ...refund, amount: '80.00' });
      await assert.rejects(refundText(yard.parts, { ...refund, amount: '80.00' }), /refund was made/);
      assert.equal(await balance(), '0.00');
    });

    test('what staff did on the command line stands in the account’s audit log, once each, in its chain', async () => {
      yard.pass(40 * dayMs);
      assert.equal(await runText(yard.parts), 'Started for 1 account.');
      const log =
        await get<{ operation: string; target: string; operator: string; outcome: string }[]>('/v2/account/audit');
      const acts = log.filter(({ operation }) => operation.startsWith('cli.')).toReversed();
      assert.deepEqual(
        acts.map(({ operation, target }) => [operation, target]),
        [
          ['cli.billingImport', 'B1'],
          ['cli.billingCancel', 'INV-0004'],
          ['cli.billingPay', 'till 1'],
          ['cli.billingCredit', 'goodwill'],
          ['cli.billingRefund', 'out 1'],
          ['cli.billingRun', ''],
        ],
      );
      const who = `operator on the command line (${userInfo().username})`;
      for (const { operator, outcome } of acts) assert.deepEqual([operator, outcome], [who, 'success']);
      assert.equal(await auditVerify(yard.parts.store.queries, 2 as AccountId), undefined);
    });
  });
}
