// A database with accounts, services and their terms, and a clock that the test sets: all that billing needs. No jobs
// run; the test starts billing runs itself.
import { sql } from 'kysely';
import type { LineType } from '#contract/shapes/account.ts';
import { createBillingActions } from '#app/billing/run.ts';
import { termsOf, type Terms } from '#app/billing/plan-terms.ts';
import { setServiceTerms } from '#app/billing/terms.ts';
import type { Queue } from '#queue/queue.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import { metaPut } from '#store/meta.ts';
import type { Store } from '#store/store.ts';
import { dayNumber } from '#lib/time.ts';
import { billingRun, type BillingRunDeps, type BillingRunInput } from '#workflows/billing/billing-run.ts';
import type { Scenario, Fixture } from '#workflows/engine/harness.ts';
import { addAccount, addService } from './accounts.ts';
import { openOwnedStore } from './store.ts';
import type { AccountId } from '#store/account-id.ts';
import { withResources } from './resources.ts';

const dayMs = 86_400_000;

export interface BillingFixture extends AsyncDisposable {
  readonly store: Store;
  readonly clock: { now(): number };
  readonly parts: { store: Store; clock: { now(): number }; queue: Queue };
  /** Sets the current day. */
  setDay(day: number): void;
  today(): number;
  addService(account: AccountId, id: number): Promise<void>;
  /** Adds an account with one service. */
  newAccount(): Promise<{ account: AccountId; service: number }>;
  /** Sets the terms of a service from today, or from a later day. */
  setTerms(account: AccountId, service: number, terms: Partial<Terms> | undefined, more?: TermsMore): Promise<void>;
  /** Bills every account for every period that has begun. */
  billAll(): Promise<void>;
  /** Returns text and cents of every invoice line of the account, or of those of one type. */
  lines(account: AccountId, type?: LineType): Promise<[string, number][]>;
}
export interface TermsMore {
  /** Hours since 1970; by default noon of today. */
  readonly hour?: number;
  readonly setupCents?: number;
  readonly start?: number;
  readonly until?: number;
  readonly billDay?: number;
}

export const plainTerms: Terms = termsOf({ name: 'Plain', price: '89.00', cycle: 'monthly' });

export const firstDay = dayNumber('2026-01-01')!;

export async function openBillingFixture(database?: string): Promise<BillingFixture> {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'billing', database);
  // Durability is not under test here, and flushing thousands of times would dominate the run.
  if (database === undefined) await sql`pragma synchronous = off`.execute(store.queries);
  let day = firstDay;
  const clock = { now: () => day * dayMs + 12 * 3_600_000 };
  const queue = { enqueue: async () => '' } as Partial<Queue> as Queue;
  const parts = { store, clock, queue };
  const billing = createBillingActions(parts);
  const addVps: BillingFixture['addService'] = (account, id) => {
    const names = { hostname: `s${id}.example.net`, ip: `203.0.113.${id % 256}` };
    return addService(store, account, id, { type: 'vps', name: 'VPS', vmid: id, ...names });
  };
  let nextAccount = 1;
  return withResources(owned, {
    store,
    clock,
    parts,
    setDay: (value) => void (day = value),
    today: () => day,
    lines: async (account, type) => {
      let query = store.queries
        .selectFrom('invoice_lines')
        .select(['description', 'amount_cents'])
        .where('account_id', '=', account);
      if (type !== undefined) query = query.where('type', '=', type);
      const rows = await query.orderBy('id').execute();
      return rows.map(({ description, amount_cents }) => [description, amount_cents]);
    },
    addService: addVps,
    async newAccount() {
      const service = nextAccount++;
      const account = await addAccount(store, service);
      await addVps(account, service);
      return { account, service };
    },
    setTerms: (account, service, terms, more = {}) =>
      store.transaction((queries) =>
        setServiceTerms(queries, account, service, {
          terms: terms && { ...plainTerms, ...terms },
          setupCents: more.setupCents ?? 0,
          now: more.hour === undefined ? clock.now() : more.hour * 3_600_000,
          start: more.start,
          until: more.until,
          billDay: more.billDay,
          origin: 'order',
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
          const measured = await billing.measure(account_id, next_day!);
          await store.transaction((queries) => billing.bill(queries, account_id, next_day!, measured));
        }
      }
    },
  });
}

/** Stores the provider's policy as a site file would. */
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

async function makeBillingFixture(): Promise<Fixture<BillingRunDeps, BillingRunInput>> {
  const fixture = await openBillingFixture();
  const { store, parts } = fixture;
  const account = await addAccount(store, 1);
  await fixture.addService(account, 7);
  await fixture.setTerms(account, 7, {}, { setupCents: 2500, billDay: 15 });
  const { next_day } = (await billingAccountFind(store.queries, account))!;
  return {
    store,
    account,
    service: undefined,
    deps: { billing: createBillingActions(parts) },
    input: { periodDay: next_day! },
    observe: async () => {
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
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

export const billingRunScenario: Scenario<BillingRunDeps, BillingRunInput> = {
  workflow: billingRun,
  makeFixture: makeBillingFixture,
};
