// Cancelled services end by themselves, and new prices are announced before they apply: each once, whatever is interrupted.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { endCancelledServices } from '#app/pricing/ended-services.ts';
import { announcePriceChanges } from '#app/pricing/price-announcements.ts';
import { applyPriceChanges } from '#app/pricing/price-changes.ts';
import type { EventType } from '#contract/events/events.ts';
import { dayText } from '#lib/time.ts';
import type { Methods } from '#sdk/v2.ts';
import type { Methods as OperatorMethods } from '#sdk/operator.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { AccountId } from '#store/account-id.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { asOperator, createAccount, machineOrder, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

type DevicePlan = Awaited<ReturnType<Methods['devicePlanGet']>>;
type Cancellations = Awaited<ReturnType<OperatorMethods['cancellationList']>>;

const dayMs = 86_400_000;

describeOnEngines('the end of services and of prices', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let plans = 0;
  before(async () => {
    app = await openApp({ worksOffJobs: true });
    while (new Date(app.parts.clock.now()).getUTCDate() > 24) app.pass(dayMs);
  });

  interface Customer {
    readonly account: string;
    readonly service: string;
    readonly key: string;
    readonly plan: string;
  }
  async function order(fields: object = {}): Promise<Customer> {
    const plan = `Plan ${++plans}`;
    await operatorResult(app, 'POST', 'plan', { name: plan, price: '10.00', ...fields });
    const account = await createAccount(app);
    const { price: _price, setup: _setup, ...machine } = machineOrder(account);
    const ordered = { ...machine, size: '/30', plan };
    const { service } = await operatorResult<{ service: string }>(app, 'POST', 'service', ordered);
    const scopes = ['all'];
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'key', { account, name: 'own', scopes });
    return { account, service, key, plan };
  }
  const today = () => dayText(app.parts.clock.now());
  const dayFromNow = (days: number) => dayText(app.parts.clock.now() + days * dayMs);
  const cancel = ({ service: id }: Customer, date: string) =>
    operatorResult(app, 'POST', 'service/cancellation', { id, date, reason: 'moves out' });
  const end = () => endCancelledServices(app.parts);
  const eventsOf = async ({ key }: Customer, type: EventType) =>
    (await listEvents(app, key)).filter((event) => event.type === type);
  const statusOf = async ({ service }: Customer) =>
    (await operatorResult<{ status: string }>(app, 'GET', `service/${service}`)).status;
  const endingOf = async ({ service }: Customer) =>
    (await operatorResult<Cancellations>(app, 'GET', 'cancellation')).find((entry) => entry.service === service);
  const terminations = async ({ service }: Customer) =>
    app.parts.store.queries
      .selectFrom('workflows')
      .select('operation')
      .where('service_id', '=', Number(service))
      .where('name', '=', 'service-terminate')
      .execute();
  const rejected = async (...call: Parameters<typeof asOperator>) =>
    (await asOperator<ErrorResult>(...call)).body.result.code;

  test('a cancelled service gets one final notice, and is terminated once after its last day', async () => {
    const customer = await order();
    const lastday = dayFromNow(5);
    await cancel(customer, lastday);
    await end();
    assert.deepEqual(await eventsOf(customer, 'service.termination.announced'), [], 'five days before is too early');
    app.pass(3 * dayMs);
    await Promise.all([end(), end()]);
    await end();
    const notices = await eventsOf(customer, 'service.termination.announced');
    assert.deepEqual(
      notices.map(({ data }) => data),
      [{ lastday, termination: dayFromNow(3) }],
    );
    assert.equal((await endingOf(customer))?.ending, 'announced');
    app.pass(2 * dayMs);
    assert.equal(dayText(app.parts.clock.now()), lastday);
    await end();
    assert.deepEqual(await terminations(customer), [], 'it runs on its last day');
    app.pass(dayMs);
    await Promise.all([end(), end()]);
    await until(async () => (await statusOf(customer)) === 'Terminated', { saw: () => terminations(customer) });
    await end();
    assert.deepEqual(await terminations(customer), [{ operation: 'cancellation' }]);
    assert.equal((await eventsOf(customer, 'service.terminated')).length, 1);
    assert.equal(await endingOf(customer), undefined);
  });

  test('a service that is cancelled at the last moment runs for a day after the notice', async () => {
    const customer = await order();
    await cancel(customer, today());
    app.pass(2 * dayMs);
    await end();
    assert.equal((await endingOf(customer))!.termination, dayFromNow(1));
    app.pass(dayMs - 1_800_000);
    await end();
    assert.deepEqual(await terminations(customer), []);
    app.pass(1_800_000);
    await end();
    assert.equal((await terminations(customer)).length, 1);
  });

  test('a service whose cancellation was withdrawn, or that is billed again, goes on', async () => {
    const [withdrawn, billed] = [await order(), await order()];
    for (const customer of [withdrawn, billed]) await cancel(customer, dayFromNow(1));
    await end();
    await operatorResult(app, 'DELETE', 'service/cancellation', { id: withdrawn.service });
    const { store } = app.parts;
    const account = Number(billed.account) as AccountId;
    const term = (await termsOfService(store.queries, account, Number(billed.service))).at(-1)!;
    app.pass(10 * dayMs);
    await store.queries.updateTable('service_terms').set({ until_day: null }).where('id', '=', term.id).execute();
    await end();
    for (const customer of [withdrawn, billed]) assert.deepEqual(await terminations(customer), []);
    // Cancelled again, it gets another notice.
    await cancel(withdrawn, today());
    await end();
    assert.equal((await eventsOf(withdrawn, 'service.termination.announced')).length, 2);
  });

  test('staff hold a termination, and release it with another notice', async () => {
    const customer = await order();
    const { service: id } = customer;
    assert.equal(await rejected(app, 'POST', 'cancellation/hold', { id, reason: 'early' }), 'state_conflict');
    await cancel(customer, dayFromNow(1));
    await end();
    await operatorResult(app, 'POST', 'cancellation/hold', { id, reason: 'dispute' });
    assert.equal(await rejected(app, 'POST', 'cancellation/hold', { id, reason: 'again' }), 'state_conflict');
    app.pass(10 * dayMs);
    await end();
    const held = (await endingOf(customer))!;
    assert.deepEqual([held.ending, held.holdreason, await terminations(customer)], ['held', 'dispute', []]);
    await operatorResult(app, 'DELETE', 'cancellation/hold', { id });
    await end();
    assert.equal((await eventsOf(customer, 'service.termination.announced')).length, 2);
    assert.deepEqual(await terminations(customer), []);
    app.pass(dayMs);
    await end();
    assert.equal((await terminations(customer)).length, 1);
    assert.equal(await rejected(app, 'POST', 'cancellation/hold', { id, reason: 'late' }), 'state_conflict');
  });

  test('staff withdraw a cancellation after the last day, and the service is billed again from then on', async () => {
    const customer = await order({ hourly: '0.0100' });
    const { service: id, key } = customer;
    const params = { service: id };
    const termsOf = () => termsOfService(app.parts.store.queries, Number(customer.account) as AccountId, Number(id));
    await requestResult(app, 'POST', '/v2/device/cancellation', { key, params });
    await operatorResult(app, 'POST', 'cancellation/hold', { id, reason: 'dispute' });
    app.pass(10 * dayMs);
    assert.equal(await rejected(app, 'PUT', 'service/plan', { id, plan: customer.plan }), 'state_conflict');
    const own = await request<Envelope<ErrorResult>>(app, 'DELETE', '/v2/device/cancellation', { key, params });
    assert.match(own.body.result.message, /has ended/);
    await operatorResult(app, 'DELETE', 'service/cancellation', { id });
    const [ended, resumed] = await termsOf();
    assert.ok(ended!.until_day !== null && ended!.until_day < resumed!.from_day);
    assert.equal(dayText(resumed!.from_day * dayMs), today());
    assert.deepEqual([resumed!.plan, resumed!.until_day], [customer.plan, null]);
    await end();
    assert.deepEqual(await terminations(customer), []);
    await cancel(customer, today());
    app.pass(3 * dayMs);
    await end();
    app.pass(dayMs);
    await end();
    assert.equal(await rejected(app, 'DELETE', 'service/cancellation', { id }), 'state_conflict');
    assert.equal((await terminations(customer)).length, 1);
  });

  test('new prices are announced once, with the right to leave before them, whatever the minimum term', async () => {
    const customer = await order({ minimum: 12 });
    const { plan: name, key, service } = customer;
    const planOf = () => requestResult<DevicePlan>(app, 'GET', `/v2/device/plan/${service}`, { key });
    const regular = (await planOf()).earliestend;
    await operatorResult(app, 'PUT', 'plan', { name, price: '12.00', minimum: 12, addresses: 1, addressprice: '1.00' });
    const from = dayFromNow(40);
    await operatorResult(app, 'POST', 'plan/apply', { name, from });
    await Promise.all([announcePriceChanges(app.parts), announcePriceChanges(app.parts)]);
    await announcePriceChanges(app.parts);
    const announced = await eventsOf(customer, 'service.price.announced');
    const prices = { oldprice: '10.00', newprice: '12.00', oldhourly: '', newhourly: '', other: ['addresses'] };
    assert.deepEqual(
      announced.map(({ data }) => data),
      [{ plan: name, from, ...prices, lastday: dayFromNow(39) }],
    );
    const { changefrom, changeprice, earliestend } = await planOf();
    assert.deepEqual([changefrom, changeprice, earliestend], [from, '12.00', dayFromNow(39)]);
    assert.ok(regular > earliestend);
    const params = { service };
    assert.deepEqual(await requestResult(app, 'POST', '/v2/device/cancellation', { key, params }), {
      lastday: earliestend,
    });
    app.pass(41 * dayMs);
    await applyPriceChanges(app.parts);
    assert.equal(
      (await termsOfService(app.parts.store.queries, Number(customer.account) as AccountId, Number(service))).length,
      1,
    );
  });

  test('a service that begins after new prices and is cancelled before them never begins', async () => {
    const customer = await order();
    const { service, key, plan } = customer;
    const start = app.parts.clock.now() / dayMs + 40;
    await app.parts.store.queries
      .updateTable('service_terms')
      .set({ from_day: Math.floor(start), anchor_day: Math.floor(start) })
      .where('service_id', '=', Number(service))
      .execute();
    await operatorResult(app, 'PUT', 'plan', { name: plan, price: '12.00' });
    await operatorResult(app, 'POST', 'plan/apply', { name: plan, from: dayFromNow(20) });
    const params = { service };
    const { lastday } = await requestResult<{ lastday: string }>(app, 'POST', '/v2/device/cancellation', {
      key,
      params,
    });
    assert.equal(lastday, dayFromNow(39));
    app.pass(42 * dayMs);
    await end();
    app.pass(dayMs);
    await end();
    assert.equal((await terminations(customer)).length, 1);
  });

  test('lower prices do not end a minimum term, and a withdrawn announcement is followed by another message', async () => {
    const customer = await order({ minimum: 12 });
    const { plan: name, key, service } = customer;
    const earliest = async () =>
      (await requestResult<DevicePlan>(app, 'GET', `/v2/device/plan/${service}`, { key })).earliestend;
    const regular = await earliest();
    await operatorResult(app, 'PUT', 'plan', { name, price: '9.00', minimum: 12 });
    const apply = (days: number) => operatorResult(app, 'POST', 'plan/apply', { name, from: dayFromNow(days) });
    await apply(40);
    await announcePriceChanges(app.parts);
    assert.equal(await earliest(), regular);
    // Another day replaces the announcement without a message that nothing changes.
    await apply(50);
    await announcePriceChanges(app.parts);
    assert.equal((await eventsOf(customer, 'service.price.announced')).length, 2);
    assert.deepEqual(await eventsOf(customer, 'service.price.kept'), []);
    await operatorResult(app, 'DELETE', 'plan/apply', { name });
    await announcePriceChanges(app.parts);
    await announcePriceChanges(app.parts);
    const kept = await eventsOf(customer, 'service.price.kept');
    assert.deepEqual(
      kept.map(({ data }) => data),
      [{ plan: name, from: dayFromNow(50) }],
    );
  });

  test('a price change whose day has come is neither withdrawn nor replaced: some services may have it already', async () => {
    const { plan: name, service, account } = await order();
    const apply = (days: number) => operatorResult(app, 'POST', 'plan/apply', { name, from: dayFromNow(days) });
    await operatorResult(app, 'PUT', 'plan', { name, price: '12.00' });
    await apply(0);
    assert.equal((await asOperator(app, 'DELETE', 'plan/apply', { name })).status, 409);
    await operatorResult(app, 'PUT', 'plan', { name, price: '15.00' });
    await apply(30);
    await applyPriceChanges(app.parts);
    const prices = async () =>
      (await termsOfService(app.parts.store.queries, Number(account) as AccountId, Number(service))).map(
        ({ price_cents }) => price_cents,
      );
    assert.deepEqual(await prices(), [1000, 1200]);
    await operatorResult(app, 'DELETE', 'plan/apply', { name });
    app.pass(31 * dayMs);
    await applyPriceChanges(app.parts);
    assert.deepEqual(await prices(), [1000, 1200]);
  });
});
