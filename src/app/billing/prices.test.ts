// Hourly prices, metered usage and coupons in a real database. Each property is compared with a naive calculation.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { addTraffic } from '#equipment/traffic.ts';
import { firstDay, openBillingFixture, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import type { AccountId } from '#store/account-id.ts';
import { holdingBegin } from '#store/network/netblock-holdings.ts';
import { portHoldingsSync } from '#store/network/port-holdings.ts';
import { portsOfService, portsPut, switchPut } from '#store/network/switches.ts';
import { couponInsert, redemptionInsert } from '#store/pricing/coupons.ts';
import { usagePut } from '#store/pricing/usage.ts';
import { termsOf } from './plan-terms.ts';

const hour = firstDay * 24;
const monthHours = 31 * 24;
const sum = (amounts: readonly number[]): number => amounts.reduce((total, cents) => total + cents, 0);

describe('prices', () => {
  const owned = suiteResources();
  let fixture: BillingFixture;
  before(async () => void (fixture = owned.use(await openBillingFixture())));

  const planTerms = (plan: Partial<SitePlan>) => termsOf({ name: 'Plan', price: '0', cycle: 'monthly', ...plan });
  const hourly = (price: string, perHour: string, name = 'Cloud') => planTerms({ name, price, hourly: perHour });
  async function newAccount() {
    fixture.setDay(firstDay);
    return fixture.newAccount();
  }
  async function billUntil(day: number): Promise<void> {
    fixture.setDay(firstDay + day);
    await fixture.billAll();
  }
  async function cents(account: AccountId): Promise<number> {
    return sum((await fixture.lines(account)).map(([, amount]) => amount));
  }
  /** Lines without the name of the plan and the service. */
  async function lines(account: AccountId, type?: 'Usage' | 'Discount') {
    return (await fixture.lines(account, type)).map(([text, amount]) => [text.replace(/ \([^)]*\)/, ''), amount]);
  }

  describe('by the hour', () => {
    it('charge every started hour in arrears, and at most the monthly price', async () => {
      const { account, service } = await newAccount();
      await fixture.setTerms(account, service, hourly('8.00', '0.0125'), { hour: hour + 15.5, billDay: 1 });
      await billUntil(0);
      assert.deepEqual(await lines(account), []);
      await billUntil(31);
      // From 15:00 on the first day: 729 hours, which would cost 9.11.
      assert.deepEqual(await lines(account), [
        ['Cloud, 2026-01-01 to 2026-01-31: 729 hours at 0.0125, at most 8.00 a month', 800],
      ]);
      await fixture.setTerms(account, service, undefined, { hour: hour + monthHours + 100.2 });
      await billUntil(59);
      await billUntil(90);
      assert.deepEqual((await lines(account)).slice(1), [
        ['Cloud, 2026-02-01 to 2026-02-05: 101 hours at 0.0125', 126],
      ]);
    });

    it('charge the last hours even if the service ends on the day of the run', async () => {
      const { account, service } = await newAccount();
      await fixture.setTerms(account, service, hourly('100.00', '0.1000'), { hour, billDay: 1 });
      await billUntil(31);
      await fixture.setTerms(account, service, undefined, { hour: hour + monthHours + 5 });
      await billUntil(59);
      await billUntil(90);
      assert.deepEqual(
        (await lines(account)).map(([, amount]) => amount),
        [7440, 50],
      );
    });

    it('charge the setup fee once, also if the plan changes in the first hour', async () => {
      const { account, service } = await newAccount();
      await fixture.setTerms(account, service, hourly('10', '0.01', 'A'), {
        hour: hour + 3.1,
        setupCents: 500,
        billDay: 1,
      });
      await fixture.setTerms(account, service, hourly('10', '0.02', 'B'), { hour: hour + 3.2 });
      await billUntil(31);
      const texts = (await lines(account)).map(([text]) => text);
      assert.deepEqual(texts, [
        'Setup of A',
        'A, 2026-01-01 to 2026-01-01: 1 hour at 0.0100',
        'B, 2026-01-01 to 2026-01-31: 740 hours at 0.0200, at most 10.00 a month',
      ]);
    });

    it('bill each hour once and never exceed the dearest plan of a month, whatever changes', async () => {
      const change = fc.record({
        after: fc.double({ min: 0, max: 400, noNaN: true }),
        price: fc.integer({ min: 1, max: 20_000 }),
        perHour: fc.integer({ min: 0, max: 3000 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
          const { account, service } = await newAccount();
          let at = hour;
          const terms: { from: number; price: number; perHour: number }[] = [];
          for (const [index, { after, price, perHour }] of changes.entries()) {
            if (index > 0) at += after;
            await billUntil(Math.floor((at - hour) / 24));
            const plan = { ...hourly('1', '0', `Plan ${index}`), price_cents: price, hour_price: perHour };
            await fixture.setTerms(account, service, plan, { hour: at, billDay: 1 });
            terms.push({
              from: index === 0 ? Math.floor(at) : Math.max(Math.ceil(at), terms.at(-1)!.from),
              price,
              perHour,
            });
          }
          const days = [0, 31, 59, 90, 120];
          await billUntil(days.at(-1)!);
          let expected = 0;
          for (let month = 0; month + 1 < days.length; month++) {
            const [start, end] = [hour + days[month]! * 24, hour + days[month + 1]! * 24];
            let spent = 0;
            for (const [index, { from, price, perHour }] of terms.entries()) {
              const hours = Math.min(terms[index + 1]?.from ?? Infinity, end) - Math.max(from, start);
              spent += Math.min(Math.round((Math.max(0, hours) * perHour) / 100), Math.max(0, price - spent));
            }
            assert.ok(spent <= Math.max(...terms.map(({ price }) => price)));
            expected += spent;
          }
          assert.equal(await cents(account), expected);
        }),
        { numRuns: 25 },
      );
    });

    it('bill each day once when a service changes between monthly and hourly plans', async () => {
      const { account, service } = await newAccount();
      await fixture.setTerms(account, service, planTerms({ name: 'Month', price: '31.00' }), { hour, billDay: 1 });
      await billUntil(0);
      await fixture.setTerms(account, service, hourly('50', '0.0500'), { hour: hour + 10 * 24 + 15 });
      await fixture.setTerms(account, service, planTerms({ name: 'Month', price: '31.00' }), {
        hour: hour + 20 * 24 + 7,
      });
      await billUntil(31);
      assert.deepEqual(await lines(account), [
        ['Month, 2026-01-01 to 2026-01-31', 3100],
        ['Month, 2026-01-11 to 2026-01-31, 21 of 31 days at 31.00, not used', -2100],
        ['Month, 2026-01-21 to 2026-01-31, 11 of 31 days at 31.00', 1100],
        ['Month, 2026-02-01 to 2026-02-28', 3100],
        ['Cloud, 2026-01-11 to 2026-01-20: 240 hours at 0.0500', 1200],
      ]);
    });
  });

  describe('of usage', () => {
    it('charge stored sizes by the day, above what is included, up to the limit', async () => {
      const { account, service } = await newAccount();
      const usage = [{ item: 'backups', included: 10, price: '0.31', cap: '5.00' }] as const;
      await fixture.setTerms(account, service, planTerms({ usage: [...usage] }), { billDay: 1 });
      const record = (day: number, quantity: number) =>
        usagePut(fixture.store.queries, {
          account_id: account,
          service_id: service,
          item: 'backups',
          day: firstDay + day,
          quantity,
        });
      await record(-40, 12_500);
      await record(10, 8000);
      await record(21, 20_000);
      await record(32, 100_000);
      await billUntil(59);
      // 10 days with 2.5 GB and 10 days with 10 GB too much, of 31; then a month with about 90 GB too much.
      assert.deepEqual(await lines(account, 'Usage'), [
        ['Plan, 2026-01-01 to 2026-01-31: backups 13.323 GB, 4.032 above 10.000 at 0.31', 125],
        ['Plan, 2026-02-01 to 2026-02-28: backups 97.143 GB, 87.143 above 10.000 at 0.31', 500],
      ]);
    });

    it('charge traffic in both directions above what is included for the days of the plan', async () => {
      const { queries } = fixture.store;
      const { account, service } = await newAccount();
      const usage = [{ item: 'traffic', included: 1, price: '2.00' }] as const;
      await fixture.setTerms(account, service, planTerms({ usage: [...usage] }), { billDay: 1 });
      await switchPut(queries, { name: 'sw', driver: 'snmp', settings: '' });
      await portsPut(queries, [
        { switch: 'sw', if_index: 1, server: null, key_by: null, key: null, service_id: service },
      ]);
      await portHoldingsSync(queries, 0);
      const [port] = await portsOfService(queries, account, service);
      const samples = [1, 2, 3].map((index) => ({
        start: firstDay * 86_400 + index * 300,
        inBytes: 4e11,
        outBytes: 1e11,
        marks: 0,
      }));
      await addTraffic(queries, port!.id, samples);
      await billUntil(31);
      assert.deepEqual(await lines(account, 'Usage'), [
        ['Plan, 2026-01-01 to 2026-01-31: traffic 1.500 TB, 0.500 above 1.000 at 2.00', 100],
      ]);
    });

    it('limit what addresses cost in a month, over all plans of the service', async () => {
      const { account, service } = await newAccount();
      const addresses = { included: 0, price: '3.10', cap: '4.00' };
      await fixture.setTerms(account, service, planTerms({ addresses }), { billDay: 1 });
      const block = { cidr: '198.51.100.0/31', first: 'a', last: 'b', account_id: account, service_id: service };
      await holdingBegin(fixture.store.queries, block, firstDay * 86_400_000 + 1);
      fixture.setDay(firstDay + 10);
      await fixture.setTerms(account, service, planTerms({ name: 'Other', addresses }));
      await billUntil(31);
      assert.deepEqual(
        (await fixture.lines(account, 'Address')).map(([, amount]) => amount),
        [200, 200],
      );
    });
  });

  describe('with coupons', () => {
    interface CouponTerms {
      readonly percent?: number;
      readonly amount?: number;
      readonly periods?: number;
      readonly plans?: readonly string[];
    }
    let codes = 0;
    async function redeem(account: AccountId, { percent, amount, periods, plans = [] }: CouponTerms) {
      const code = `CODE${++codes}`;
      await couponInsert(fixture.store.queries, {
        code,
        percent: percent ?? null,
        amount_cents: amount ?? null,
        max_uses: null,
        uses: 0,
        periods: periods ?? null,
        from_day: null,
        until_day: null,
        plans: JSON.stringify(plans),
        note: '',
        created_at: 0,
        ended_at: null,
      });
      await redemptionInsert(fixture.store.queries, { account_id: account, code, redeemed_at: 0, periods_used: 0 });
      return code;
    }

    it('reduce the price of the plans that they apply to, for as many invoices as they say', async () => {
      const { account, service } = await newAccount();
      const other = service + 10_000;
      await fixture.addService(account, other);
      const code = await redeem(account, { percent: 2500, periods: 2, plans: ['Half'] });
      await fixture.setTerms(account, service, planTerms({ name: 'Half', price: '10.00' }), {
        billDay: 1,
        setupCents: 300,
      });
      await fixture.setTerms(account, other, planTerms({ name: 'Full', price: '7.00' }), { billDay: 1 });
      for (const day of [0, 31, 59]) await billUntil(day);
      assert.deepEqual(await lines(account, 'Discount'), [
        [`Coupon ${code}: Half, 2026-01-01 to 2026-01-31`, -250],
        [`Coupon ${code}: Half, 2026-02-01 to 2026-02-28`, -250],
      ]);
      assert.equal(await cents(account), 300 + 3 * 1700 - 500);
    });

    it('take the discount back for days that are credited', async () => {
      const { account, service } = await newAccount();
      await redeem(account, { percent: 5000, periods: 1 });
      await fixture.setTerms(account, service, planTerms({ price: '31.00' }), { billDay: 1 });
      await billUntil(0);
      assert.equal(await cents(account), 1550);
      fixture.setDay(firstDay + 10);
      await fixture.setTerms(account, service, undefined);
      await billUntil(31);
      assert.equal(await cents(account), 500);
    });

    it('never reduce a price below zero, together or alone, with any change of plan', async () => {
      const coupon = fc.oneof(
        fc.record({ percent: fc.integer({ min: 1, max: 10_000 }), periods: fc.integer({ min: 1, max: 4 }) }),
        fc.record({ amount: fc.integer({ min: 1, max: 20_000 }) }),
      );
      const change = fc.record({ after: fc.integer({ min: 0, max: 40 }), price: fc.integer({ min: 0, max: 10_000 }) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(coupon, { minLength: 1, maxLength: 3 }),
          fc.array(change, { minLength: 1, maxLength: 4 }),
          async (coupons, changes) => {
            const { account, service } = await newAccount();
            for (const terms of coupons) await redeem(account, terms);
            for (const [index, { after, price }] of changes.entries()) {
              await billUntil(fixture.today() - firstDay + (index === 0 ? 0 : after));
              const plan = { ...planTerms({ name: `Plan ${index}` }), price_cents: price };
              await fixture.setTerms(account, service, plan, { billDay: 1 });
            }
            await fixture.setTerms(account, service, undefined);
            await billUntil(fixture.today() - firstDay + 62);
            const discounts = sum((await fixture.lines(account, 'Discount')).map(([, amount]) => amount));
            // Rounding may move a cent for each time that a discount is taken back.
            assert.ok(discounts <= changes.length, `discounts of ${discounts}`);
            assert.ok((await cents(account)) >= -changes.length, `total of ${await cents(account)}`);
          },
        ),
        { numRuns: 25 },
      );
    });
  });
});
