// What happens when an invoice is not paid: notification, reminders, a late fee and suspension, as the provider's
// policy says. Each happens once per invoice, in its own transaction, however often and wherever this runs.
import type { AppendParts } from '#events/append.ts';
import { dayOf } from '#lib/time.ts';
import { moneyShare, moneyText } from '#lib/money.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { dunningHoldFind, dunningHoldsOf } from '#store/billing/dunning-holds.ts';
import { invoicesDueBefore, invoicesOpen, noticeInsert, noticesOf, type OpenInvoice } from '#store/billing/invoices.ts';
import type { Queries, Store } from '#store/store.ts';
import { otherCurrencyOf } from './currency/settings.ts';
import { invoiceEventData, issueInvoice } from './issue.ts';
import { requireBilling } from './pause.ts';
import { getBillingSettings, type BillingSettings } from './settings.ts';
import { isSuspendedByStaff, suspendAccount } from './suspension.ts';
import { appendMessage } from './messages.ts';
import type { AccountId } from '#store/account-id.ts';

type LateInvoice = OpenInvoice & { readonly account_id: AccountId };

const batchSize = 200;

export interface NoticeParts extends AppendParts {
  readonly store: Store;
}

/** An error for one invoice is thrown once the others have their notices. */
export async function sendNotices(parts: NoticeParts, signal?: AbortSignal): Promise<void> {
  const now = parts.clock.now();
  const { queries } = parts.store;
  await requireBilling(queries, now);
  const today = dayOf(now);
  const settings = await getBillingSettings(queries);
  const errors: unknown[] = [];
  for (let after = 0; ;) {
    const late = signal?.aborted === true ? [] : await invoicesDueBefore(queries, today, after, batchSize);
    if (late.length === 0) break;
    after = late.at(-1)!.id;
    const ids = late.map(({ id }) => id);
    const sent = await noticesOf(queries, ids);
    const held = await dunningHoldsOf(queries, [...new Set(late.map(({ account_id }) => account_id))]);
    for (const invoice of late) {
      if (held.has(invoice.account_id)) continue;
      const due = noticesDue(settings, today - invoice.due_day).filter((kind) => !sent.has(`${invoice.id} ${kind}`));
      if (due.length > 0)
        await parts.store
          .transaction((work) => sendInvoiceNotices(parts, work, settings, invoice, due))
          .catch((error: unknown) => errors.push(error));
    }
  }
  if (errors.length > 0) throw errors[0];
}

export interface DunningStep {
  readonly kind: string;
  /** After the due day. */
  readonly days: number;
}

/** Returns what follows if an invoice is not paid, in order. */
export function dunningSteps({ reminderDays, lateFee, suspendAfterDays }: BillingSettings): DunningStep[] {
  return [
    { kind: 'overdue', days: 1 },
    ...reminderDays.map((days, index) => ({ kind: `reminder ${index + 1}`, days })),
    ...(lateFee === undefined ? [] : [{ kind: 'late fee', days: lateFee.afterDays }]),
    ...(suspendAfterDays === undefined ? [] : [{ kind: 'suspension', days: suspendAfterDays }]),
  ];
}

/** Returns the notices due for an invoice that is this many days late, at least one, in order. */
export function noticesDue(settings: BillingSettings, daysLate: number): string[] {
  return dunningSteps(settings)
    .filter(({ days }) => days <= daysLate)
    .map(({ kind }) => kind);
}

async function sendInvoiceNotices(
  parts: NoticeParts,
  queries: Queries,
  settings: BillingSettings,
  { id, account_id: account }: LateInvoice,
  kinds: readonly string[],
): Promise<void> {
  await billingAccountLock(queries, account);
  // Staff may have held it, or it may have been paid, since it was listed.
  if ((await dunningHoldFind(queries, account)) !== undefined) return;
  const invoice = (await invoicesOpen(queries, account)).find((open) => open.id === id);
  if (invoice === undefined) return;
  for (const kind of kinds) {
    if (kind === 'suspension' && (await isSuspendedByStaff(queries, account))) continue;
    const first = await noticeInsert(queries, { invoice_id: id, kind, account_id: account, at: parts.clock.now() });
    if (first) await sendNotice({ parts, queries, settings, account, invoice }, kind);
  }
}

interface NoticeWork {
  readonly parts: NoticeParts;
  readonly queries: Queries;
  readonly settings: BillingSettings;
  readonly account: AccountId;
  readonly invoice: OpenInvoice;
}

async function sendNotice(work: NoticeWork, kind: string): Promise<void> {
  const { parts, queries, account, invoice } = work;
  if (kind === 'late fee') return chargeLateFee(work);
  if (kind === 'suspension') return suspendAccount(parts, queries, account, invoice.number);
  const data = invoiceEventData(invoice);
  if (kind === 'overdue') return appendMessage(parts, queries, { account, type: 'invoice.overdue', data });
  const reminder = Number(kind.slice('reminder '.length));
  await appendMessage(parts, queries, { account, type: 'invoice.reminder', data: { ...data, reminder } });
}

/**
 * Issues a separate invoice, because the late one cannot change. A late fee causes no further late fee, or they would
 * never end.
 */
async function chargeLateFee({ parts, queries, settings, account, invoice }: NoticeWork): Promise<void> {
  const lateFee = settings.lateFee!;
  const share = moneyShare(invoice.open_cents, lateFee.share);
  // The amount of the site file is in the provider's currency.
  const amount = (await otherCurrencyOf(queries, account)) === undefined ? lateFee.cents : 0;
  const cents = amount + share;
  if (cents === 0) return;
  const rate = share === 0 ? '' : `, with ${moneyText(lateFee.share)}% of ${moneyText(invoice.open_cents)}`;
  const now = parts.clock.now();
  const description = `Late payment of ${invoice.number}${rate}`;
  const line = { type: 'LateFee', service: undefined, description, cents, isTaxed: false } as const;
  const fee = await issueInvoice(queries, account, { now, lines: [line] });
  await noticeInsert(queries, { invoice_id: fee.id, kind: 'late fee', account_id: account, at: now });
  await appendMessage(parts, queries, { account, type: 'invoice.issued', data: invoiceEventData(fee) });
}
