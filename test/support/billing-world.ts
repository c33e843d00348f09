// A database with accounts and services on terms, and a clock that is set: what billing needs and nothing else. No jobs are
// worked off; runs are carried out by whoever tells the story.
import { sql } from 'kysely';
import { billingOffice } from '#app/billing/run.ts';
import { serviceTermsSet, type Terms } from '#app/billing/terms.ts';
import type { Jobs } from '#jobs/jobs.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import { metaPut } from '#store/meta.ts';
import { servicePut } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { dayNumber } from '#kernel/moments.ts';
import { billingRun, type BillingRunDeps, type BillingRunInput } from '#workflows/billing-run.ts';
import type { Scenario, World } from '#workflows/harness.ts';
import { addAccount } from './accounts.ts';
import { temporaryFolder } from './folder.ts';
import { openTestStore } from './store.ts';

const dayMs = 86_400_000;

export interface BillingWorld extends AsyncDisposable {
  readonly store: Store;
  readonly clock: { now(): number };
  readonly parts: { store: Store; clock: { now(): number }; jobs: Jobs };
  /** The day on which all happens from now on. */
  setDay(day: number): void;
  today(): number;
  addService(account: AccountId, id: number): Promise<void>;
  /** On these terms from today, or a later day, on. */
  setTerms(account: AccountId, service: number, terms: Partial<Terms> | undefined, more?: TermsMore): Promise<void>;
  /** Bills every account for every period that has begun. */
  billAll(): Promise<void>;
  /** Every line of the account's invoices: its text and its cents. */
  lines(account: AccountId): Promise<[string, number][]>;
}
export interface TermsMore {
  readonly setupCents?: number;
  readonly start?: number;
  readonly until?: number;
  readonly billDay?: number;
}

export const plainTerms: Terms = {
  plan: 'Plain',
  price_cents: 8900,
  cycle_months: 1,
  committed_mbits: null,
  mbit_price_cents: 0,
  addresses_included: 0,
  address_price_cents: 0,
};

export const firstDay = dayNumber('2026-01-01')!;

export async function openBillingWorld(database?: string): Promise<BillingWorld> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('billing'));
  const store = await openTestStore({ dataFolder: folder.path, database });
  owned.defer(() => store.close());
  // Power failures are not what is told with this; waiting for the disk thousands of times would take most of the time.
  if (database === undefined) await sql`pragma synchronous = off`.execute(store.queries);
  let day = firstDay;
  const clock = { now: () => day * dayMs + 12 * 3_600_000 };
  const jobs = { enqueue: async () => '' } as Partial<Jobs> as Jobs;
  const parts = { store, clock, jobs };
  const office = billingOffice(parts);
  const kept = owned.move();
  return {
    store,
    clock,
    parts,
    setDay: (wanted) => void (day = wanted),
    today: () => day,
    lines: async (account) => {
      const rows = await store.queries
        .selectFrom('invoice_lines')
        .select(['description', 'amount_cents'])
        .where('account_id', '=', account)
        .orderBy('id')
        .execute();
      return rows.map(({ description, amount_cents }) => [description, amount_cents]);
    },
    addService: (account, id) =>
      servicePut(store.queries, {
        id,
        account_id: account,
        type: 'vps',
        name: 'VPS',
        hostname: `s${id}.example.net`,
        status: 'Active',
        ip: `203.0.113.${id % 256}`,
        server: null,
        vmid: id,
        created_at: 0,
      }),
    setTerms: (account, service, terms, more = {}) =>
      store.transaction((queries) =>
        serviceTermsSet(queries, account, service, {
          terms: terms && { ...plainTerms, ...terms },
          setupCents: more.setupCents ?? 0,
          today: day,
          start: more.start,
          until: more.until,
          billDay: more.billDay,
        }),
      ),
    async billAll() {
      for (;;) {
        const due = await store.queries
          .selectFrom('billing_accounts')
          .select(['account_id', 'next_day'])
          .where('next_day', '<=', day)
          .execute();
        if (due.length === 0) return;
        for (const { account_id, next_day } of due) {
          const measured = await office.measure(account_id, next_day!);
          await store.transaction((queries) => office.bill(queries, account_id, next_day!, measured));
        }
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The provider's policy, as a site file would have put it there. */
export async function setPolicy(store: Store, policy: object): Promise<void> {
  await metaPut(store.queries, 'billing', JSON.stringify({ ...plainPolicy, ...policy }));
}
const plainPolicy = {
  termsDays: 14,
  numbers: 'INV-{year}-{00000}',
  method: 'banktransfer',
  attacks: 'count',
  reminderDays: [],
  liftOnPayment: true,
  taxes: { NL: [2100, 0] },
};

async function makeBillingWorld(): Promise<World<BillingRunDeps, BillingRunInput>> {
  const world = await openBillingWorld();
  const { store, parts } = world;
  const account = await addAccount(store, 1);
  await world.addService(account, 7);
  await world.setTerms(account, 7, {}, { setupCents: 2500, billDay: 15 });
  const { next_day } = (await billingAccountFind(store.queries, account))!;
  return {
    store,
    account,
    service: undefined,
    deps: { billing: billingOffice(parts) },
    input: { periodDay: next_day! },
    look: async () => {
      const calendar = await billingAccountFind(store.queries, account);
      return {
        next: calendar?.next_day,
        last: calendar?.last_day,
        invoices: await store.queries.selectFrom('invoices').select(['number', 'total_cents']).execute(),
        entries: (await ledgerList(store.queries, account)).map(({ debit, credit, amount_cents }) => [
          debit,
          credit,
          amount_cents,
        ]),
        charges: await store.queries.selectFrom('charges').select(['kind', 'from_day', 'until_day']).execute(),
      };
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

export const billingRunScenario: Scenario<BillingRunDeps, BillingRunInput> = {
  workflow: billingRun,
  makeWorld: makeBillingWorld,
};
