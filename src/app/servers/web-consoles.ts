// Web consoles: the controller's own page, through a proxy under a host name that exists for one session. The API returns a
// link that works once, from the caller's address; the proxy exchanges it for a cookie and signs in on the controller with the
// session's user.
import { Agent, type AgentOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { requireCapability, type WebSignIn } from '#drivers/bmc/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { randomBase32 } from '#lib/random.ts';
import { sameSecret, sha256Hex } from '#lib/secrets.ts';
import { consoleLinkRedeem, consoleSessionFind } from '#store/devices/console-sessions.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { App, Context } from '../app.ts';
import {
  canonicalAddress,
  isConsoleSessionValid,
  openConsoleSession,
  sessionPassword,
  type ConsoleSession,
} from './console-sessions.ts';

const linkSeconds = 60;
const linkBits = 200;
/** No controller has this path, and its name says whose it is. */
export const consoleLinkPath = '/.hostyard/console';
/** The path of the console on the page of a make; otherwise the page's start. */
const consolePaths = new Map([['openbmc', '/#/console/kvm']]);

/** Opens a session and ends the previous one. */
export async function webConsoleOpen(context: Context, service: Service) {
  const { app } = context;
  const { webUrl } = app.consoleGateway;
  if (webUrl === undefined)
    throw new ApiError('capability_missing', { message: 'Web consoles are not available here.' });
  const link = randomBase32(linkBits);
  const { id, username, password } = await openConsoleSession(context, service, {
    link: { link: sha256Hex(link), link_expires_at: app.clock.now() + linkSeconds * 1000 },
    requires: (bmc) => void requireCapability(bmc, 'web'),
  });
  const url = `${webUrl.protocol}//${id}.${webUrl.host}${consoleLinkPath}?link=${link}`;
  return { url, expires: String(linkSeconds), username, password };
}

/** Returns the session of a host name, for the address that opened it. */
export async function findWebConsole(app: App, id: string, address: string): Promise<ConsoleSession | undefined> {
  const session = await consoleSessionFind(app.store.queries, id);
  if (session === undefined || session.address !== canonicalAddress(address)) return undefined;
  return (await isConsoleSessionValid(app, session)) ? session : undefined;
}

export interface WebConsoleStart {
  readonly cookie: string;
  /** As the controller sets them. */
  readonly controllerCookies: readonly string[];
  readonly path: string;
}

/** Exchanges a link for a cookie. Returns undefined if the link is unknown, used or expired. */
export async function startWebConsole(
  app: App,
  session: ConsoleSession,
  link: string,
): Promise<WebConsoleStart | undefined> {
  const { queries } = app.store;
  const hash = sha256Hex(link);
  if (session.link === null || !isSame(session.link, hash)) return undefined;
  const { cookies, token } = await signIn(app, session);
  // The token is in the cookie, so that any instance can use it.
  const cookie = app.secrets.seal(JSON.stringify({ token }), cookieContext(session));
  const stored = { id: session.id, link: hash, cookie: sha256Hex(cookie), now: app.clock.now() };
  if (!(await consoleLinkRedeem(queries, stored))) return undefined;
  const model = (await serverFind(queries, session.server))?.bmc_model ?? '';
  return {
    cookie,
    controllerCookies: cookies,
    path: consolePaths.get(model) ?? '/',
  };
}

/** A controller that rejects the sign-in shows its own form, for which the customer has the name and password. */
async function signIn(app: App, session: ConsoleSession): Promise<WebSignIn> {
  try {
    return await app.bmcs.use(session.server, (bmc, { commandMs }) => {
      const limit = commandTimeout(undefined, commandMs);
      return requireCapability(bmc, 'web').signIn(session.username, sessionPassword(app, session), limit);
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'bmc_unreachable') throw error;
    return { cookies: [], token: undefined };
  }
}

/** Returns what the cookie of a session carries, or undefined if it is not the session's. */
export function readConsoleCookie(
  app: App,
  session: ConsoleSession,
  cookie: string,
): { readonly token?: string } | undefined {
  if (session.cookie === null || !isSame(session.cookie, sha256Hex(cookie))) return undefined;
  return JSON.parse(app.secrets.open(cookie, cookieContext(session))) as { token?: string };
}

/** Opens a connection to the controller's page. */
export function connectToPage(app: App, server: string): Promise<Duplex> {
  return app.bmcs.use(server, (bmc, { commandMs }) =>
    requireCapability(bmc, 'web').connect(commandTimeout(undefined, commandMs)),
  );
}

/** Keeps connections to the controller's page, whose certificate is verified. */
export function pageAgent(app: App, server: string, options: AgentOptions): Agent {
  const agent = new Agent({ keepAlive: true, ...options });
  agent.createConnection = (_options, connected) => {
    connectToPage(app, server).then(
      (stream) => connected?.(null, stream),
      (error: Error) => connected?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

/** Returns the value of the Host header. */
export async function pageHost(app: App, server: string): Promise<string> {
  return app.bmcs.use(server, async (bmc) => requireCapability(bmc, 'web').host);
}

function cookieContext({ id }: ConsoleSession): string {
  return `console cookie ${id}`;
}

function isSame(left: string, right: string): boolean {
  return sameSecret(Buffer.from(left), Buffer.from(right));
}
