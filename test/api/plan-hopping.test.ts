// Customers who change between plans all the time pay for the largest that they had on each day or in each hour, and stay for the
// minimum term that they agreed to.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { createAccount, machineOrder, operatorResult } from '#test/support/operators.ts';
import { waitingLocks } from '#test/support/postgres.ts';
import { request, requestResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

interface DevicePlan {
  readonly minimumto: string;
  readonly earliestend: string;
  readonly changes: readonly { readonly name: string }[];
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

describeOnEngines('changes of plan by a customer', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => {
    app = await openApp();
    const plan = (name: string, price: string, changes: string[], more = {}) =>
      ({ name, price, cycle: 'monthly', changes, ...more }) as const;
    const plans = [
      plan('Small', '10.00', ['Big', 'Tiny']),
      plan('Tiny', '5.00', ['Big']),
      plan('Big', '300.00', ['Small']),
      plan('Small hourly', '10.00', ['Big hourly'], { hourly: '0.02' }),
      plan('Big hourly', '300.00', ['Small hourly'], { hourly: '0.60' }),
      plan('Bound', '10.00', ['Big', 'Small', 'Tiny'], { minimum: 12 }),
    ];
    await applySite(app.parts, { ...app.site, plans: [...(app.site.plans ?? []), ...plans] });
  });

  async function order(plan: string) {
    const account = await createAccount(app);
    const { price: _price, setup: _setup, ...machine } = machineOrder(account);
    const { service } = await operatorResult<{ service: string }>(app, 'POST', 'service', { ...machine, plan });
    const created = await operatorResult<{ key: string }>(app, 'POST', 'key', {
      account,
      name: 'own',
      scopes: ['all'],
    });
    const params = (name: string) => ({ key: created.key, params: { service, plan: name } });
    return {
      account: Number(account) as AccountId,
      change: (name: string) => requestResult(app, 'PUT', '/v2/device/plan', params(name)),
      changeByStaff: (name: string, more = {}) =>
        operatorResult(app, 'PUT', 'service/plan', { id: service, plan: name, ...more }),
      plan: () => requestResult<DevicePlan>(app, 'GET', `/v2/device/plan/${service}`, { key: created.key }),
      status: async (name: string) => (await request(app, 'PUT', '/v2/device/plan', params(name))).status,
      terms: () => termsOfService(app.parts.store.queries, Number(account) as AccountId, Number(service)),
    };
  }
  const passTo = (unitMs: number, beforeMs: number): void =>
    app.pass(unitMs - (app.parts.clock.now() % unitMs) - beforeMs);

  test('to the large plan for most of each day cost that plan on each of the days', async () => {
    const customer = await order('Small');
    for (let day = 0; day < 3; day++) {
      passTo(dayMs, -minuteMs);
      await customer.change('Big');
      passTo(dayMs, minuteMs);
      await customer.change('Small');
    }
    const big = (await customer.terms()).filter(({ plan }) => plan === 'Big');
    assert.equal(
      big.reduce((days, { from_day, until_day }) => days + until_day! - from_day, 0),
      3,
    );
    // A detour over a third plan must not make the day cheaper.
    assert.equal(await customer.status('Big'), 409);
    passTo(dayMs, -minuteMs);
    await customer.change('Tiny');
    assert.equal(await customer.status('Big'), 409);
  });

  test('to the large plan for most of each hour cost that plan in each of the hours', async () => {
    const customer = await order('Small hourly');
    for (let hour = 0; hour < 3; hour++) {
      passTo(hourMs, -minuteMs);
      await customer.change('Big hourly');
      passTo(hourMs, minuteMs);
      await customer.change('Small hourly');
    }
    const big = (await customer.terms()).filter(({ plan }) => plan === 'Big hourly');
    assert.equal(
      big.reduce((hours, { from_hour, until_hour }) => hours + until_hour! - from_hour!, 0),
      3,
    );
  });

  test('to a dearer plan without a minimum term do not end that of the plan before', async () => {
    const customer = await order('Bound');
    const bound = await customer.plan();
    passTo(dayMs, -minuteMs);
    await customer.change('Big');
    passTo(dayMs, -minuteMs);
    const { minimumto, earliestend, changes } = await customer.plan();
    assert.deepEqual([minimumto, earliestend, changes], [bound.minimumto, bound.earliestend, []]);
    assert.equal(await customer.status('Small'), 422);
  });

  test('that two calls make at once are checked one after the other', async () => {
    const { store } = app.parts;
    for (const plans of [
      ['Big', 'Small'],
      ['Small', 'Big'],
    ]) {
      const customer = await order('Bound');
      const changes = await store.transaction(async (holding) => {
        // On SQLite nothing waits here: one transaction follows the other anyway.
        if (engine === 'postgres') await billingAccountLock(holding, customer.account);
        const started: Promise<number>[] = [];
        for (const plan of plans) {
          started.push(customer.status(plan));
          if (engine === 'postgres') await until(async () => (await waitingLocks(holding)) === started.length);
        }
        return { started };
      });
      await Promise.all(changes.started);
      assert.notEqual((await customer.plan()).minimumto, '');
    }
  });

  test('by staff end a minimum term if they agree on a price', async () => {
    const [kept, released] = [await order('Bound'), await order('Bound')];
    await kept.changeByStaff('Big');
    assert.notEqual((await kept.plan()).minimumto, '');
    await released.changeByStaff('Big', { price: '300.00' });
    assert.equal((await released.plan()).minimumto, '');
  });
});
