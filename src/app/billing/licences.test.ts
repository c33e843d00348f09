// Licences in billing runs: billed once a month while they exist, and not after a cancellation, termination or closed
// account.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { LicenceStatus } from '#contract/shapes/software.ts';
import type { Site } from '#contract/site/site.ts';
import { dayNumber } from '#lib/time.ts';
import { accountChange } from '#store/account/accounts.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { licenceCancel, licenceInsert } from '#store/billing/licences.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import { openBillingFixture, setPolicy, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { termEnd, termsOfService } from '#store/billing/service-terms.ts';
import { ensurePeriod } from './calendar.ts';
import { applyTerms } from './terms.ts';
import type { AccountId } from '#store/account-id.ts';

const day = (text: string): number => dayNumber(text)!;

describeOnEngines('billing runs for licences and ended services', ({ owned, newDatabase }) => {
  let fixture: BillingFixture;
  before(async () => {
    fixture = owned.use(await openBillingFixture((await newDatabase()).database));
    await setPolicy(fixture.store, {});
  });

  /** Creates a licence as an order does, whose own invoice covers the rest of the month. */
  async function addLicence(account: AccountId, service: number, status: LicenceStatus): Promise<number> {
    return fixture.store.transaction(async (queries) => {
      const month = await ensurePeriod(queries, account, fixture.today());
      const id = await licenceInsert(queries, {
        account_id: account,
        service_id: service,
        name: 'VPS_PANEL1',
        status,
        price_cents: 1500,
        from_day: fixture.today(),
        until_day: null,
        billed_until: month.until,
        licence_key: null,
        workflow_id: '',
        created_at: 0,
      });
      return id!;
    });
  }
  /** Runs billing on that day, twice. */
  async function billOn(text: string): Promise<void> {
    fixture.setDay(day(text));
    await fixture.billAll();
    await fixture.billAll();
  }

  const ends = [
    [
      'terminated service',
      (account: AccountId, service: number) =>
        serviceStatusSet(fixture.store.queries, account, service, { from: 'Active', to: 'Terminated' }),
    ],
    ['closed account', (account: AccountId) => accountChange(fixture.store.queries, account, { status: 'Closed' })],
  ] as const;

  it('bill a licence every month after that of its order, once, until it is cancelled', async () => {
    const { account, service } = await fixture.newAccount();
    fixture.setDay(day('2026-01-10'));
    const licence = await addLicence(account, service, 'Active');
    await billOn('2026-01-11');
    assert.deepEqual(await fixture.lines(account), [], 'the order has its own invoice');
    await billOn('2026-02-10');
    await billOn('2026-03-10');
    const billed = [
      [`VPS_PANEL1 (s${service}.example.net), 2026-02-10 to 2026-03-09`, 1500],
      [`VPS_PANEL1 (s${service}.example.net), 2026-03-10 to 2026-04-09`, 1500],
    ];
    assert.deepEqual(await fixture.lines(account), billed);
    await licenceCancel(fixture.store.queries, account, licence, day('2026-04-10'));
    await billOn('2026-04-10');
    await billOn('2026-05-10');
    assert.deepEqual(await fixture.lines(account), billed);
  });

  it('bill the last month of a licence that is cancelled on its first day, before the run', async () => {
    const { account, service } = await fixture.newAccount();
    fixture.setDay(day('2026-01-10'));
    const licence = await addLicence(account, service, 'Active');
    fixture.setDay(day('2026-02-10'));
    await licenceCancel(fixture.store.queries, account, licence, day('2026-03-10'));
    await billOn('2026-02-10');
    await billOn('2026-04-10');
    assert.deepEqual(await fixture.lines(account), [
      [`VPS_PANEL1 (s${service}.example.net), 2026-02-10 to 2026-03-09`, 1500],
    ]);
    assert.equal((await billingAccountFind(fixture.store.queries, account))!.next_day, null);
  });

  it('do not bill a month that begins before there is a key', async () => {
    const { account, service } = await fixture.newAccount();
    fixture.setDay(day('2026-01-10'));
    const licence = await addLicence(account, service, 'Pending');
    await billOn('2026-02-10');
    assert.deepEqual(await fixture.lines(account), []);
    await fixture.store.queries.updateTable('licences').set({ status: 'Active' }).where('id', '=', licence).execute();
    await billOn('2026-03-10');
    assert.deepEqual(await fixture.lines(account), [
      [`VPS_PANEL1 (s${service}.example.net), 2026-03-10 to 2026-04-09`, 1500],
    ]);
  });

  for (const [what, end] of ends)
    it(`do not bill a licence of a ${what}`, async () => {
      const { account, service } = await fixture.newAccount();
      fixture.setDay(day('2026-01-10'));
      await addLicence(account, service, 'Active');
      await end(account, service);
      await billOn('2026-03-10');
      assert.deepEqual(await fixture.lines(account), []);
    });

  for (const [what, end] of ends)
    it(`credit the remaining days of a ${what}, and stop billing it`, async () => {
      const { account, service: id } = await fixture.newAccount();
      const apply = (): Promise<void> =>
        fixture.store.transaction((queries) => applyTerms(queries, siteOf(account, id), fixture.clock.now()));
      fixture.setDay(day('2026-02-01'));
      await apply();
      await billOn('2026-02-01');
      fixture.setDay(day('2026-02-15'));
      await end(account, id);
      await apply();
      fixture.setDay(day('2026-02-20'));
      await apply();
      await billOn('2026-03-01');
      await billOn('2026-04-01');
      assert.deepEqual(await fixture.lines(account), [
        [`Plain (s${id}.example.net), 2026-02-01 to 2026-02-28`, 8900],
        [`Plain (s${id}.example.net), 2026-02-15 to 2026-02-28, 14 of 28 days at 89.00, not used`, -4450],
      ]);
    });

  it('bill the rest of the minimum term of a machine that was deleted and removed', async () => {
    const { account, service: id } = await fixture.newAccount();
    const apply = (): Promise<void> =>
      fixture.store.transaction((queries) => applyTerms(queries, siteOf(account, id), fixture.clock.now()));
    fixture.setDay(day('2026-02-01'));
    await apply();
    await billOn('2026-02-01');
    const [term] = await termsOfService(fixture.store.queries, account, id);
    // As the deletion does; the termination after it keeps the end.
    await termEnd(fixture.store.queries, account, term!, day('2026-04-01'));
    await serviceStatusSet(fixture.store.queries, account, id, { from: 'Active', to: 'Terminated' });
    fixture.setDay(day('2026-02-15'));
    await apply();
    await billOn('2026-03-01');
    await billOn('2026-04-01');
    assert.deepEqual(await fixture.lines(account), [
      [`Plain (s${id}.example.net), 2026-02-01 to 2026-02-28`, 8900],
      [`Plain (s${id}.example.net), 2026-03-01 to 2026-03-31`, 8900],
    ]);
  });

  it('bill a suspended service like any other: it is reserved for the customer', async () => {
    const { account, service } = await fixture.newAccount();
    fixture.setDay(day('2026-02-01'));
    await fixture.setTerms(account, service, {}, { billDay: 1 });
    await addLicence(account, service, 'Active');
    await billOn('2026-02-01');
    await accountChange(fixture.store.queries, account, { status: 'Suspended' });
    await serviceStatusSet(fixture.store.queries, account, service, { from: 'Active', to: 'Suspended' });
    await billOn('2026-03-01');
    assert.deepEqual((await fixture.lines(account)).slice(1), [
      [`Plain (s${service}.example.net), 2026-03-01 to 2026-03-31`, 8900],
      [`VPS_PANEL1 (s${service}.example.net), 2026-03-01 to 2026-03-31`, 1500],
    ]);
  });
});

/** The part of a site file that decides the terms of one service. */
function siteOf(account: number, service: number): Site {
  return {
    provider: { currency: { code: 'EUR' } },
    plans: [{ name: 'Plain', price: '89.00', cycle: 'monthly' }],
    customers: [{ id: account, billingDay: 1 }],
    services: [{ id: service, customer: account, plan: 'Plain' }],
  } as Partial<Record<keyof Site, unknown>> as Site;
}
