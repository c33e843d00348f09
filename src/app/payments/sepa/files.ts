// Files for the bank: one a day for direct debits and one for refunds, written on business days before the bank's
// cut-off. A file is its row and the orders that name it, all committed together; its content is derived from them, so
// that it is the same whenever it is read. The message id follows from the day, so that two instances write one file.
import { addBusinessDays, isBusinessDay } from '#drivers/payment/sepa/business-days.ts';
import { writeDebitFile, writeTransferFile, type Creditor, type Debit } from '#drivers/payment/sepa/payment-file.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { mapInSlices } from '#lib/slices.ts';
import { dayMs, dayNumberText, dayOf } from '#lib/time.ts';
import { mandatesOfMethods, mandatesUse, type Mandate } from '#store/payments/sepa-mandates.ts';
import * as store from '#store/payments/sepa-orders.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { App } from '../../app.ts';
import { settleRefund } from '../refunds.ts';
import { expiryDay, debitMandate, openIban } from './mandates.ts';
import { failCharge } from './orders.ts';
import { sepaReconciler, type SepaSettings } from './settings.ts';

/** A bank may book a whole file at once, which is then received in one transaction. */
const maxOrders = 1000;
const batchSize = 200;
const minuteMs = 60_000;

/** Writes the files of today if it is time. */
export async function writeDueFiles(app: App, settings: SepaSettings, signal: AbortSignal): Promise<void> {
  const now = app.clock.now();
  const today = dayOf(now);
  const minute = Math.floor((now - today * dayMs) / minuteMs);
  if (!isBusinessDay(today) || minute < settings.filesAtMinute) return;
  await dropEndedOrders(app, settings, today, signal);
  for (const kind of ['debit', 'refund'] as const)
    // Only a full file is followed by another one on the same day.
    for (let number = 1; !signal.aborted; number++) {
      const messageId = fileMessageId(kind, today, number);
      const existing = await store.fileByMessage(app.store.queries, messageId);
      if (existing !== undefined && existing.orders === maxOrders) continue;
      const isDue =
        existing === undefined &&
        (await store.ordersWaiting(app.store.queries, kind, lastDueDay(settings, kind, today), 1)).length > 0;
      const isWritten =
        isDue && (await app.store.transaction((queries) => writeFile(queries, settings, { kind, messageId, now })));
      if (!isWritten) break;
    }
}

function fileMessageId(kind: store.FileKind, day: number, number: number): string {
  return `HY-${kind === 'debit' ? 'D' : 'R'}-${dayNumberText(day).replaceAll('-', '')}-${number}`;
}

/** Orders that are due on this day or before are part of a file that is written today. */
function lastDueDay({ leadDays }: SepaSettings, kind: store.FileKind, today: number): number {
  return kind === 'debit' ? addBusinessDays(today, leadDays) : today;
}

async function writeFile(
  queries: Queries,
  settings: SepaSettings,
  { kind, messageId, now }: { kind: store.FileKind; messageId: string; now: number },
): Promise<boolean> {
  const today = dayOf(now);
  const dueDay = lastDueDay(settings, kind, today);
  const orders = (await store.ordersWaiting(queries, kind, dueDay, maxOrders)).filter((order) => !hasEnded(order));
  if (orders.length === 0) return false;
  const file = await store.fileInsert(queries, {
    kind,
    message_id: messageId,
    day: today,
    created_at: now,
    orders: orders.length,
    amount_cents: orders.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    creditor: JSON.stringify(settings.creditor),
    state: 'created',
    decided_at: null,
    operator: '',
  });
  // Another instance has written it.
  if (file === undefined) return false;
  const filed = { file_id: file, day: dueDay };
  let count = 0;
  if (kind === 'refund') count = await store.ordersFile(queries, idsOf(orders), filed);
  else {
    const { first, recurring } = await splitBySequence(queries, orders);
    // An order that waited too long gets a new day; the bank rejects one in the past.
    count += await store.ordersFile(queries, idsOf(first), { ...filed, sequence: 'FRST' });
    count += await store.ordersFile(queries, idsOf(recurring), { ...filed, sequence: 'RCUR' });
    const methods = [...new Set(orders.map(({ method_id }) => method_id))];
    await mandatesUse(queries, methods, { used_at: now, expires_day: expiryDay(now) });
  }
  if (count !== orders.length) throw new Error('an order of the file is in another one');
  return true;
}

function idsOf(orders: readonly store.Order[]): number[] {
  return orders.map(({ id }) => id);
}

/** The first order of a mandate that was never used is its first collection. */
async function splitBySequence(queries: Queries, orders: readonly store.Order[]) {
  const mandates = await mandatesByMethod(queries, orders);
  const unused = new Set([...mandates.values()].filter(({ used_at }) => used_at === null).map((row) => row.method_id));
  const [first, recurring]: [store.Order[], store.Order[]] = [[], []];
  for (const order of orders) (unused.delete(order.method_id) ? first : recurring).push(order);
  return { first, recurring };
}

async function mandatesByMethod(
  queries: Queries,
  orders: readonly store.Order[],
): Promise<ReadonlyMap<number, Mandate>> {
  const mandates = await mandatesOfMethods(queries, [...new Set(orders.map(({ method_id }) => method_id))]);
  return new Map(mandates.map((mandate) => [mandate.method_id, mandate]));
}

/** The customer has removed the method, or owes less by now. A refund is paid in any case. */
function hasEnded({ refund_id, charge_state, method_state, ...order }: store.WaitingOrder): boolean {
  if (refund_id !== null) return false;
  const openCents = order.invoice_open_cents ?? Infinity;
  return charge_state !== 'submitted' || method_state !== 'active' || openCents < order.amount_cents;
}

async function dropEndedOrders(app: App, settings: SepaSettings, today: number, signal: AbortSignal): Promise<void> {
  const dueDay = lastDueDay(settings, 'debit', today);
  const waiting = await store.ordersWaiting(app.store.queries, 'debit', dueDay, maxOrders);
  for (const order of waiting.filter(hasEnded)) {
    if (signal.aborted) return;
    const isPaid = order.method_state === 'active';
    await app.store.transaction(async (queries) => {
      // Another instance may have put it into a file: then the bank decides.
      if (await store.orderRemove(queries, order.id))
        await failCharge(app, queries, order, isPaid ? 'already_paid' : 'mandate_ended');
    });
  }
}

/** Returns the content of a file. */
export async function readBankFile(
  { secrets }: { readonly secrets: SecretBox },
  queries: Queries,
  id: number,
): Promise<{ readonly file: store.BankFile; readonly xml: string }> {
  const file = requireFound(await store.fileFind(queries, id), 'File not found.');
  const orders = await store.ordersOfFile(queries, id);
  const mandates = await mandatesByMethod(queries, orders);
  const { message_id: messageId, created_at: createdAt, kind } = file;
  const head = { messageId, createdAt, creditor: JSON.parse(file.creditor) as Creditor };
  if (kind === 'debit') {
    const debits = await mapInSlices(orders, (order): Debit => {
      const { end_to_end_id: endToEndId, amount_cents: cents, day, text } = order;
      const sequence = order.sequence === '' ? 'RCUR' : order.sequence;
      return { endToEndId, cents, sequence, day, mandate: debitMandate(secrets, mandates.get(order.method_id)!), text };
    });
    return { file, xml: writeDebitFile(head, debits) };
  }
  const transfers = await mapInSlices(orders, ({ end_to_end_id: endToEndId, amount_cents: cents, method_id, text }) => {
    const mandate = mandates.get(method_id)!;
    return { endToEndId, cents, name: mandate.name, iban: openIban(secrets, mandate), text };
  });
  return { file, xml: writeTransferFile(head, file.day, transfers) };
}

/**
 * Records that a file was handed in, or that the bank has rejected it as a whole, which may be later. What it contains
 * is then failed in the background. Needs a transaction.
 */
export async function decideFile(
  { clock }: Pick<App, 'clock'>,
  queries: Queries,
  id: number,
  { state, operator }: { readonly state: 'handed_in' | 'rejected'; readonly operator: string },
): Promise<void> {
  const file = requireFound(await store.fileFind(queries, id), 'File not found.');
  const isDecided = file.state === state || file.state === 'rejected';
  if (isDecided || !(await store.fileDecide(queries, file, { state, operator, decided_at: clock.now() })))
    throw conflict('This has already been recorded.');
  await reconcilerSignal(queries, sepaReconciler);
}

/** Charges of rejected files are collected again as their invoices say; the credit of refunds is restored. */
export async function failRejectedOrders(app: App, signal: AbortSignal): Promise<void> {
  const list = () => store.ordersRejected(app.store.queries, batchSize);
  const code = 'file_rejected';
  for (let page = await list(); page.length > 0 && !signal.aborted; page = await list())
    for (const order of page)
      await app.store.transaction(async (queries) => {
        const { refund_key, end_to_end_id: externalId } = order;
        if (refund_key === null) await failCharge(app, queries, order, code);
        else await settleRefund(app, queries, refund_key, { state: 'failed', externalId, code });
      });
}
