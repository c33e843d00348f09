// Consoles of dedicated servers: a launcher file with a controller user made for this one session, and a ticket to the
// serial line in a browser. Neither the controller's address nor the provider's password ever reaches a customer.
import { need } from '#drivers/bmc/driver.ts';
import type { SerialView, SerialViewer } from '#equipment/serial-lines.ts';
import { Fault } from '#kernel/fault.ts';
import { randomBase32 } from '#kernel/random.ts';
import { sha256 } from '#kernel/secrets.ts';
import * as users from '#store/bmc-users.ts';
import {
  consoleTicketFind,
  consoleTicketInsert,
  consoleTicketsRemoveOf,
  consoleTicketTake,
  type ConsoleTicket,
} from '#store/console-tickets.ts';
import { serverFind } from '#store/servers.ts';
import { serviceFind, type Service } from '#store/services.ts';
import { viewerMayLook } from './console-viewers.ts';
import { newPassword } from './bmc-users.ts';
import { launcherFile } from './console-launcher.ts';
import { serverOf, withBmc } from './devices.ts';
import { isMachine, machineOf } from '../machines/machines.ts';
import type { Context, Yard } from '../yard.ts';

const sessionMs = 3_600_000;
const ticketSeconds = 60;
const ticketBits = 200;
/** A window that somebody forgot to close is closed for him. */
const longestViewMs = 12 * 3_600_000;

/** A new session; one that was open before ends. Answers the launcher file in base64. */
export async function consoleOpen(context: Context, service: Service): Promise<string> {
  const { queries, yard } = context;
  const server = serverOf(service);
  const row = await serverFind(queries, server);
  const password = await newPassword(context, server);
  const username = `kvm-${randomBase32(40)}`;
  await withBmc(context, server, 'opening a console', async (bmc, signal) => {
    const controller = need(bmc, 'users');
    for (const old of await sessionUsers(context, server)) {
      await controller.remove(old, signal);
      await users.bmcUserRemove(queries, server, old);
    }
    const now = yard.clock.now();
    // Written down first, with its end: should this process die now, the user is removed all the same.
    await users.bmcUserInsert(queries, {
      server,
      name: username,
      service_id: service.id,
      kind: 'console',
      created_at: now,
      expires_at: now + sessionMs,
    });
    await controller.create(username, password, signal);
  });
  const launcher = launcherFile(row?.bmc_model ?? '', {
    host: row?.console_host ?? server,
    server,
    username,
    password,
  });
  return Buffer.from(launcher).toString('base64');
}

export async function consoleReset(context: Context, service: Service): Promise<void> {
  const server = serverOf(service);
  await withBmc(context, server, 'ending a console', async (bmc, signal) => {
    for (const name of await sessionUsers(context, server)) {
      await need(bmc, 'users').remove(name, signal);
      await users.bmcUserRemove(context.queries, server, name);
    }
  });
  // Views through other nodes end when they are next looked at; those through this one at once.
  await consoleTicketsRemoveOf(context.queries, service.id);
  context.yard.serialLines.endViews(server, 'The console was reset.');
}

async function sessionUsers(context: Context, server: string): Promise<string[]> {
  return (await users.bmcUserList(context.queries, server))
    .filter(({ kind }) => kind === 'console')
    .map(({ name }) => name);
}

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
