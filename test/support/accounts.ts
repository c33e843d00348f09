// An account in a bare database, for tests that do not apply a site file.
import { accountPut } from '#store/account/accounts.ts';
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
  await accountPut(store.queries, {
    id: id as AccountId,
    ...name,
    ...address,
    ...money,
    password_hash: null,
    status: 'Active',
    created_at: 0,
  });
  return id as AccountId;
}
