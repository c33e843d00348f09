// A run bills one account for one period. It is a durable workflow; what it leaves behind, the invoice with its charges, its
// entries and the account's next period, is written in one transaction at its end, so that it is there once or not at all.
import { startWorkflow } from '#workflows/runner.ts';
import { billingRun, type BillingOffice } from '#workflows/billing-run.ts';
import { billingDayOf, billingMonth, type Period } from '#kernel/billing-calendar.ts';
import { dayOf } from '#kernel/moments.ts';
import type { AppendParts } from '#jobs/event-append.ts';
import type { Jobs } from '#jobs/jobs.ts';
import {
  billingAccountFind,
  billingAccountHold,
  billingAccountsDue,
  billingAccountSet,
  type BillingAccount,
} from '#store/billing/billing-accounts.ts';
import { chargesInsert } from '#store/billing/charges.ts';
import { termsOfAccount } from '#store/billing/service-terms.ts';
import { serviceList } from '#store/devices/services.ts';
import type { Queries, Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { billables } from './billables.ts';
import type { BillContext, Charge, Charged } from './charges.ts';
import { invoiceEvent, invoiceIssue } from './issue.ts';
import { measureAccount, type Measured } from './measure.ts';
import { billingSettings } from './settings.ts';
import { messageAppend } from './messages.ts';

const accountsAtOnce = 100;

export interface RunParts extends AppendParts {
  readonly store: Store;
}

/** What the workflow works with. */
export function billingOffice(parts: RunParts): BillingOffice<readonly Measured[]> {
  return {
    async measure(account, periodDay) {
      const { queries } = parts.store;
      const billing = await billingAccountFind(queries, account);
      if (billing?.next_day !== periodDay) return [];
      const { attacks } = await billingSettings(queries);
      return measureAccount(queries, account, periodsOf(billing, periodDay).previous, { attacks });
    },
    async bill(queries, account, periodDay, measured) {
      await runBill(parts, queries, account, periodDay, measured);
    },
    async runOver(queries, account) {
      await billingAccountSet(queries, account, { run_day: null });
    },
  };
}

export interface DrawnBill {
  readonly period: Period;
  readonly charges: readonly Charge[];
  readonly parts: readonly Charged[];
}

/** In a transaction. Does nothing where the account's next period is another: somebody was faster. */
export async function runBill(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  periodDay: number,
  measured: readonly Measured[],
): Promise<void> {
  const billing = await billingAccountHold(queries, account);
  if (billing.next_day !== periodDay) return;
  const bill = await drawBill(queries, billing, periodDay, measured);
  if (bill.charges.length > 0) {
    const lines = bill.charges.map(({ kind, service, description, cents }) => ({
      type: kind,
      service,
      description,
      cents,
      taxed: true,
    }));
    const invoice = await invoiceIssue(queries, account, { now: parts.clock.now(), lines });
    await chargesInsert(queries, account, periodDay, invoice.id, bill.charges.map(chargeRow));
    await messageAppend(parts, queries, { account, type: 'invoice.issued', data: invoiceEvent(invoice) });
  }
  for (const part of bill.parts) await part.settle?.(queries);
  const goesOn = bill.parts.some((part) => part.goesOn);
  await billingAccountSet(queries, account, { next_day: goesOn ? bill.period.until : null, last_day: periodDay });
}

function chargeRow({ kind, subject, from, until, cents }: Charge) {
  return { kind, subject, from_day: from, until_day: until, amount_cents: cents };
}

/** What a run for this period would bill; nothing is written. */
export async function drawBill(
  queries: Queries,
  billing: BillingAccount,
  periodDay: number,
  measured: readonly Measured[],
): Promise<DrawnBill> {
  const account = billing.account_id;
  const { period, previous } = periodsOf(billing, periodDay);
  const services = await serviceList(queries, account, undefined);
  const context: BillContext = {
    queries,
    account,
    billDay: billing.bill_day,
    period,
    previous,
    terms: await termsOfAccount(queries, account, previous.from),
    services: new Map(services.map((service) => [service.id, service])),
    measured,
  };
  const parts: Charged[] = [];
  for (const billable of billables) parts.push(await billable(context));
  return { period, parts, charges: parts.flatMap(({ charges }) => charges) };
}

export function periodsOf({ bill_day }: BillingAccount, periodDay: number): { period: Period; previous: Period } {
  const month = billingMonth(bill_day, periodDay);
  return {
    period: { from: periodDay, until: billingDayOf(bill_day, month + 1) },
    previous: { from: billingDayOf(bill_day, month - 1), until: periodDay },
  };
}

export interface StartParts extends RunParts {
  readonly jobs: Jobs;
}

export interface RunStart {
  /** Who asks for it, as the workflow tells. */
  readonly operation: string;
  /** In the transaction that starts an account's run. */
  readonly noted?: (queries: Queries, account: AccountId) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Starts a run for every account whose period has begun, but for those that have one under way. Answers how many. */
export async function startDueRuns(parts: StartParts, start: RunStart): Promise<number> {
  const today = dayOf(parts.clock.now());
  let started = 0;
  for (let after = 0; ;) {
    if (start.signal?.aborted === true) return started;
    const due = await billingAccountsDue(parts.store.queries, today, after, accountsAtOnce);
    if (due.length === 0) return started;
    after = due.at(-1)!.account_id;
    const idle = due.filter(({ next_day, run_day }) => run_day !== next_day).map(({ account_id }) => account_id);
    if (idle.length > 0)
      started += await parts.store.transaction((queries) => startRuns(parts, queries, idle, today, start));
  }
}

async function startRuns(
  parts: StartParts,
  queries: Queries,
  accounts: readonly AccountId[],
  today: number,
  { operation, noted }: RunStart,
): Promise<number> {
  let started = 0;
  for (const account of accounts) {
    // Another node may have been here since they were listed.
    const { next_day, run_day } = await billingAccountHold(queries, account);
    if (next_day === null || next_day > today || run_day === next_day) continue;
    await billingAccountSet(queries, account, { run_day: next_day });
    const input = { periodDay: next_day };
    await startWorkflow(parts, queries, billingRun, { account, service: undefined, operation, input });
    await noted?.(queries, account);
    started++;
  }
  return started;
}
