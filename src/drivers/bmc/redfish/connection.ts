// Sends one HTTPS request to a Redfish service. The certificate is checked before anything is sent, links to other
// hosts are rejected, and errors always state whether the request may have been processed. Uses node:https because
// undici would cost a small installation 20 MB.
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { readLimited } from '#lib/read-limited.ts';
import type { DriverWaits } from '../../waits.ts';
import { RedfishError } from './error.ts';
import { isObject, getObject, getObjects, getText, type Json } from './json.ts';
import type { RedfishSettings } from './settings.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface RedfishResponse {
  readonly status: number;
  readonly body: Json;
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly token: string | undefined;
  readonly cookies: readonly string[];
  /** Methods that the resource supports, if it lists them. */
  readonly allow: readonly string[] | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export interface RedfishRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Connection {
  send(request: RedfishRequest, signal: AbortSignal): Promise<RedfishResponse>;
  close(): Promise<void>;
}

export const standardPort = 443;
/** BMCs have little capacity for concurrent requests. */
const maxConnections = 4;
const defaultResponseMs = 15_000;
const shortestConnectMs = 5000;
const maxResponseBytes = 4 * 1024 * 1024;
/** Of all responses to one call, which together may have to be kept in memory. */
const maxCallBytes = 32 * 1024 * 1024;
/** Counted for each request of a call, however short its response. */
const requestBytes = 4096;
/** Errors of the network while the host does not respond. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/** No common TLS version or cipher, or no TLS at all. Errors of the certificate have other codes. */
const tlsFailure = /^(?:ERR_SSL_|EPROTO$)/;

export function openConnection(settings: RedfishSettings, waits?: DriverWaits): Connection {
  const responseMs = waits?.responseMs ?? defaultResponseMs;
  // A slow processor needs seconds for the handshake alone.
  const connectMs = Math.max(shortestConnectMs, waits?.responseMs ?? 0);
  const host = settings.address.includes(':') ? `[${settings.address}]` : settings.address;
  const base = new URL(`https://${host}:${settings.port ?? standardPort}`);
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
  // Only a socket with a verified certificate is used.
  agent.createConnection = (_options, connected) => {
    connectTls(settings, AbortSignal.timeout(connectMs)).then(
      (socket) => connected?.(null, socket),
      (error: Error) => connected?.(new ConnectError('no connection', { cause: error }), undefined as never),
    );
    return undefined;
  };
  let isClosed = false;
  /** By the signal of a call, which all its requests have. */
  const received = new WeakMap<AbortSignal, number>();
  const count = (signal: AbortSignal, bytes: number): void => {
    const total = (received.get(signal) ?? 0) + bytes;
    received.set(signal, total);
    if (total > maxCallBytes) throw new RedfishError('excessive', 'the service sends too much');
  };

  return {
    async send({ method, path, body, headers = {} }, signal) {
      count(signal, requestBytes);
      if (isClosed) throw new RedfishError('badResponse', 'the connection is closed');
      const url = URL.parse(path, base.href);
      if (url?.origin !== base.origin) throw new RedfishError('badResponse', 'a link points to another host');
      const request = httpsRequest(url, {
        agent,
        method,
        headers: {
          accept: 'application/json',
          'odata-version': '4.0',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(responseMs)]),
      });
      // Errors are reported below; later ones no longer matter.
      request.on('error', () => {});
      request.end(body === undefined ? undefined : JSON.stringify(body));
      try {
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        const text = await readText(response);
        count(signal, text.length);
        return parseResponse(response.statusCode ?? 0, response.headers, text);
      } catch (error) {
        throw toRedfishError(error, method);
      }
    },
    async close() {
      isClosed = true;
      agent.destroy();
    },
  };
}

/** No connection was established, so nothing was sent. */
class ConnectError extends Error {}

export async function connectTls(
  { address, port, fingerprint, ca }: RedfishSettings,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const pinned = fingerprint?.replaceAll(':', '').toUpperCase();
  const socket = connect({
    host: address,
    port: port ?? standardPort,
    ...(isIP(address) === 0 ? { servername: address } : {}),
    rejectUnauthorized: pinned === undefined,
    ...(ca === undefined ? {} : { ca }),
  });
  // Reported by whoever waits for the socket; an idle one may break.
  socket.on('error', () => {});
  try {
    await once(socket, 'secureConnect', { signal });
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? timeoutError() : error;
  }
  const presented = socket.getPeerX509Certificate()?.fingerprint256;
  if (pinned === undefined || presented?.replaceAll(':', '') === pinned) return socket;
  socket.destroy();
  throw new Error(`its fingerprint is ${presented}`);
}

function timeoutError(): Error {
  return Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' });
}

/** Translates a failure to connect. */
export function toConnectError(cause: unknown): RedfishError {
  return toRedfishError(new ConnectError('no connection', { cause }), 'GET');
}

async function readText(response: IncomingMessage): Promise<string> {
  const tooLongError = () => new RedfishError('badResponse', 'the response is too large');
  return (await readLimited(response, maxResponseBytes, tooLongError)).toString();
}

function toRedfishError(error: unknown, method: Method): RedfishError {
  if (error instanceof RedfishError) return error;
  if (error instanceof ConnectError) {
    const { code = '', message = '' } = (error.cause ?? {}) as Partial<NodeJS.ErrnoException>;
    const kind = unreachableCodes.has(code) ? 'unreachable' : tlsFailure.test(code) ? 'noTls' : 'untrusted';
    // Node adds advice about its own options after the reason.
    const reason = `unexpected certificate: ${message.split(';')[0]}; check fingerprint or ca in the site file`;
    return new RedfishError(kind, kind === 'untrusted' ? reason : `${error.message} ${code}`, { cause: error });
  }
  return new RedfishError(method === 'GET' ? 'unreachable' : 'unknown', 'no response', { cause: error });
}

function parseResponse(status: number, headers: IncomingHttpHeaders, text: string): RedfishResponse {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const body = parseBody(status, text);
  return {
    status,
    body,
    etag: header('etag') ?? getText(body, '@odata.etag'),
    location: header('location'),
    token: header('x-auth-token'),
    cookies: headers['set-cookie'] ?? [],
    allow: header('allow')
      ?.split(',')
      .map((method) => method.trim()),
    retryAfterSeconds: Number(header('retry-after')) || undefined,
  };
}

/** A proxy in front of the service may respond with an error in another format. */
function parseBody(status: number, text: string): Json {
  if (text.trim() === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Reported below, without the text.
  }
  if (status >= 400) return {};
  throw new RedfishError('badResponse', 'the response is not a JSON object', { status });
}

/** Returns the response, or throws if it is not a success. */
export function requireSuccess(response: RedfishResponse): RedfishResponse {
  const { status, body } = response;
  if (status >= 200 && status < 300) return response;
  const messages = messageIds(body);
  const text = status === 401 ? 'user name or password rejected: status 401' : `status ${status}`;
  if (status === 401 || status === 403) throw new RedfishError('auth', text, { status, messages });
  if (status === 503) throw new RedfishError('busy', text, { status, messages });
  throw new RedfishError('rejected', text, { status, messages });
}

function messageIds(body: Json): string[] {
  return getObjects(getObject(body, 'error'), '@Message.ExtendedInfo')
    .map((message) => getText(message, 'MessageId')?.split('.').at(-1) ?? '')
    .filter((id) => /^[A-Za-z]{1,64}$/.test(id));
}
