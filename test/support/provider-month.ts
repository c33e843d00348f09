// A provider's month on a fast clock: every day runs that are due, charges, files for the bank, its statements, transfers,
// failures, refunds and chargebacks. Customers pay by card, direct debit or transfer, in five tax situations. Stripe and
// the bank are simulated outside of Hostyard and keep their own books.
import { cancelInvoice } from '#app/billing/corrections.ts';
import { createBillingActions, startDueRuns } from '#app/billing/run.ts';
import { sendNotices } from '#app/billing/notices.ts';
import { collectDueInvoices } from '#app/payments/collection.ts';
import { openSavingPage } from '#app/payments/checkout.ts';
import { createMethod } from '#app/payments/methods.ts';
import { createRefund } from '#app/payments/refunds.ts';
import { decideFile, readBankFile } from '#app/payments/sepa/files.ts';
import { importStatements } from '#app/payments/sepa/import.ts';
import { createMandate } from '#app/payments/sepa/mandates.ts';
import { assignEntry } from '#app/payments/sepa/matching.ts';
import { performSepaWork } from '#app/payments/sepa/work.ts';
import { applySite } from '#app/site/apply.ts';
import { moneyCents } from '#lib/money.ts';
import { dayMs, dayOf } from '#lib/time.ts';
import { accountFind } from '#store/account/accounts.ts';
import { accountTaxPut } from '#store/billing/account-taxes.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingRun } from '#workflows/billing/billing-run.ts';
import { workflowWorker } from '#workflows/engine/worker.ts';
import { addAccount } from './accounts.ts';
import type { TestApp } from './app.ts';
import { writeBankStatement, type BankBooking } from './bank-statement.ts';
import { plainTerms } from './billing-fixtures.ts';
import { noticeUrl, siteWithPayments, workOffPayments } from './payment-fixtures.ts';
import { debtorIban, mandateInput, sepaSettings } from './sepa-fixtures.ts';
import type { StripeServer } from './stripe-server.ts';
import type { CardBehaviour } from './stripe-types.ts';
import { until } from './until.ts';

const firstAccount = 100_000;
const hour = 8 * 3_600_000;
const signal = new AbortController().signal;

const situations = [
  { country: 'NL', kind: 'private', vat_number: '' },
  { country: 'DE', kind: 'private', vat_number: '' },
  { country: 'FR', kind: 'business', vat_number: 'FR40303265045' },
  { country: 'US', kind: 'business', vat_number: '' },
  { country: 'NL', kind: 'business', vat_number: 'NL004495445B01' },
] as const;
const prices = [499, 1990, 8900, 333, 12_345];

export interface ProviderMonth {
  /** The balance of the provider's bank account. */
  bankCents(): number;
  readonly counts: Record<'failures' | 'refunds' | 'disputes' | 'returns' | 'unmatched', number>;
  passDay(): Promise<void>;
}

/** `random` decides what goes wrong. The clock is set to the first of a month. */
export async function startProviderMonth(
  app: TestApp,
  stripe: StripeServer,
  accounts: number,
  random: () => number,
): Promise<ProviderMonth> {
  const { parts } = app;
  const { store, clock } = parts;
  const { queries } = store;
  const counts = { failures: 0, refunds: 0, disputes: 0, returns: 0, unmatched: 0 };
  const happens = (probability: number): boolean => random() < probability;
  const passUntil = (isThen: (now: Date) => boolean): void => {
    while (!isThen(new Date(clock.now()))) app.pass(dayMs);
  };

  app.pass(dayMs - (clock.now() % dayMs) + hour);
  passUntil((now) => now.getUTCDate() === 1);
  await applySite(parts, monthSite(app, stripe));
  stripe.interfere = (_, when) => {
    if (!happens(0.01)) return undefined;
    counts.failures++;
    return when === 'before' ? 'fail' : 'drop';
  };
  const deps = { billing: createBillingActions(parts) };
  await parts.queue.start([workflowWorker({ ...parts, deps, workflows: [billingRun] })]);
  await addCustomers();

  /** Bookings of coming days. */
  const bookings = new Map<number, BankBooking[]>();
  const handledFiles = new Set<number>();
  const transferred = new Set<number>();
  const cancelled = new Set<string>();
  const payerOf = new Map<string, AccountId>();
  let bankCents = 0;
  let statements = 0;

  function book(day: number, booking: BankBooking): void {
    bookings.set(day, [...(bookings.get(day) ?? []), { ...booking, day, reference: `B${++statements}-${day}` }]);
  }

  async function addCustomers(): Promise<void> {
    const today = dayOf(clock.now());
    for (let index = 0; index < accounts; index++) {
      const account = await store.transaction((work) => addCustomer(work, index, today));
      const way = index % 10;
      if (way < 6) await addCard(account, way === 5 && index % 20 === 5 ? 'insufficient_funds' : 'good');
      else if (way < 8)
        await store.transaction((work) =>
          createMandate(parts, work, {
            account,
            name: `Person ${index}`,
            iban: debtorIban,
            consent: mandateInput.consent,
            language: 'en',
            address: '192.0.2.1',
          }),
        );
    }
    await deliverNotices();
  }

  async function addCustomer(work: typeof queries, index: number, today: number): Promise<AccountId> {
    const { country, kind, vat_number } = situations[index % situations.length]!;
    const account = await addAccount({ ...store, queries: work }, firstAccount + index);
    await work.updateTable('accounts').set({ country }).where('id', '=', account).execute();
    const never = { checked_at: clock.now(), next_check_at: null, failing_since: null };
    await accountTaxPut(work, {
      account_id: account,
      kind,
      vat_number,
      reference: '',
      endpoint: '0106:87654321',
      attachment: 'none',
      pdf: 'plain',
      delivery: 'email',
      order_country: '',
      state: vat_number === '' ? 'unchecked' : 'valid',
      ...never,
      override: 'none',
      override_reason: '',
      changed_at: clock.now(),
    });
    const day = today + (index % 28);
    const bill_day = new Date(day * dayMs).getUTCDate();
    await work
      .insertInto('billing_accounts')
      .values({ account_id: account, bill_day, next_day: day, last_day: null, run_day: null, revision: 0 })
      .execute();
    const service = { id: firstAccount + index, account_id: account, type: 'vps', status: 'Active' } as const;
    const names = { name: 'VPS', hostname: `s${index}.example.net`, ip: `2001:db8::${index.toString(16)}` };
    await work
      .insertInto('services')
      .values({ ...service, ...names, server: null, vmid: firstAccount + index, created_at: 0 })
      .execute();
    const term = { ...plainTerms, price_cents: prices[index % prices.length]!, setup_cents: index % 3 === 0 ? 500 : 0 };
    await work
      .insertInto('service_terms')
      .values({
        ...term,
        origin: 'order',
        account_id: account,
        service_id: service.id,
        anchor_day: day,
        from_day: day,
        until_day: null,
        billed_until: null,
      })
      .execute();
    return account;
  }

  async function addCard(account: AccountId, behaviour: CardBehaviour): Promise<void> {
    const method = await store.transaction((work) => createMethod(parts, work, account, 'stripe'));
    for (;;)
      try {
        const page = await openSavingPage(parts, (await accountFind(queries, account))!, method, signal);
        return stripe.completeCheckout(page, behaviour);
      } catch {
        // The simulated provider failed; the person tries again.
      }
  }

  /** Until the provider has answered all calls: each failure is retried later. */
  async function deliverNotices(): Promise<void> {
    await stripe.deliver(noticeUrl(app));
    await workOffPayments(parts);
  }

  async function bill(): Promise<void> {
    await startDueRuns(parts, { operation: 'test' });
    const due = () =>
      queries
        .selectFrom('billing_accounts')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('next_day', '<=', dayOf(clock.now()))
        .executeTakeFirstOrThrow();
    await until(async () => (await due()).count === 0, { saw: due, pollMs: 20 });
    await sendNotices(parts);
  }

  /** The bank executes files that are handed in, and returns some of the direct debits later. */
  async function handInFiles(): Promise<void> {
    const today = dayOf(clock.now());
    for (const { id } of await queries.selectFrom('sepa_files').select('id').execute()) {
      if (handledFiles.has(id)) continue;
      handledFiles.add(id);
      const { file, xml } = await readBankFile(parts, queries, id);
      await store.transaction((work) => decideFile(parts, work, id, { state: 'handed_in', operator: 'test' }));
      const sign = file.kind === 'debit' ? 1 : -1;
      for (const [, endToEndId, amount] of xml.matchAll(
        /<EndToEndId>([^<]+)<\/EndToEndId>[^]*?<InstdAmt Ccy="EUR">([0-9.]+)<\/InstdAmt>/g,
      )) {
        const cents = sign * moneyCents(amount!)!;
        book(today + 4, { cents, endToEndId: endToEndId! });
        if (sign === 1 && happens(0.05)) {
          counts.returns++;
          book(today + 6, { cents: -cents, endToEndId: endToEndId!, returnCode: happens(0.5) ? 'MS03' : 'AC04' });
        }
      }
    }
  }

  /** Customers without a stored method transfer what they owe, most of them with the number of the invoice. */
  async function transfer(): Promise<void> {
    const today = dayOf(clock.now());
    const open = await queries
      .selectFrom('invoices')
      .select(['id', 'account_id', 'number', 'total_cents'])
      .where('status', '=', 'Unpaid')
      .where('kind', '=', 'Invoice')
      .where('account_id', '>=', firstAccount as AccountId)
      .where('day', '<=', today - 7)
      .execute();
    for (const { id, account_id, number, total_cents } of open) {
      if ((account_id - firstAccount) % 10 < 8 || transferred.has(id) || happens(0.1)) continue;
      transferred.add(id);
      const text = happens(0.9) ? `Invoice ${number}` : `thank you ${account_id}-${id}`;
      payerOf.set(text, account_id);
      book(today + 1, { cents: total_cents + (happens(0.05) ? 100 : 0), text, name: `Person ${account_id}` });
    }
  }

  async function importStatement(): Promise<void> {
    const today = dayOf(clock.now());
    const due = bookings.get(today) ?? [];
    bookings.delete(today);
    if (due.length === 0) return;
    const statement = { id: `S${today}`, openingCents: bankCents, bookings: due };
    const xml = writeBankStatement(statement);
    bankCents = due.reduce((sum, { cents }) => sum + cents, bankCents);
    await store.transaction((work) => importStatements(parts, work, xml, 'test'));
    await performSepaWork(parts, signal);
    const unmatched = await queries
      .selectFrom('sepa_entries')
      .select(['id', 'text'])
      .where('state', '=', 'unmatched')
      .execute();
    for (const { id, text } of unmatched) {
      counts.unmatched++;
      const account = payerOf.get(text)!;
      await store.transaction((work) => assignEntry(parts, work, id, { account, operator: 'test' }));
    }
  }

  async function takeMoneyBack(): Promise<void> {
    const { intents, disputes, dispute, winDispute } = stripe.objects;
    const disputed = new Set([...disputes.values()].map(({ payment_intent }) => payment_intent));
    for (const { id, status } of intents.values()) {
      if (status !== 'succeeded' || disputed.has(id) || !happens(0.001)) continue;
      counts.disputes++;
      const created = dispute(id);
      if (happens(0.3)) winDispute(created);
    }
    const charges = await queries
      .selectFrom('payment_charges')
      .innerJoin('invoices', 'invoices.id', 'payment_charges.invoice_id')
      .select(['payment_charges.id', 'amount_cents', 'number'])
      .where('payment_charges.state', '=', 'succeeded')
      .where('charged_back_cents', '=', 0)
      .where('invoices.status', '=', 'Paid')
      .execute();
    for (const { id, amount_cents: cents, number } of charges) {
      if (cancelled.has(number) || !happens(0.001)) continue;
      cancelled.add(number);
      counts.refunds++;
      await store.transaction(async (work) => {
        await cancelInvoice(parts, work, number, 'Mistake');
        await createRefund(parts, work, { charge: id, cents: Math.ceil(cents / 2), reason: 'Mistake' });
      });
    }
  }

  return {
    bankCents: () => bankCents,
    counts,
    async passDay() {
      app.pass(dayMs);
      await bill();
      await collectDueInvoices(parts);
      await workOffPayments(parts);
      await performSepaWork(parts, signal);
      await handInFiles();
      await transfer();
      await importStatement();
      await takeMoneyBack();
      await deliverNotices();
    },
  };
}

/** The lab's site with taxes by rules, Stripe and SEPA. */
function monthSite(app: TestApp, stripe: StripeServer) {
  const { taxes: _, ...site } = app.site;
  const seller = {
    ...site.provider.seller!,
    vatNumber: 'NL004495445B01',
    phone: '+31 13 1234567',
    endpoint: '0106:12345678',
  };
  const provider = { ...site.provider, seller, tax: { oss: true } };
  return siteWithPayments({ ...site, provider }, stripe, { sepa: sepaSettings });
}
