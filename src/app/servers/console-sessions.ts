// Console sessions of dedicated servers: a BMC user that exists for one hour at most, and what the gateway opens for it.
// Everything is bound to the address that opened the session. A new session ends the previous one, because controllers have
// few users.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { randomInt } from 'node:crypto';
import { requireCapability, type Bmc, type Users } from '#drivers/bmc/driver.ts';
import { addressText } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { randomBase32 } from '#lib/random.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { bmcUserExpirySet, bmcUserInsert, bmcUserList, bmcUserRemove } from '#store/devices/bmc-users.ts';
import * as store from '#store/devices/console-sessions.ts';
import type { Service } from '#store/devices/services.ts';
import { canViewConsole } from '../services/services.ts';
import type { App, Context } from '../app.ts';
import { newPassword } from './bmc-users.ts';
import { runBmcCommand, serverOf } from './servers.ts';

export type ConsoleSession = store.ConsoleSession;

export interface OpenedSession {
  readonly id: string;
  readonly username: string;
  readonly password: string;
}
export interface SessionParts {
  readonly link?: Pick<ConsoleSession, 'link' | 'link_expires_at'>;
  /** Throws if the controller lacks what the session is for. */
  requires?(bmc: Bmc): void;
}

const sessionMs = 3_600_000;
const idBits = 100;
const connectMs = 5000;
/** The share of the ports that is left by an account that has a console open already. */
const keptForOthers = 1 / 4;

export async function openConsoleSession(
  context: Context,
  service: Service,
  { link, requires }: SessionParts = {},
): Promise<OpenedSession> {
  const { app, caller, queries } = context;
  const server = serverOf(service);
  const password = await newPassword(context, server);
  const username = `kvm-${randomBase32(40)}`;
  const id = randomBase32(idBits);
  await runBmcCommand(context, server, 'a console start', async (bmc, signal) => {
    requires?.(bmc);
    const users = requireCapability(bmc, 'users');
    await removeConsoleUsers(context, users, server, signal);
    const now = app.clock.now();
    const common = { service_id: service.id, expires_at: now + sessionMs };
    // Recorded first, with its expiry, so that the user is removed even if this process dies now.
    await app.store.transaction(async (transaction) => {
      await store.consoleSessionsRemoveExpired(transaction, now);
      await bmcUserInsert(transaction, { ...common, server, name: username, kind: 'console', created_at: now });
      await store.consoleSessionInsert(transaction, {
        ...common,
        id,
        account_id: caller.account,
        key_id: caller.key,
        address: canonicalAddress(caller.address),
        server,
        username,
        password: app.secrets.seal(password, sealContext(id)),
        link: null,
        link_expires_at: null,
        cookie: null,
        ...link,
      });
    });
    try {
      await users.create(username, password, signal);
    } catch (error) {
      await store.consoleSessionRemove(queries, id);
      throw error;
    }
  });
  return { id, username, password };
}

/** Ends an unusable session. Its user is removed in the background. */
export async function abandonConsoleSession(
  { app, queries }: Context,
  server: string,
  { id, username }: OpenedSession,
): Promise<void> {
  await store.consoleSessionRemove(queries, id);
  await bmcUserExpirySet(queries, server, username, app.clock.now());
}

/** Gives the session a port of the gateway for each port of the controller. Returns them by the controller's. */
export async function forwardPorts(
  { app, caller: { account } }: Context,
  session_id: string,
  targets: readonly number[],
): Promise<Record<string, number>> {
  return app.store.transaction(async (queries) => {
    // Of two sessions of the account at once, one must see the ports of the other.
    await billingAccountLock(queries, account);
    if (!(await store.consoleSessionLock(queries, session_id)))
      throw new ApiError('device_busy', { message: 'The console was reset while it was being opened. Open it again.' });
    const taken = await store.consolePortsTaken(queries);
    const ports = app.consoleGateway.forwards?.ports ?? [];
    const free = ports.filter((port) => !taken.has(port));
    const isFirst = ![...taken.values()].includes(account);
    if (!isFirst && free.length - targets.length < ports.length * keptForOthers)
      throw new ApiError('nothing_free', {
        message: 'Too many consoles are open. Close one of another server first.',
      });
    const allocated: Record<string, number> = {};
    for (const target of targets) {
      do {
        const [port] = free.splice(randomInt(Math.max(free.length, 1)), 1);
        if (port === undefined)
          throw new ApiError('nothing_free', { message: 'All console ports are in use. Try again later.' });
        if (await store.consoleForwardInsert(queries, { port, session_id, target })) allocated[target] = port;
      } while (allocated[target] === undefined);
    }
    return allocated;
  });
}

/** Ends the sessions of a server. Views through other instances end at their next check, those through this one now. */
export async function removeConsoleUsers(
  { app, queries }: Context,
  users: Users,
  server: string,
  signal: AbortSignal,
): Promise<void> {
  for (const { name, kind } of await bmcUserList(queries, server)) {
    if (kind !== 'console') continue;
    await users.remove(name, signal);
    await bmcUserRemove(queries, server, name);
  }
  app.consoleGateway.endViews(server, 'The console was reset.');
}

/** Checked again while a view is open: it ends with the session, or when its viewer is no longer allowed. */
export async function isConsoleSessionValid(app: App, { id }: ConsoleSession): Promise<boolean> {
  const session = await store.consoleSessionFind(app.store.queries, id);
  return session !== undefined && session.expires_at > app.clock.now() && canViewConsole(app, session);
}

/** Returns the session of a port for the address that opened it. */
export async function findConsoleForward(
  app: App,
  port: number,
  address: string,
): Promise<(ConsoleSession & { target: number }) | undefined> {
  const forward = await store.consoleForwardFind(app.store.queries, port);
  if (forward === undefined || forward.address !== canonicalAddress(address)) return undefined;
  return (await isConsoleSessionValid(app, forward)) ? forward : undefined;
}

export async function connectToController(app: App, server: string, port: number): Promise<Socket> {
  const socket = connect({ host: await app.bmcs.addressOf(server), port, noDelay: true, keepAlive: true });
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new ApiError('bmc_unreachable', { cause: error });
  }
}

export function sessionPassword(app: App, { id, password }: ConsoleSession): string {
  return app.secrets.open(password, sealContext(id));
}

export function canonicalAddress(text: string): string {
  return addressText(text) ?? text;
}

function sealContext(id: string): string {
  return `console ${id}`;
}
