// An account and its services in a bare database, for tests that do not apply a site file.
import { accountsPut } from '#store/account/accounts.ts';
import { servicesPut, type Service } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/account-id.ts';

export async function addAccount(store: Store, id: number): Promise<AccountId> {
  const name = {
    firstname: 'Test',
    lastname: 'Person',
    companyname: '',
    email: `t${id}@example.net`,
    address1: 'Street',
    address2: '',
  };
  const address = { city: 'Town', state: 'State', postcode: '12345', country: 'NL', phonenumber: '' };
  const money = { currency: 'EUR', currency_prefix: '', currency_suffix: '' };
  const status = 'Active' as const;
  const password = { password_hash: null, password_temporary_until: null };
  await accountsPut(store.queries, [
    { id: id as AccountId, ...name, ...address, ...money, ...password, status, created_at: 0 },
  ]);
  return id as AccountId;
}

/** Adds an active dedicated server, unless `fields` say otherwise. */
export function addService(store: Store, account: AccountId, id: number, fields: Partial<Service> = {}): Promise<void> {
  const service = {
    id,
    account_id: account,
    type: 'dedicated' as const,
    status: 'Active' as const,
    name: 'server',
    hostname: 'web1.example.net',
    ip: '203.0.113.10',
    server: null,
    vmid: null,
    created_at: 0,
    ...fields,
  };
  return servicesPut(store.queries, [service]);
}
