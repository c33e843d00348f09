// Consoles in a browser: a ticket opens one, once and from where it was given; the serial line of a server, the screen or text
// console of a virtual machine.
import type { SerialView, SerialViewer } from '#equipment/serial-lines.ts';
import { Fault } from '#kernel/fault.ts';
import { randomBase32 } from '#kernel/random.ts';
import { sha256 } from '#kernel/secrets.ts';
import {
  consoleTicketFind,
  consoleTicketInsert,
  consoleTicketTake,
  type ConsoleTicket,
} from '#store/devices/console-tickets.ts';
import { serviceFind, type Service } from '#store/devices/services.ts';
import { machineOf } from '../machines/machines.ts';
import { serverOf } from '../servers/servers.ts';
import { viewerMayLook } from '../services/console-viewers.ts';
import { isMachine } from '../services/services.ts';
import type { Context, Yard } from '../yard.ts';

const ticketSeconds = 60;
const ticketBits = 200;
/** A window that somebody forgot to close is closed for him. */
const longestViewMs = 12 * 3_600_000;

export async function consoleTicket(context: Context, service: Service) {
  const { caller, yard } = context;
  if (isMachine(service)) await machineOf(context, service);
  const ticket = randomBase32(ticketBits);
  await consoleTicketInsert(context.queries, {
    hash: sha256(ticket).toString('hex'),
    account_id: caller.account,
    service_id: service.id,
    key_id: caller.key,
    address: caller.address,
    expires_at: yard.clock.now() + ticketSeconds * 1000,
  });
  return { ticket, url: `${consoleSocketPath}?ticket=${ticket}`, expires: String(ticketSeconds) };
}
export const consoleSocketPath = '/v2/device/console/socket';

/** What a ticket opens, once and from where it was given. A Fault where it is not good. */
export async function consoleRedeem(yard: Yard, ticket: string, address: string): Promise<OpenConsole> {
  const { queries } = yard.store;
  const now = yard.clock.now();
  const row = await consoleTicketTake(queries, sha256(ticket).toString('hex'));
  const good = row !== undefined && row.expires_at > now && row.address === address;
  if (!good) throw new Fault('unauthenticated', { message: 'The ticket is not good.' });
  const open = { ...row, hash: `open ${randomBase32(ticketBits)}`, expires_at: now + longestViewMs };
  await consoleTicketInsert(queries, open);
  if (await consoleStillAllowed(yard, open)) return open;
  await consoleClose(yard, open);
  throw new Fault('unauthenticated', { message: 'The ticket is not good.' });
}
export type OpenConsole = ConsoleTicket;

/** Asked again while a console is open: a reset of the console ends it, and so does a key that lost its rights. */
export async function consoleStillAllowed(yard: Yard, open: OpenConsole): Promise<boolean> {
  const row = await consoleTicketFind(yard.store.queries, open.hash);
  if (row === undefined || row.expires_at <= yard.clock.now()) return false;
  return viewerMayLook(yard, open);
}

export async function consoleClose(yard: Yard, open: OpenConsole): Promise<void> {
  await consoleTicketTake(yard.store.queries, open.hash);
}

/** A virtual machine's is another kind of console than a server's. */
export async function consoleIsOfMachine(yard: Yard, open: OpenConsole): Promise<boolean> {
  const service = await serviceFind(yard.store.queries, open.account_id, open.service_id);
  return service !== undefined && isMachine(service);
}

export async function consoleView(yard: Yard, open: OpenConsole, viewer: SerialViewer): Promise<SerialView> {
  const service = await serviceFind(yard.store.queries, open.account_id, open.service_id);
  if (service === undefined) throw new Fault('not_found');
  return yard.serialLines.view(serverOf(service), viewer);
}
