// Console tickets: each opens one console once, for the key and address it was issued to. An open console has a row of
// the same kind, so that any instance can close it by deleting that row.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { ConsoleTicketTable } from './tables.ts';

export type ConsoleTicket = Selectable<ConsoleTicketTable>;

export async function consoleTicketInsert(queries: Queries, ticket: ConsoleTicketTable): Promise<void> {
  await queries.insertInto('console_tickets').values(ticket).execute();
}

/** Deletes the ticket, valid or not, so that it can be used only once. */
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
