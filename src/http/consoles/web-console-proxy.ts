// The listener for web consoles: a reverse proxy of the controllers' own pages. A controller's page is script that we do not
// trust, so each session has a separate host name, and with it a separate origin and cookies. Requests are served to the
// address that opened the session only, with the cookie that the one-time link was exchanged for.
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConsoleSession } from '#app/servers/console-sessions.ts';
import {
  connectToPage,
  consoleLinkPath,
  findWebConsole,
  pageAgent,
  pageHost,
  readConsoleCookie,
  startWebConsole,
} from '#app/servers/web-consoles.ts';
import type { App } from '#app/app.ts';
import { ApiError } from '#lib/api-error.ts';
import type { ListenAddress } from '#lib/config.ts';
import { findClientAddress } from '../client-address.ts';
import { findCookie, toBrowser, toBrowserCookies, toController, type PageNames } from './page-headers.ts';
import { rejectUpgrade } from './reject-upgrade.ts';
import { watchSession } from './session-views.ts';

export interface WebConsoleProxy extends AsyncDisposable {
  readonly port: number;
}

const maxConnections = 2000;
/** Requests and WebSockets of one session and of one account at a time; and connections to its controller, which has little capacity. */
const exchangesPerSession = 32;
const exchangesPerAccount = 500;
const connectionsPerController = 8;
const headersMs = 10_000;
/** Longer than a proxy in front keeps idle connections. */
const keepAliveMs = 65_000;
const responseMs = 60_000;
/** As long as a session: images can be uploaded through some pages. */
const requestMs = 3_600_000;
const idleMs = 60_000;
const sessionName = /^[a-z2-7]{20}$/;

/** What this process keeps for a session while it is in use. */
interface OpenSession {
  readonly account: ConsoleSession['account_id'];
  readonly agent: Agent;
  /** Responses and WebSockets. */
  readonly exchanges: Set<ServerResponse | Duplex>;
  end(): void;
}

export async function startWebConsoleProxy(
  app: App,
  listen: ListenAddress,
  { url, trustedProxies }: { url?: string; trustedProxies: readonly string[] },
): Promise<WebConsoleProxy> {
  const sessions = new Map<string, OpenSession>();
  let base = new URL(url ?? 'http://localhost');

  function openSession(session: ConsoleSession): OpenSession {
    const known = sessions.get(session.id);
    if (known !== undefined) return known;
    const agent = pageAgent(app, session.server, { maxSockets: connectionsPerController, timeout: idleMs });
    const exchanges = new Set<ServerResponse | Duplex>();
    const end = (): void => {
      stopWatching();
      sessions.delete(session.id);
      agent.destroy();
      for (const exchange of exchanges) exchange.destroy();
    };
    const stopWatching = watchSession(app, session, end);
    const open = { account: session.account_id, agent, exchanges, end };
    sessions.set(session.id, open);
    return open;
  }

  /** Counts an exchange against the session's limit until it closes. Returns undefined if the limit is reached. */
  function admit(session: ConsoleSession, exchange: ServerResponse | Duplex): OpenSession | undefined {
    const open = openSession(session);
    const ofAccount = [...sessions.values()].filter(({ account }) => account === session.account_id);
    const exchangesOfAccount = ofAccount.reduce((sum, { exchanges }) => sum + exchanges.size, 0);
    if (open.exchanges.size >= exchangesPerSession || exchangesOfAccount >= exchangesPerAccount) return undefined;
    open.exchanges.add(exchange);
    exchange.on('close', () => {
      open.exchanges.delete(exchange);
      // A page loads many files in a row, so that connections to the controller are kept for a while.
      setTimeout(() => {
        if (open.exchanges.size === 0) open.end();
      }, idleMs).unref();
    });
    return open;
  }

  const isSecure = (): boolean => base.protocol === 'https:';
  const cookieName = (): string => (isSecure() ? '__Host-hostyard-console' : 'hostyard-console');
  const namesOf = async (session: ConsoleSession): Promise<PageNames> => ({
    origin: `${base.protocol}//${session.id}.${base.host}`,
    host: await pageHost(app, session.server),
    cookie: cookieName(),
  });

  /** Returns the session that the host name and the address belong to. */
  async function findSession(request: IncomingMessage): Promise<ConsoleSession | undefined> {
    const { host = '' } = request.headers;
    const id = host.split('.', 1)[0]!;
    if (host !== `${id}.${base.host}` || !sessionName.test(id)) return undefined;
    return findWebConsole(app, id, findClientAddress(request, trustedProxies));
  }

  /** Returns what the request's cookie carries, or undefined if another origin sent the request or the cookie is wrong. */
  function authorize(request: IncomingMessage, session: ConsoleSession): { token?: string } | undefined {
    const { origin, 'sec-fetch-site': site = 'none' } = request.headers;
    const isOwn = origin === undefined || origin === `${base.protocol}//${request.headers.host}`;
    if (!isOwn || (site !== 'same-origin' && site !== 'none')) return undefined;
    return readConsoleCookie(app, session, findCookie(request.headers.cookie, cookieName()) ?? '');
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = await findSession(request);
    if (session === undefined) return sendText(response, 404, 'This console session does not exist or has ended.');
    const { pathname, searchParams } = new URL(request.url ?? '/', base);
    if (pathname === consoleLinkPath) return start(session, searchParams.get('link') ?? '', response);
    const access = authorize(request, session);
    if (access === undefined)
      return sendText(response, 403, 'This console was opened in another browser. Open it again here.');
    const open = admit(session, response);
    if (open === undefined) return sendText(response, 429, 'Too many requests at the same time.');
    return forward(request, response, open, await namesOf(session), access.token);
  }

  /** Answers with a page instead of a redirect, because browsers send strict cookies only to links of the same site. */
  async function start(session: ConsoleSession, link: string, response: ServerResponse): Promise<void> {
    const started = await startWebConsole(app, session, link);
    if (started === undefined)
      return sendText(response, 403, 'This link was already used or has expired. Open the console again.');
    const { cookie, controllerCookies, path } = started;
    const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure() ? '; Secure' : ''}`;
    const cookies = toBrowserCookies(controllerCookies, await namesOf(session));
    response.setHeader('set-cookie', [`${cookieName()}=${cookie}; ${attributes}`, ...cookies]);
    response.setHeader('referrer-policy', 'no-referrer');
    return send(response, 200, 'text/html', `<!doctype html><meta http-equiv="refresh" content="0;url=${path}">`);
  }

  async function forward(
    request: IncomingMessage,
    response: ServerResponse,
    { agent }: OpenSession,
    names: PageNames,
    token: string | undefined,
  ): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const headers = toController(request.headers, names, token);
    const upstream = httpRequest({ agent, method, path, headers, setHost: false, timeout: responseMs });
    upstream.on('timeout', () => upstream.destroy(new ApiError('bmc_unreachable')));
    response.on('close', () => upstream.destroy());
    const sent = pipeline(request, upstream);
    // The response tells; a controller may respond before it has read everything.
    sent.catch(() => {});
    const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 502, toBrowser(answer.headers, names));
    await pipeline(answer, response);
  }

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const session = await findSession(request);
    const access = session && authorize(request, session);
    if (session === undefined || access === undefined) return rejectUpgrade(stream, 403, 'Forbidden');
    if (admit(session, stream) === undefined) return rejectUpgrade(stream, 429, 'Too Many Requests');
    const names = await namesOf(session);
    const page = await connectToPage(app, session.server);
    stream.on('close', () => page.destroy());
    const headers = {
      ...toController(request.headers, names, access.token),
      connection: 'Upgrade',
      upgrade: 'websocket',
    };
    const upstream = httpRequest({
      createConnection: () => page,
      path: request.url ?? '/',
      headers,
      setHost: false,
    });
    upstream.setTimeout(responseMs, () => upstream.destroy()).end();
    const refused = once(upstream, 'response').then(([answer]: IncomingMessage[]) => answer!.statusCode ?? 502);
    const opened = once(upstream, 'upgrade') as Promise<[IncomingMessage, Duplex, Buffer]>;
    const result = await Promise.race([opened, refused]);
    // Whichever loses the race fails when the connection ends.
    for (const other of [opened, refused]) other.catch(() => {});
    if (typeof result === 'number') {
      page.destroy();
      return rejectUpgrade(stream, result, 'Rejected');
    }
    const [answer, socket, first] = result;
    upstream.setTimeout(0);
    stream.write(upgradeText({ ...toBrowser(answer.headers, names), connection: 'Upgrade', upgrade: 'websocket' }));
    stream.write(first);
    socket.write(head);
    await pipeline(stream, socket, stream);
  }

  function handleError(error: unknown): void {
    // Either side may disconnect at any time.
    const isExpected = error instanceof ApiError || (error as NodeJS.ErrnoException).code !== undefined;
    if (!isExpected) app.log.error({ err: error }, 'a web console failed');
  }

  const server = createServer(
    { headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: keepAliveMs },
    (request, response) => {
      serve(request, response).catch((error: unknown) => {
        handleError(error);
        if (response.headersSent) response.destroy();
        else sendText(response, 502, 'The controller of this server did not respond. Try again later.');
      });
    },
  );
  server.maxConnections = maxConnections;
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy());
    upgrade(request, stream, head).catch((error: unknown) => {
      handleError(error);
      stream.destroy();
    });
  });
  server.listen(listen);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  if (url === undefined) base = new URL(`http://localhost:${port}`);
  app.consoleGateway.webUrl = base;
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const { end } of sessions.values()) end();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, 'text/plain', `${text}\n`);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

function upgradeText(headers: OutgoingHttpHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => `${name}: ${item}`),
  );
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`;
}
