// Who bills and who is billed. Both are written down with an invoice when it is issued: what is printed on it later is what
// was true then, wherever the two have moved since.
import type { Site } from '#contract/site.ts';
import { accountFind, type Account } from '#store/account/accounts.ts';
import { invoicePartiesFind, invoicePartiesInsert } from '#store/billing/invoice-parties.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import type { Party, Seller } from './documents/invoice-document.ts';

const sellerName = 'seller';
const usualElectronicCountries = ['BE', 'DE', 'FR'];

interface StoredSeller extends Seller {
  readonly electronicInvoices: readonly string[];
}

export async function sellerPut(queries: Queries, { provider }: Site): Promise<void> {
  const { seller } = provider;
  const stored: StoredSeller = {
    name: seller?.name ?? provider.name,
    street: [seller?.address1 ?? '', seller?.address2 ?? ''].filter((line) => line !== ''),
    city: seller?.city ?? '',
    postcode: seller?.postcode ?? '',
    state: seller?.state ?? '',
    country: seller?.country ?? '',
    email: seller?.email ?? '',
    vatNumber: seller?.vatNumber ?? '',
    registration: seller?.registration ?? '',
    iban: seller?.iban ?? '',
    electronicInvoices: seller?.electronicInvoices ?? usualElectronicCountries,
  };
  await metaPut(queries, sellerName, JSON.stringify(stored));
}

async function sellerNow(queries: Queries): Promise<StoredSeller> {
  return JSON.parse((await metaFind(queries, sellerName)) ?? '{}') as StoredSeller;
}

/** In the transaction that issues the invoice. */
export async function invoicePartiesKeep(queries: Queries, account: Account, invoice: number): Promise<void> {
  const seller = JSON.stringify(await sellerNow(queries));
  const buyer = JSON.stringify(buyerOf(account));
  await invoicePartiesInsert(queries, { invoice_id: invoice, account_id: account.id, seller, buyer });
}

/** For an invoice that came along with the site file, who they are now. */
export async function invoicePartiesOf(
  queries: Queries,
  account: AccountId,
  invoice: number,
): Promise<{ readonly seller: StoredSeller; readonly buyer: Party }> {
  const kept = await invoicePartiesFind(queries, account, invoice);
  if (kept !== undefined)
    return { seller: JSON.parse(kept.seller) as StoredSeller, buyer: JSON.parse(kept.buyer) as Party };
  const row = await accountFind(queries, account);
  if (row === undefined) throw new Error(`invoice ${invoice} is of an account that is not there`);
  return { seller: await sellerNow(queries), buyer: buyerOf(row) };
}

function buyerOf(account: Account): Party {
  const person = `${account.firstname} ${account.lastname}`;
  const company = account.companyname === '' ? [] : [person];
  return {
    name: account.companyname === '' ? person : account.companyname,
    street: [...company, account.address1, account.address2].filter((line) => line !== ''),
    city: account.city,
    postcode: account.postcode,
    state: account.state,
    country: account.country,
    email: account.email,
    vatNumber: '',
  };
}
