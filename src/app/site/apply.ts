// Makes the database match a site file in one transaction. Applying the same file twice changes nothing, and whatever
// the file does not mention stays unless its removal is requested.
import type { DnsRule } from '#contract/shapes/dns-limits.ts';
import type { Site, SiteCustomer, SiteService } from '#contract/site/site.ts';
import { addressText } from '#lib/addresses.ts';
import { moneyCents } from '#lib/money.ts';
import { accountLock, accountsPut, type Account } from '#store/account/accounts.ts';
import { signInPut, signInsAdd } from '#store/account/sign-ins.ts';
import { contactInsert } from '#store/account/contacts.ts';
import { licencePricesPut } from '#store/billing/licences.ts';
import { keysPut, keyScopes, keyAllow, keyDnsLimits } from '#store/account/keys.ts';
import { loadStoredRows, type StoredRows } from '#store/operator/site-rows.ts';
import { serversPut } from '#store/devices/servers.ts';
import { serviceInstalledSet, servicesPut, type NewService, type Service } from '#store/devices/services.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import { startReclaim } from '#workflows/server/reclaim.ts';
import type { Queries } from '#store/store.ts';
import type { OperatorRole } from '#contract/roles.ts';
import { storeLicenceHook } from '#workflows/billing/licence-hook.ts';
import { applyOpeningBalance } from '../billing/opening.ts';
import { storeBillingSettings } from '../billing/settings.ts';
import { applyTerms } from '../billing/terms.ts';
import { storeSeller } from '../billing/invoice-parties.ts';
import { requireSameCurrency } from '../billing/currency/account-currency.ts';
import { storeCurrencySettings } from '../billing/currency/settings.ts';
import { storeDeliverySettings } from '../billing/delivery/settings.ts';
import { storeDatevSettings } from '../billing/reports/datev-accounts.ts';
import { storeTaxSettings } from '../billing/tax/settings.ts';
import { storePaymentSettings } from '../payments/settings.ts';
import { readDnsLimits } from '../dns/limits.ts';
import { storeDnsSettings } from '../dns/settings.ts';
import { defaultLimits } from '../account/keys.ts';
import { applyMachines } from './machines.ts';
import { applyAttacks } from './attacks.ts';
import { applyNetblocks } from './netblocks.ts';
import { contactDefaults, personColumns } from '../account/person-columns.ts';
import { assignAliases } from '../servers/names.ts';
import { assignServers } from '../servers/reclaims.ts';
import { applyRacks, applySwitch, changedServer, differs } from './equipment.ts';
import { applyModels } from './models.ts';
import { applyPdu } from './outlets.ts';
import { applyPorts } from './ports.ts';
import { rejectRenames } from './renames.ts';
import { loadSiteSettings, storeSiteSettings, withStoredSettings, type RemovedNames } from './settings.ts';
import { storeImages } from '../images/catalogue.ts';
import { storeLegacyEnd } from './legacy-end.ts';
import { storeMailSettings } from '../mail/site-settings.ts';
import { storeMessages } from '../billing/messages.ts';
import { rejectErased } from '../privacy/erased-customers.ts';
import { storePrivacySettings } from '../privacy/settings.ts';
import { storeSystems } from './systems.ts';
import { recordAppliedFile, type ReadFile } from './unchanged.ts';
import { storeAddressQuotas } from '../network/address-quotas.ts';
import { storeProviderHosts } from '../events/provider-addresses.ts';
import { storeWebhookNetworks } from '../events/webhook-networks.ts';
import type { App } from '../app.ts';
import type { AccountId } from '#store/account-id.ts';
import { siteLock } from '#store/site-lock.ts';

/** `source` is the file that the site was read from, if the next start will read it again. */
export async function applySite(app: App, file: Site, source?: ReadFile): Promise<void> {
  await app.store.transaction(async (queries) => {
    await applyWithin(app, queries, file, new Set());
    await recordAppliedFile(app, queries, source);
  });
  app.authentication.forget();
}

/** Applies the file within the caller's transaction. */
export async function applyWithin(app: App, queries: Queries, file: Site, removed: RemovedNames): Promise<void> {
  const now = app.clock.now();
  await siteLock(queries, app.store.engine);
  // Everything is read at once, and only differences are written: most files change little of a large site.
  const stored = await loadStoredRows(queries);
  const site = withStoredSettings(file, await loadSiteSettings(app, queries), removed);
  const limits = site.keyLimits ?? defaultLimits;
  const operatorKeys = (site.operators ?? []).map((operator) => ({ limits, ...operator, ...operatorKey }));
  await putKeys(queries, stored, operatorKeys, now);
  await rejectErased(queries, site.customers ?? []);
  await storeWebhookNetworks(queries, site.webhooks?.allow ?? []);
  await applyModels(queries, site, stored);
  rejectRenames(app, stored.servers, file, removed);
  const changedServers = (site.servers ?? []).map((server) =>
    changedServer(app, server, stored.servers.get(server.name.toLowerCase())),
  );
  await serversPut(
    queries,
    changedServers.filter((server) => server !== undefined),
  );
  await assignAliases(queries);
  // Before the services: the certificates of their servers name the provider.
  await storeSeller(queries, site);
  // Before the customers: recording their opening invoices needs these settings.
  await storeBillingSettings(app, queries, site);
  await storeTaxSettings(queries, site);
  await storeDatevSettings(queries, site);
  await storePaymentSettings(app, queries, site);
  await storeCurrencySettings(queries, site);
  await storeDeliverySettings(app.secrets, queries, site);
  await applyCustomers(queries, stored, site, now);
  const vacatedAddresses = await applyServices(app, queries, stored, site, now);
  await applyTerms(queries, site, now);
  for (const networkSwitch of site.switches ?? [])
    await applySwitch(app, queries, networkSwitch, stored.switches.get(networkSwitch.name));
  await applyPorts(queries, site, removed, now);
  for (const pdu of site.pdus ?? []) await applyPdu(app, queries, pdu, stored.pdus.get(pdu.name));
  await storeDnsSettings(queries, site);
  const prices = (site.licences ?? []).map(({ name, label = '', price }) => ({
    name,
    label,
    price_cents: moneyCents(price)!,
  }));
  await licencePricesPut(queries, prices);
  await storeLicenceHook(queries, app.secrets, site.licenceHook);
  await storeSystems(queries, site);
  await storeImages(queries, site);
  await storeAddressQuotas(queries, site);
  await applyNetblocks(app, queries, site, { removed, vacatedAddresses });
  await applyAttacks(app, queries, site);
  await applyMachines(app, queries, site);
  await applyRacks(queries, site);
  await storeMessages(queries, site);
  await storeMailSettings(app, queries, site);
  await storePrivacySettings(queries, site);
  await storeLegacyEnd(queries, site);
  await storeSiteSettings(app, queries, site);
  await storeProviderHosts(app, queries);
}

/** Hands servers over to their services, and reclaims those that services had. Returns the addresses that services had. */
async function applyServices(
  app: App,
  queries: Queries,
  stored: StoredRows,
  site: Site,
  now: number,
): Promise<string[]> {
  const vacatedAddresses: string[] = [];
  const changed: NewService[] = [];
  const moves: { service: number; account: AccountId; from: string | null; to: string | null }[] = [];
  for (const service of site.services ?? []) {
    const account = service.customer as AccountId;
    let storedService = stored.services.get(`${account} ${service.id}`);
    // A suspension or termination since all was read stays.
    if (storedService !== undefined && differs(storedService, ownedByFile(service, storedService)))
      storedService = await serviceLock(queries, service.id);
    if (storedService !== undefined && storedService.ip !== addressText(service.ip))
      vacatedAddresses.push(storedService.ip);
    const row = ownedByFile(service, storedService);
    const { server } = row;
    if (server !== null && server !== storedService?.server) requireAvailable(stored, service.id, server);
    if (differs(storedService, row)) changed.push({ ...row, hostname: service.hostname, created_at: now });
    const former = storedService?.server ?? null;
    if (former !== server) moves.push({ service: service.id, account, from: former, to: server });
  }
  await servicesPut(queries, changed);
  for (const { service, account, from } of moves) {
    if (from === null) continue;
    await serviceInstalledSet(queries, service, { system: null, installed_at: null });
    await startReclaim(app, queries, { server: from, account, service, operation: 'site' });
  }
  const handovers = moves.flatMap(({ to, ...holder }) => (to === null ? [] : [{ ...holder, server: to }]));
  await assignServers(app, queries, handovers);
  return vacatedAddresses;
}

/** Returns the columns of a service, without its host name, which customers change. */
function ownedByFile(service: SiteService, stored: Service | undefined) {
  // Without a status in the file, the stored one stays: a service suspended for unpaid invoices must not become active
  // again.
  const status = service.status ?? stored?.status ?? 'Active';
  return {
    id: service.id,
    account_id: service.customer as AccountId,
    type: service.type,
    name: service.name,
    status,
    ip: addressText(service.ip)!,
    server: status === 'Terminated' ? null : (service.server?.toLowerCase() ?? null),
    vmid: service.vmid ?? null,
  };
}

function requireAvailable({ servers }: StoredRows, service: number, server: string): void {
  const state = servers.get(server)?.state ?? 'available';
  if (state !== 'available')
    throw new Error(
      `service ${service} cannot have server ${server}, which is ${state}: apply the file again when the server is available`,
    );
}

async function applyCustomers(queries: Queries, stored: StoredRows, site: Site, now: number): Promise<void> {
  const customers = site.customers ?? [];
  const accounts = [];
  for (const customer of customers) {
    let storedAccount = stored.accounts.get(customer.id);
    // A suspension or another password since all was read stays.
    if (storedAccount !== undefined && differs(storedAccount, accountRow(site, customer, storedAccount)))
      storedAccount = await accountLock(queries, storedAccount.id);
    const row = accountRow(site, customer, storedAccount);
    if (storedAccount !== undefined) await requireSameCurrency(queries, storedAccount, row.currency);
    if (differs(storedAccount, row)) accounts.push({ ...row, created_at: now });
  }
  await accountsPut(queries, accounts);
  const added = customers.filter(({ id }) => !stored.accounts.has(id));
  for (const { id, email } of customers)
    if (stored.accounts.has(id) && stored.signIns.get(id) !== email.toLowerCase())
      requireSignIn(id, email, await signInPut(queries, id as AccountId, null, email, now));
  const signIns = added.map(({ id, email }) => ({ email: email.toLowerCase(), account_id: id as AccountId }));
  const assigned = await signInsAdd(
    queries,
    signIns.map((signIn) => ({ ...signIn, contact_id: null, since: now })),
  );
  for (const { id, email } of added) requireSignIn(id, email, assigned.has(email.toLowerCase()));
  const limits = site.keyLimits ?? defaultLimits;
  const keys = customers.flatMap((customer) =>
    (customer.keys ?? []).map((key) => ({ limits, ...key, account: customer.id as AccountId, role: null })),
  );
  await putKeys(queries, stored, keys, now);
  // Opening data belongs to the customer once the account exists: a contact that they removed must not come back.
  for (const customer of added)
    if (customer.opening !== undefined) await applyOpening(queries, customer.id as AccountId, customer, now);
}

function requireSignIn(id: number, email: string, isAssigned: boolean): void {
  if (!isAssigned)
    throw new Error(`customer ${id}: another account already signs in with ${email}; use a different email`);
}

function accountRow(site: Site, customer: SiteCustomer, stored: Account | undefined) {
  const { id, status, passwordHash } = customer;
  return {
    id: id as AccountId,
    ...personColumns(customer),
    status: status ?? stored?.status ?? 'Active',
    ...currencyColumns(site, customer),
    password_hash: passwordHash ?? stored?.password_hash ?? null,
    password_temporary_until: passwordHash === undefined ? (stored?.password_temporary_until ?? null) : null,
  };
}

/** Only the provider's own currency has a symbol in the file. */
function currencyColumns({ provider: { currency } }: Site, customer: SiteCustomer) {
  const isOwn = (customer.currency ?? currency.code) === currency.code;
  return {
    currency: customer.currency ?? currency.code,
    currency_prefix: isOwn ? (currency.prefix ?? '') : '',
    currency_suffix: isOwn ? (currency.suffix ?? '') : '',
  };
}

async function applyOpening(queries: Queries, account: AccountId, customer: SiteCustomer, now: number): Promise<void> {
  for (const contact of customer.opening?.contacts ?? []) {
    const id = await contactInsert(queries, account, {
      ...personColumns(contact),
      ...contactDefaults,
      password_hash: contact.passwordHash ?? null,
      subaccount: contact.subaccount === true ? 1 : 0,
      permissions: (contact.permissions ?? []).join(','),
      created_at: now,
    });
    if (contact.subaccount === true) await signInPut(queries, account, id, contact.email, now);
  }
  await applyOpeningBalance(queries, account, customer, now);
}

interface SiteKey {
  readonly account: AccountId | null;
  readonly role: OperatorRole | null;
  readonly name: string;
  readonly id: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly allow?: readonly string[];
  readonly dns?: readonly DnsRule[];
  readonly limits: typeof defaultLimits;
}

const operatorKey = { account: null, scopes: [] };

async function putKeys(
  queries: Queries,
  stored: StoredRows,
  keys: readonly SiteKey[],
  created_at: number,
): Promise<void> {
  const rows = keys.map((key) => ({
    account_id: key.account,
    operator_role: key.role,
    contact_id: null,
    kind: 'key' as const,
    printable_id: key.id,
    name: key.name,
    scopes: keyScopes.encode(key.scopes),
    allow: keyAllow.encode(key.allow ?? []),
    dns_limits: keyDnsLimits.encode(readDnsLimits(key.dns ?? [])),
    rate: key.limits.rate,
    burst: key.limits.burst,
    site_hash: key.hash,
  }));
  const changed = rows.filter((row) => differs(stored.keys.get(row.printable_id), row));
  await keysPut(
    queries,
    changed.map((row) => ({ ...row, secret_hash: row.site_hash, created_at })),
  );
}
