// An account in a bare database, for tests below the site file.
import { accountPut } from '#store/account/accounts.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';

export async function addAccount(store: Store, id: number): Promise<AccountId> {
  const person = {
    firstname: 'Test',
    lastname: 'Person',
    companyname: '',
    email: `t${id}@example.net`,
    address1: 'Street',
    address2: '',
  };
  const place = { city: 'Town', state: 'State', postcode: '12345', country: 'NL', phonenumber: '' };
  const money = { currency: 'EUR', currency_prefix: '', currency_suffix: '' };
  await accountPut(store.queries, {
    id: id as AccountId,
    ...person,
    ...place,
    ...money,
    password_hash: null,
    status: 'Active',
    created_at: 0,
  });
  return id as AccountId;
}
