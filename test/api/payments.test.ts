// Payments through Stripe: methods, paying, top-ups, refunds, chargebacks, automatic collection, and notices in any order.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { Static } from 'typebox';
import { cancelInvoice } from '#app/billing/corrections.ts';
import { equipmentChecks } from '#app/doctor/equipment-checks.ts';
import { runChecks } from '#app/doctor/check.ts';
import { collectDueInvoices } from '#app/payments/collection.ts';
import type { OperatorCharge, SavingPage } from '#contract/shapes/payment.ts';
import { dayMs } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { creditOf } from '#store/billing/ledger.ts';
import { taxEvidenceOf } from '#store/billing/tax-evidence.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { issueUntaxed, noticeUrl, takePayments } from '#test/support/payment-fixtures.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { stripeCustomer, type Started } from '#test/support/stripe-customer.ts';
import { startStripeServer, type StripeServer } from '#test/support/stripe-server.ts';

describeOnEngines('payments', { postgres: 'in long runs' }, ({ owned, openApp }) => {
  let app: TestApp;
  let stripe: StripeServer;
  before(async () => {
    app = await openApp({});
    stripe = owned.use(await startStripeServer(() => app.parts.clock.now()));
    await takePayments(app, stripe);
  });
  const customer = stripeCustomer(
    () => app,
    () => stripe,
  );
  const { account, call, refusal, methods, latestCharge, latestIntent, work, issue, invoice, ledger } = customer;
  const { receiveNotices, payWithCard, saveCard, removeCards } = customer;
  beforeEach(customer.payOpenInvoices);

  test('a card is saved on a page of Stripe and becomes the default method', async () => {
    const { id, url } = await call<Static<typeof SavingPage>>('POST', 'method');
    assert.match(url, /^https:\/\/checkout\.stripe\.com\//);
    assert.deepEqual(await methods(), [], 'a page alone saves nothing');
    stripe.completeCheckout(url);
    await receiveNotices();
    const [method] = await methods();
    assert.deepEqual(
      [method!.id, method!.label, method!.kind, method!.state, method!.default],
      [id, 'Visa •••• 4242, 8/2030', 'card', 'active', true],
    );
    assert.ok(!JSON.stringify(method).includes('pm_'), 'ids at Stripe stay on the server');
    const evidence = await taxEvidenceOf(app.parts.store.queries, account());
    assert.deepEqual(
      evidence.map(({ source, country }) => [source, country]),
      [['payment', 'NL']],
    );
  });

  test('an invoice is paid with the stored card, once, however often Stripe reports it', async () => {
    const { id, method, started } = await payWithCard(5000);
    assert.deepEqual([started.state, started.url], ['created', '']);
    assert.deepEqual(await work(), []);
    assert.equal((await invoice(id)).status, 'Paid');
    const charge = await latestCharge();
    assert.deepEqual([charge.state, charge.amount, charge.method], ['succeeded', '50.00', method.label]);
    assert.deepEqual([...new Set(await stripe.deliver(noticeUrl(app), 'all'))], [200]);
    await work();
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
    assert.equal(await ledger('receivable'), 0);
  });

  test('an invoice that is paid cannot be paid again, and methods of other accounts cannot be used', async () => {
    const { id, method } = await payWithCard(1000);
    const second = await refusal('POST', 'invoice', { invoice: id, method: method.id });
    assert.deepEqual([second.status, second.body.result.code], [409, 'state_conflict']);
    await work();
    const third = await refusal('POST', 'invoice', { invoice: id });
    assert.deepEqual([third.status, third.body.result.code], [409, 'state_conflict']);
    const other = app.lab.customer.key;
    assert.equal((await refusal('POST', 'topup', { amount: '20.00', method: method.id }, other)).status, 404);
    assert.equal((await refusal('DELETE', 'method', { id: method.id }, other)).status, 404);
    assert.equal((await refusal('POST', 'invoice', { invoice: id }, other)).status, 404);
  });

  test('a notice that arrives before the response settles the payment, and the response adds nothing', async () => {
    stripe.interfere = async ({ method: verb, path }, when) => {
      if (verb !== 'POST' || path !== '/v1/payment_intents' || when !== 'after') return undefined;
      stripe.interfere = () => undefined;
      await stripe.deliver(noticeUrl(app));
      return undefined;
    };
    const { id } = await payWithCard(2100);
    assert.deepEqual(await work(), []);
    assert.equal((await invoice(id)).status, 'Paid');
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  for (const [when, interference] of [
    ['before', 'drop'],
    ['after', 'drop'],
    ['before', 'fail'],
    ['after', 'fail'],
  ] as const)
    test(`a charge is neither lost nor repeated when Stripe answers nothing: ${interference} ${when} the effect`, async () => {
      const balance = stripe.objects.balance();
      stripe.interfere = ({ path, method: verb }, at) =>
        verb === 'POST' && path === '/v1/payment_intents' && at === when ? interference : undefined;
      const { id } = await payWithCard(3300);
      assert.equal((await work()).length, 1);
      assert.equal((await latestCharge()).state, 'created', 'unknown is not failed');
      stripe.interfere = () => undefined;
      stripe.forgetKeys();
      app.pass(3_600_000);
      assert.deepEqual(await work(), []);
      assert.equal((await invoice(id)).status, 'Paid');
      assert.equal(stripe.objects.balance(), balance + 3300);
      assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
    });

  test('a charge that Stripe does not know after a day has failed, and is not repeated', async () => {
    stripe.interfere = ({ path }) => (path === '/v1/payment_intents' ? 'drop' : undefined);
    const { id, method } = await payWithCard(700);
    await work();
    stripe.interfere = () => undefined;
    app.pass(dayMs);
    await work();
    const { state, failure } = await latestCharge();
    assert.deepEqual([state, failure], ['failed', 'The payment provider did not process the charge.']);
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
    await call<Started>('POST', 'invoice', { invoice: id, method: method.id });
    await work();
  });

  for (const [what, change] of [
    [
      'its invoice is cancelled',
      async ({ id }: { id: number }) => {
        const { number } = await invoice(id);
        await app.parts.store.transaction((queries) => cancelInvoice(app.parts, queries, number, 'Mistake'));
      },
    ],
    ['its invoice is paid in part by transfer', () => customer.transfer(1)],
    ['its card is removed', ({ method }: { method: { id: string } }) => call('DELETE', 'method', { id: method.id })],
  ] as const)
    test(`a charge that Stripe has not received fails if ${what} meanwhile`, async () => {
      stripe.interfere = ({ path, method }) =>
        method === 'POST' && path === '/v1/payment_intents' ? 'drop' : undefined;
      const started = await payWithCard(3400);
      assert.equal((await work()).length, 1);
      stripe.interfere = () => undefined;
      const balance = stripe.objects.balance();
      await change(started);
      app.pass(3_600_000);
      assert.deepEqual(await work(), []);
      assert.equal((await latestCharge()).state, 'failed');
      assert.equal(stripe.objects.balance(), balance);
      if ((await methods()).length === 0) await saveCard('good');
    });

  test('a charge whose invoice was paid by the charge of another one pays that one', async () => {
    const [method] = await methods();
    const ids = [await issue(3500), await issue(3500)];
    app.pass((await invoice(ids[0]!)).due_day * dayMs + dayMs / 2 - app.parts.clock.now());
    stripe.interfere = ({ path, method: verb }) =>
      verb === 'POST' && path === '/v1/payment_intents' ? 'drop' : undefined;
    await call<Started>('POST', 'invoice', { invoice: ids[0], method: method!.id });
    assert.equal((await work()).length, 1);
    stripe.interfere = () => undefined;
    await call<Started>('POST', 'invoice', { invoice: ids[1], method: method!.id });
    assert.deepEqual(await work(), []);
    app.pass(3_600_000);
    assert.deepEqual(await work(), []);
    for (const id of ids) assert.equal((await invoice(id)).status, 'Paid');
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('a page is offered again while it is open, and pays the invoice once', async () => {
    const id = await issue(4400);
    const first = await call<Started>('POST', 'invoice', { invoice: id });
    const second = await call<Started>('POST', 'invoice', { invoice: id });
    assert.deepEqual(first, second);
    stripe.completeCheckout(first.url, 'authentication_required');
    assert.deepEqual(await receiveNotices(), []);
    assert.equal((await invoice(id)).status, 'Paid');
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('a page stays open if Stripe does not respond when it is offered again', async () => {
    const id = await issue(4450);
    const first = await call<Started>('POST', 'invoice', { invoice: id });
    stripe.interfere = () => 'drop';
    assert.equal((await refusal('POST', 'invoice', { invoice: id })).status, 504);
    stripe.interfere = () => undefined;
    assert.deepEqual(await call<Started>('POST', 'invoice', { invoice: id }), first);
    stripe.completeCheckout(first.url);
    assert.deepEqual(await receiveNotices(), []);
    assert.equal((await invoice(id)).status, 'Paid');
  });

  test('a paid page is noticed without a notice, and an expired one can be started again', async () => {
    const id = await issue(4500);
    const { url } = await call<Started>('POST', 'invoice', { invoice: id });
    stripe.objects.expireCheckout(url.slice(url.lastIndexOf('/') + 1));
    app.pass(3_700_000);
    await work();
    assert.equal((await latestCharge()).state, 'failed');
    const next = await call<Started>('POST', 'invoice', { invoice: id });
    stripe.completeCheckout(next.url);
    app.pass(3_700_000);
    assert.deepEqual(await work(), []);
    assert.equal((await invoice(id)).status, 'Paid');
    assert.deepEqual(await receiveNotices(), []);
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('a top-up within the limits becomes credit', async () => {
    const before = await ledger('credit');
    assert.equal((await refusal('POST', 'topup', { amount: '9.99' })).status, 400);
    assert.equal((await refusal('POST', 'topup', { amount: '5000.01' })).status, 400);
    assert.equal((await refusal('POST', 'topup', { amount: '-20' })).status, 400);
    const [method] = await methods();
    await call<Started>('POST', 'topup', { amount: '25.00', method: method!.id });
    await work();
    assert.equal(await ledger('credit'), before - 2500);
  });

  test('staff refund credit to the card, at most what was charged, and a returned refund becomes credit again', async () => {
    const refund = (params: object) => asOperator<Envelope<ErrorResult>>(app, 'POST', 'payment/refund', { ...params });
    const [charge] = await operatorResult<Static<typeof OperatorCharge>[]>(app, 'GET', 'payment/charges', {
      account: account(),
    });
    const credit = await creditOf(app.parts.store.queries, account());
    const reason = 'Unused';
    assert.equal((await refund({ charge: charge!.id, amount: '25.01', reason })).status, 409);
    const answer = await refund({ charge: charge!.id, amount: '10.00', reason });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(await ledger('refunds'), -1000, 'reserved until Stripe has accepted it');
    stripe.interfere = ({ method, path }, when) =>
      method === 'POST' && path === '/v1/refunds' && when === 'after' ? 'drop' : undefined;
    assert.equal((await work()).length, 1);
    stripe.interfere = () => undefined;
    stripe.forgetKeys();
    app.pass(3_600_000);
    assert.deepEqual(await work(), []);
    assert.equal(stripe.objects.refunds.size, 1);
    assert.equal(await ledger('refunds'), 0);
    await receiveNotices();
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
    assert.equal((await latestCharge()).state, 'partly_refunded');
    stripe.objects.failRefund([...stripe.objects.refunds.keys()][0]!);
    await receiveNotices();
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
    assert.equal(await creditOf(app.parts.store.queries, account()), credit);
  });

  test('a chargeback reopens the invoice and is not collected again, and a won dispute pays it', async () => {
    const { id } = await payWithCard(6000);
    await work();
    const dispute = stripe.objects.dispute(latestIntent());
    await receiveNotices();
    await stripe.deliver(noticeUrl(app), 'all');
    await work();
    assert.deepEqual([(await invoice(id)).status, (await invoice(id)).paid_at], ['Unpaid', null]);
    assert.equal((await latestCharge()).state, 'charged_back');
    assert.equal(await ledger('receivable'), 6000);
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
    const mails = await app.parts.store.queries
      .selectFrom('mails')
      .select('address')
      .where('kind', '=', 'chargeback')
      .execute();
    assert.deepEqual(mails, [{ address: 'billing@example.net' }], 'staff are notified once');
    app.pass(20 * dayMs);
    assert.equal(await collectDueInvoices(app.parts), 0);
    stripe.objects.winDispute(dispute);
    await receiveNotices();
    assert.equal((await invoice(id)).status, 'Paid');
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('the return of disputed money counts after its withdrawal, even if Stripe reports it first', async () => {
    const { id } = await payWithCard(6100);
    await work();
    await receiveNotices();
    const credit = await ledger('credit');
    stripe.objects.winDispute(stripe.objects.dispute(latestIntent()));
    const [closed, returned] = stripe.objects.events.splice(-2);
    stripe.objects.events.splice(-1, 0, closed!, returned!);
    assert.deepEqual(
      stripe.objects.events.slice(-2).map(({ type }) => type),
      ['charge.dispute.funds_reinstated', 'charge.dispute.funds_withdrawn'],
    );
    assert.equal((await receiveNotices()).length, 1);
    app.pass(10_000);
    assert.deepEqual(await work(), []);
    assert.equal((await invoice(id)).status, 'Paid');
    assert.equal(await ledger('credit'), credit);
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('a refund from the dashboard of Stripe reopens the invoice; of a cancelled invoice it takes the credit', async () => {
    const pay = async (cents: number) => {
      const { id } = await payWithCard(cents);
      await work();
      return { id, intent: latestIntent() };
    };
    const open = await pay(1500);
    stripe.objects.refundByHand(open.intent, 500);
    await receiveNotices();
    assert.equal((await invoice(open.id)).status, 'Unpaid');
    assert.equal(await ledger('receivable'), 500);
    const credit = await ledger('credit');
    const cancelled = await pay(1700);
    const { number } = await invoice(cancelled.id);
    await app.parts.store.transaction((queries) => cancelInvoice(app.parts, queries, number, 'Mistake'));
    stripe.objects.refundByHand(cancelled.intent, 1700);
    await receiveNotices();
    assert.equal(await ledger('credit'), credit);
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('an invoice is collected on its due date, retried, and given up; each failure is reported once', async () => {
    await removeCards();
    await saveCard('insufficient_funds');
    const id = await issue(9900);
    const { due_day } = await invoice(id);
    const attempts = async () =>
      app.parts.store.queries
        .selectFrom('payment_charges')
        .select(['attempt', 'failure_code'])
        .where('invoice_id', '=', id)
        .orderBy('id')
        .execute();
    const reachDay = async (day: number) => {
      app.pass(day * dayMs + dayMs / 2 - app.parts.clock.now());
      // Two at once, as on two instances.
      await Promise.all([collectDueInvoices(app.parts), collectDueInvoices(app.parts)]);
      await Promise.all([work(), work()]);
    };
    await reachDay(due_day - 1);
    assert.equal((await attempts()).length, 0);
    for (const day of [0, 1, 3, 5, 7, 14, 30]) await reachDay(due_day + day);
    assert.deepEqual(
      await attempts(),
      [1, 2, 3, 4].map((attempt) => ({ attempt, failure_code: 'insufficient_funds' })),
    );
    const failures = await app.parts.store.queries
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'payment.failed')
      .where('data', 'like', '%99.00%')
      .execute();
    assert.equal(failures.length, 4);
    assert.match(failures[0]!.data, /"nexttry":"2/);
    assert.match(failures[3]!.data, /"nexttry":""/);
    assert.equal((await invoice(id)).status, 'Unpaid');
  });

  test('a card that needs its owner is not retried, an expired one is no longer the default, and another one collects', async () => {
    await removeCards();
    await saveCard('authentication_required');
    const id = await issue(8800);
    app.pass(40 * dayMs);
    await collectDueInvoices(app.parts);
    await work();
    assert.equal((await latestCharge()).state, 'needs_action');
    app.pass(dayMs * 5);
    assert.equal(await collectDueInvoices(app.parts), 0);
    await removeCards();
    await saveCard('expired_card');
    app.pass(dayMs);
    await collectDueInvoices(app.parts);
    await work();
    const [expired] = await methods();
    assert.deepEqual([expired!.state, expired!.default], ['expired', false]);
    assert.equal((await refusal('PUT', 'method', { id: expired!.id })).status, 409);
    await saveCard('good');
    app.pass(dayMs * 5);
    await collectDueInvoices(app.parts);
    await work();
    assert.equal((await invoice(id)).status, 'Paid');
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('a slow charge is submitted until Stripe decides it', async () => {
    await removeCards();
    const slow = await saveCard('slow');
    const id = await issue(1200);
    await call<Started>('POST', 'invoice', { invoice: id, method: slow });
    await work();
    assert.equal((await latestCharge()).state, 'submitted');
    assert.equal((await refusal('POST', 'invoice', { invoice: id })).status, 409, 'it would be paid twice');
    stripe.objects.decide(latestIntent(), 'succeeded');
    app.pass(7_200_000);
    await work();
    assert.equal((await invoice(id)).status, 'Paid');
  });

  test('a removed card is removed at Stripe, too', async () => {
    await removeCards();
    assert.deepEqual(await methods(), []);
    assert.ok(stripe.objects.methods.size > 3);
    assert.ok([...stripe.objects.methods.values()].every(({ customer }) => customer === null));
    assert.equal((await refusal('POST', 'topup', { amount: '20.00', method: 1 })).status, 404);
  });

  test('a notice with a wrong signature, an old one, and one for an unknown provider are rejected', async () => {
    const body = JSON.stringify(stripe.objects.events[0]);
    const post = async (path: string, signature: string | undefined) => {
      const headers = { ...(signature !== undefined && { 'stripe-signature': signature }) };
      return (await fetch(`${app.url}${path}`, { method: 'POST', headers, body })).status;
    };
    const good = stripe.sign(body);
    const path = '/hooks/payment-notices/stripe';
    assert.equal(await post(path, good), 200);
    assert.equal(await post(path, undefined), 401);
    assert.equal(await post(path, good.replace(/v1=./, 'v1=_')), 401);
    assert.equal(await post('/hooks/payment-notices/other', good), 401);
    app.pass(600_000);
    assert.equal(await post(path, good), 401);
  });

  test('hostyard doctor reports that Stripe rejects the key, or does not answer', async () => {
    const checks = equipmentChecks.filter(({ name }) => name === 'payments');
    const problems = async () => (await runChecks(app.parts, checks)).map(({ state, message }) => [state, message]);
    assert.deepEqual(await problems(), [['ok', checks[0]!.okMessage]]);
    stripe.interfere = () => 'drop';
    assert.match(
      String(await problems()),
      /^warning,Payments through Stripe do not work: Stripe did not answer: socket hang up$/,
    );
    stripe.interfere = () => undefined;
    await takePayments(app, { ...stripe, secretKey: 'sk_test_wrong' });
    assert.match(
      String(await problems()),
      /^warning,Payments through Stripe do not work: Stripe reported: Invalid API Key/,
    );
    await takePayments(app, stripe);
  });

  test('a connection that Stripe has closed meanwhile does not fail a call', async () => {
    const id = await issue(550);
    for (const when of ['before', 'after'] as const) {
      stripe.interfere = (_, at) => {
        if (at !== when) return undefined;
        stripe.interfere = () => undefined;
        return 'drop';
      };
      assert.equal((await call<Started>('POST', 'invoice', { invoice: id })).state, 'needs_action');
    }
  });

  test('when Stripe is down, a page is refused and leaves nothing open', async () => {
    const id = await issue(500);
    stripe.interfere = () => 'drop';
    const answer = await refusal('POST', 'invoice', { invoice: id });
    assert.deepEqual([answer.status, answer.body.result.code], [504, 'payment_unreachable']);
    stripe.interfere = () => undefined;
    const { state } = await call<Started>('POST', 'invoice', { invoice: id });
    assert.equal(state, 'needs_action');
  });

  test('an amount below the minimum of Stripe is rejected, and leaves nothing open', async () => {
    const id = await issue(30);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { status, body } = await refusal('POST', 'invoice', { invoice: id });
      assert.deepEqual([status, body.result.code], [409, 'state_conflict']);
      assert.match(body.result.message, /too small/);
    }
    assert.equal((await latestCharge()).state, 'failed');
  });

  test('a page is offered again after the customer has saved a first card', async () => {
    const other = Number(app.lab.customer.account) as AccountId;
    const { id } = await issueUntaxed(app.parts, other, 4600);
    const post = <T>(path: string, params: object) =>
      requestResult<T>(app, 'POST', `/v2/payment/${path}`, { key: app.lab.customer.key, params: { ...params } });
    const first = await post<Started>('invoice', { invoice: id });
    const { url } = await post<Static<typeof SavingPage>>('method', {});
    stripe.completeCheckout(url);
    assert.deepEqual(await receiveNotices(), []);
    assert.deepEqual(await post<Started>('invoice', { invoice: id }), first);
    stripe.completeCheckout(first.url);
    const again = await request<Envelope<ErrorResult>>(app, 'POST', '/v2/payment/invoice', {
      key: app.lab.customer.key,
      params: { invoice: id },
    });
    assert.equal(again.status, 409, 'its payment is on its way');
    assert.deepEqual(await receiveNotices(), []);
  });
});
