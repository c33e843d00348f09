// Seller and buyer of an invoice. Both are stored when it is issued, so that a later copy shows them as they were then.
import type { Site } from '#contract/site/site.ts';
import { pickDefined } from '#lib/defined.ts';
import { accountFind, type Account } from '#store/account/accounts.ts';
import { accountTaxFind, type AccountTax } from '#store/billing/account-taxes.ts';
import * as store from '#store/billing/invoice-parties.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { Buyer, Seller } from './documents/invoice-document.ts';
import type { AccountId } from '#store/account-id.ts';

const sellerEntry = metaEntry('seller', store.StoredSeller);
export const defaultElectronicCountries = ['BE', 'DE', 'FR'];

export interface StoredSeller extends Seller {
  readonly electronicInvoices: readonly string[];
}

/** Used until a site file names the seller. */
const noSeller: StoredSeller = {
  name: '',
  street: [],
  city: '',
  postcode: '',
  state: '',
  country: '',
  email: '',
  vatNumber: '',
  registration: '',
  iban: '',
  taxNumber: '',
  contact: '',
  phone: '',
  endpoint: '',
  electronicInvoices: [],
};

export async function storeSeller(queries: Queries, { provider }: Site): Promise<void> {
  const { address1 = '', address2 = '', ...seller } = { name: provider.name, ...provider.seller };
  await sellerEntry.put(queries, {
    ...noSeller,
    electronicInvoices: defaultElectronicCountries,
    ...seller,
    street: [address1, address2].filter((line) => line !== ''),
  });
}

export async function getSeller(queries: Queries): Promise<StoredSeller> {
  return { ...noSeller, ...(await sellerEntry.find(queries)) };
}

/** Stores both parties. Runs in the transaction that issues the invoice. */
export async function storeInvoiceParties(queries: Queries, account: Account, invoice: number): Promise<void> {
  const seller = store.invoiceSeller.encode(await getSeller(queries));
  const buyer = store.invoiceBuyer.encode(buyerOf(account, await accountTaxFind(queries, account.id)));
  await store.invoicePartiesInsert(queries, { invoice_id: invoice, account_id: account.id, seller, buyer });
}

/** Returns the stored parties; for an invoice from the site file, which has none, the current ones. */
export async function getInvoiceParties(
  queries: Queries,
  account: AccountId,
  invoice: number,
): Promise<{ readonly seller: StoredSeller; readonly buyer: Buyer }> {
  const stored = await store.invoicePartiesFind(queries, account, invoice);
  if (stored !== undefined)
    return {
      seller: { ...noSeller, ...store.invoiceSeller.decode(stored.seller) },
      buyer: { reference: '', endpoint: '', ...store.invoiceBuyer.decode(stored.buyer) },
    };
  return currentParties(queries, account);
}

/** Returns the parties as a document of today has them. */
export async function currentParties(
  queries: Queries,
  account: AccountId,
): Promise<{ readonly seller: StoredSeller; readonly buyer: Buyer }> {
  const row = await accountFind(queries, account);
  if (row === undefined) throw new Error(`account ${account} does not exist`);
  return { seller: await getSeller(queries), buyer: buyerOf(row, await accountTaxFind(queries, account)) };
}

function buyerOf(account: Account, tax: AccountTax | undefined): Buyer {
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
    vatNumber: tax?.vat_number ?? '',
    reference: tax?.reference ?? '',
    endpoint: tax?.endpoint ?? '',
    ...pickDefined({ pdf: tax?.pdf }),
  };
}
