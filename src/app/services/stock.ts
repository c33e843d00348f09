// A server in stock, as a service of the provider, so that staff can do with it whatever customers can do with theirs. Its
// number is negative, because no row of `services` has it.
import { providerAccount } from '#store/account/accounts.ts';
import { serviceOfServer, type Service } from '#store/devices/services.ts';
import { stockServer } from '#store/devices/stock-numbers.ts';
import type { Queries } from '#store/store.ts';
import { conflict } from '#lib/api-error.ts';

export function stockService(server: string, number: number): Service {
  return {
    id: -number,
    account_id: providerAccount,
    type: 'dedicated',
    name: server,
    hostname: server,
    status: 'Active',
    ip: '',
    server,
    vmid: null,
    created_at: 0,
    labels: '[]',
    system: null,
    installed_at: null,
  };
}

export function isStock({ id }: Pick<Service, 'id'>): boolean {
  return id <= 0;
}

/** Finds a server in stock by the number of its stand-in; undefined if a customer has it by now. */
export async function findStock(queries: Queries, id: number): Promise<Service | undefined> {
  const server = await stockServer(queries, -id);
  if (server === undefined || (await serviceOfServer(queries, server)) !== undefined) return undefined;
  return stockService(server, -id);
}

/** Throws if a customer got the server while staff worked on it. */
export async function requireInStock(queries: Queries, stock: Service): Promise<Service> {
  if ((await serviceOfServer(queries, stock.server!)) === undefined) return stock;
  throw conflict('The server has been assigned to a customer. Open its page again.');
}
