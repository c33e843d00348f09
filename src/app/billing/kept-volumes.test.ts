// Volumes that outlive their service: each day of them is charged exactly once, whoever has them, until the last one is gone.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { firstDay, type BillingFixture, openBillingFixture } from '#test/support/billing-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import { accountChange } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import {
  volumeClaim,
  volumeFind,
  volumeInsert,
  volumeRemove,
  volumeSettle,
  volumeUsagePut,
} from '#store/devices/volumes.ts';
import type { Volume } from '#store/devices/volumes.ts';
import { dryRun, previewInvoice } from './dry-run.ts';
import { termsOf } from './plan-terms.ts';
import { startDueRuns } from './run.ts';

describeOnEngines('volumes that outlive their service', { concurrency: 1 }, ({ owned, newDatabase }) => {
  let fixture: BillingFixture;
  before(async () => void (fixture = owned.use(await openBillingFixture((await newDatabase()).database))));

  const planTerms = (plan: Partial<SitePlan> = {}) =>
    termsOf({ name: 'Cloud', price: '0', cycle: 'monthly', usage: [volumesAt('0.31')], ...plan });
  const volumesAt = (price: string, more: { included?: number; cap?: string } = {}) =>
    ({ item: 'volumes', included: 0, price, ...more }) as const;

  /** Adds an account with a service that has had these terms since the first day. */
  async function newAccount(terms = planTerms()) {
    fixture.setDay(firstDay);
    const owner = await fixture.newAccount();
    await fixture.setTerms(owner.account, owner.service, terms, { billDay: 1 });
    return owner;
  }
  async function addVolume({ account, service }: { account: AccountId; service: number }, sizeGb: number) {
    const { queries } = fixture.store;
    const row = { account_id: account, service_id: service, node: 'node', size_gb: sizeGb, is_attached: 0 };
    const name = crypto.randomUUID();
    const volume = await volumeInsert(queries, { ...row, name, state: 'Ready', created_at: 0 });
    await volumeUsagePut(queries, account, service, fixture.clock.now());
    return volume!;
  }
  const currentVolume = async ({ account_id, id }: Volume): Promise<Volume> =>
    (await volumeFind(fixture.store.queries, account_id, id))!;
  /** As the workflow does. */
  async function change(volume: Volume, changes: { service_id?: number; size_gb?: number }) {
    const { queries } = fixture.store;
    await volumeClaim(queries, await currentVolume(volume), { state: 'Changing' });
    await volumeSettle(queries, volume.id, changes);
    for (const service of new Set([volume.service_id, changes.service_id ?? volume.service_id]))
      await volumeUsagePut(queries, volume.account_id, service, fixture.clock.now());
  }
  /** As the API and the reconciler do. */
  async function remove(volume: Volume) {
    const { queries } = fixture.store;
    await volumeClaim(queries, await currentVolume(volume), { state: 'Deleting' });
    await volumeUsagePut(queries, volume.account_id, volume.service_id, fixture.clock.now());
    await volumeRemove(queries, volume.id);
  }
  async function terminate({ account, service }: { account: AccountId; service: number }) {
    await fixture.setTerms(account, service, undefined);
    await serviceStatusSet(fixture.store.queries, account, service, { from: 'Active', to: 'Terminated' });
  }
  async function billUntil(day: number): Promise<void> {
    fixture.setDay(firstDay + day);
    await fixture.billAll();
  }
  const nextDay = async (account: AccountId) =>
    (await billingAccountFind(fixture.store.queries, account))!.next_day ?? undefined;
  /** Without the host names. */
  const lines = async (account: AccountId) =>
    (await fixture.lines(account, 'Usage')).map(([text, cents]) => [text.replace(/ \([^)]*\)/, ''), cents]);

  it('are charged by the day until they are deleted, and billing ends with them', async () => {
    const owner = await newAccount();
    const volume = await addVolume(owner, 100);
    fixture.setDay(firstDay + 10);
    await terminate(owner);
    await billUntil(31);
    const january = [
      ['Cloud, 2026-01-01 to 2026-01-10: volumes 32.258 GB, 32.258 above 0.000 at 0.31', 1000],
      [
        'Volumes kept after the end of Cloud, 2026-01-11 to 2026-01-31: volumes 67.742 GB, 67.742 above 0.000 at 0.31',
        2100,
      ],
    ];
    assert.deepEqual(await lines(owner.account), january);
    await fixture.billAll();
    assert.deepEqual(await lines(owner.account), january);
    await billUntil(90);
    fixture.setDay(firstDay + 100);
    await remove(volume);
    await billUntil(120);
    const later = [
      [
        'Volumes kept after the end of Cloud, 2026-02-01 to 2026-02-28: volumes 100.000 GB, 100.000 above 0.000 at 0.31',
        3100,
      ],
      [
        'Volumes kept after the end of Cloud, 2026-03-01 to 2026-03-31: volumes 100.000 GB, 100.000 above 0.000 at 0.31',
        3100,
      ],
      [
        'Volumes kept after the end of Cloud, 2026-04-01 to 2026-04-30: volumes 33.333 GB, 33.333 above 0.000 at 0.31',
        1033,
      ],
    ];
    assert.deepEqual((await lines(owner.account)).slice(2), later);
    assert.equal(await nextDay(owner.account), undefined);
  });

  it('are charged in one invoice per month if several runs were missed, also those that are gone by then', async () => {
    const owner = await newAccount();
    const volume = await addVolume(owner, 100);
    await billUntil(0);
    fixture.setDay(firstDay + 5);
    await terminate(owner);
    fixture.setDay(firstDay + 59 + 10);
    await remove(volume);
    await billUntil(120);
    assert.deepEqual(
      (await lines(owner.account)).map(([, cents]) => cents),
      [500, 2600, 3100, 1000],
    );
    assert.equal(await nextDay(owner.account), undefined);
  });

  it('are charged once if they grow, or are attached to a machine of another service', async () => {
    const owner = await newAccount();
    const other = { account: owner.account, service: owner.service + 10_000 };
    await fixture.addService(other.account, other.service);
    const dearer = planTerms({ name: 'Other', usage: [volumesAt('0.62')] });
    await fixture.setTerms(other.account, other.service, dearer);
    const volume = await addVolume(owner, 100);
    fixture.setDay(firstDay + 10);
    await terminate(owner);
    fixture.setDay(firstDay + 15);
    await change(volume, { size_gb: 200 });
    fixture.setDay(firstDay + 21);
    await change(volume, { service_id: other.service });
    await billUntil(59);
    assert.deepEqual(await lines(owner.account), [
      ['Cloud, 2026-01-01 to 2026-01-10: volumes 32.258 GB, 32.258 above 0.000 at 0.31', 1000],
      ['Other, 2026-01-01 to 2026-01-31: volumes 64.516 GB, 64.516 above 0.000 at 0.62', 4000],
      [
        'Volumes kept after the end of Cloud, 2026-01-11 to 2026-01-31: volumes 54.839 GB, 54.839 above 0.000 at 0.31',
        1700,
      ],
      ['Other, 2026-02-01 to 2026-02-28: volumes 200.000 GB, 200.000 above 0.000 at 0.62', 12_400],
    ]);
  });

  it('have nothing included, and cost at most the limit of the month', async () => {
    const owner = await newAccount(planTerms({ usage: [volumesAt('0.31', { included: 90, cap: '21.50' })] }));
    await addVolume(owner, 100);
    fixture.setDay(firstDay + 10);
    await terminate(owner);
    await billUntil(59);
    assert.deepEqual(
      (await lines(owner.account)).map(([, cents]) => cents),
      [100, 2050, 2150],
    );
  });

  it('cost what the last term says: nothing without a price', async () => {
    const owner = await newAccount();
    await addVolume(owner, 100);
    fixture.setDay(firstDay + 10);
    await fixture.setTerms(owner.account, owner.service, planTerms({ name: 'Other', usage: [] }));
    fixture.setDay(firstDay + 20);
    await terminate(owner);
    await billUntil(59);
    assert.deepEqual(
      (await lines(owner.account)).map(([, cents]) => cents),
      [1000],
    );
    assert.equal(await startDueRuns(fixture.parts, { operation: 'test' }), 0);
    assert.equal(await nextDay(owner.account), undefined);
  });

  it('are charged between two terms of a service, such as those of a machine that is deleted and restored', async () => {
    const owner = await newAccount(planTerms({ hourly: '0' }));
    await addVolume(owner, 100);
    fixture.setDay(firstDay + 10);
    await fixture.setTerms(owner.account, owner.service, undefined);
    fixture.setDay(firstDay + 12);
    await fixture.setTerms(owner.account, owner.service, planTerms({ hourly: '0' }));
    await billUntil(59);
    assert.deepEqual(
      (await lines(owner.account)).map(([, cents]) => cents),
      [1000, 1900, 200, 3100],
    );
  });

  it('cost what the term before said if a change of plan was withdrawn before it began', async () => {
    const owner = await newAccount();
    await addVolume(owner, 100);
    const later = planTerms({ name: 'Later', usage: [volumesAt('0.62')] });
    await fixture.setTerms(owner.account, owner.service, later, { hour: (firstDay + 20) * 24 });
    await fixture.setTerms(owner.account, owner.service, later, { until: firstDay + 20 });
    await billUntil(31);
    assert.deepEqual(
      (await lines(owner.account)).map(([, cents]) => cents),
      [2000, 1100],
    );
  });

  it('are charged from the day on which a service is both ordered and terminated', async () => {
    for (const hourly of [undefined, '0']) {
      const owner = await newAccount(planTerms(hourly === undefined ? {} : { hourly }));
      await addVolume(owner, 100);
      await terminate(owner);
      await billUntil(31);
      assert.deepEqual(
        (await lines(owner.account)).map(([, cents]) => cents),
        [3100],
      );
    }
  });

  it('are charged while the account is suspended, and no longer when it is closed', async () => {
    const owner = await newAccount();
    await addVolume(owner, 100);
    await terminate(owner);
    await accountChange(fixture.store.queries, owner.account, { status: 'Suspended' });
    await billUntil(31);
    assert.equal((await lines(owner.account)).length, 1);
    await accountChange(fixture.store.queries, owner.account, { status: 'Closed' });
    await billUntil(59);
    assert.equal((await lines(owner.account)).length, 1);
    await startDueRuns(fixture.parts, { operation: 'test' });
    assert.equal(await nextDay(owner.account), undefined);
  });

  it('are shown by dry runs and previews', async () => {
    const owner = await newAccount();
    await addVolume(owner, 100);
    fixture.setDay(firstDay + 10);
    await terminate(owner);
    await billUntil(31);
    const { queries } = fixture.store;
    const preview = await previewInvoice(queries, owner.account);
    assert.deepEqual([preview.date, preview.subtotal], ['2026-03-01', '31.00']);
    assert.match(preview.lines[0]!.description, /^Volumes kept after the end of Cloud \(/);
    fixture.setDay(firstDay + 59);
    const due = new Map<number, number>();
    for await (const { account, cents } of dryRun(fixture)) due.set(account, cents);
    assert.equal(due.get(owner.account), 3100);
    await fixture.billAll();
  });

  it('are charged for each day exactly once, whatever happens to them and their services', async () => {
    // A gigabyte costs whole cents per day in months of every length.
    const dayCents = { 28: 465, 30: 434, 31: 420 } as const;
    const months = [31, 28, 31, 30] as const;
    const terms = planTerms({ usage: [volumesAt('130.20')] });
    const event = fc.record({
      after: fc.integer({ min: 0, max: 20 }),
      act: fc.constantFrom('add', 'grow', 'move', 'remove', 'terminate', 'terminate', 'renew'),
      which: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 12 }), async (events) => {
        const { account, service } = await newAccount(terms);
        const services = [service, service + 10_000];
        await fixture.addService(account, services[1]!);
        await fixture.setTerms(account, services[1]!, terms);
        const billed = new Set(services);
        let volumes = [await addVolume({ account, service }, 3)];
        const sizes: number[] = [];
        const passDays = async (days: number): Promise<void> => {
          for (let day = 0; day < days; day++) {
            sizes.push(volumes.reduce((sum, { size_gb }) => sum + size_gb, 0));
            fixture.setDay(firstDay + sizes.length);
            await fixture.billAll();
          }
        };
        for (const { after, act, which } of events) {
          await passDays(Math.min(after, 119 - sizes.length));
          const owner = { account, service: services[which % 2]! };
          const volume = volumes[which % Math.max(1, volumes.length)];
          const others = volumes.filter((candidate) => candidate !== volume);
          if (act === 'add' && billed.has(owner.service)) volumes.push(await addVolume(owner, which + 1));
          if (act === 'terminate' && billed.delete(owner.service))
            await fixture.setTerms(account, owner.service, undefined);
          if (act === 'renew' && billed.size > 0) {
            billed.add(owner.service);
            await fixture.setTerms(account, owner.service, terms);
          }
          if (volume === undefined) continue;
          if (act === 'remove') {
            await remove(volume);
            volumes = others;
          }
          if (act === 'move' && billed.has(owner.service)) {
            await change(volume, { service_id: owner.service });
            volumes = [...others, { ...volume, service_id: owner.service }];
          }
          if (act === 'grow' && billed.has(volume.service_id)) {
            await change(volume, { size_gb: volume.size_gb + 2 });
            volumes = [...others, { ...volume, size_gb: volume.size_gb + 2 }];
          }
        }
        await passDays(120 - sizes.length);
        const rates = months.flatMap((days) => Array.from({ length: days }, () => dayCents[days]));
        const expected = sizes.reduce((sum, size, day) => sum + size * rates[day]!, 0);
        const charged = (await lines(account)).reduce((sum, [, cents]) => sum + Number(cents), 0);
        assert.equal(charged, expected);
        assert.equal((await nextDay(account)) !== undefined, billed.size > 0 || volumes.length > 0);
      }),
      { numRuns: 25 },
    );
  });

  it('are billed from the current month on if billing had ended, as in earlier releases', async () => {
    const owner = await newAccount();
    fixture.setDay(firstDay + 10);
    await terminate(owner);
    await billUntil(59);
    assert.equal(await nextDay(owner.account), undefined);
    fixture.setDay(firstDay + 100);
    await addVolume(owner, 100);
    await startDueRuns(fixture.parts, { operation: 'test' });
    assert.equal(await nextDay(owner.account), firstDay + 120);
    await startDueRuns(fixture.parts, { operation: 'test' });
    await billUntil(120);
    assert.deepEqual(await lines(owner.account), [
      [
        'Volumes kept after the end of Cloud, 2026-04-01 to 2026-04-30: volumes 66.667 GB, 66.667 above 0.000 at 0.31',
        2067,
      ],
    ]);
    assert.equal(await nextDay(owner.account), firstDay + 151);
  });
});
