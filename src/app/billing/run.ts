// A billing run bills one account for one period. It is a durable workflow; the invoice with its charges and ledger
// entries and the account's next period are written in one transaction at the end, so that they exist either once or
// not at all.
import { startWorkflow } from '#workflows/engine/runner.ts';
import { billingRun, type BillingActions } from '#workflows/billing/billing-run.ts';
import { billingDay, billingMonth, type Period } from './billing-periods.ts';
import { dayOf } from '#lib/time.ts';
import type { AppendParts } from '#events/append.ts';
import type { Queue } from '#queue/queue.ts';
import * as store from '#store/billing/billing-accounts.ts';
import { chargesInsert } from '#store/billing/charges.ts';
import { termsOfAccount } from '#store/billing/service-terms.ts';
import { serviceList } from '#store/devices/services.ts';
import type { Queries, Store } from '#store/store.ts';
import { findClockJump } from '#store/work/trusted-time.ts';
import { addressCharges } from './addresses.ts';
import { bandwidthCharges } from './bandwidth.ts';
import type { BillContext, Charge, ChargesOfKind } from './charges.ts';
import { accountsWithRate, currenciesWithoutRate, MissingExchangeRate } from './currency/exchange.ts';
import type { DocumentLine } from './documents/invoice-document.ts';
import { discountCharges } from './discounts.ts';
import { hostingCharges } from './hosting.ts';
import { hourlyCharges } from './hourly.ts';
import { invoiceEventData, issueInvoice } from './issue.ts';
import { resumeVolumeBilling } from './kept-volumes.ts';
import { licenceCharges } from './licences.ts';
import { measureAccount, type Measurement } from './measure.ts';
import { requireBilling } from './pause.ts';
import { getBillingSettings } from './settings.ts';
import { usageCharges } from './usage.ts';
import { appendMessage } from './messages.ts';
import type { AccountId } from '#store/account-id.ts';

const accountsAtOnce = 100;
/** Everything that a run bills, in the order of the lines on the invoice. */
const billables = [hostingCharges, hourlyCharges, licenceCharges, addressCharges, bandwidthCharges, usageCharges];

export interface RunParts extends AppendParts {
  readonly store: Store;
}

/** Returns what the billing workflow needs from the app. */
export function createBillingActions(parts: RunParts): BillingActions<readonly Measurement[]> {
  return {
    async measure(account, periodDay) {
      const { queries } = parts.store;
      const billing = await store.billingAccountFind(queries, account);
      if (billing?.next_day !== periodDay) return [];
      const { attacks } = await getBillingSettings(queries);
      return measureAccount(queries, account, billedPeriods(billing, periodDay).previous, { attacks });
    },
    async bill(queries, account, periodDay, measured) {
      await issueBill(parts, queries, account, periodDay, measured);
    },
    async finishRun(queries, account) {
      await store.billingAccountSet(queries, account, { run_day: null });
    },
  };
}

export interface Bill {
  readonly period: Period;
  readonly charges: readonly Charge[];
  readonly parts: readonly ChargesOfKind[];
}

/**
 * Does nothing if the account's next period is a different one, because another run was faster, or if billing was paused since
 * the run started: it is then started again. Needs a transaction.
 */
export async function issueBill(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  periodDay: number,
  measured: readonly Measurement[],
): Promise<void> {
  const billing = await store.billingAccountLock(queries, account);
  const now = parts.clock.now();
  if (billing.next_day !== periodDay || (await findClockJump(queries, now)) !== undefined) return;
  const bill = await computeBill(queries, billing, periodDay, measured);
  if (bill.charges.length > 0) {
    const invoice = await issueInvoice(queries, account, { now, lines: chargeLines(bill.charges) }).catch(
      (error: unknown) => {
        if (error instanceof MissingExchangeRate) return undefined;
        throw error;
      },
    );
    // The run is started again, until there is a rate.
    if (invoice === undefined) return;
    await chargesInsert(queries, account, periodDay, invoice.id, bill.charges.map(chargeRow));
    await appendMessage(parts, queries, { account, type: 'invoice.issued', data: invoiceEventData(invoice) });
  }
  for (const part of bill.parts) await part.settle?.(queries);
  const continues = bill.parts.some((part) => part.continues);
  await store.billingAccountSet(queries, account, {
    next_day: continues ? bill.period.until : null,
    last_day: periodDay,
  });
}

export function chargeLines(charges: readonly Charge[]): DocumentLine[] {
  return charges.map(({ kind, service, description, cents, until, chargedTax }) => ({
    type: kind,
    service,
    description,
    cents,
    isTaxed: true,
    supplyDay: until - 1,
    chargedTax,
  }));
}

function chargeRow({ kind, subject, from, until, cents }: Charge) {
  return { kind, subject, from_day: from, until_day: until, amount_cents: cents };
}

/** Returns what a run for this period would bill. Writes nothing. */
export async function computeBill(
  queries: Queries,
  billing: store.BillingAccount,
  periodDay: number,
  measured: readonly Measurement[],
): Promise<Bill> {
  const account = billing.account_id;
  const { period, previous } = billedPeriods(billing, periodDay);
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
  const parts: ChargesOfKind[] = [];
  for (const billable of billables) parts.push(await billable(context));
  parts.push(
    await discountCharges(
      context,
      parts.flatMap(({ charges }) => charges),
    ),
  );
  return { period, parts, charges: parts.flatMap(({ charges }) => charges) };
}

export function billedPeriods(
  { bill_day }: store.BillingAccount,
  periodDay: number,
): { period: Period; previous: Period } {
  const month = billingMonth(bill_day, periodDay);
  return {
    period: { from: periodDay, until: billingDay(bill_day, month + 1) },
    previous: { from: billingDay(bill_day, month - 1), until: periodDay },
  };
}

export interface StartParts extends RunParts {
  readonly queue: Queue;
}

export interface RunStart {
  /** Who started it, for the workflow record. */
  readonly operation: string;
  /** Runs in the transaction that starts an account's run. */
  readonly record?: (queries: Queries, account: AccountId) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Starts a run for every account whose period has begun and that has none in progress. Returns how many. */
export async function startDueRuns(parts: StartParts, start: RunStart): Promise<number> {
  const now = parts.clock.now();
  await requireBilling(parts.store.queries, now);
  await resumeVolumeBilling(parts);
  const today = dayOf(now);
  let started = 0;
  const missing = await currenciesWithoutRate(parts);
  for (let after = 0; ;) {
    if (start.signal?.aborted === true) return started;
    const due = await store.billingAccountsDue(parts.store.queries, today, after, accountsAtOnce);
    if (due.length === 0) return started;
    after = due.at(-1)!.account_id;
    const waiting = due.filter(({ next_day, run_day }) => run_day !== next_day).map(({ account_id }) => account_id);
    const idle = await accountsWithRate(parts.store.queries, missing, waiting);
    if (idle.length > 0)
      started += await parts.store.transaction((queries) => startRuns(parts, queries, idle, today, start));
  }
}

async function startRuns(
  parts: StartParts,
  queries: Queries,
  accounts: readonly AccountId[],
  today: number,
  { operation, record }: RunStart,
): Promise<number> {
  let started = 0;
  for (const account of accounts) {
    // Another instance may have started it since the list was read.
    const { next_day, run_day } = await store.billingAccountLock(queries, account);
    if (next_day === null || next_day > today || run_day === next_day) continue;
    await store.billingAccountSet(queries, account, { run_day: next_day });
    const input = { periodDay: next_day };
    await startWorkflow(parts, queries, billingRun, { account, service: undefined, operation, input });
    await record?.(queries, account);
    started++;
  }
  return started;
}
