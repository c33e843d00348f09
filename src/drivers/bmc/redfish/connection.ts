// HTTPS to one Redfish service: one request and its answer. The certificate is looked at before a byte is sent, no link leads
// away from the service, and it is always known whether a request that failed may have been heard.
import type { TLSSocket } from 'node:tls';
import { buildConnector, Pool } from 'undici';
import { RedfishError } from './error.ts';
import { isObject, objectIn, objectsIn, textIn, type Json } from './json.ts';
import type { RedfishSettings } from './settings.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly token: string | undefined;
  /** Methods that the resource takes, where it says so. */
  readonly allow: readonly string[] | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export interface Exchange {
  readonly method: Method;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Connection {
  exchange(request: Exchange, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

const standardPort = 443;
/** Controllers are small computers: a few questions at a time are all that they can bear. */
const mostConnections = 4;
const requestMs = 15_000;
const connectMs = 5000;
const largestAnswerBytes = 4 * 1024 * 1024;
/** What the system says of a network on which nobody answers. */
const silence = new Set([
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
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function openConnection(settings: RedfishSettings): Connection {
  const host = settings.address.includes(':') ? `[${settings.address}]` : settings.address;
  const base = new URL(`https://${host}:${settings.port ?? standardPort}`);
  const pool = new Pool(base, {
    connections: mostConnections,
    connect: connector(settings),
    maxResponseSize: largestAnswerBytes,
  });
  let isClosed = false;

  return {
    async exchange({ method, path, body, headers = {} }, signal) {
      if (isClosed) throw new RedfishError('badAnswer', 'the connection is closed');
      const url = URL.parse(path, base.href);
      if (url?.origin !== base.origin) throw new RedfishError('badAnswer', 'a link leads away from the service');
      try {
        const answer = await pool.request({
          method,
          path: `${url.pathname}${url.search}`,
          headers: {
            accept: 'application/json',
            'odata-version': '4.0',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
        });
        return answerOf(answer.statusCode, answer.headers, await answer.body.text());
      } catch (error) {
        throw failureOf(error, method);
      }
    },
    async close() {
      isClosed = true;
      await pool.destroy();
    },
  };
}

/** No connection came about, so nothing was sent. */
class NotConnected extends Error {}

function connector({ fingerprint, ca }: RedfishSettings): buildConnector.connector {
  const pinned = fingerprint?.replaceAll(':', '').toUpperCase();
  const connect = buildConnector({
    timeout: connectMs,
    // A session taken up again shows no certificate to look at.
    maxCachedSessions: 0,
    rejectUnauthorized: pinned === undefined,
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, connected) =>
    connect(options, (error, socket) => {
      if (error !== null) return connected(new NotConnected('no connection', { cause: error }), null);
      const shown = pinned && (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256.replaceAll(':', '');
      if (shown === pinned) return connected(null, socket);
      socket.destroy();
      return connected(new NotConnected('another certificate than the one on record'), null);
    });
}

function failureOf(error: unknown, method: Method): RedfishError {
  if (error instanceof RedfishError) return error;
  if (error instanceof NotConnected) {
    const code = (error.cause as NodeJS.ErrnoException | undefined)?.code;
    const kind = code !== undefined && silence.has(code) ? 'unreachable' : 'untrusted';
    return new RedfishError(kind, `${error.message} ${code ?? ''}`, { cause: error });
  }
  if ((error as NodeJS.ErrnoException).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new RedfishError('badAnswer', 'the answer is too long', { cause: error });
  return new RedfishError(method === 'GET' ? 'unreachable' : 'unknown', 'no answer', { cause: error });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function answerOf(status: number, headers: Headers, text: string): Answer {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const body = bodyOf(status, text);
  return {
    status,
    body,
    etag: header('etag') ?? textIn(body, '@odata.etag'),
    location: header('location'),
    token: header('x-auth-token'),
    allow: header('allow')
      ?.split(',')
      .map((method) => method.trim()),
    retryAfterSeconds: Number(header('retry-after')) || undefined,
  };
}

/** A refusal may come from something before the service, in words of its own; an answer may not. */
function bodyOf(status: number, text: string): Json {
  if (text.trim() === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Told below, without the text.
  }
  if (status >= 400) return {};
  throw new RedfishError('badAnswer', 'the answer is not a JSON object', { status });
}

/** The answer, where it is a good one. */
export function succeeded(answer: Answer): Answer {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return answer;
  const messages = messageIds(body);
  const text = `answered ${status}`;
  if (status === 401 || status === 403) throw new RedfishError('refused', text, { status, messages });
  if (status === 503) throw new RedfishError('busy', text, { status, messages });
  throw new RedfishError('rejected', text, { status, messages });
}

function messageIds(body: Json): string[] {
  return objectsIn(objectIn(body, 'error'), '@Message.ExtendedInfo')
    .map((message) => textIn(message, 'MessageId')?.split('.').at(-1) ?? '')
    .filter((id) => /^[A-Za-z]{1,64}$/.test(id));
}
