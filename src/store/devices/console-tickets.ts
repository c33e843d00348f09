// Tickets to consoles: each opens one console once, for the key and from the address it was given to. An open console has a
// row of the same kind, so that any node can end it by removing that.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface ConsoleTicketTable {
  /** SHA-256 of the ticket, in hex; of an open console a name that no ticket can have. */
  hash: string;
  account_id: AccountId;
  service_id: number;
  key_id: number;
  address: string;
  expires_at: number;
}
export type ConsoleTicket = Selectable<ConsoleTicketTable>;

export async function consoleTicketInsert(queries: Queries, ticket: ConsoleTicketTable): Promise<void> {
  await queries.insertInto('console_tickets').values(ticket).execute();
}

/** Takes it out of the world, whether it is still good or not: nobody tries twice. */
export async function consoleTicketTake(queries: Queries, hash: string): Promise<ConsoleTicket | undefined> {
  return queries.deleteFrom('console_tickets').where('hash', '=', hash).returningAll().executeTakeFirst();
}

export async function consoleTicketFind(queries: Queries, hash: string): Promise<ConsoleTicket | undefined> {
  return queries.selectFrom('console_tickets').selectAll().where('hash', '=', hash).executeTakeFirst();
}

export async function consoleTicketsRemoveOf(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('console_tickets').where('service_id', '=', service).execute();
}

export async function consoleTicketsRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('console_tickets').where('expires_at', '<', now).execute();
}
