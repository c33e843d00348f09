// Making the database match a site file, in one transaction: all of it or nothing, and the second time nothing changes.
import type { Site, SiteCustomer, SiteInvoice } from '#contract/site.ts';
import { addressText } from '#kernel/addresses.ts';
import { dayNumber } from '#kernel/moments.ts';
import { moneyCents, moneyShare } from '#kernel/money.ts';
import { accountFind, accountPut, signInPut } from '#store/accounts.ts';
import { contactInsert } from '#store/contacts.ts';
import { invoiceInsert } from '#store/invoices.ts';
import { keyPut } from '#store/keys.ts';
import { servicePut } from '#store/services.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId, OperatorRole } from '#store/tables.ts';
import { dnsSettingsPut } from './dns-settings.ts';
import { defaultLimits } from './keys.ts';
import { applyNetblocks } from './site-netblocks.ts';
import { newContact, personColumns } from './person-columns.ts';
import { applyServer, applySwitch } from './site-equipment.ts';
import { webhookNetworksPut } from './webhook-networks.ts';
import type { Yard } from './yard.ts';

type Limits = typeof defaultLimits;

export async function applySite(yard: Yard, site: Site): Promise<void> {
  const now = yard.clock.now();
  await yard.store.transaction(async (queries) => {
    const limits = site.keyLimits ?? defaultLimits;
    for (const { name, role, id, hash } of site.operators ?? []) {
      await putKey(queries, { account: null, role, name, id, hash, scopes: [], allow: [], limits, now });
    }
    await webhookNetworksPut(queries, site.webhooks?.allow ?? []);
    for (const server of site.servers ?? []) await applyServer(yard, queries, server);
    for (const customer of site.customers ?? []) await applyCustomer(queries, site, customer, limits, now);
    for (const service of site.services ?? []) {
      await servicePut(queries, {
        id: service.id,
        account_id: service.customer as AccountId,
        type: service.type,
        name: service.name,
        hostname: service.hostname,
        status: service.status ?? 'Active',
        ip: addressText(service.ip)!,
        server: service.server?.toLowerCase() ?? null,
        vmid: service.vmid ?? null,
        created_at: now,
      });
    }
    for (const each of site.switches ?? []) await applySwitch(yard, queries, each);
    await dnsSettingsPut(queries, site);
    await applyNetblocks(yard, queries, site);
  });
  yard.authentication.forget();
}

async function applyCustomer(
  queries: Queries,
  site: Site,
  customer: SiteCustomer,
  limits: Limits,
  now: number,
): Promise<void> {
  const id = customer.id as AccountId;
  const before = await accountFind(queries, id);
  await accountPut(queries, {
    id,
    ...personColumns(customer),
    status: customer.status ?? before?.status ?? 'Active',
    currency: site.provider.currency.code,
    currency_prefix: site.provider.currency.prefix ?? '',
    currency_suffix: site.provider.currency.suffix ?? '',
    credit_cents: before?.credit_cents ?? moneyCents(customer.opening?.credit ?? '0')!,
    password_hash: customer.passwordHash ?? before?.password_hash ?? null,
    created_at: now,
  });
  if (!(await signInPut(queries, id, null, customer.email))) {
    throw new Error(`customer ${id}: somebody else signs in with ${customer.email}`);
  }
  for (const key of customer.keys ?? []) {
    await putKey(queries, {
      ...key,
      account: id,
      role: null,
      allow: key.allow ?? [],
      limits: key.limits ?? limits,
      now,
    });
  }
  // What an account brings along is its own from then on: a contact that the customer removed must not come back.
  if (before === undefined) await applyOpening(queries, id, customer, now);
}

async function applyOpening(queries: Queries, account: AccountId, customer: SiteCustomer, now: number): Promise<void> {
  for (const contact of customer.opening?.contacts ?? []) {
    const id = await contactInsert(queries, account, {
      ...personColumns(contact),
      ...newContact,
      password_hash: contact.passwordHash ?? null,
      subaccount: contact.subaccount === true ? 1 : 0,
      permissions: (contact.permissions ?? []).join(','),
      created_at: now,
    });
    if (contact.subaccount === true) await signInPut(queries, account, id, contact.email);
  }
  for (const invoice of customer.opening?.invoices ?? []) await applyInvoice(queries, account, invoice);
}

async function applyInvoice(queries: Queries, account: AccountId, invoice: SiteInvoice): Promise<void> {
  const cents = (text: string | undefined): number => moneyCents(text ?? '0')!;
  const lines = invoice.lines.map((line) => ({
    type: line.type,
    service_id: line.service ?? null,
    description: line.description,
    amount_cents: cents(line.amount),
    taxed: line.taxed === true ? 1 : 0,
  }));
  const payments = (invoice.payments ?? []).map((payment) => ({
    amount_cents: cents(payment.amount),
    paid_at: dayNumber(payment.date)! * 86_400_000,
    method: payment.method,
    reference: payment.reference,
  }));
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  const subtotal = sum(lines.map((line) => line.amount_cents));
  const taxed = sum(lines.filter((line) => line.taxed === 1).map((line) => line.amount_cents));
  // Percent with two decimals has the form of money, so that "21.00" is read as 2100 hundredths of a percent.
  const taxRate = cents(invoice.taxrate);
  const taxRate2 = cents(invoice.taxrate2);
  const tax = moneyShare(taxed, taxRate);
  const tax2 = moneyShare(taxed, taxRate2);
  const credit = cents(invoice.credit);
  const total = subtotal + tax + tax2 - credit;
  const paid = sum(payments.map((payment) => payment.amount_cents)) >= total;
  await invoiceInsert(
    queries,
    account,
    {
      number: invoice.number,
      day: dayNumber(invoice.date)!,
      due_day: dayNumber(invoice.due)!,
      paid_at:
        paid && invoice.cancelled !== true ? (payments.at(-1)?.paid_at ?? dayNumber(invoice.date)! * 86_400_000) : null,
      status: invoice.cancelled === true ? 'Cancelled' : paid ? 'Paid' : 'Unpaid',
      subtotal_cents: subtotal,
      credit_cents: credit,
      tax_cents: tax,
      tax2_cents: tax2,
      total_cents: total,
      tax_rate: taxRate,
      tax_rate2: taxRate2,
      payment_method: invoice.method ?? 'banktransfer',
      notes: invoice.notes ?? '',
    },
    lines,
    payments,
  );
}

interface SiteKey {
  readonly account: AccountId | null;
  readonly role: OperatorRole | null;
  readonly name: string;
  readonly id: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly allow: readonly string[];
  readonly limits: Limits;
  readonly now: number;
}

async function putKey(queries: Queries, key: SiteKey): Promise<void> {
  await keyPut(queries, {
    account_id: key.account,
    operator_role: key.role,
    contact_id: null,
    kind: 'key',
    printable_id: key.id,
    secret_hash: key.hash,
    name: key.name,
    scopes: JSON.stringify(key.scopes),
    allow: JSON.stringify(key.allow),
    rate: key.limits.rate,
    burst: key.limits.burst,
    created_at: key.now,
  });
}
