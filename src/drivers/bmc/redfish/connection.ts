// HTTPS to one Redfish service: one request and its answer. The certificate is looked at before a byte is sent, no link leads
// away from the service, and it is always known whether a request that failed may have been heard. It is the
// runtime's own client that is used: undici would cost a small installation 20 MB more.
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
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
]);

export function openConnection(settings: RedfishSettings): Connection {
  const host = settings.address.includes(':') ? `[${settings.address}]` : settings.address;
  const base = new URL(`https://${host}:${settings.port ?? standardPort}`);
  const agent = new Agent({ keepAlive: true, maxSockets: mostConnections });
  // Only a socket that has shown its certificate is handed on.
  agent.createConnection = (_options, connected) => {
    secured(settings).then(
      (socket) => connected?.(null, socket),
      (error: Error) => connected?.(new NotConnected('no connection', { cause: error }), undefined as never),
    );
    return undefined;
  };
  let isClosed = false;

  return {
    async exchange({ method, path, body, headers = {} }, signal) {
      if (isClosed) throw new RedfishError('badAnswer', 'the connection is closed');
      const url = URL.parse(path, base.href);
      if (url?.origin !== base.origin) throw new RedfishError('badAnswer', 'a link leads away from the service');
      const request = httpsRequest(url, {
        agent,
        method,
        headers: {
          accept: 'application/json',
          'odata-version': '4.0',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      });
      // What goes wrong is told below; what goes wrong after that is nobody's concern.
      request.on('error', () => {});
      request.end(body === undefined ? undefined : JSON.stringify(body));
      try {
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        return answerOf(response.statusCode ?? 0, response.headers, await textOf(response));
      } catch (error) {
        throw failureOf(error, method);
      }
    },
    async close() {
      isClosed = true;
      agent.destroy();
    },
  };
}

/** No connection came about, so nothing was sent. */
class NotConnected extends Error {}

async function secured({ address, port, fingerprint, ca }: RedfishSettings): Promise<TLSSocket> {
  const pinned = fingerprint?.replaceAll(':', '').toUpperCase();
  const socket = connect({
    host: address,
    port: port ?? standardPort,
    ...(isIP(address) === 0 ? { servername: address } : {}),
    rejectUnauthorized: pinned === undefined,
    ...(ca === undefined ? {} : { ca }),
  });
  // Told by what waits for it; an idle one that breaks concerns nobody.
  socket.on('error', () => {});
  const late = setTimeout(() => socket.destroy(timedOut()), connectMs);
  try {
    await once(socket, 'secureConnect');
  } finally {
    clearTimeout(late);
  }
  const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '');
  if (pinned === undefined || shown === pinned) return socket;
  socket.destroy();
  throw new Error('another certificate than the one on record');
}

function timedOut(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > largestAnswerBytes) throw new RedfishError('badAnswer', 'the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function failureOf(error: unknown, method: Method): RedfishError {
  if (error instanceof RedfishError) return error;
  if (error instanceof NotConnected) {
    const code = (error.cause as NodeJS.ErrnoException | undefined)?.code;
    const kind = code !== undefined && silence.has(code) ? 'unreachable' : 'untrusted';
    return new RedfishError(kind, `${error.message} ${code ?? ''}`, { cause: error });
  }
  return new RedfishError(method === 'GET' ? 'unreachable' : 'unknown', 'no answer', { cause: error });
}

function answerOf(status: number, headers: IncomingHttpHeaders, text: string): Answer {
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
