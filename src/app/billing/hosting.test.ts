// Plan changes, ends and cycles in a real database: however a month is split, it is billed to the cent, and it does not
// matter when a change becomes known.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { firstDay, openBillingFixture, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { dayMs } from '#lib/time.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import type { AccountId } from '#store/account-id.ts';

describe('hosting', () => {
  const owned = suiteResources();
  let fixture: BillingFixture;
  before(async () => void (fixture = owned.use(await openBillingFixture())));

  async function newAccount() {
    fixture.setDay(firstDay);
    return fixture.newAccount();
  }
  async function charges(account: AccountId) {
    return fixture.store.queries
      .selectFrom('charges')
      .selectAll()
      .where('account_id', '=', account)
      .orderBy('period_day')
      .orderBy('from_day')
      .execute();
  }
  async function billedCents(account: AccountId): Promise<number> {
    return (await charges(account)).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  }

  it('is billed in advance from the first day, with the calculation on the line', async () => {
    const { account, service } = await newAccount();
    fixture.setDay(firstDay + 19);
    await fixture.setTerms(account, service, {}, { setupCents: 2500, billDay: 1 });
    await fixture.billAll();
    fixture.setDay(firstDay + 31);
    await fixture.billAll();
    await fixture.billAll();
    assert.deepEqual(await fixture.lines(account), [
      [`Setup of Plain (s${service}.example.net)`, 2500],
      [`Plain (s${service}.example.net), 2026-01-20 to 2026-01-31, 12 of 31 days at 89.00`, 3445],
      [`Plain (s${service}.example.net), 2026-02-01 to 2026-02-28`, 8900],
    ]);
  });

  it('credits what a change leaves unused, at the price of those days', async () => {
    const { account, service } = await newAccount();
    await fixture.setTerms(account, service, { price_cents: 3100 }, { billDay: 1 });
    await fixture.billAll();
    fixture.setDay(firstDay + 10);
    await fixture.setTerms(account, service, { plan: 'Large', price_cents: 6200 });
    fixture.setDay(firstDay + 31);
    await fixture.billAll();
    assert.deepEqual(
      (await fixture.lines(account)).map(([text, cents]) => [text.replace(/ \(.*\)/, ''), cents]),
      [
        ['Plain, 2026-01-01 to 2026-01-31', 3100],
        ['Plain, 2026-01-11 to 2026-01-31, 21 of 31 days at 31.00, not used', -2100],
        ['Large, 2026-01-11 to 2026-01-31, 21 of 31 days at 62.00', 4200],
        ['Large, 2026-02-01 to 2026-02-28', 6200],
      ],
    );
  });

  it('is billed by quarter or year if the plan says so, and by the day when it ends within one', async () => {
    const { account, service } = await newAccount();
    await fixture.setTerms(account, service, { price_cents: 9000, cycle_months: 3 }, { billDay: 1 });
    for (const day of [0, 31, 59]) {
      fixture.setDay(firstDay + day);
      await fixture.billAll();
    }
    assert.deepEqual(await fixture.lines(account), [
      [`Plain (s${service}.example.net), 2026-01-01 to 2026-03-31`, 9000],
    ]);
    // The quarter has 90 days, of which 60 are used.
    await fixture.setTerms(account, service, { price_cents: 9000, cycle_months: 3 }, { until: firstDay + 60 });
    fixture.setDay(firstDay + 90);
    await fixture.billAll();
    assert.equal(await billedCents(account), 6000);
    fixture.setDay(firstDay + 200);
    await fixture.billAll();
    assert.equal(await billedCents(account), 6000);
  });

  it('is no longer billed after its end, and again from the day on which it has a plan', async () => {
    const { account, service } = await newAccount();
    await fixture.setTerms(account, service, { price_cents: 3100 }, { billDay: 1, until: firstDay + 31 });
    await fixture.billAll();
    fixture.setDay(firstDay + 70);
    await fixture.billAll();
    assert.equal(await billedCents(account), 3100);
    await fixture.setTerms(account, service, { price_cents: 3100 });
    fixture.setDay(firstDay + 90);
    await fixture.billAll();
    // From 12 March to the end of April.
    assert.equal(await billedCents(account), 3100 + 2000 + 3100);
  });

  it('is unaffected by applying the same file again, or by two changes on one day', async () => {
    const { account, service } = await newAccount();
    for (const price_cents of [500, 3100, 3100])
      await fixture.setTerms(account, service, { price_cents }, { billDay: 1 });
    await fixture.billAll();
    assert.equal(await billedCents(account), 3100);
  });

  const change = fc.record({ afterDays: fc.integer({ min: 0, max: 20 }), price: fc.integer({ min: 0, max: 20_000 }) });

  it('costs the monthly price however the month is split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 28 }),
        fc.integer({ min: 1, max: 99_999 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 8 }),
        async (billDay, price, gaps) => {
          const { account, service } = await newAccount();
          const start = firstDay + billDay - 1;
          fixture.setDay(start);
          await fixture.setTerms(account, service, { price_cents: price }, { billDay });
          await fixture.billAll();
          for (const [index, gap] of gaps.entries()) {
            fixture.setDay(fixture.today() + gap);
            await fixture.billAll();
            await fixture.setTerms(account, service, { plan: `Plan ${index}`, price_cents: price });
          }
          fixture.setDay(fixture.today() + 31);
          await fixture.billAll();
          const periods = new Set((await charges(account)).map(({ period_day }) => period_day)).size;
          assert.equal(await billedCents(account), periods * price);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('costs the same whether changes are known in advance or only after they are billed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 3, 12),
        async (changes, cycle_months) => {
          const { account, service } = await newAccount();
          const days: number[] = [];
          for (const [index, { afterDays, price }] of changes.entries()) {
            if (index > 0) fixture.setDay(fixture.today() + afterDays);
            await fixture.billAll();
            const terms = { plan: `Plan ${index}`, price_cents: price, cycle_months };
            await fixture.setTerms(account, service, terms, { billDay: 1 });
            days.push(fixture.today());
          }
          fixture.setDay(fixture.today() + 31);
          await fixture.billAll();
          const horizon = Math.max(...(await charges(account)).map(({ until_day }) => until_day), firstDay);
          assert.equal(await billedCents(account), costByDay(changes, days, cycle_months, horizon));
        },
      ),
      { numRuns: 25 },
    );
  });
});

/** Counts each day at its own price, for comparison with the bill. */
function costByDay(
  changes: readonly { readonly price: number }[],
  days: readonly number[],
  months: number,
  horizon: number,
): number {
  let sum = 0;
  for (let day = firstDay; day < horizon; day++) {
    const price = changes[days.findLastIndex((from) => from <= day)]!.price;
    const date = new Date(day * dayMs);
    const first = Math.floor(date.getUTCMonth() / months) * months;
    const from = Date.UTC(date.getUTCFullYear(), first, 1) / dayMs;
    const whole = Date.UTC(date.getUTCFullYear(), first + months, 1) / dayMs - from;
    const upTo = (count: number): number => Math.floor((2 * price * count + whole) / (2 * whole));
    sum += upTo(day - from + 1) - upTo(day - from);
  }
  return sum;
}
