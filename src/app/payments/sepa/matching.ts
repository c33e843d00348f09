// Matches entries of bank statements: direct debits and refunds by their end-to-end id, batch bookings by the part of our
// file, transfers by the invoice or customer reference in their text. Money is received and taken back in the transaction
// that marks the entry, so that each entry counts once. What does not match waits for staff.
import type { MatchProblem } from '#contract/shapes/sepa.ts';
import { referencedAccounts } from '#drivers/payment/sepa/iban.ts';
import { debitBlockId } from '#drivers/payment/sepa/payment-file.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { euro } from '#lib/currency.ts';
import { moneyText } from '#lib/money.ts';
import { dayMs } from '#lib/time.ts';
import { accountFind, providerAccount } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { isRefundRecorded } from '#store/billing/ledger.ts';
import { chargeLoad } from '#store/payments/charges.ts';
import { mandatesOfMethods } from '#store/payments/sepa-mandates.ts';
import { fileByMessage, orderByReference, ordersOfFile, type Order } from '#store/payments/sepa-orders.ts';
import * as store from '#store/payments/sepa-statements.ts';
import { refundFind } from '#store/payments/refunds.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../../app.ts';
import { createPayerFinder } from '../../billing/bank-matching.ts';
import { receivePayment } from '../../billing/payments.ts';
import { settleRefund } from '../refunds.ts';
import { chargeBack, settleCharge } from '../settle.ts';
import { endMethod } from './mandates.ts';
import { endsMandate, returnReason } from './return-reasons.ts';

const batchSize = 200;

type Match = Pick<store.Entry, 'matched_as' | 'account_id' | 'booked_cents'>;
type PayerFinder = Awaited<ReturnType<typeof createPayerFinder>>;

/** An entry that a person has to look at. */
class NoMatch extends Error {
  readonly problem: Pick<store.Entry, 'problem' | 'problem_code' | 'expected_cents'>;

  constructor(problem_code: store.Entry['problem_code'], problem: string, expected_cents: number | null = null) {
    super(problem);
    this.problem = { problem, problem_code, expected_cents };
  }
}

function otherAmount(code: MatchProblem, what: string, cents: number): NoMatch {
  return new NoMatch(code, `${what} is ${moneyText(cents)}.`, cents);
}

/** Matches all new entries. One that fails for another reason than its contents is left for the next run. */
export async function matchEntries(app: App, signal: AbortSignal): Promise<void> {
  const { queries } = app.store;
  const list = (after: number) => store.entriesInState(queries, 'new', { after, limit: batchSize });
  let page = await list(0);
  if (page.length === 0) return;
  const findPayers = await createPayerFinder(queries);
  for (; page.length > 0 && !signal.aborted; page = await list(page.at(-1)!.id)) {
    for (const entry of page)
      await matchEntry(app, entry, findPayers).catch((error: unknown) =>
        app.log.error({ err: error, entry: entry.id }, 'could not match an entry of a bank statement'),
      );
    // A payment may have lifted a suspension.
    app.authentication.forget();
  }
}

async function matchEntry(app: App, entry: store.Entry, findPayers: PayerFinder): Promise<void> {
  try {
    await app.store.transaction(async (queries) => {
      const match = await applyEntry(app, queries, entry, findPayers);
      // If another instance has matched it, everything above is undone.
      if (!(await store.entryChange(queries, entry, { state: 'matched', ...match }))) throw new NoMatch('', '');
    });
  } catch (error) {
    if (!(error instanceof NoMatch || error instanceof ApiError)) throw error;
    const { problem } = error instanceof NoMatch ? error : new NoMatch('rejected', error.message);
    await store.entryChange(app.store.queries, entry, { state: 'unmatched', ...problem });
  }
}

async function applyEntry(app: App, queries: Queries, entry: store.Entry, findPayers: PayerFinder): Promise<Match> {
  const order = entry.end_to_end_id === '' ? undefined : await orderByReference(queries, entry.end_to_end_id);
  if (order !== undefined) return applyOrder(app, queries, entry, order);
  if (entry.batch_id !== '') return applyBatch(app, queries, entry);
  if (entry.amount_cents < 0) throw new NoMatch('outgoing', 'The outgoing payment is not from one of our files.');
  const payers = new Set([...(await findPayers(entry.text)), ...(await findReferenced(queries, entry.text))]);
  const [payer] = payers;
  if (payer === undefined)
    throw new NoMatch('no_reference', 'The text does not mention an invoice or a customer reference.');
  if (payers.size > 1) throw new NoMatch('several_customers', 'The text mentions several customers.');
  const currency = await otherCurrency(queries, payer);
  if (currency !== undefined) throw new NoMatch('currency', currency);
  return receiveTransfer(app, queries, entry, payer);
}

/** Returns what is wrong if the account cannot take euros. */
async function otherCurrency(queries: Queries, account: AccountId): Promise<string | undefined> {
  const { currency } = requireFound(await accountFind(queries, account), 'Account not found.');
  return currency === euro ? undefined : `The customer's account is in ${currency}, but the booking is in ${euro}.`;
}

async function findReferenced(queries: Queries, text: string): Promise<AccountId[]> {
  const accounts: AccountId[] = [];
  for (const id of referencedAccounts(text)) {
    const account = await accountFind(queries, id as AccountId);
    if (account !== undefined && account.id !== providerAccount) accounts.push(account.id);
  }
  return accounts;
}

async function receiveTransfer(app: App, queries: Queries, entry: store.Entry, account: AccountId): Promise<Match> {
  await receivePayment(app, queries, {
    payer: { account },
    cents: entry.amount_cents,
    currency: euro,
    paidAt: entry.day * dayMs,
    method: 'banktransfer',
    reference: entry.key,
  });
  return { matched_as: 'transfer', account_id: account, booked_cents: entry.amount_cents };
}

async function applyOrder(app: App, queries: Queries, entry: store.Entry, order: Order): Promise<Match> {
  const { account_id, amount_cents } = order;
  if (order.refund_id !== null) return applyRefund(app, queries, entry, order);
  if (entry.amount_cents < 0) {
    const booked = await returnDebit(app, queries, entry, order);
    return { matched_as: 'chargeback', account_id, booked_cents: booked };
  }
  if (entry.amount_cents !== amount_cents) throw otherAmount('debit_amount', 'The direct debit', amount_cents);
  return { matched_as: 'charge', account_id, booked_cents: await receiveDebit(app, queries, order) };
}

/** Returns what the ledger received: nothing if another entry has reported it before. */
async function receiveDebit(app: App, queries: Queries, order: Order): Promise<number> {
  const { charge_id, end_to_end_id: externalId, amount_cents: cents } = order;
  const isNew = await settleCharge(app, queries, charge_id, { state: 'succeeded', externalId, cents });
  return isNew ? cents : 0;
}

/**
 * The bank only books the return of money that it had credited, so a charge that is not known as received is received
 * first. The bank may add a fee to the amount, which is not the customer's money. A second report changes nothing, since
 * a direct debit is returned once.
 */
async function returnDebit(app: App, queries: Queries, entry: store.Entry, order: Order): Promise<number> {
  const { amount_cents: cents } = order;
  if (-entry.amount_cents < cents) throw otherAmount('debit_amount', 'The direct debit', cents);
  const received = await receiveDebit(app, queries, order);
  if ((await chargeLoad(queries, order.charge_id))!.charged_back_cents > 0) return received;
  const reason = returnReason(entry.return_code);
  await chargeBack(app, queries, order.charge_id, { reference: entry.key, cents, reason });
  if (endsMandate(entry.return_code)) await endMethod(app, queries, order.account_id, order.method_id);
  return received - cents;
}

async function applyRefund(app: App, queries: Queries, entry: store.Entry, order: Order): Promise<Match> {
  const { account_id, amount_cents: cents, end_to_end_id: externalId } = order;
  if (Math.abs(entry.amount_cents) !== cents) throw otherAmount('refund_amount', 'The refund', cents);
  const { key, state } = (await refundFind(queries, order.refund_id!))!;
  const isPaidOut = state !== 'failed' || (await isRefundRecorded(queries, account_id, 'paid:sepa', externalId));
  if (entry.amount_cents < 0 && !isPaidOut)
    throw conflict(
      'The file with this refund was recorded as rejected, so its amount was returned to the credit. Record that it was paid out.',
    );
  await settleRefund(app, queries, key, { state: 'succeeded', externalId });
  const paid = state === 'submitted' ? cents : 0;
  if (entry.amount_cents < 0) return { matched_as: 'refund', account_id, booked_cents: 0 - paid };
  await settleRefund(app, queries, key, { state: 'failed', externalId, code: entry.return_code });
  const returned = state === 'failed' ? 0 : cents;
  return { matched_as: 'returned refund', account_id, booked_cents: returned - paid };
}

/** A booking of a whole part of our file: all of its direct debits are paid, or its refunds. */
async function applyBatch(app: App, queries: Queries, entry: store.Entry): Promise<Match> {
  const orders = await ordersOfBatch(queries, entry.batch_id);
  if (orders.length === 0) throw new NoMatch('unknown_batch', 'The batch booking does not match one of our files.');
  const signed = orders.map((order) => ({ order, cents: order.amount_cents * (order.refund_id === null ? 1 : -1) }));
  const total = signed.reduce((sum, { cents }) => sum + cents, 0);
  if (total !== entry.amount_cents) throw otherAmount('batch_amount', 'This part of our file', total);
  let booked = 0;
  for (const { order, cents } of signed)
    booked += (await applyOrder(app, queries, { ...entry, amount_cents: cents }, order)).booked_cents;
  return { matched_as: 'batch', account_id: null, booked_cents: booked };
}

async function ordersOfBatch(queries: Queries, batchId: string): Promise<Order[]> {
  // The id of a part is that of its file, for direct debits followed by scheme, sequence and day.
  const messageId = batchId.split('-').slice(0, 4).join('-');
  const file = await fileByMessage(queries, messageId);
  if (file === undefined) return [];
  const orders = await ordersOfFile(queries, file.id);
  if (file.kind === 'refund') return batchId === messageId ? orders : [];
  const mandates = await mandatesOfMethods(queries, [...new Set(orders.map(({ method_id }) => method_id))]);
  const schemes = new Map(mandates.map(({ method_id, scheme }) => [method_id, scheme]));
  return orders.filter(
    ({ method_id, sequence, day }) =>
      debitBlockId(messageId, { scheme: schemes.get(method_id)!, sequence: sequence || 'RCUR', day }) === batchId,
  );
}

/** Staff say whose transfer an entry is. Needs a transaction. */
export async function assignEntry(
  app: App,
  queries: Queries,
  id: number,
  { account, operator }: { readonly account: AccountId; readonly operator: string },
): Promise<void> {
  const entry = await getUnmatched(queries, id);
  if (entry.amount_cents < 0) throw conflict('Money that left the account cannot be assigned to a customer.');
  const currency = await otherCurrency(queries, account);
  if (currency !== undefined) throw conflict(currency);
  const match = await receiveTransfer(app, queries, entry, account);
  const solved = { problem: '', problem_code: '', expected_cents: null } as const;
  await solveEntry(queries, entry, { ...match, ...solved, state: 'matched', operator });
}

/** Staff say that an entry has nothing to do with customers, such as a bank fee. Needs a transaction. */
export async function ignoreEntry(
  queries: Queries,
  id: number,
  { reason, operator }: { readonly reason: string; readonly operator: string },
): Promise<void> {
  const ignored = { state: 'ignored', problem: reason, problem_code: '', expected_cents: null } as const;
  await solveEntry(queries, await getUnmatched(queries, id), { ...ignored, operator });
}

/** Throws if someone else solved it at the same time, which rolls back what was booked here. */
async function solveEntry(queries: Queries, entry: store.Entry, change: Partial<store.Entry>): Promise<void> {
  if (!(await store.entryChange(queries, entry, change))) throw notWaiting();
}

function notWaiting(): ApiError {
  return conflict('This entry is not waiting to be assigned.');
}

async function getUnmatched(queries: Queries, id: number): Promise<store.Entry> {
  const entry = requireFound(await store.entryFind(queries, id), 'Entry not found.');
  if (entry.state !== 'unmatched') throw notWaiting();
  return entry;
}
