// What staff do with a customer's money: payments, credit, refunds, credit notes, write-offs, dunning, and reports.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { issueInvoice } from '#app/billing/issue.ts';
import { sendNotices } from '#app/billing/notices.ts';
import { applySite } from '#app/site/apply.ts';
import { dayMs, dayText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, createAccount, operatorResult } from '#test/support/operators.ts';
import { request } from '#test/support/request.ts';

interface Balance {
  receivable: string;
  overdue: string;
  credit: string;
  writtenoff: string;
}
interface Dunning {
  held: string;
  heldby: string;
  invoices: { invoicenum: string; laststep: string; nextstep: string; nextdate: string }[];
}

describeOnEngines('the money of a customer', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => {
    app = await openApp({});
    const datev = { consultant: 29_098, client: 55_003, chart: 'skr04', methods: [{ method: 'card', account: 1461 }] };
    const policy = { terms: 14, reminders: [3, 10], suspendAfter: 30, datev } as const;
    await applySite(app.parts, { ...app.site, billing: { ...app.site.billing, ...policy } } as never);
  });
  const now = () => app.parts.clock.now();
  const read = <T>(path: string, params: object) => operatorResult<T>(app, 'GET', path, params as never);
  const change = <T = unknown>(path: string, params: object) => operatorResult<T>(app, 'POST', path, params as never);
  const attempt = async (path: string, params: object) => {
    const { status, body } = await asOperator<{ message: string }>(app, 'POST', path, params as never);
    return `${status} ${JSON.stringify(body)}`;
  };
  const balance = (account: string) => read<Balance>('ledger/balance', { account });
  const issue = async (account: string, daysAgo: number, ...cents: readonly number[]) => {
    const lines = cents.map((amount, index) => ({
      type: 'Hosting' as const,
      service: undefined,
      description: `Month ${index}`,
      cents: amount,
      isTaxed: false,
    }));
    const draft = { now: now() - daysAgo * dayMs, lines };
    const issued = await app.parts.store.transaction((queries) =>
      issueInvoice(queries, Number(account) as AccountId, draft),
    );
    return String(issued.id);
  };
  const linesOf = async (id: string) =>
    (await read<{ items: { item: { id: string }[] } }>(`invoice/${id}`, {})).items.item.map((line) => line.id);

  test('is paid, granted, refunded and corrected, with the reason in the audit log', async () => {
    const account = await createAccount(app);
    const id = await issue(account, 0, 10_000, 5000);
    const payment = { account, amount: '60.00', method: 'card', reference: 'pi_1' };
    assert.equal(await change('payment', payment), 'Payment Recorded');
    assert.equal(await change('payment', payment), 'Payment Known');
    assert.match(await attempt('payment', { ...payment, amount: '61.00' }), /^409/);
    assert.match(await attempt('payment', { ...payment, reference: 'x', date: '2126-01-01' }), /^400.*future/);
    assert.match(await attempt('payment', { ...payment, amount: '-1' }), /^400/);
    const [first, second] = await linesOf(id);
    const lines = [{ id: Number(second), amount: '20.00' }];
    const note = await change<{ total: string }>('invoice/credit-note', { id, reason: 'Too much', lines });
    assert.equal(note.total, '-20.00');
    assert.deepEqual(await balance(account), {
      account,
      currency: 'EUR',
      receivable: '70.00',
      overdue: '0.00',
      credit: '0.00',
      writtenoff: '0.00',
    });
    const again = { id, reason: 'again', lines: [{ id: Number(second), amount: '30.01' }] };
    assert.match(await attempt('invoice/credit-note', again), /^400.*at most 30\.00/);
    assert.match(await attempt('invoice/credit-note', { ...again, lines: [{ id: 1 }] }), /^400.*lines of the invoice/);
    await change('credit', { account, amount: '5.00', reason: 'Sorry' });
    await change('invoice/credit-note', { id, reason: 'All of it', lines: [{ id: Number(first) }] });
    assert.equal((await balance(account)).credit, '35.00');
    const refund = { account, amount: '35.00', method: 'banktransfer', reference: 'R1', reason: 'Asked for it' };
    await change('refund', refund);
    assert.match(await attempt('refund', { ...refund, reference: 'R2' }), /^409.*less credit/);
    const entries = await read<{ kind: string; amount: string }[]>('ledger', { account, limit: 2 });
    assert.deepEqual(
      entries.map(({ kind, amount }) => [kind, amount]),
      [
        ['refund', '35.00'],
        ['credit', '70.00'],
      ],
    );
    const audit = await read<{ operation: string; target: string }[]>('audit', { account });
    const targets = audit.map(({ operation, target }) => `${operation} ${target}`).join('\n');
    assert.match(targets, /creditGrant .*Sorry/);
    assert.match(targets, /refundRecord .*Asked for it/);
    assert.match(targets, /invoiceCredit .*Too much/);
  });

  test('is written off once, and a repeated key repeats the response', async () => {
    const account = await createAccount(app);
    const id = await issue(account, 60, 4000);
    const call = () =>
      request<{ result: string }>(app, 'POST', '/operator/invoice/write-off', {
        key: app.lab.operator.key,
        params: { id, reason: 'Insolvent' },
        headers: { 'idempotency-key': `write-off-${id}` },
      });
    assert.equal((await call()).body.result, 'Invoice Written Off');
    assert.equal((await call()).body.result, 'Invoice Written Off');
    assert.match(await attempt('invoice/write-off', { id, reason: 'again' }), /^409/);
    assert.deepEqual(
      (await read<{ status: string }[]>('invoice', { account })).map(({ status }) => status),
      ['Cancelled'],
    );
    assert.equal((await balance(account)).writtenoff, '40.00');
    await change('payment', { account, amount: '40.00', method: 'banktransfer', reference: 'late' });
    assert.equal((await balance(account)).writtenoff, '0.00');
    assert.deepEqual(
      (await read<{ status: string }[]>('invoice', { account })).map(({ status }) => status),
      ['Paid'],
    );
  });

  test('is dunned step by step, and not while staff hold it', async () => {
    const account = await createAccount(app);
    await issue(account, 18, 1000);
    const state = async () => {
      const { held, invoices } = await read<Dunning>('dunning', { account });
      return [held, ...invoices.map(({ laststep, nextstep, nextdate }) => [laststep, nextstep, nextdate])];
    };
    const day = (days: number) => dayText(now() + days * dayMs);
    assert.deepEqual(await state(), ['0', ['', 'overdue', day(0)]]);
    await change('dunning/hold', { account, reason: 'Promised to pay' });
    assert.match(await attempt('dunning/hold', { account, reason: 'again' }), /^409/);
    await sendNotices(app.parts);
    assert.deepEqual(await state(), ['1', ['', '', '']]);
    await change('dunning/resume', { account, reason: 'Did not' });
    assert.match(await attempt('dunning/resume', { account, reason: 'again' }), /^409/);
    await sendNotices(app.parts);
    assert.deepEqual(await state(), ['0', ['reminder 1', 'reminder 2', day(6)]]);
  });

  test('is in the lists and reports of all customers', async () => {
    const account = await createAccount(app);
    await issue(account, 50, 12_345);
    const [item] = await read<{ invoicenum: string; account: string }[]>('invoice', { status: 'Overdue', limit: 1 });
    assert.equal(item!.account, account);
    const named = await read<object[]>('invoice', {
      number: item!.invoicenum.toLowerCase(),
      from: day0,
      until: day1(),
    });
    assert.equal(named.length, 1);
    assert.deepEqual(await read('invoice', { number: item!.invoicenum, until: day0 }), []);
    const { totals, customers } = await read<{
      totals: { days60: string }[];
      customers: { account: string; days60: string; total: string }[];
    }>('report/receivables', {});
    assert.ok(totals.length > 0);
    assert.equal(customers.find((customer) => customer.account === account)!.days60, '123.45');
    const period = { from: day0, until: day1() };
    const revenue = await read<{ net: string; type: string }[]>('report/revenue', period);
    assert.ok(revenue.some(({ type }) => type === 'Hosting'));
    assert.ok((await read<object[]>('report/payments', period)).length > 0);
    await read('report/taxes', period);
    const key = app.lab.operator.key;
    const csv = await fetchText('report/csv', { report: 'receivables', ...period }, key);
    assert.match(csv, /^account,name,currency,current,days30/);
    assert.match(csv, new RegExp(`\r\n${account},.*,123\\.45\r\n`));
    const year = { from: `${day1().slice(0, 4)}-01-01`, until: day1() };
    const datev = await fetchText('report/datev', year, key);
    assert.match(datev, /^"EXTF";700;21;"Buchungsstapel";13;\d{17};;"RE";"";"";29098;55003;/);
    assert.match(datev, new RegExp(`\r\n123,45;"S";"";;;"";${10_000 + Number(account)};4200;`));
    assert.match(datev, /;1461;/);
    const tooLong = await request<object>(app, 'GET', '/operator/report/datev', {
      key,
      params: { ...year, from: day0 },
    });
    assert.equal(tooLong.status, 400);
  });

  const day0 = '2025-12-01';
  const day1 = () => dayText(now());
  async function fetchText(path: string, params: Record<string, string>, key: string): Promise<string> {
    const response = await fetch(`${app.url}/operator/${path}?${new URLSearchParams(params)}`, {
      headers: { 'x-api-key': key },
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-disposition')!, /filename="/);
    return new TextDecoder('windows-1252').decode(await response.arrayBuffer());
  }
});
