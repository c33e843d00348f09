// SEPA from mandate to ledger: direct debits in files for the bank, statements that settle and return them, transfers, and
// refunds. Everything is reported more than once and worked on twice at a time.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Static } from 'typebox';
import { sql } from 'kysely';
import { cancelInvoice } from '#app/billing/corrections.ts';
import { decideFile, writeDueFiles } from '#app/payments/sepa/files.ts';
import { ignoreEntry } from '#app/payments/sepa/matching.ts';
import { requireSepaSettings } from '#app/payments/sepa/settings.ts';
import { storePaymentSettings } from '#app/payments/settings.ts';
import type * as shapes from '#contract/shapes/sepa.ts';
import { isBusinessDay } from '#drivers/payment/sepa/business-days.ts';
import { customerReference } from '#drivers/payment/sepa/iban.ts';
import { moneyCents } from '#lib/money.ts';
import { dayMs, dayNumberText, dayOf } from '#lib/time.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { creditOf, ledgerSum } from '#store/billing/ledger.ts';
import { batches } from '#store/engine/rows.ts';
import { fileInsert, ordersFile, ordersWaiting } from '#store/payments/sepa-orders.ts';
import type { Queries } from '#store/store.ts';
import { writeBankStatement } from '#test/support/bank-statement.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { schemaProblems } from '#test/support/xml-schemas.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { workOffPayments } from '#test/support/payment-fixtures.ts';
import { sepaCustomer } from '#test/support/sepa-customer.ts';
import { allowSepa, debtorIban as iban, sepaSettings } from '#test/support/sepa-fixtures.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

type Decision = readonly [method: string, path: string, params: Record<string, unknown>];

describeOnEngines('SEPA', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => {
    app = await openApp({});
    await allowSepa(app);
    // Two business days follow, so that the test does not depend on the day on which it runs.
    passUntil((day, hour) => hour === 5 && [0, 1, 2].every((offset) => isBusinessDay(day + offset)));
  });

  const customer = sepaCustomer(() => app);
  const { account, call, invoiceStatus, issue, files, entries, charges, references } = customer;
  const { passUntil, work, workInterrupted, writeFiles, download } = customer;
  const { importStatement, requireBalance, collect, giveMandate } = customer;

  const insertFile = (kind: 'debit' | 'refund') => {
    const decision = { state: 'created', decided_at: null, operator: '' } as const;
    const file = { kind, message_id: kind, day: 0, created_at: 0, orders: 1, amount_cents: 0, creditor: '{}' };
    return fileInsert(app.parts.store.queries, { ...file, ...decision });
  };

  let method: string;
  let first: Awaited<ReturnType<typeof issue>>;
  let firstReference: string;

  test('a mandate needs a valid IBAN and the current text, and shows no IBAN', async () => {
    const { consent, text, transfer } = await call<Static<typeof shapes.SepaInformation>>('GET', 'sepa', {
      language: 'de',
    });
    assert.match(text, /Ich ermächtige Example Hosting B\.V\. \(Gläubiger-Identifikationsnummer DE98ZZZ09999999999\)/);
    assert.match(transfer.reference, /^RF\d\dC2$/);
    const good = { holder: 'Jürgen Groß', iban, consent };
    await storePaymentSettings(app.parts, app.parts.store.queries, {
      ...app.site,
      provider: { ...app.site.provider, payments: { sepa: { ...sepaSettings, scheme: 'B2B' } } },
    });
    const other = await call<Static<typeof shapes.SepaInformation>>('GET', 'sepa', { language: 'de' });
    assert.notEqual(other.text, text);
    await allowSepa(app);
    for (const [wrong, status] of [
      [{ iban: 'DE88370400440532013000' }, 400],
      [{ holder: '李' }, 400],
      [{ consent: '2020-01' }, 409],
      [{ consent: other.consent }, 409],
    ] as const) {
      const path = '/v2/payment/mandate';
      const response = await request<Envelope<ErrorResult>>(app, 'POST', path, {
        key: app.lab.stranger.key,
        params: { ...good, ...wrong },
      });
      assert.equal(response.status, status, JSON.stringify(response.body));
    }
    method = await giveMandate();
    const [mandate] = await call<Static<typeof shapes.MandateItem>[]>('GET', 'mandate');
    assert.deepEqual([mandate!.id, mandate!.state, mandate!.scheme], [method, 'active', 'CORE']);
    const evidence = await app.parts.store.queries.selectFrom('tax_evidence').select(['source', 'country']).execute();
    assert.deepEqual(evidence, [{ source: 'payment', country: 'DE' }]);
    const row = await app.parts.store.queries.selectFrom('sepa_mandates').selectAll().executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes('532013000'));
    assert.deepEqual([row.consent_version, row.address], [consent, '127.0.0.1']);
  });

  test('a charge is announced, and waits for the file of the day before it is due', async () => {
    first = await issue(12_345);
    // The lab's invoice is older, and is paid first.
    await importStatement({ bookings: [{ cents: 10_680, text: 'LAB-0005', name: 'Bob', reference: 'T0' }] });
    firstReference = await collect(first.id, method);
    assert.match(firstReference, /^HY[0-9a-f]{32}$/);
    assert.equal((await charges())[0]!.state, 'submitted');
    assert.deepEqual(await files(), []);
    const announced = (await listEvents(app, app.lab.stranger.key)).filter(({ type }) => type === 'payment.announced');
    assert.equal(announced.length, 1);
    const { date, amount, invoicenum } = announced[0]!.data as Record<string, string>;
    assert.deepEqual([amount, invoicenum], ['123.45', first.number]);
    assert.equal(date, dayNumberText(dayOf(app.parts.clock.now()) + 2));
  });

  test('the file is valid, is written once, stays the same, and its download is audited', async () => {
    const [file, ...others] = await writeFiles();
    assert.deepEqual(others, []);
    assert.deepEqual([file!.kind, file!.payments, file!.amount, file!.state], ['debit', '1', '123.45', 'created']);
    const xml = await download(file!);
    assert.equal(schemaProblems('pain.008.001.08', xml), '');
    assert.match(xml, new RegExp(`<EndToEndId>${firstReference}</EndToEndId>`));
    assert.match(xml, /<SeqTp>FRST<.*<Nm>Juergen Gross<.*<IBAN>DE89370400440532013000</);
    assert.equal(await download(file!), xml);
    const audit = await operatorResult<{ action: string; target: string }[]>(app, 'GET', 'audit', { limit: 20 });
    assert.ok(
      JSON.stringify(audit).includes(`id=${file!.id}`),
      'the download of a file with IBANs is in the audit log',
    );
    await operatorResult(app, 'PUT', 'sepa/file', { id: file!.id, outcome: 'handed_in' });
    assert.equal((await asOperator(app, 'PUT', 'sepa/file', { id: file!.id, outcome: 'handed_in' })).status, 409);
    await work();
    assert.equal((await files()).length, 1);
  });

  test('a statement pays the invoice, and a return with a fee reopens it and ends the mandate', async () => {
    const paid = { cents: 12_345, endToEndId: firstReference, reference: 'B1' };
    assert.equal((await importStatement({ id: 'S1', bookings: [paid] })).entries, '1');
    assert.equal(await invoiceStatus(first.id), 'Paid');
    // The bank reports the same booking in a notification, with other references.
    await importStatement({ kind: 'camt.054', version: '02', bookings: [{ ...paid, reference: 'N1' }] });
    const returned = { cents: -12_645, endToEndId: firstReference, returnCode: 'MD01', reference: 'B2' };
    await importStatement({ id: 'S2', bookings: [returned] });
    await importStatement({ kind: 'camt.054', bookings: [{ ...returned, reference: 'N2' }] });
    assert.equal(await invoiceStatus(first.id), 'Unpaid');
    assert.equal((await charges())[0]!.state, 'charged_back');
    assert.equal((await call<Static<typeof shapes.MandateItem>[]>('GET', 'mandate'))[0]!.state, 'ended');
    const matched = (await entries('matched')).filter(({ matchedas }) => matchedas === 'chargeback');
    assert.deepEqual(
      matched.map(({ amount, booked }) => [amount, booked]),
      [
        ['-126.45', '-123.45'],
        ['-126.45', '0.00'],
      ],
    );
    const events = await listEvents(app, app.lab.stranger.key);
    const back = events.filter(({ type }) => type === 'payment.chargeback');
    assert.deepEqual(
      back.map(({ data }) => (data as { reason: string }).reason),
      ['MD01 There is no mandate, or the customer revoked it.'],
    );
  });

  test('transfers are matched by invoice number or customer reference; others wait for staff', async () => {
    const { transfer } = await call<Static<typeof shapes.SepaInformation>>('GET', 'sepa');
    const { entries: count } = await importStatement({
      id: 'S3',
      openingCents: 5,
      bookings: [
        { cents: 12_000, text: `thanks ${first.number}`, reference: 'T1' },
        // The provider's own account is no customer.
        { cents: 345, text: `ref ${transfer.reference} ${customerReference(providerAccount)}`, reference: 'T2' },
        // The same payment twice on one day, without references.
        { cents: 100, text: 'for my server', name: 'Bob' },
        { cents: 100, text: 'for my server', name: 'Bob' },
        { cents: -790, text: 'account fee', reference: 'T3' },
      ],
    });
    assert.equal(count, '5');
    assert.equal(await invoiceStatus(first.id), 'Paid');
    const waiting = await entries('unmatched');
    assert.deepEqual(
      waiting.map(({ amount, problemcode }) => [amount, problemcode]),
      [
        ['1.00', 'no_reference'],
        ['1.00', 'no_reference'],
        ['-7.90', 'outgoing'],
      ],
    );
    const [one, two, fee] = waiting.map(({ id }) => Number(id));
    await operatorResult(app, 'PUT', 'sepa/entries', { entry: one, account: account() });
    assert.equal((await asOperator(app, 'PUT', 'sepa/entries', { entry: one, account: account() })).status, 409);
    assert.equal((await asOperator(app, 'PUT', 'sepa/entries', { entry: fee, account: account() })).status, 409);
    assert.equal((await asOperator(app, 'PUT', 'sepa/entries', { entry: two, account: 999_999 })).status, 404);
    await operatorResult(app, 'DELETE', 'sepa/entries', { entry: two, reason: 'returned by hand' });
    await operatorResult(app, 'DELETE', 'sepa/entries', { entry: fee, reason: 'fee of the bank' });
    assert.deepEqual(await entries('unmatched'), []);
    assert.equal(await creditOf(app.parts.store.queries, account()), 100);
    await requireBalance();
    const [statement] = await operatorResult<Static<typeof shapes.BankStatementItem>[]>(app, 'GET', 'sepa/statements');
    assert.deepEqual([statement!.total, statement!.booked, statement!.ignored], ['117.55', '124.45', '-6.90']);
  });

  test('unusable statements are rejected and change nothing', async () => {
    const foreign = writeBankStatement({ iban, bookings: [] });
    const wrong = writeBankStatement({ bookings: [{ cents: 1 }] }).replaceAll('EUR', 'USD');
    for (const [statement, message] of [
      [foreign, /DE•• •••• 3000, which is not the one in the site file/],
      [wrong, /not in euro/],
      ['<a>', /not well-formed/],
    ] as const) {
      const { status, body } = await asOperator<ErrorResult>(app, 'POST', 'sepa/statements', { statement });
      assert.equal(status, 400);
      assert.match(body.result.message, message);
      assert.deepEqual(Object.keys(body.result.fields ?? {}), ['statement']);
    }
  });

  test('a batch booking pays a whole part of a file; a return that comes first is settled as well', async () => {
    method = await giveMandate();
    const [one, two] = [await issue(1000), await issue(2000)];
    await collect(one.id, method);
    await collect(two.id, method);
    const [file] = await writeFiles();
    const xml = await download(file!);
    assert.equal(schemaProblems('pain.008.001.08', xml), '');
    const blocks = [...xml.matchAll(/<PmtInfId>([^<]+)<.*?<CtrlSum>([^<]+)</g)].map(([, id, sum]) => ({ id, sum }));
    assert.deepEqual(
      blocks.map(({ sum }) => sum),
      ['10.00', '20.00'],
    );
    const [latest] = await references();
    await importStatement({ id: 'S4a', bookings: [{ cents: 1999, endToEndId: latest!, reference: 'R0' }] });
    const [odd] = await entries('unmatched');
    assert.deepEqual([odd!.problemcode, odd!.expected], ['debit_amount', '20.00']);
    await operatorResult(app, 'DELETE', 'sepa/entries', { entry: odd!.id, reason: 'corrected by the bank' });
    await importStatement({
      id: 'S4',
      bookings: [{ cents: -2000, endToEndId: latest!, returnCode: 'AM04', reference: 'R1' }],
    });
    assert.equal(await invoiceStatus(two.id), 'Unpaid');
    await importStatement({
      id: 'S5',
      bookings: blocks.map(({ id, sum }) => ({ cents: moneyCents(sum!)!, batchId: id!, reference: id! })),
    });
    assert.deepEqual([await invoiceStatus(one.id), await invoiceStatus(two.id)], ['Paid', 'Unpaid']);
    assert.equal((await call<Static<typeof shapes.MandateItem>[]>('GET', 'mandate')).at(-1)!.state, 'active');
    assert.deepEqual(await entries('unmatched'), []);
    await importStatement({ id: 'S6', bookings: [{ cents: 2000, text: two.number, reference: 'T9' }] });
  });

  test('a refund is paid with a pain.001, and its return restores the credit', async () => {
    const invoice = await issue(3000);
    const reference = await collect(invoice.id, method);
    await writeFiles();
    await importStatement({ id: 'S7', bookings: [{ cents: 3000, endToEndId: reference, reference: 'B7' }] });
    const { queries, transaction } = app.parts.store;
    await transaction((writing) => cancelInvoice(app.parts, writing, invoice.number, 'ordered by mistake'));
    const before = await creditOf(queries, account());
    const [charge] = await charges();
    await operatorResult(app, 'POST', 'payment/refund', { charge: charge!.id, amount: '30.00', reason: 'by mistake' });
    await work();
    const [file] = await writeFiles();
    assert.deepEqual([file!.kind, file!.amount], ['refund', '30.00']);
    const xml = await download(file!);
    assert.equal(schemaProblems('pain.001.001.09', xml), '');
    const endToEndId = /<EndToEndId>(HR[^<]+)</.exec(xml)![1]!;
    await importStatement({ id: 'S8', bookings: [{ cents: -3000, endToEndId, reference: 'B8' }] });
    assert.equal((await charges())[0]!.state, 'refunded');
    assert.equal(await creditOf(queries, account()), before - 3000);
    await importStatement({ id: 'S9', bookings: [{ cents: 3000, endToEndId, returnCode: 'AC04', reference: 'B9' }] });
    assert.equal(await creditOf(queries, account()), before);
  });

  test('a refund that the bank pays although its file was recorded as rejected waits for staff', async () => {
    const invoice = await issue(3100);
    const reference = await collect(invoice.id, method);
    await writeFiles();
    await importStatement({ id: 'S14', bookings: [{ cents: 3100, endToEndId: reference, reference: 'B14' }] });
    const { queries, transaction } = app.parts.store;
    await transaction((writing) => cancelInvoice(app.parts, writing, invoice.number, 'ordered by mistake'));
    const credit = await creditOf(queries, account());
    const [charge] = await charges();
    await operatorResult(app, 'POST', 'payment/refund', { charge: charge!.id, amount: '31.00', reason: 'by mistake' });
    await work();
    const [file] = await writeFiles();
    const endToEndId = /<EndToEndId>(HR[^<]+)</.exec(await download(file!))![1]!;
    await operatorResult(app, 'PUT', 'sepa/file', { id: file!.id, outcome: 'rejected' });
    await work();
    assert.equal(await creditOf(queries, account()), credit);
    await importStatement({ id: 'S15', bookings: [{ cents: -3100, endToEndId, reference: 'B15' }] });
    const waiting = (await entries('unmatched')).find(({ amount }) => amount === '-31.00');
    assert.equal(waiting?.problemcode, 'rejected');
    await operatorResult(app, 'DELETE', 'sepa/entries', { entry: waiting!.id, reason: 'credit taken back' });
  });

  test('a charge that another instance has just put into a file does not fail', async () => {
    const invoice = await issue(4_000_000);
    await collect(invoice.id, method);
    await importStatement({ id: 'S16', bookings: [{ cents: 4_000_000, text: invoice.number, reference: 'T16' }] });
    const today = dayOf(app.parts.clock.now());
    passUntil((day, hour) => day > today && hour === 8 && isBusinessDay(day));
    const { store } = app.parts;
    const [order] = await ordersWaiting(store.queries, 'debit', Number.MAX_SAFE_INTEGER, 1);
    let file: number | undefined;
    const transaction: typeof store.transaction = async (body) => {
      file ??= await insertFile('debit');
      await ordersFile(store.queries, [order!.id], { file_id: file! });
      return store.transaction(body);
    };
    const settings = await requireSepaSettings(app.parts, store.queries);
    await writeDueFiles({ ...app.parts, store: { ...store, transaction } }, settings, new AbortController().signal);
    assert.equal((await charges())[0]!.state, 'submitted');
    await operatorResult(app, 'PUT', 'sepa/file', { id: file!, outcome: 'rejected' });
    await work();
  });

  test('a charge is dropped if the customer removes the mandate or pays before the file', async () => {
    const invoice = await issue(5_000_000);
    await collect(invoice.id, method);
    await importStatement({ id: 'S10', bookings: [{ cents: 5_000_000, text: invoice.number, reference: 'T10' }] });
    assert.deepEqual(await writeFiles(), []);
    assert.equal((await charges())[0]!.failure, 'The invoice was paid or credited before the direct debit.');
    const partly = await issue(5_500_000);
    await collect(partly.id, method);
    await importStatement({ id: 'S12', bookings: [{ cents: 5_000_000, text: partly.number, reference: 'T12' }] });
    assert.deepEqual(await writeFiles(), [], 'nobody is debited more than they owe');
    await importStatement({ id: 'S13', bookings: [{ cents: 500_000, text: partly.number, reference: 'T13' }] });
    const other = await issue(6_000_000);
    await collect(other.id, method);
    await call('DELETE', 'method', { id: method });
    assert.deepEqual(await writeFiles(), []);
    assert.equal((await charges())[0]!.failure, 'The direct debit mandate has ended.');
    await importStatement({ id: 'S11', bookings: [{ cents: 6_000_000, text: other.number, reference: 'T11' }] });
  });

  test('charges of a rejected file fail, and mandates expire after 36 months without use', async () => {
    method = await giveMandate();
    const invoice = await issue(7_000_000);
    await collect(invoice.id, method);
    const [file] = await writeFiles();
    await operatorResult(app, 'PUT', 'sepa/file', { id: file!.id, outcome: 'rejected' });
    await work();
    assert.equal((await charges())[0]!.failure, 'The bank rejected the file with this direct debit.');
    const state = async () => (await call<Static<typeof shapes.MandateItem>[]>('GET', 'mandate')).at(-1)!.state;
    app.pass(1090 * dayMs);
    await work();
    assert.equal(await state(), 'active');
    app.pass(10 * dayMs);
    await work();
    assert.equal(await state(), 'ended');
  });

  test('a process that is killed before or after any commit repeats and loses nothing', async () => {
    passUntil((day, hour) => hour === 5 && [0, 1, 2].every((offset) => isBusinessDay(day + offset)));
    const id = await giveMandate();
    const top = async (amount: string) => void (await call('POST', 'topup', { amount, method: id }));
    await top('11.00');
    await top('12.00');
    await workOffPayments(app.parts);
    const count = async (type: string) =>
      (await listEvents(app, app.lab.stranger.key)).filter((event) => event.type === type).length;
    const announced = await count('payment.announced');
    assert.ok((await workInterrupted()) >= 2);
    assert.equal(await count('payment.announced'), announced + 2);
    const known = (await files()).length;
    const today = dayOf(app.parts.clock.now());
    passUntil((day, hour) => day > today && hour === 8 && isBusinessDay(day));
    assert.equal(await workInterrupted(), 1);
    const [file, ...others] = await files();
    assert.equal(others.length, known);
    assert.deepEqual([file!.payments, file!.amount], ['2', '23.00']);
    const { queries } = app.parts.store;
    const received = await ledgerSum(queries, account(), 'paid:sepa');
    const [second, first] = await references();
    const xml = writeBankStatement({
      id: 'S12',
      bookings: [
        { cents: 1100, endToEndId: first!, reference: 'K1' },
        { cents: 1200, endToEndId: second!, reference: 'K2' },
        { cents: -1200, endToEndId: second!, returnCode: 'MS03', reference: 'K3' },
      ],
    });
    await operatorResult(app, 'POST', 'sepa/statements', { statement: xml });
    assert.ok((await workInterrupted()) >= 1);
    assert.equal(await ledgerSum(queries, account(), 'paid:sepa'), received + 1100);
    await requireBalance();
  });

  test('more than a thousand direct debits are divided among files, each in exactly one', async () => {
    const id = Number(await giveMandate());
    const { queries } = app.parts.store;
    const now = app.parts.clock.now();
    const money = { amount_cents: 100, currency: 'EUR', refunded_cents: 0, charged_back_cents: 0 };
    const blank = { invoice_id: null, checkout_id: '', failure_code: '', failure_message: '', next_look_at: null };
    const common = { ...money, ...blank, account_id: account(), driver: 'sepa', method_id: id, attempt: 0 };
    const names = Array.from({ length: 1001 }, (_, index) => `HYmany${index}`);
    for (const batch of batches(names, 100)) {
      const state = { purpose: 'top-up', state: 'submitted', created_at: now, changed_at: now } as const;
      const rows = batch.map((name) => ({ ...common, ...state, key: name, external_id: name }));
      const added = await queries.insertInto('payment_charges').values(rows).returning(['id', 'key']).execute();
      const order = { account_id: account(), refund_id: null, method_id: id, amount_cents: 100, file_id: null };
      const orders = added.map(({ id: charge_id, key }) => ({
        ...order,
        charge_id,
        end_to_end_id: key,
        day: dayOf(now),
        sequence: '' as const,
        text: key,
      }));
      await queries.insertInto('sepa_orders').values(orders).execute();
    }
    const written = await writeFiles();
    assert.deepEqual(written.map(({ payments }) => payments).toSorted(), ['1', '1000']);
    const contents = await Promise.all(written.map(download));
    for (const xml of contents) assert.equal(schemaProblems('pain.008.001.08', xml), '');
    const collected = contents.flatMap((xml) => [...xml.matchAll(/<EndToEndId>([^<]+)</g)].map(([, name]) => name!));
    assert.deepEqual(collected.toSorted(), names.toSorted());
  });

  test('customers and staff without permission see nothing of it', async () => {
    const { status } = await request(app, 'GET', '/operator/sepa/files', { key: app.lab.stranger.key });
    assert.equal(status, 403);
    const others = await requestResult<unknown[]>(app, 'GET', '/v2/payment/mandate', { key: app.lab.customer.key });
    assert.deepEqual(others, []);
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres')
    test('what staff decide twice at the same time is recorded once, and the other is told', async () => {
      const { store } = app.parts;
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`;
      /** Sends the call while the transaction is open, and lets it go on once the call waits for it. */
      async function during(change: (queries: Queries) => Promise<unknown>, ...[method, path, params]: Decision) {
        let status: number | undefined;
        const { sent } = await store.transaction(async (queries) => {
          await change(queries);
          const response = asOperator(app, method, path, params).then((answer) => (status = answer.status));
          await until(async () => status !== undefined || (await waiting.execute(store.queries)).rows[0]!.count > 0);
          return { sent: response };
        });
        return sent;
      }
      await importStatement({ bookings: [{ cents: 4711, text: 'Who knows', name: 'Bob', reference: 'T99' }] });
      const entry = (await entries('unmatched')).find(({ amount }) => amount === '47.11')!.id;
      const credit = await creditOf(store.queries, account());
      const ignore = (queries: Queries) =>
        ignoreEntry(queries, Number(entry), { reason: 'of another company', operator: 'eve' });
      assert.equal(await during(ignore, 'PUT', 'sepa/entries', { entry, account: account() }), 409);
      assert.equal(await creditOf(store.queries, account()), credit);
      const file = await insertFile('refund');
      const reject = (queries: Queries) =>
        decideFile(app.parts, queries, file!, { state: 'rejected', operator: 'eve' });
      assert.equal(await during(reject, 'PUT', 'sepa/file', { id: file, outcome: 'handed_in' }), 409);
    });
});
