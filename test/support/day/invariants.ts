// What must hold in the database at the end of a day, whatever happened. Each function returns the violations, as sentences.
import { dayNumberText } from '#lib/time.ts';
import { auditVerify } from '#store/account/audit.ts';
import type { Queries } from '#store/store.ts';
import type { StripeObjects } from '../stripe-types.ts';

/** The ledger agrees with invoices and payments, nothing was billed twice, and invoice numbers have no gaps. */
export async function ledgerProblems(queries: Queries): Promise<string[]> {
  const problems: string[] = [];
  const books = await bookSums(queries);
  const sum = [...books.values()].reduce((total, cents) => total + cents, 0);
  if (sum !== 0) problems.push(`debits and credits differ by ${sum}`);
  const invoices = await queries.selectFrom('invoices').selectAll().orderBy('id').execute();
  const paid = new Map<number, number>();
  for (const { invoice_id, amount_cents } of await queries.selectFrom('payments').selectAll().execute())
    paid.set(invoice_id, (paid.get(invoice_id) ?? 0) + amount_cents);
  let open = 0;
  for (const { id, number, kind, status, total_cents } of invoices) {
    const received = paid.get(id) ?? 0;
    if (kind === 'Invoice' && status === 'Unpaid') open += total_cents - received;
    if (kind === 'Invoice' && received > total_cents)
      problems.push(`invoice ${number} is paid twice: ${received} of ${total_cents}`);
    if (kind === 'Invoice' && status === 'Paid' && received < total_cents)
      problems.push(`invoice ${number} is paid, but only ${received} of ${total_cents} were received`);
  }
  const receivable = books.get('receivable') ?? 0;
  if (receivable !== open) problems.push(`customers owe ${receivable} in the ledger, but open invoices are ${open}`);
  const lines = await queries.selectFrom('invoice_lines').selectAll().execute();
  for (const { id, number, subtotal_cents } of invoices) {
    const total = lines
      .filter(({ invoice_id }) => invoice_id === id)
      .reduce((all, { amount_cents }) => all + amount_cents, 0);
    if (total !== subtotal_cents)
      problems.push(`invoice ${number} has lines of ${total}, but a subtotal of ${subtotal_cents}`);
  }
  return [...problems, ...(await billingProblems(queries)), ...(await numberProblems(queries))];
}

/** Returns debits minus credits of each book. */
export async function bookSums(queries: Queries): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const { debit, credit, amount_cents } of await queries
    .selectFrom('ledger')
    .select(['debit', 'credit', 'amount_cents'])
    .execute()) {
    sums.set(debit, (sums.get(debit) ?? 0) + amount_cents);
    sums.set(credit, (sums.get(credit) ?? 0) - amount_cents);
  }
  return sums;
}

async function billingProblems(queries: Queries): Promise<string[]> {
  const charges = await queries.selectFrom('charges').selectAll().orderBy('from_day').execute();
  return charges.flatMap((charge, index) =>
    charges
      .slice(index + 1)
      .filter(
        (other) =>
          other.account_id === charge.account_id &&
          other.kind === charge.kind &&
          other.subject === charge.subject &&
          other.from_day < charge.until_day &&
          charge.from_day < other.until_day,
      )
      .map(({ subject, from_day }) => `${subject} is billed twice for ${dayNumberText(from_day)}`),
  );
}

async function numberProblems(queries: Queries): Promise<string[]> {
  const problems: string[] = [];
  const series = new Map<string, number[]>();
  for (const { number } of await queries.selectFrom('invoices').select('number').execute()) {
    const [, start, digits] = /^(.*?)([0-9]+)$/s.exec(number) ?? [undefined, number, '0'];
    series.set(start!, [...(series.get(start!) ?? []), Number(digits)]);
  }
  for (const [start, numbers] of series) {
    if (new Set(numbers).size < numbers.length) problems.push(`an invoice number of ${start} is used twice`);
    if (Math.max(...numbers) - Math.min(...numbers) >= numbers.length)
      problems.push(`the numbers of ${start} have a gap`);
  }
  return problems;
}

/** Every payment of the payment provider is in the ledger once, and no other. */
export async function paymentProblems(
  queries: Queries,
  stripe: Pick<StripeObjects, 'intents' | 'balance'>,
): Promise<string[]> {
  const problems: string[] = [];
  const received = (await bookSums(queries)).get('paid:stripe') ?? 0;
  if (received !== stripe.balance())
    problems.push(`the ledger has ${received} at Stripe, which has ${stripe.balance()}`);
  const charges = await queries.selectFrom('payment_charges').selectAll().execute();
  const taken = [...stripe.intents.values()].filter(({ status }) => status === 'succeeded');
  for (const { id, amount } of taken) {
    const own = charges.filter(({ external_id }) => external_id === id);
    if (own.length !== 1) problems.push(`${own.length} charges have the payment ${id} of ${amount}`);
    else if (own[0]!.state !== 'succeeded')
      problems.push(`charge ${own[0]!.id} is ${own[0]!.state}, but Stripe took the money`);
  }
  for (const { id, state, external_id } of charges)
    if (state === 'succeeded' && !taken.some((intent) => intent.id === external_id))
      problems.push(`charge ${id} succeeded without a payment at Stripe`);
    else if (state === 'created' || state === 'submitted') problems.push(`charge ${id} is still ${state}`);
  const byInvoice = new Map<number, number>();
  for (const { invoice_id, state } of charges)
    if (invoice_id !== null && state === 'succeeded') byInvoice.set(invoice_id, (byInvoice.get(invoice_id) ?? 0) + 1);
  for (const [invoice, count] of byInvoice)
    if (count > 1) problems.push(`invoice ${invoice} was collected ${count} times`);
  const notices = await queries
    .selectFrom('payment_notices')
    .select('id')
    .where('next_look_at', 'is not', null)
    .execute();
  if (notices.length > 0) problems.push(`${notices.length} notices of payments are not processed`);
  return problems;
}

/** No address belongs to two services, and each is in a block of the provider. */
export async function addressProblems(queries: Queries): Promise<string[]> {
  const problems: string[] = [];
  const blocks = await queries.selectFrom('netblocks').selectAll().orderBy('first').execute();
  const assigned = blocks.filter(({ service_id }) => service_id !== null);
  const pools = blocks.filter(({ service_id }) => service_id === null);
  for (const [index, block] of assigned.entries()) {
    for (const other of assigned.slice(index + 1))
      if (other.service_id !== block.service_id && other.first <= block.last && block.first <= other.last)
        problems.push(`${block.cidr} of ${block.service_id} and ${other.cidr} of ${other.service_id} overlap`);
    if (!pools.some(({ first, last }) => first <= block.first && block.last <= last))
      problems.push(`${block.cidr} of ${block.service_id} is in no block of the provider`);
  }
  const live = await queries.selectFrom('services').selectAll().where('status', '!=', 'Terminated').execute();
  const owners = new Map<string, number>();
  for (const { id, ip } of live) {
    const owner = owners.get(ip);
    if (owner !== undefined) problems.push(`${owner} and ${id} have the address ${ip}`);
    owners.set(ip, id);
  }
  return problems;
}

/** Nothing is held by someone who is gone, and nothing is left undone. */
export async function lockProblems(queries: Queries, now: number): Promise<string[]> {
  const problems: string[] = [];
  const workflows = await queries.selectFrom('workflows').selectAll().where('ended_at', 'is', null).execute();
  for (const { id, name, status, step, detail } of workflows)
    problems.push(`workflow ${name} ${id} is ${status} at ${step}: ${detail}`);
  const stuck = await queries.selectFrom('workflows').select(['id', 'name']).where('status', '=', 'Stuck').execute();
  for (const { id, name } of stuck) problems.push(`workflow ${name} ${id} is stuck`);
  const locks = await queries.selectFrom('device_locks').selectAll().where('held_until', '>', now).execute();
  for (const { device, holder, purpose } of locks) problems.push(`${device} is locked by ${holder} for ${purpose}`);
  const live = await queries.selectFrom('pollers').select('instance').where('live_until', '>', now).execute();
  const leases = await queries.selectFrom('reconcilers').selectAll().where('lease_until', '>', now).execute();
  for (const { name, holder } of leases)
    if (!live.some(({ instance }) => instance === holder))
      problems.push(`${name} is leased by ${holder}, which is gone`);
  // If it is over, the outcome of the call is unknown, and callers are told so.
  const claims = await queries
    .selectFrom('idempotency')
    .select(['path', 'key'])
    .where('status', 'is', null)
    .where('claimed_until', '>', now)
    .execute();
  for (const { path, key } of claims) problems.push(`the call ${path} with the key ${key} never ended`);
  const publications = await queries.selectFrom('zone_publications').selectAll().execute();
  if (publications.length > 0) problems.push(`${publications.length} zones are still being published`);
  return problems;
}

/** Events have no gaps, the audit log is whole, and every delivery has arrived. */
export async function logProblems(queries: Queries): Promise<string[]> {
  const problems: string[] = [];
  for (const { account_id, events } of await queries.selectFrom('audit_tips').selectAll().execute()) {
    const broken = await auditVerify(queries, account_id);
    if (broken !== undefined) problems.push(`the audit log of account ${account_id} is broken at ${broken}`);
    const rows = await queries.selectFrom('events').select('sequence').where('account_id', '=', account_id).execute();
    const sequences = new Set(rows.map(({ sequence }) => sequence));
    const missing = Array.from({ length: events }, (_, index) => index + 1).filter((number) => !sequences.has(number));
    if (missing.length > 0) problems.push(`account ${account_id} lacks the events ${missing.slice(0, 5).join(', ')}`);
  }
  const pending = await queries.selectFrom('deliveries').select('id').where('status', '!=', 'Delivered').execute();
  if (pending.length > 0) problems.push(`${pending.length} deliveries have not arrived`);
  return problems;
}

/** No invoice is dated after the day, which a clock that was wrong for a while could cause. */
export async function dateProblems(queries: Queries, lastDay: number): Promise<string[]> {
  const late = await queries.selectFrom('invoices').select(['number', 'day']).where('day', '>', lastDay).execute();
  return late.map(({ number, day }) => `invoice ${number} is dated ${dayNumberText(day)}`);
}
