import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SitePlan } from '#contract/site/billing.ts';
import { currencyProblems, planIn } from './plan-prices.ts';

const plan: SitePlan = {
  name: 'Cloud S',
  price: '8.00',
  hourly: '0.0125',
  setup: '5.00',
  cycle: 'monthly',
  minimum: 3,
  bandwidth: { committed: 100, price: '1.00', cap: '50.00' },
  addresses: { included: 1, price: '2.00' },
  usage: [
    { item: 'traffic', included: 20, price: '1.00', cap: '100.00' },
    { item: 'backups', included: 10, price: '0.05' },
  ],
  prices: [
    {
      currency: 'USD',
      price: '9.00',
      hourly: '0.0140',
      setup: '6.00',
      bandwidth: { price: '1.10', cap: '55.00' },
      addresses: { price: '2.20' },
      usage: [
        { item: 'backups', price: '0.06' },
        { item: 'traffic', price: '1.10', cap: '110.00' },
      ],
    },
  ],
};
const [dollars] = plan.prices!;

describe('the prices of a plan', () => {
  it('are its own in its own currency, and those of another one there, for what it includes', () => {
    const { prices: _prices, ...own } = plan;
    assert.deepEqual(planIn(plan, 'EUR', 'EUR'), own);
    assert.deepEqual(planIn(plan, 'USD', 'EUR'), {
      name: 'Cloud S',
      currency: 'USD',
      price: '9.00',
      hourly: '0.0140',
      setup: '6.00',
      cycle: 'monthly',
      minimum: 3,
      bandwidth: { committed: 100, price: '1.10', cap: '55.00' },
      addresses: { included: 1, price: '2.20' },
      usage: [
        { item: 'traffic', included: 20, price: '1.10', cap: '110.00' },
        { item: 'backups', included: 10, price: '0.06' },
      ],
    });
  });

  it('do not exist in a currency that it does not have', () => {
    assert.equal(planIn(plan, 'CHF', 'EUR'), undefined);
    assert.equal(planIn({ ...plan, currency: 'USD', prices: [] }, 'EUR', 'EUR'), undefined);
  });

  it('stay when the plan is already in the currency', () => {
    const inDollars = planIn(plan, 'USD', 'EUR')!;
    assert.deepEqual(planIn(inDollars, 'USD', 'EUR'), inDollars);
  });
});

describe('the currencies of a plan', () => {
  const problems = (change: Partial<SitePlan>, own = 'EUR') => currencyProblems({ ...plan, ...change }, own);

  it('have the same kinds of prices', () => {
    assert.deepEqual(problems({}), []);
    const { hourly: _hourly, addresses: _addresses, ...less } = dollars!;
    assert.deepEqual(problems({ prices: [less] }), [['prices', 'must also have hourly, addresses in USD']]);
    const [backups] = dollars!.usage!;
    assert.deepEqual(problems({ prices: [{ ...dollars!, usage: [backups!] }] }), [
      ['prices', 'must also have traffic, cap of traffic in USD'],
    ]);
    assert.deepEqual(problems({ prices: [{ ...dollars!, addresses: { price: '2.20', cap: '9.00' } }] }), [
      ['prices', 'must not have cap of addresses in USD, which the plan does not have'],
    ]);
  });

  it('need no setup fee if there is none', () => {
    const { setup: _setup, ...free } = dollars!;
    assert.deepEqual(problems({ setup: '0.00', prices: [free] }), []);
    assert.equal(problems({ prices: [free] }).length, 1);
  });

  it('are there once, and have two decimals', () => {
    const twice = [['prices', 'must list each currency once; USD is listed twice']];
    assert.deepEqual(problems({ prices: [dollars!, dollars!] }), twice);
    assert.deepEqual(problems({ currency: 'USD' }), twice);
    assert.deepEqual(problems({}, 'USD'), twice);
    assert.deepEqual(
      problems({ currency: 'JPY', prices: [{ ...dollars!, currency: 'KWD' }] }).map(([member]) => member),
      ['currency', 'prices'],
    );
  });
});
