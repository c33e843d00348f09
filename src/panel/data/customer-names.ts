// Names of customers for staff. Each link asks for one name; those of a page are read together.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { staffApi } from './session.ts';

const staysFreshMs = 300_000;
const maxIds = 100;
const collectMs = 10;

type Names = ReadonlyMap<string, string>;
let batch: { readonly ids: Set<string>; readonly names: Promise<Names> } | undefined;

/** Returns the company or the person; empty if there is no such customer. */
export function useCustomerName(account: string, { enabled }: { readonly enabled: boolean }): UseQueryResult<string> {
  return useQuery({
    queryKey: ['staff', 'accountList', 'name', account],
    queryFn: async () => (await readWithOthers(account)).get(account) ?? '',
    staleTime: staysFreshMs,
    enabled,
  });
}

function readWithOthers(account: string): Promise<Names> {
  if (batch === undefined || batch.ids.size >= maxIds) {
    const ids = new Set<string>();
    batch = { ids, names: readNames(ids) };
  }
  batch.ids.add(account);
  return batch.names;
}

async function readNames(ids: ReadonlySet<string>): Promise<Names> {
  await new Promise((resolve) => setTimeout(resolve, collectMs));
  if (batch?.ids === ids) batch = undefined;
  const accounts = await staffApi().accountList({ ids: [...ids] });
  return new Map(accounts.map((account) => [account.id, customerName(account)]));
}

export interface NamedCustomer {
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
}

export function customerName({ firstname, lastname, companyname }: NamedCustomer): string {
  return companyname === '' ? `${firstname} ${lastname}`.trim() : companyname;
}
