// Numbers of servers in stock. A service has a number under which boots, images and consoles are recorded; staff act on a
// server that no service has under one of these.
import { insertNew, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

export async function stockNumberFind(queries: Queries, server: string): Promise<number | undefined> {
  return (await selectWhere(queries, 'stock_numbers', { server }).select('id').executeTakeFirst())?.id;
}

/** Creates the number if the server has none yet. */
export async function stockNumberOf(queries: Queries, server: string): Promise<number> {
  await insertNew(queries, 'stock_numbers', { server }, ['server']).execute();
  return (await stockNumberFind(queries, server))!;
}

export async function stockServer(queries: Queries, id: number): Promise<string | undefined> {
  return (await selectWhere(queries, 'stock_numbers', { id }).select('server').executeTakeFirst())?.server;
}
