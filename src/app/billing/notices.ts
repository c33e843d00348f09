// What follows when an invoice is not paid: the customer is told, reminded, charged a fee, suspended, as the provider's policy
// has it. Each is done once for an invoice, in a transaction of its own, whoever looks and however often.
import type { AppendParts } from '#jobs/event-append.ts';
import { dayOf } from '#kernel/moments.ts';
import { moneyShare, moneyText } from '#kernel/money.ts';
import { billingAccountHold } from '#store/billing/billing-accounts.ts';
import { noticeInsert, noticesOf } from '#store/billing/invoice-notices.ts';
import { invoicesDueBefore, invoicesOpen, type OpenInvoice } from '#store/billing/invoices.ts';
import type { Queries, Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { invoiceEvent, invoiceIssue } from './issue.ts';
import { billingSettings, type BillingSettings } from './settings.ts';
import { suspend } from './suspension.ts';
import { messageAppend } from './messages.ts';

type LateInvoice = OpenInvoice & { readonly account_id: AccountId };

const invoicesAtOnce = 200;

export interface NoticeParts extends AppendParts {
  readonly store: Store;
}

export async function giveNotices(parts: NoticeParts, signal?: AbortSignal): Promise<void> {
  const today = dayOf(parts.clock.now());
  const { queries } = parts.store;
  const settings = await billingSettings(queries);
  for (let after = 0; ;) {
    if (signal?.aborted === true) return;
    const late = await invoicesDueBefore(queries, today, after, invoicesAtOnce);
    if (late.length === 0) return;
    after = late.at(-1)!.id;
    const given = await noticesOf(
      queries,
      late.map(({ id }) => id),
    );
    for (const invoice of late) {
      const due = noticesDue(settings, today - invoice.due_day).filter((kind) => !given.has(`${invoice.id} ${kind}`));
      if (due.length > 0) await parts.store.transaction((work) => give(parts, work, settings, invoice, due));
    }
  }
}

/** What an invoice that is so many days late calls for, in the order in which it happens. */
export function noticesDue(settings: BillingSettings, daysLate: number): string[] {
  const { reminderDays, lateFee, suspendAfterDays } = settings;
  return [
    'overdue',
    ...reminderDays.filter((days) => days <= daysLate).map((_, index) => `reminder ${index + 1}`),
    ...(lateFee !== undefined && lateFee.afterDays <= daysLate ? ['late fee'] : []),
    ...(suspendAfterDays !== undefined && suspendAfterDays <= daysLate ? ['suspension'] : []),
  ];
}

async function give(
  parts: NoticeParts,
  queries: Queries,
  settings: BillingSettings,
  { id, account_id: account }: LateInvoice,
  kinds: readonly string[],
): Promise<void> {
  await billingAccountHold(queries, account);
  // It may have been paid since it was listed.
  const invoice = (await invoicesOpen(queries, account)).find((open) => open.id === id);
  if (invoice === undefined) return;
  for (const kind of kinds) {
    const first = await noticeInsert(queries, { invoice_id: id, kind, account_id: account, at: parts.clock.now() });
    if (first) await act(parts, queries, settings, account, invoice, kind);
  }
}

async function act(
  parts: NoticeParts,
  queries: Queries,
  settings: BillingSettings,
  account: AccountId,
  invoice: OpenInvoice,
  kind: string,
): Promise<void> {
  if (kind === 'overdue') {
    await messageAppend(parts, queries, { account, type: 'invoice.overdue', data: invoiceEvent(invoice) });
  } else if (kind === 'late fee') {
    await chargeLateFee(parts, queries, settings, account, invoice);
  } else if (kind === 'suspension') {
    await suspend(parts, queries, account, invoice.number);
  } else {
    const data = { ...invoiceEvent(invoice), reminder: Number(kind.slice('reminder '.length)) };
    await messageAppend(parts, queries, { account, type: 'invoice.reminder', data });
  }
}

/** An invoice of its own, since the late one cannot change; a fee bears no fee, or it would never end. */
async function chargeLateFee(
  parts: NoticeParts,
  queries: Queries,
  { lateFee }: BillingSettings,
  account: AccountId,
  late: OpenInvoice,
): Promise<void> {
  const share = moneyShare(late.open_cents, lateFee!.share);
  const cents = lateFee!.cents + share;
  if (cents === 0) return;
  const rate = share === 0 ? '' : `, with ${moneyText(lateFee!.share)}% of ${moneyText(late.open_cents)}`;
  const now = parts.clock.now();
  const line = {
    type: 'LateFee',
    service: undefined,
    description: `Late payment of ${late.number}${rate}`,
    cents,
    taxed: false,
  } as const;
  const fee = await invoiceIssue(queries, account, { now, lines: [line] });
  await noticeInsert(queries, { invoice_id: fee.id, kind: 'late fee', account_id: account, at: now });
  await messageAppend(parts, queries, { account, type: 'invoice.issued', data: invoiceEvent(fee) });
}
