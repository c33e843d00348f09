// What services cost: plans of the site file and of the panel, changes of plan, cancellations, coupons, and previews.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { loadStoredSite } from '#app/site/export.ts';
import { applyPriceChanges } from '#app/pricing/price-changes.ts';
import { createBillingActions } from '#app/billing/run.ts';
import { termsOf as planTerms } from '#app/billing/plan-terms.ts';
import { applyTerms, setServiceTerms } from '#app/billing/terms.ts';
import type { Site } from '#contract/site/site.ts';
import type { InvoiceListItem, Methods } from '#sdk/v2.ts';
import type { Methods as OperatorMethods } from '#sdk/operator.ts';
import { dayText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountFind, billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termEndNow, termsOfService } from '#store/billing/service-terms.ts';
import { serviceTerminate } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import { callDuring } from '#test/support/concurrent-calls.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { asOperator, createAccount, machineOrder, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';

type InvoicePreview = Awaited<ReturnType<Methods['invoicePreview']>>;
type DevicePlan = Awaited<ReturnType<Methods['devicePlanGet']>>;
type PricePlans = Awaited<ReturnType<OperatorMethods['pricePlanList']>>;

const dayMs = 86_400_000;

function pricedSite(site: Site): Site {
  const usage = [{ item: 'backups', included: 10, price: '0.10' }] as const;
  return {
    ...site,
    plans: [
      ...(site.plans ?? []),
      {
        name: 'Bound',
        price: '30.00',
        cycle: 'monthly',
        minimum: 3,
        changes: ['Bound Cheap', 'Bound Dear', 'Nowhere'],
        bandwidth: { committed: 50, price: '1.50', cap: '100.00' },
        addresses: { included: 1, price: '2.00' },
        usage: [...usage],
      },
      { name: 'Bound Cheap', price: '20.00', cycle: 'monthly' },
      { name: 'Bound Dear', price: '60.00', cycle: 'monthly', changes: ['Bound Cheap'] },
    ],
  };
}

describeOnEngines('prices', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => {
    app = await openApp();
    while (new Date(app.parts.clock.now()).getUTCDate() > 28) app.pass(dayMs);
    await applySite(app.parts, pricedSite(app.site));
  });

  interface Customer {
    readonly account: AccountId;
    readonly service: number;
    readonly key: string;
  }
  /** Orders a virtual machine for a new customer. */
  async function order(plan: object, currency?: string): Promise<Customer> {
    const account = await createAccount(app);
    if (currency !== undefined) await operatorResult(app, 'PUT', 'account/currency', { account, currency });
    const { price: _price, setup: _setup, ...machine } = machineOrder(account);
    const params = { ...machine, size: '/30', ...plan };
    const { service } = await operatorResult<{ service: string }>(app, 'POST', 'service', params);
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'key', {
      account,
      name: 'own',
      scopes: ['all'],
    });
    return { account: Number(account) as AccountId, service: Number(service), key };
  }
  const termsOf = ({ account, service }: Customer) => termsOfService(app.parts.store.queries, account, service);
  const planOf = ({ service, key }: Customer) =>
    requestResult<DevicePlan>(app, 'GET', `/v2/device/plan/${service}`, { key });
  const plans = () => operatorResult<PricePlans>(app, 'GET', 'plan');
  const rejection = async (...call: Parameters<typeof asOperator>) => {
    const { status, body } = await asOperator<ErrorResult>(...call);
    return [status, body.result.code] as const;
  };
  async function customerRejection({ key }: Customer, method: 'POST' | 'PUT' | 'DELETE', path: string, params: object) {
    const { status, body } = await request<Envelope<ErrorResult>>(app, method, path, { key, params: { ...params } });
    return [status, body.result.code] as const;
  }
  async function applyExportedTerms(): Promise<void> {
    const { store, clock } = app.parts;
    const site = (await loadStoredSite(app.parts, store.queries))!;
    await store.transaction((queries) => applyTerms(queries, site, clock.now()));
  }
  async function bill({ account }: Customer): Promise<void> {
    const { store } = app.parts;
    const { next_day } = (await billingAccountFind(store.queries, account))!;
    const actions = createBillingActions(app.parts);
    const measured = await actions.measure(account, next_day!);
    await store.transaction((queries) => actions.bill(queries, account, next_day!, measured));
  }

  test('an order with its own price has everything else of the plan', async () => {
    const [own] = await termsOf(await order({ plan: 'Bound', price: '25.00' }));
    assert.deepEqual(
      [own!.price_cents, own!.committed_mbits, own!.mbit_price_cents, own!.mbit_cap_cents],
      [2500, 50, 150, 10_000],
    );
    assert.deepEqual([own!.addresses_included, own!.address_price_cents, own!.min_months], [1, 200, 3]);
    assert.match(own!.usage_prices, /backups/);
    const [free] = await termsOf(await order({ plan: 'Agreed', price: '5.00', cycle: 'yearly' }));
    assert.deepEqual(
      [free!.plan, free!.price_cents, free!.cycle_months, free!.committed_mbits],
      ['Agreed', 500, 12, null],
    );
  });

  test('the next invoice is the preview, with tax; addresses cost what the plan says', async () => {
    const customer = await order({ plan: 'Bound' });
    const { key, service } = customer;
    const price = (size: string) =>
      requestResult<{ price: string }>(app, 'GET', `/v2/network/price/${service}`, {
        key,
        params: { type: 'ipv4', size },
      });
    // The machine has a /30 already, of which one address is included.
    assert.deepEqual([await price('/32'), await price('/29')], [{ price: '2.00' }, { price: '16.00' }]);
    assert.deepEqual(await price('/30'), { price: '8.00' });
    const block = { service, type: 'ipv4', size: '/30' };
    const { status } = await requestResult<{ status: string }>(app, 'POST', '/v2/network/netblock', {
      key,
      params: block,
    });
    assert.equal(status, 'Assigned');
    await operatorResult(app, 'POST', 'usage', { id: service, item: 'backups', quantity: '25.5' });
    const previews: InvoicePreview[] = [];
    for (let month = 0; month < 2; month++) {
      previews.push(await requestResult<InvoicePreview>(app, 'GET', '/v2/account/invoice/next', { key }));
      await bill(customer);
      if (month === 0) app.pass(28 * dayMs);
    }
    const invoices = await requestResult<InvoiceListItem[]>(app, 'GET', '/v2/account/invoice', { key });
    assert.deepEqual(
      invoices.map(({ subtotal, total }) => [subtotal, total]),
      previews.map(({ subtotal, total }) => [subtotal, total]),
    );
    const amounts = previews[1]!.lines.map(({ description, amount }) => [/: (\w+)/.exec(description)?.[1], amount]);
    assert.deepEqual(amounts[0], [undefined, '30.00']);
    assert.deepEqual(
      amounts.slice(1).map(([what]) => what),
      ['7', 'backups'],
    );
  });

  test('a plan of the panel is offered, changed, applied to its services from a date, and withdrawn', async () => {
    const plan = { name: 'Panel S', price: '10.00', hourly: '0.02', mbits: 10, mbitprice: '1.00' };
    await operatorResult(app, 'POST', 'plan', plan);
    const customer = await order({ plan: 'Panel S' });
    const agreed = await order({ plan: 'Panel S', price: '7.00' });
    assert.deepEqual(await rejection(app, 'POST', 'plan', { name: 'Panel S', price: '1.00' }), [409, 'already_exists']);
    assert.deepEqual(await rejection(app, 'POST', 'plan', { name: 'Bound', price: '1.00' }), [409, 'already_exists']);
    assert.deepEqual(await rejection(app, 'PUT', 'plan', { name: 'Bound', price: '1.00' }), [409, 'state_conflict']);
    assert.deepEqual(await rejection(app, 'DELETE', 'plan', { name: 'Panel S' }), [409, 'state_conflict']);
    assert.equal((await rejection(app, 'POST', 'plan', { name: 'Odd', price: '1.00', mbits: 5 }))[0], 400);
    await operatorResult(app, 'PUT', 'plan', { name: 'Panel S', price: '12.00', hourly: '0.03' });
    assert.equal((await termsOf(customer)).at(-1)!.price_cents, 1000);
    const from = dayText(app.parts.clock.now() + 2 * dayMs);
    await operatorResult(app, 'POST', 'plan/apply', { name: 'Panel S', from });
    await applyPriceChanges(app.parts);
    const listed = (await plans()).find(({ name }) => name === 'Panel S');
    assert.deepEqual([listed!.origin, listed!.services, listed!.changefrom], ['panel', '2', from]);
    assert.equal((await termsOf(customer)).length, 1);
    app.pass(3 * dayMs);
    await applyPriceChanges(app.parts);
    await applyPriceChanges(app.parts);
    const [before, after, ...rest] = await termsOf(customer);
    assert.deepEqual([after!.price_cents, after!.hour_price, after!.committed_mbits, rest], [1200, 300, null, []]);
    assert.deepEqual([before!.until_hour, before!.until_day], [after!.from_hour, after!.from_day]);
    assert.equal((await termsOf(agreed)).at(-1)!.price_cents, 700);
    await operatorResult(app, 'POST', 'plan/withdraw', { name: 'Panel S' });
    await assert.rejects(order({ plan: 'Panel S' }), /a plan that is offered/);
    await operatorResult(app, 'POST', 'plan/offer', { name: 'Panel S' });
    // An export does not contain the plan, and applying it changes no terms.
    await applyExportedTerms();
    assert.deepEqual((await termsOf(customer)).at(-1), after);
    const conflicting = pricedSite(app.site);
    const named = {
      ...conflicting,
      plans: [...conflicting.plans!, { name: 'Panel S', price: '1', cycle: 'monthly' as const }],
    };
    await assert.rejects(applySite(app.parts, named), /plan Panel S already exists in the panel/);
  });

  test('a plan has prices in several currencies, and an account those in its own', async () => {
    const dollars = { currency: 'USD', price: '33.00', mbitprice: '1.20', usage: [{ item: 'backups', price: '0.12' }] };
    const plan = {
      name: 'Worldwide',
      price: '30.00',
      mbits: 10,
      mbitprice: '1.00',
      usage: [{ item: 'backups', included: 5, price: '0.10' }],
      changes: ['Worldwide L', 'Bound Dear'],
    };
    const { mbitprice: _mbitprice, ...less } = dollars;
    for (const [prices, problem] of [
      [[less], /must also have bandwidth in USD/],
      [[dollars, dollars], /USD is listed twice/],
      [[{ ...dollars, currency: 'EUR' }], /EUR is listed twice/],
      [[{ ...dollars, currency: 'JPY' }], /JPY must have two decimals/],
      [[{ ...less, mbitcap: '5.00' }], /must also have/],
      [[{ ...dollars, setup: '5.00' }], /must not have setup in USD/],
      [[{ currency: 'USD', price: 'much' }], /JSON array/],
    ] as const) {
      const { status, body } = await asOperator<ErrorResult>(app, 'POST', 'plan', { ...plan, prices });
      assert.deepEqual([status, Object.keys(body.result.fields)], [400, ['prices']]);
      assert.match(body.result.fields['prices']!, problem);
    }
    await operatorResult(app, 'POST', 'plan', { ...plan, prices: [dollars] });
    await operatorResult(app, 'POST', 'plan', { name: 'Worldwide L', currency: 'USD', price: '66.00' });
    const listed = (await plans()).find(({ name }) => name === 'Worldwide')!;
    assert.deepEqual([listed.currency, listed.price, listed.prices.length], ['EUR', '30.00', 1]);
    const [usd] = listed.prices;
    assert.deepEqual([usd!.currency, usd!.price, usd!.mbitprice, usd!.setup], ['USD', '33.00', '1.20', '0.00']);
    const [euros, american] = [await order({ plan: 'Worldwide' }), await order({ plan: 'Worldwide' }, 'USD')];
    const prices = async (customer: Customer) => {
      const { price_cents, mbit_price_cents, committed_mbits, usage_prices } = (await termsOf(customer)).at(-1)!;
      return [price_cents, mbit_price_cents, committed_mbits, usage_prices];
    };
    const backups = (priceCents: number) => JSON.stringify([{ item: 'backups', included: 5, priceCents }]);
    assert.deepEqual(await prices(euros), [3000, 100, 10, backups(10)]);
    assert.deepEqual(await prices(american), [3300, 120, 10, backups(12)]);
    await assert.rejects(order({ plan: 'Worldwide' }, 'CHF'), /no prices in CHF/);
    const changes = async (customer: Customer) => (await planOf(customer)).changes.map(({ name }) => name);
    assert.deepEqual([await changes(euros), await changes(american)], [['Bound Dear'], ['Worldwide L']]);
    const today = dayText(app.parts.clock.now());
    const update = async (change: object) => {
      await operatorResult(app, 'PUT', 'plan', { ...plan, price: '31.00', ...change });
      await operatorResult(app, 'POST', 'plan/apply', { name: 'Worldwide', from: today });
      await applyPriceChanges(app.parts);
      return [(await prices(euros))[0], (await prices(american))[0]];
    };
    assert.deepEqual(await update({ prices: [{ ...dollars, price: '34.00' }] }), [3100, 3400]);
    // Without prices in dollars, the service keeps those that it has.
    assert.deepEqual(await update({ price: '32.00' }), [3200, 3400]);
    await applyExportedTerms();
    assert.deepEqual([(await prices(euros))[0], (await prices(american))[0]], [3200, 3400]);
    const site = (await loadStoredSite(app.parts, app.parts.store.queries))!;
    const customers = site.customers!.map((customer) =>
      customer.id === Number(american.account) ? { ...customer, currency: 'EUR' } : customer,
    );
    await assert.rejects(
      applySite(app.parts, { ...site, customers }),
      /cannot change from USD to EUR\. The account has services with prices/,
    );
  });

  test('a customer changes to the plans that theirs names, and the file that names the former one keeps that', async () => {
    const customer = await order({ plan: 'Bound' });
    const { service, key } = customer;
    // Bound by the minimum term, they cannot choose a cheaper plan yet.
    assert.deepEqual(
      (await planOf(customer)).changes.map(({ name }) => name),
      ['Bound Dear'],
    );
    for (const plan of ['Bound Cheap', 'Dedicated E3'])
      assert.equal((await customerRejection(customer, 'PUT', '/v2/device/plan', { service, plan }))[0], 422);
    const params = { service, plan: 'Bound Dear' };
    const preview = await requestResult<InvoicePreview>(app, 'POST', '/v2/device/plan/preview', { key, params });
    assert.deepEqual(
      preview.lines.map(({ amount }) => amount),
      ['60.00'],
    );
    assert.equal((await termsOf(customer)).length, 1);
    await requestResult(app, 'PUT', '/v2/device/plan', { key, params });
    assert.equal((await planOf(customer)).plan, 'Bound Dear');
    assert.ok((await listEvents(app, key)).some(({ type }) => type === 'service.plan.changed'));
    await operatorResult(app, 'PUT', 'service/plan', { id: service, plan: 'Bound Cheap', price: '1.00' });
    assert.equal((await planOf(customer)).price, '1.00');
  });

  test('applying the site file again keeps a plan that was changed to, until the file names another', async () => {
    const { account } = app.lab.stranger;
    const terms = () => termsOfService(app.parts.store.queries, Number(account) as AccountId, 1101);
    const named = (plan: string): Site => ({
      ...pricedSite(app.site),
      services: app.site.services!.map((service) => (service.id === 1101 ? { ...service, plan } : service)),
    });
    await applySite(app.parts, named('Bound'));
    await operatorResult(app, 'PUT', 'service/plan', { id: 1101, plan: 'Bound Dear' });
    await applySite(app.parts, named('Bound'));
    assert.equal((await terms()).at(-1)!.plan, 'Bound Dear');
    await applySite(app.parts, named('Bound Cheap'));
    assert.equal((await terms()).at(-1)!.plan, 'Bound Cheap');
  });

  if (engine === 'postgres')
    test('a site file that is applied while a plan changes does not bill two plans', async () => {
      const { store, clock } = app.parts;
      const account = Number(app.lab.stranger.account) as AccountId;
      const change = async (queries: Queries) => {
        await billingAccountLock(queries, account);
        const terms = planTerms({ name: 'Bound Dear', price: '60.00', cycle: 'monthly' });
        const none = { start: undefined, until: undefined, billDay: undefined };
        const desired = { ...none, terms, setupCents: 0, now: clock.now(), origin: 'order' } as const;
        await setServiceTerms(queries, account, 1101, desired);
      };
      const site = pricedSite(app.site);
      const services = app.site.services!.map((service) =>
        service.id === 1101 ? { ...service, plan: 'Bound' } : service,
      );
      await callDuring(store, change, () => applySite(app.parts, { ...site, services }));
      const terms = await termsOfService(store.queries, account, 1101);
      assert.equal(terms.filter(({ until_day }) => until_day === null).length, 1);
    });

  test('a cancellation ends the service after its minimum term, and can be withdrawn until then', async () => {
    const customer = await order({ plan: 'Bound' });
    const { service, key } = customer;
    const { earliestend, minimumto } = await planOf(customer);
    assert.ok(earliestend >= minimumto && minimumto > dayText(app.parts.clock.now() + 80 * dayMs));
    const call = (method: 'POST' | 'DELETE') =>
      requestResult(app, method, '/v2/device/cancellation', { key, params: { service } });
    assert.deepEqual(await call('POST'), { lastday: earliestend });
    assert.deepEqual(await customerRejection(customer, 'POST', '/v2/device/cancellation', { service }), [
      409,
      'state_conflict',
    ]);
    const change = { service, plan: 'Bound Dear' };
    assert.deepEqual(await customerRejection(customer, 'PUT', '/v2/device/plan', change), [409, 'state_conflict']);
    const listed = await operatorResult<{ service: string; lastday: string }[]>(app, 'GET', 'cancellation');
    assert.ok(listed.some((entry) => entry.service === String(service) && entry.lastday === earliestend));
    // A file says nothing about cancellations, so it does not undo them.
    await applyExportedTerms();
    assert.equal((await planOf(customer)).cancelledto, earliestend);
    await call('DELETE');
    assert.equal((await termsOf(customer)).at(-1)!.until_day, null);
    await operatorResult(app, 'POST', 'service/cancellation', {
      id: service,
      date: dayText(app.parts.clock.now()),
      reason: 'moves out',
    });
    assert.deepEqual(await customerRejection(customer, 'DELETE', '/v2/device/cancellation', { service }), [
      409,
      'state_conflict',
    ]);
  });

  if (engine === 'postgres')
    test('the plan of a service that is terminated at the same time is neither changed nor billed', async () => {
      const customer = await order({ plan: 'Bound' });
      const { account, service, key } = customer;
      const { store, clock } = app.parts;
      const terminate = async (queries: Queries) => {
        await billingAccountLock(queries, account);
        await serviceTerminate(queries, service);
        await termEndNow(queries, account, (await termsOfService(queries, account, service)).at(-1)!, clock.now());
      };
      const activate = () => store.queries.updateTable('services').set({ status: 'Active' }).where('id', '=', service);
      const params = { service, plan: 'Bound Dear' };
      for (const call of [
        () => asOperator<ErrorResult>(app, 'PUT', 'service/plan', { id: service, plan: 'Bound Dear' }),
        () => request<Envelope<ErrorResult>>(app, 'PUT', '/v2/device/plan', { key, params }),
        () => request<Envelope<ErrorResult>>(app, 'POST', '/v2/device/cancellation', { key, params: { service } }),
      ]) {
        const { body } = await callDuring(store, terminate, call);
        assert.equal(body.result.code, 'service_terminated');
        assert.deepEqual(
          (await termsOf(customer)).map(({ plan, until_day }) => [plan, until_day !== null]),
          [['Bound', true]],
        );
        await activate().execute();
        await store.queries
          .updateTable('service_terms')
          .set({ until_day: null })
          .where('service_id', '=', service)
          .execute();
      }
    });

  test('plans of other accounts are neither visible nor changeable', async () => {
    const { service } = await order({ plan: 'Bound' });
    const other = await order({ plan: 'Bound' });
    for (const [method, path, params] of [
      ['POST', '/v2/device/cancellation', { service }],
      ['DELETE', '/v2/device/cancellation', { service }],
      ['PUT', '/v2/device/plan', { service, plan: 'Bound Dear' }],
      ['POST', '/v2/device/plan/preview', { service, plan: 'Bound Dear' }],
    ] as const)
      assert.deepEqual(await customerRejection(other, method, path, params), [404, 'not_found'], path);
  });

  test('a coupon is redeemed once per account and never beyond its limit, also at the same time', async () => {
    await operatorResult(app, 'POST', 'coupon', { coupon: 'SAVE50', discount: '50%', uses: 2, periods: 1 });
    const customers = await Promise.all([1, 2, 3].map(() => order({ plan: 'Bound' })));
    const redeem = ({ key }: Customer) =>
      request(app, 'POST', '/v2/account/coupon', { key, params: { coupon: 'save50' } });
    const responses = await Promise.all([...customers, ...customers].map(redeem));
    assert.equal(responses.filter(({ status }) => status === 200).length, 2);
    const [listed] = await operatorResult<{ code: string; uses: string }[]>(app, 'GET', 'coupon');
    assert.deepEqual([listed!.code, listed!.uses], ['SAVE50', '2']);
    const winner = customers[responses.slice(0, 3).findIndex(({ status }) => status === 200)]!;
    const preview = () => requestResult<InvoicePreview>(app, 'GET', '/v2/account/invoice/next', { key: winner.key });
    assert.equal((await preview()).subtotal, '15.00');
    await bill(winner);
    app.pass(28 * dayMs);
    assert.doesNotMatch(JSON.stringify(await preview()), /Coupon/);
    await operatorResult(app, 'DELETE', 'coupon', { coupon: 'SAVE50' });
    // An amount is in the provider's currency, and never counts as one in another.
    await operatorResult(app, 'POST', 'coupon', { coupon: 'TENLESS', discount: '10.00' });
    const american = await order({ plan: 'Agreed', price: '5.00' }, 'USD');
    const ten = { coupon: 'TENLESS' };
    assert.equal((await customerRejection(american, 'POST', '/v2/account/coupon', ten))[0], 409);
    const [unused] = await operatorResult<{ uses: string }[]>(app, 'GET', 'coupon', { after: 'TENLESR' });
    assert.equal(unused!.uses, '0');
    const account = await createAccount(app);
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'key', {
      account,
      name: 'own',
      scopes: ['all'],
    });
    await requestResult(app, 'POST', '/v2/account/coupon', { key, params: ten });
    const dollars = { account, currency: 'USD' };
    assert.deepEqual(await rejection(app, 'PUT', 'account/currency', dollars), [409, 'state_conflict']);
    for (const discount of ['101%', '0%', '0.00', '-5'])
      assert.equal((await rejection(app, 'POST', 'coupon', { coupon: 'ODD-ONE', discount }))[0], 400, discount);
  });
});
