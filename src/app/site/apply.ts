// Making the database match a site file, in one transaction: all of it or nothing, and the second time nothing changes. What the
// file leaves out stays, unless it is said to be removed.
import type { Site, SiteCustomer } from '#contract/site.ts';
import { addressText } from '#kernel/addresses.ts';
import { accountFind, accountPut } from '#store/account/accounts.ts';
import { signInPut } from '#store/account/sign-ins.ts';
import { contactInsert } from '#store/account/contacts.ts';
import { keyPut } from '#store/account/keys.ts';
import { serviceFind, servicePut } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { OperatorRole } from '#contract/roles.ts';
import type { AccountId } from '#store/tables.ts';
import { applyOpeningMoney } from '../billing/opening.ts';
import { billingSettingsPut } from '../billing/settings.ts';
import { applyTerms } from '../billing/terms.ts';
import { applyLicences } from './licences.ts';
import { sellerPut } from '../billing/invoice-parties.ts';
import { dnsSettingsPut } from '../dns/settings.ts';
import { defaultLimits } from '../account/keys.ts';
import { applyMachines } from './machines.ts';
import { applyAttacks } from './attacks.ts';
import { applyNetblocks } from './netblocks.ts';
import { newContact, personColumns } from '../account/person-columns.ts';
import { applyRacks, applyServer, applySwitch } from './equipment.ts';
import { applyPorts } from './ports.ts';
import { settingsOf, settingsPut, withKept, type Removed } from './settings.ts';
import { imagesPut } from '../images/catalogue.ts';
import { legacyEndPut } from './legacy-end.ts';
import { messagesPut } from '../billing/messages.ts';
import { systemsPut } from './systems.ts';
import { webhookNetworksPut } from '../events/webhook-networks.ts';
import type { Yard } from '../yard.ts';

type Limits = typeof defaultLimits;

export async function applySite(yard: Yard, file: Site): Promise<void> {
  await yard.store.transaction((queries) => applyWithin(yard, queries, file, new Set()));
  yard.authentication.forget();
}

/** In a transaction. */
export async function applyWithin(yard: Yard, queries: Queries, file: Site, removed: Removed): Promise<void> {
  const now = yard.clock.now();
  const site = withKept(file, await settingsOf(yard, queries), removed);
  const limits = site.keyLimits ?? defaultLimits;
  for (const operator of site.operators ?? []) {
    await putKey(queries, { limits, ...operator, account: null, scopes: [], allow: [], now });
  }
  await webhookNetworksPut(queries, site.webhooks?.allow ?? []);
  for (const server of site.servers ?? []) await applyServer(yard, queries, server);
  // Before the customers: by it goes what is noted of the invoices that they bring along.
  await billingSettingsPut(yard, queries, site);
  for (const customer of site.customers ?? []) await applyCustomer(queries, site, customer, limits, now);
  const addressesLeft: string[] = [];
  for (const service of site.services ?? []) {
    const account = service.customer as AccountId;
    const before = await serviceFind(queries, account, service.id);
    if (before !== undefined && before.ip !== addressText(service.ip)) addressesLeft.push(before.ip);
    await servicePut(queries, {
      id: service.id,
      account_id: account,
      type: service.type,
      name: service.name,
      hostname: service.hostname,
      // Left out, it stays what it is: one that was suspended for its bills must not come back by itself.
      status: service.status ?? before?.status ?? 'Active',
      ip: addressText(service.ip)!,
      server: service.server?.toLowerCase() ?? null,
      vmid: service.vmid ?? null,
      created_at: now,
    });
  }
  await applyTerms(queries, site, now);
  for (const each of site.switches ?? []) await applySwitch(yard, queries, each);
  await applyPorts(queries, site, removed);
  await dnsSettingsPut(queries, site);
  await sellerPut(queries, site);
  await applyLicences(yard, queries, site);
  await systemsPut(queries, site);
  await imagesPut(queries, site);
  await applyNetblocks(yard, queries, site, { removed, addressesLeft });
  await applyAttacks(yard, queries, site);
  await applyMachines(yard, queries, site);
  await applyRacks(queries, site);
  await messagesPut(queries, site);
  await legacyEndPut(queries, site);
  await settingsPut(yard, queries, site);
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
  await applyOpeningMoney(queries, account, customer, now);
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
