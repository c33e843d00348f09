// Changes of plan, ends and cycles in a real database: whatever a month is cut into, it is billed to the cent, and it does not
// matter when the changes become known.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { addAccount } from '#test/support/accounts.ts';
import { firstDay, openBillingWorld, type BillingWorld } from '#test/support/billing-world.ts';
import type { AccountId } from '#store/tables.ts';

describe('hosting', () => {
  const owned = new AsyncDisposableStack();
  let world: BillingWorld;
  let next = 1;
  before(async () => void (world = owned.use(await openBillingWorld())));
  after(() => owned.disposeAsync());

  async function newAccount(): Promise<{ account: AccountId; service: number }> {
    const service = next++;
    const account = await addAccount(world.store, service);
    world.setDay(firstDay);
    await world.addService(account, service);
    return { account, service };
  }
  async function charges(account: AccountId) {
    return world.store.queries
      .selectFrom('charges')
      .selectAll()
      .where('account_id', '=', account)
      .orderBy('period_day')
      .orderBy('from_day')
      .execute();
  }
  async function billed(account: AccountId): Promise<number> {
    return (await charges(account)).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  }

  it('is billed ahead, from the first day on, with the arithmetic on the line', async () => {
    const { account, service } = await newAccount();
    world.setDay(firstDay + 19);
    await world.setTerms(account, service, {}, { setupCents: 2500, billDay: 1 });
    await world.billAll();
    world.setDay(firstDay + 31);
    await world.billAll();
    await world.billAll();
    assert.deepEqual(await world.lines(account), [
      [`Setup of Plain (s${service}.example.net)`, 2500],
      [`Plain (s${service}.example.net), 2026-01-20 to 2026-01-31, 12 of 31 days at 89.00`, 3445],
      [`Plain (s${service}.example.net), 2026-02-01 to 2026-02-28`, 8900],
    ]);
  });

  it('gives back what a change leaves unused, at the price of those days', async () => {
    const { account, service } = await newAccount();
    await world.setTerms(account, service, { price_cents: 3100 }, { billDay: 1 });
    await world.billAll();
    world.setDay(firstDay + 10);
    await world.setTerms(account, service, { plan: 'Large', price_cents: 6200 });
    world.setDay(firstDay + 31);
    await world.billAll();
    assert.deepEqual(
      (await world.lines(account)).map(([text, cents]) => [text.replace(/ \(.*\)/, ''), cents]),
      [
        ['Plain, 2026-01-01 to 2026-01-31', 3100],
        ['Plain, 2026-01-11 to 2026-01-31, 21 of 31 days at 31.00, not used', -2100],
        ['Large, 2026-01-11 to 2026-01-31, 21 of 31 days at 62.00', 4200],
        ['Large, 2026-02-01 to 2026-02-28', 6200],
      ],
    );
  });

  it('is billed by quarters and years where the plan says so, and by the day when it ends within one', async () => {
    const { account, service } = await newAccount();
    await world.setTerms(account, service, { price_cents: 9000, cycle_months: 3 }, { billDay: 1 });
    for (const day of [0, 31, 59]) {
      world.setDay(firstDay + day);
      await world.billAll();
    }
    assert.deepEqual(
      (await charges(account)).map(({ amount_cents }) => amount_cents),
      [9000],
    );
    // The quarter has 90 days; 60 of them are used.
    await world.setTerms(account, service, { price_cents: 9000, cycle_months: 3 }, { until: firstDay + 60 });
    world.setDay(firstDay + 90);
    await world.billAll();
    assert.equal(await billed(account), 6000);
    world.setDay(firstDay + 200);
    await world.billAll();
    assert.equal(await billed(account), 6000);
  });

  it('that ends is billed no more, and begins again on the day on which it has a plan again', async () => {
    const { account, service } = await newAccount();
    await world.setTerms(account, service, { price_cents: 3100 }, { billDay: 1, until: firstDay + 31 });
    await world.billAll();
    world.setDay(firstDay + 70);
    await world.billAll();
    assert.equal(await billed(account), 3100);
    await world.setTerms(account, service, { price_cents: 3100 });
    world.setDay(firstDay + 90);
    await world.billAll();
    // From the 12th of March to the end of April.
    assert.equal(await billed(account), 3100 + 2000 + 3100);
  });

  it('does not mind the same file applied again and again, nor two changes on one day', async () => {
    const { account, service } = await newAccount();
    for (const price_cents of [500, 3100, 3100])
      await world.setTerms(account, service, { price_cents }, { billDay: 1 });
    await world.billAll();
    assert.equal(await billed(account), 3100);
  });

  const change = fc.record({ afterDays: fc.integer({ min: 0, max: 20 }), price: fc.integer({ min: 0, max: 20_000 }) });

  it('of one price makes that price a month, whatever the month is cut into', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 28 }),
        fc.integer({ min: 1, max: 99_999 }),
        fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 8 }),
        async (billDay, price, gaps) => {
          const { account, service } = await newAccount();
          const start = firstDay + billDay - 1;
          world.setDay(start);
          await world.setTerms(account, service, { price_cents: price }, { billDay });
          await world.billAll();
          for (const [index, gap] of gaps.entries()) {
            world.setDay(world.today() + gap);
            await world.billAll();
            await world.setTerms(account, service, { plan: `Plan ${index}`, price_cents: price });
          }
          world.setDay(world.today() + 31);
          await world.billAll();
          const periods = new Set((await charges(account)).map(({ period_day }) => period_day)).size;
          assert.equal(await billed(account), periods * price);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('comes to the same whether changes are known beforehand or become known when paid for already', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(1, 3, 12),
        async (changes, cycle_months) => {
          const { account, service } = await newAccount();
          const days: number[] = [];
          const terms = (index: number) => ({
            plan: `Plan ${index}`,
            price_cents: changes[index]!.price,
            cycle_months,
          });
          for (const index of changes.keys()) {
            if (index > 0) world.setDay(world.today() + changes[index]!.afterDays);
            await world.billAll();
            await world.setTerms(account, service, terms(index), { billDay: 1 });
            days.push(world.today());
          }
          world.setDay(world.today() + 31);
          await world.billAll();
          const horizon = Math.max(...(await charges(account)).map(({ until_day }) => until_day), firstDay);
          assert.equal(await billed(account), byTheDay(changes, days, cycle_months, horizon));
        },
      ),
      { numRuns: 25 },
    );
  });
});

/** Each day for itself, at the price that it has: what the whole of a bill must come to. */
function byTheDay(
  changes: readonly { readonly price: number }[],
  days: readonly number[],
  months: number,
  horizon: number,
): number {
  let sum = 0;
  for (let day = firstDay; day < horizon; day++) {
    const price = changes[days.findLastIndex((from) => from <= day)]!.price;
    const date = new Date(day * 86_400_000);
    const first = Math.floor(date.getUTCMonth() / months) * months;
    const from = Date.UTC(date.getUTCFullYear(), first, 1) / 86_400_000;
    const whole = Date.UTC(date.getUTCFullYear(), first + months, 1) / 86_400_000 - from;
    const upTo = (count: number): number => Math.floor((2 * price * count + whole) / (2 * whole));
    sum += upTo(day - from + 1) - upTo(day - from);
  }
  return sum;
}
