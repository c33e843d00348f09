// Browser consoles: the serial line of a server, the VNC or text console of a virtual machine. A ticket opens one,
// once, from the address that requested it.
import type { SerialView, SerialViewer } from '#equipment/serial-lines.ts';
import { ApiError, requireFound } from '#lib/api-error.ts';
import { randomBase32 } from '#lib/random.ts';
import { sha256Hex } from '#lib/secrets.ts';
import * as store from '#store/devices/console-tickets.ts';
import type { Service } from '#store/devices/services.ts';
import { machineOf } from '../machines/machines.ts';
import { serverOf } from '../servers/servers.ts';
import { canViewConsole, findViewedService, isMachine } from '../services/services.ts';
import { isStock } from '../services/stock.ts';
import type { Context, App } from '../app.ts';

const ticketSeconds = 60;
const ticketBits = 200;
/** Closes a forgotten browser window. */
const longestViewMs = 12 * 3_600_000;

export async function createConsoleTicket(context: Context, service: Service) {
  const { caller, app } = context;
  if (isMachine(service)) await machineOf(context, service);
  const ticket = randomBase32(ticketBits);
  await store.consoleTicketInsert(context.queries, {
    hash: sha256Hex(ticket),
    account_id: caller.account,
    service_id: service.id,
    key_id: caller.key,
    address: caller.address,
    expires_at: app.clock.now() + ticketSeconds * 1000,
  });
  return { ticket, url: `${consoleSocketPath}?ticket=${ticket}`, expires: String(ticketSeconds) };
}
export const consoleSocketPath = '/v2/device/console/socket';

/** Redeems a ticket. Throws if it is unknown, expired, used or from another address. */
export async function redeemConsoleTicket(app: App, ticket: string, address: string): Promise<OpenConsole> {
  const { queries } = app.store;
  const now = app.clock.now();
  const row = await store.consoleTicketTake(queries, sha256Hex(ticket));
  if (row !== undefined && row.expires_at > now && row.address === address) {
    const open = { ...row, hash: `open ${randomBase32(ticketBits)}`, expires_at: now + longestViewMs };
    await store.consoleTicketInsert(queries, open);
    if (await isConsoleAllowed(app, open)) return open;
    await closeConsole(app, open);
  }
  throw new ApiError('unauthenticated', { message: 'The console ticket is invalid or has expired.' });
}
export type OpenConsole = store.ConsoleTicket;

/** Checked again while a console is open: it ends with a console reset or when its viewer is no longer allowed. */
export async function isConsoleAllowed(app: App, open: OpenConsole): Promise<boolean> {
  const row = await store.consoleTicketFind(app.store.queries, open.hash);
  if (row === undefined || row.expires_at <= app.clock.now()) return false;
  return canViewConsole(app, open);
}

export async function closeConsole(app: App, open: OpenConsole): Promise<void> {
  await store.consoleTicketTake(app.store.queries, open.hash);
}

export async function isMachineConsole(app: App, open: OpenConsole): Promise<boolean> {
  const service = await findViewedService(app, open);
  return service !== undefined && isMachine(service);
}

export async function viewSerialLine(app: App, open: OpenConsole, viewer: SerialViewer): Promise<SerialView> {
  const service = requireFound(await findViewedService(app, open));
  return app.serialLines.view(serverOf(service), isStock(service) ? null : service.id, viewer);
}
