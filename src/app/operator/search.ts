// One search for staff: each kind of thing is found by its own index, and all of them at once.
import type { Static } from 'typebox';
import type { Access, InputOf } from '#contract/endpoint.ts';
import { operator } from '#contract/contract.ts';
import type { SearchKind, searchOperator, SearchResult } from '#contract/operator/search.ts';
import { sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText } from '#lib/time.ts';
import type { Account } from '#store/account/accounts.ts';
import type { Service } from '#store/devices/services.ts';
import { mergeById, searchRows } from '#store/engine/search.ts';
import { netblocksAround } from '#store/network/netblocks.ts';
import { accountSearch } from '#store/operator/operator-accounts.ts';
import { serviceSearch } from '#store/operator/operator-services.ts';
import * as store from '#store/operator/search.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';

type Result = Static<typeof SearchResult>;
type Found = Omit<Result, 'kind'>;
interface Search {
  readonly queries: Queries;
  /** As typed, without spaces around it. */
  readonly text: string;
  /** In lower case with colons; undefined if the text is not a MAC address. */
  readonly mac: string | undefined;
  /** In sortable form; undefined if the text is not an IP address. */
  readonly address: string | undefined;
  readonly limit: number;
}

const defaultLimit = 20;

/** Each kind with the permission to view it, which is that of the call that lists it. In the order of the results. */
const kinds: Readonly<Record<SearchKind, { readonly access: Access; find(search: Search): Promise<Found[]> }>> = {
  customer: { access: operator.accountGet.access, find: findCustomers },
  service: { access: operator.serviceGet.access, find: findServices },
  server: { access: operator.deviceList.access, find: findServers },
  invoice: { access: operator.invoiceGet.access, find: findInvoices },
  zone: { access: operator.accountGet.access, find: findZones },
  netblock: { access: operator.netblockList.access, find: findNetblocks },
  contact: { access: operator.contactList.access, find: findContacts },
  switch: { access: operator.rackList.access, find: (search) => findEquipment(search, 'switches') },
  node: { access: operator.rackList.access, find: (search) => findEquipment(search, 'nodes') },
};

export async function searchGet(
  { queries, caller }: Context,
  { text: typed, limit = defaultLimit }: InputOf<typeof searchOperator.searchGet>,
): Promise<Result[]> {
  const text = typed.trim();
  if (text === '') return [];
  const address = parseAddress(text);
  const search: Search = {
    queries,
    text,
    mac: parseMac(text),
    address: address === undefined ? undefined : sortableAddress(address),
    limit,
  };
  const lists = await Promise.all(
    Object.entries(kinds).map(async ([kind, { access, find }]) => {
      if (!caller.scopes.has(access as never)) return [];
      return (await find(search)).map((found) => ({ kind: kind as SearchKind, ...found }));
    }),
  );
  const isExact = ({ id, title }: Result): boolean => [id, title].some((name) => sameText(name, text));
  return takeTurns(lists, limit).toSorted((left, right) => Number(isExact(right)) - Number(isExact(left)));
}

/** Returns up to `limit` results, of each kind about as many, in the order of the kinds. */
function takeTurns(lists: readonly (readonly Result[])[], limit: number): Result[] {
  const counts = lists.map(() => 0);
  for (let left = limit, turn = 0; left > 0 && lists.some((list) => list.length > turn); turn++)
    for (const [index, list] of lists.entries())
      if (list.length > turn && left > 0) {
        counts[index]!++;
        left--;
      }
  return lists.flatMap((list, index) => list.slice(0, counts[index]));
}

function sameText(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function parseMac(text: string): string | undefined {
  const digits = /^[0-9a-f]{2}(?:[:.-]?[0-9a-f]{2}){5}$/i.test(text) ? text.replaceAll(/[^0-9a-f]/gi, '') : '';
  return digits.length === 12 ? digits.toLowerCase().match(/../g)!.join(':') : undefined;
}

function joinTexts(...texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null && text !== '').join(' · ');
}

async function findCustomers({ queries, text, limit }: Search): Promise<Found[]> {
  const named = await accountSearch(queries, { search: text, status: undefined, limit, after: 0 });
  const living = await searchRows(queries, 'postal', { text, match: {}, after: 0, limit });
  return mergeById([named, living], limit).map(customerResult);
}

function customerResult(account: Account): Found {
  return {
    id: String(account.id),
    title: joinTexts(`${account.firstname} ${account.lastname}`),
    subtitle: joinTexts(account.companyname, account.email, account.city),
    account: String(account.id),
    link: `/staff/customers/${account.id}`,
  };
}

async function findContacts({ queries, text, limit }: Search): Promise<Found[]> {
  const contacts = await searchRows(queries, 'contacts', { text, match: {}, after: 0, limit });
  return contacts.map(({ id, account_id, firstname, lastname, companyname, email }) => ({
    id: String(id),
    title: `${firstname} ${lastname}`,
    subtitle: joinTexts(companyname, email),
    account: String(account_id),
    link: `/staff/customers/${account_id}#people`,
  }));
}

async function findServices({ queries, text, mac, address, limit }: Search): Promise<Found[]> {
  const all = { account: undefined, type: undefined, status: undefined, after: 0 };
  const containing = await serviceSearch(queries, { ...all, search: text, limit });
  const ofMac = mac === undefined ? [] : await store.servicesOfMac(queries, mac, limit);
  const holders = address === undefined ? [] : await holdersOf(queries, address);
  return mergeById([containing, ofMac, holders], limit).map(serviceResult);
}

async function holdersOf(queries: Queries, address: string): Promise<Service[]> {
  const ids = (await netblocksAround(queries, address)).flatMap(({ service_id }) => service_id ?? []);
  return ids.length === 0 ? [] : store.servicesByIds(queries, ids);
}

function serviceResult({ id, account_id, hostname, name, ip, server, status }: Service): Found {
  return {
    id: String(id),
    title: hostname,
    subtitle: joinTexts(name, ip, server, status === 'Active' ? '' : status),
    account: String(account_id),
    link: `/staff/services#${id}`,
  };
}

async function findServers({ queries, text, mac, limit }: Search): Promise<Found[]> {
  const cabled = mac === undefined ? undefined : await store.serverOfMac(queries, mac);
  const named = await store.serversStarting(queries, text.toLowerCase(), limit);
  return (cabled === undefined ? named : [cabled]).map(({ name, alias, serial, bmc_model }) => ({
    id: name,
    title: name,
    subtitle: joinTexts(bmc_model, alias, serial),
    account: '',
    link: `/staff/device/${name}`,
  }));
}

async function findEquipment({ queries, text, limit }: Search, table: 'switches' | 'nodes'): Promise<Found[]> {
  const names = await store.equipmentStarting(queries, table, text.toLowerCase(), limit);
  return names.map((name) => ({ id: name, title: name, subtitle: '', account: '', link: `/staff/racks#${name}` }));
}

async function findNetblocks({ queries, address, limit }: Search): Promise<Found[]> {
  if (address === undefined) return [];
  const blocks = (await netblocksAround(queries, address)).slice(0, limit);
  return blocks.map(({ cidr, account_id, service_id }) => ({
    id: cidr,
    title: cidr,
    subtitle: service_id === null ? 'Block of the provider' : `Service ${service_id}`,
    account: account_id === null ? '' : String(account_id),
    link: `/staff/addresses`,
  }));
}

async function findInvoices({ queries, text, limit }: Search): Promise<Found[]> {
  const invoices = await store.invoicesStarting(queries, text, limit);
  return invoices.map(({ id, account_id, number, day, total_cents, status }) => ({
    id: String(id),
    title: number,
    subtitle: joinTexts(dayNumberText(day), moneyText(total_cents), status),
    account: String(account_id),
    link: `/staff/customers/${account_id}#invoices`,
  }));
}

async function findZones({ queries, text, limit }: Search): Promise<Found[]> {
  const zones = await store.zonesAround(queries, text.toLowerCase(), limit);
  return zones.map(({ id, account_id, name }) => ({
    id: String(id),
    title: name,
    subtitle: account_id === null ? 'DNS zone' : `DNS zone of customer ${account_id}`,
    account: account_id === null ? '' : String(account_id),
    link: account_id === null ? '/staff/addresses' : `/staff/customers/${account_id}`,
  }));
}
