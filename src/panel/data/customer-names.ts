// Names and currencies of customers for staff. Each use asks for one customer; those of a page are read together.
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { staffApi } from './session.ts';

const staysFreshMs = 300_000;
const maxIds = 100;
const collectMs = 10;

export interface KnownCustomer {
  /** The company or the person. */
  readonly name: string;
  readonly currency: string;
}
export type Customers = ReadonlyMap<string, KnownCustomer>;
let batch: { readonly ids: Set<string>; readonly customers: Promise<Customers> } | undefined;

/** Null if there is no such customer. */
export function useCustomer(
  account: string,
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<KnownCustomer | null> {
  return useQuery({
    queryKey: ['staff', 'accountList', 'name', account],
    queryFn: async () => (await readWithOthers(account)).get(account) ?? null,
    staleTime: staysFreshMs,
    enabled,
  });
}

/** Returns these customers, as far as they are known by now. */
export function useCustomers(accounts: Iterable<string>): Customers {
  const ids = [...new Set(accounts)].toSorted();
  const { data } = useQuery({
    queryKey: ['staff', 'accountList', 'names', ids],
    queryFn: async () => new Map((await Promise.all(ids.map(readWithOthers))).flatMap((some) => [...some])),
    staleTime: staysFreshMs,
    placeholderData: keepPreviousData,
    enabled: ids.length > 0,
  });
  return data ?? new Map();
}

function readWithOthers(account: string): Promise<Customers> {
  if (batch === undefined || batch.ids.size >= maxIds) {
    const ids = new Set<string>();
    batch = { ids, customers: readCustomers(ids) };
  }
  batch.ids.add(account);
  return batch.customers;
}

async function readCustomers(ids: ReadonlySet<string>): Promise<Customers> {
  await new Promise((resolve) => setTimeout(resolve, collectMs));
  if (batch?.ids === ids) batch = undefined;
  const accounts = await staffApi().accountList({ ids: [...ids] });
  return new Map(
    accounts.map((account) => [account.id, { name: customerName(account), currency: account.currency }] as const),
  );
}

export interface NamedCustomer {
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
}

export function customerName({ firstname, lastname, companyname }: NamedCustomer): string {
  return companyname === '' ? `${firstname} ${lastname}`.trim() : companyname;
}
