// Licences in billing runs, and who is billed at all: every month once while the licence is there, and nothing for what is
// cancelled, gone or closed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { LicenceStatus } from '#contract/shapes/software.ts';
import type { Site } from '#contract/site.ts';
import { dayNumber } from '#kernel/moments.ts';
import { accountStatusSet } from '#store/account/accounts.ts';
import { licenceCancel, licenceInsert } from '#store/billing/licences.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import type { AccountId } from '#store/tables.ts';
import { addAccount } from '#test/support/accounts.ts';
import { openBillingWorld, setPolicy, type BillingWorld } from '#test/support/billing-world.ts';
import { engines } from '#test/support/yard.ts';
import { periodHolding } from './calendar.ts';
import { applyTerms } from './terms.ts';

const day = (text: string): number => dayNumber(text)!;

for (const { engine, suite, start } of engines) {
  describe(`runs for licences, and for who is gone, on ${engine}`, suite, () => {
    const owned = new AsyncDisposableStack();
    let world: BillingWorld;
    let next = 1;
    before(async () => {
      const running = owned.use(await start());
      const { database } = (await running.newDatabase()) as { database?: string };
      world = owned.use(await openBillingWorld(database));
      await setPolicy(world.store, {});
    });
    after(() => owned.disposeAsync());

    async function newAccount(): Promise<{ account: AccountId; service: number }> {
      const service = next++;
      const account = await addAccount(world.store, service);
      await world.addService(account, service);
      return { account, service };
    }
    /** As an order leaves it, whose own invoice goes to the end of the month. */
    async function addLicence(account: AccountId, service: number, status: LicenceStatus): Promise<number> {
      return world.store.transaction(async (queries) => {
        const month = await periodHolding(queries, account, world.today());
        const id = await licenceInsert(queries, {
          account_id: account,
          service_id: service,
          name: 'VPS_PANEL1',
          status,
          price_cents: 1500,
          from_day: world.today(),
          until_day: null,
          billed_until: month.until,
          licence_key: null,
          workflow_id: '',
          created_at: 0,
        });
        return id!;
      });
    }
    /** A run on that day, and the same again. */
    async function billOn(text: string): Promise<void> {
      world.setDay(day(text));
      await world.billAll();
      await world.billAll();
    }

    const ends = [
      [
        'terminated service',
        (account: AccountId, service: number) =>
          serviceStatusSet(world.store.queries, account, service, { from: 'Active', to: 'Terminated' }),
      ],
      ['closed account', (account: AccountId) => accountStatusSet(world.store.queries, account, 'Closed')],
    ] as const;

    it('bill a licence every month after that of its order, once, until it is cancelled', async () => {
      const { account, service } = await newAccount();
      world.setDay(day('2026-01-10'));
      const licence = await addLicence(account, service, 'Active');
      await billOn('2026-01-11');
      assert.deepEqual(await world.lines(account), [], 'the order had its own invoice');
      await billOn('2026-02-10');
      await billOn('2026-03-10');
      const billed = [
        [`VPS_PANEL1 (s${service}.example.net), 2026-02-10 to 2026-03-09`, 1500],
        [`VPS_PANEL1 (s${service}.example.net), 2026-03-10 to 2026-04-09`, 1500],
      ];
      assert.deepEqual(await world.lines(account), billed);
      await licenceCancel(world.store.queries, account, licence, day('2026-04-10'));
      await billOn('2026-04-10');
      await billOn('2026-05-10');
      assert.deepEqual(await world.lines(account), billed);
    });

    it('bill no month that begins before there is a key', async () => {
      const { account, service } = await newAccount();
      world.setDay(day('2026-01-10'));
      const licence = await addLicence(account, service, 'Pending');
      await billOn('2026-02-10');
      assert.deepEqual(await world.lines(account), []);
      await world.store.queries.updateTable('licences').set({ status: 'Active' }).where('id', '=', licence).execute();
      await billOn('2026-03-10');
      assert.deepEqual(await world.lines(account), [
        [`VPS_PANEL1 (s${service}.example.net), 2026-03-10 to 2026-04-09`, 1500],
      ]);
    });

    for (const [what, end] of ends)
      it(`bill no licence of a ${what}`, async () => {
        const { account, service } = await newAccount();
        world.setDay(day('2026-01-10'));
        await addLicence(account, service, 'Active');
        await end(account, service);
        await billOn('2026-03-10');
        assert.deepEqual(await world.lines(account), []);
      });

    for (const [what, end] of ends)
      it(`give back the days left of a ${what}, and bill it no more`, async () => {
        const { account, service: id } = await newAccount();
        const apply = (): Promise<void> =>
          world.store.transaction((queries) => applyTerms(queries, siteOf(account, id), world.clock.now()));
        world.setDay(day('2026-02-01'));
        await apply();
        await billOn('2026-02-01');
        world.setDay(day('2026-02-15'));
        await end(account, id);
        await apply();
        world.setDay(day('2026-02-20'));
        await apply();
        await billOn('2026-03-01');
        await billOn('2026-04-01');
        assert.deepEqual(await world.lines(account), [
          [`Plain (s${id}.example.net), 2026-02-01 to 2026-02-28`, 8900],
          [`Plain (s${id}.example.net), 2026-02-15 to 2026-02-28, 14 of 28 days at 89.00, not used`, -4450],
        ]);
      });

    it('bill what is suspended like anything else: it is kept for the customer', async () => {
      const { account, service } = await newAccount();
      world.setDay(day('2026-02-01'));
      await world.setTerms(account, service, {}, { billDay: 1 });
      await addLicence(account, service, 'Active');
      await billOn('2026-02-01');
      await accountStatusSet(world.store.queries, account, 'Suspended');
      await serviceStatusSet(world.store.queries, account, service, { from: 'Active', to: 'Suspended' });
      await billOn('2026-03-01');
      assert.deepEqual((await world.lines(account)).slice(1), [
        [`Plain (s${service}.example.net), 2026-03-01 to 2026-03-31`, 8900],
        [`VPS_PANEL1 (s${service}.example.net), 2026-03-01 to 2026-03-31`, 1500],
      ]);
    });
  });
}

/** What of a site file decides the terms of one service. */
function siteOf(account: number, service: number): Site {
  return {
    plans: [{ name: 'Plain', price: '89.00', cycle: 'monthly' }],
    customers: [{ id: account, billingDay: 1 }],
    services: [{ id: service, customer: account, plan: 'Plain' }],
  } as Partial<Record<keyof Site, unknown>> as Site;
}
