// The dunning state of an account: what was sent about its unpaid invoices, what follows, and staff's hold.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { moneyOperator, OperatorDunning } from '#contract/operator/money.ts';
import { conflict } from '#lib/api-error.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText, dayOf, timeText } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { dunningHoldFind, dunningHoldInsert, dunningHoldRemove } from '#store/billing/dunning-holds.ts';
import { invoicesOpen, noticeList } from '#store/billing/invoices.ts';
import { dunningSteps, type DunningStep } from '../billing/notices.ts';
import { getBillingSettings } from '../billing/settings.ts';
import type { Context } from '../app.ts';
import { getCustomer } from './accounts.ts';

export async function dunningGet({ queries, app }: Context, id: number): Promise<Static<typeof OperatorDunning>> {
  const account = await getCustomer(queries, id);
  const today = dayOf(app.clock.now());
  const hold = await dunningHoldFind(queries, account.id);
  const open = await invoicesOpen(queries, account.id);
  const ids = open.map((invoice) => invoice.id);
  const notices = ids.length === 0 ? [] : await noticeList(queries, ids);
  const steps = dunningSteps(await getBillingSettings(queries));
  return {
    account: String(account.id),
    held: hold === undefined ? '0' : '1',
    heldsince: hold === undefined ? '' : timeText(hold.since),
    heldby: hold?.operator ?? '',
    reason: hold?.reason ?? '',
    invoices: open.map((invoice) => {
      const sent = inOrder(
        steps,
        notices.filter(({ invoice_id }) => invoice_id === invoice.id),
      );
      const last = isLateFee(sent) ? sent.slice(1).at(-1) : sent.at(-1);
      const next = hold === undefined ? nextStep(steps, new Set(sent.map(({ kind }) => kind))) : undefined;
      return {
        id: String(invoice.id),
        invoicenum: invoice.number,
        duedate: dayNumberText(invoice.due_day),
        dayslate: String(Math.max(0, today - invoice.due_day)),
        balance: moneyText(invoice.open_cents),
        laststep: last?.kind ?? '',
        lasttime: last === undefined ? '' : timeText(last.at),
        nextstep: next?.kind ?? '',
        nextdate: next === undefined ? '' : dayNumberText(Math.max(today, invoice.due_day + Math.max(1, next.days))),
      };
    }),
  };
}

interface Notice {
  readonly kind: string;
  readonly at: number;
}

/** Several notices can have the same time. */
function inOrder(steps: readonly DunningStep[], notices: readonly Notice[]): Notice[] {
  const kinds = steps.toSorted((left, right) => left.days - right.days).map(({ kind }) => kind);
  return notices.toSorted((left, right) => left.at - right.at || kinds.indexOf(left.kind) - kinds.indexOf(right.kind));
}

/** Returns true for the invoice of a late fee, which is marked as if it had caused one, so that it never does. */
function isLateFee([first]: readonly Notice[]): boolean {
  return first?.kind === 'late fee';
}

/** Returns the first step that has not happened. */
function nextStep(steps: readonly DunningStep[], sent: ReadonlySet<string>): DunningStep | undefined {
  return steps.filter(({ kind }) => !sent.has(kind)).toSorted((left, right) => left.days - right.days)[0];
}

/** Only staff see the reason: the call is not in the customer's audit log. */
export async function dunningHold(
  { queries, app, caller }: Context,
  { account: id, reason }: InputOf<typeof moneyOperator.dunningHold>,
): Promise<void> {
  const account = await getCustomer(queries, id);
  await billingAccountLock(queries, account.id);
  const hold = { account_id: account.id, since: app.clock.now(), operator: caller.operator!.name, reason };
  if (!(await dunningHoldInsert(queries, hold))) throw conflict('Dunning of this account is already on hold.');
}

export async function dunningResume(
  { queries }: Context,
  { account: id }: InputOf<typeof moneyOperator.dunningResume>,
): Promise<void> {
  const account = await getCustomer(queries, id);
  await billingAccountLock(queries, account.id);
  if (!(await dunningHoldRemove(queries, account.id))) throw conflict('Dunning of this account is not on hold.');
}
