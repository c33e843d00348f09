// Sends calls and retries them. Uses only what browsers and Node share: `fetch`, streams and timers.
import { acceptedTypes, readResult } from './response.ts';
import { HostyardError } from './error.ts';
import { retryDelay, pause, retryPolicy, type RetryPolicy } from './retry.ts';
import type { CallOptions, ClientSettings, Route } from './settings.ts';

export type Input = Readonly<Record<string, unknown>>;
export type Call = (input?: Input, options?: CallOptions) => Promise<unknown>;

export interface Transport {
  readonly policy: RetryPolicy;
  /** Sends one attempt. Throws a HostyardError if there is no response, or the signal's reason if the caller aborted. */
  send(url: URL, init: RequestInit, options: CallOptions): Promise<Response>;
  urlOf(path: string): URL;
}

/** The legacy API takes only forms. */
export type BodyFormat = 'json' | 'form';

const defaultTimeoutMs = 120_000;

export function openTransport(settings: ClientSettings): Transport {
  const base = new URL(settings.url.endsWith('/') ? settings.url : `${settings.url}/`);
  // In a browser `fetch` must be called as a method of the window.
  const fetchFunction = settings.fetch ?? ((url, init) => globalThis.fetch(url, init));

  return {
    policy: retryPolicy(settings.retry),
    urlOf: (path) => new URL(path.slice(1), base),
    async send(url, init, options) {
      const headers = new Headers(init.headers);
      if (settings.key !== undefined) headers.set('x-api-key', settings.key);
      const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? defaultTimeoutMs;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
      try {
        // A redirect must not take the key to another host.
        return await fetchFunction(url, { ...init, headers, signal, redirect: 'error', credentials: 'omit' });
      } catch (error) {
        throw connectionError(error, url, options.signal, timeout.aborted ? timeoutMs : undefined);
      }
    },
  };
}

/** Returns the error for a broken connection: the caller's abort, a timeout or a network failure. */
export function connectionError(
  error: unknown,
  { origin }: URL,
  signal: AbortSignal | undefined,
  timeoutMs?: number,
): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof HostyardError) return error;
  // Only Node says why: `connect ECONNREFUSED 127.0.0.1:8080`.
  const { cause } = error as { cause?: { message?: string; code?: string } };
  const reason =
    cause?.code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? 'the server speaks plain HTTP there, without TLS' : cause?.message;
  const message =
    timeoutMs === undefined
      ? `The connection to ${origin} failed${reason ? `: ${reason}` : ''}.`
      : `${origin} did not respond within ${timeoutMs} ms.`;
  return new HostyardError({ status: 0, code: 'connection_failed', message, cause: error });
}

export function createCall(transport: Transport, route: Route, format: BodyFormat): Call {
  return async (input = {}, options = {}) => {
    const { url, init } = buildRequest(transport, route, input, format);
    if (route.repeat === 'with-key') init.headers.set('idempotency-key', options.idempotencyKey ?? randomKey());
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(transport, route, url, init, options);
      } catch (error) {
        const delayMs = retryDelay(transport.policy, { attempt, repeat: route.repeat, error });
        if (delayMs === undefined) throw error;
        await pause(delayMs, options.signal);
      }
    }
  };
}

async function sendOnce(
  transport: Transport,
  route: Route,
  url: URL,
  init: RequestInit,
  options: CallOptions,
): Promise<unknown> {
  const response = await transport.send(url, init, options);
  try {
    return await readResult(response, route);
  } catch (error) {
    // The connection can also break while the body is read.
    throw connectionError(error, url, options.signal);
  }
}

/** Puts parameters into the path if it names them, else into the query of a GET or the body of any other method. */
export function buildRequest(
  transport: Transport,
  route: Route,
  input: Input,
  format: BodyFormat,
): { url: URL; init: RequestInit & { headers: Headers } } {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined || value === '') throw new TypeError(`The parameter ${name} is required.`);
    rest.delete(name);
    return encodeURIComponent(textOf(value));
  });
  const url = transport.urlOf(path);
  const init = { method: route.method, headers: new Headers({ accept: acceptedTypes }) };
  if (rest.size === 0) return { url, init };
  if (route.method === 'GET') {
    for (const [name, value] of rest) url.searchParams.set(name, textOf(value));
    return { url, init };
  }
  if (format === 'form') {
    const body = new URLSearchParams([...rest].map(([name, value]) => [name, textOf(value)]));
    return { url, init: { ...init, body } };
  }
  init.headers.set('content-type', 'application/json');
  return { url, init: { ...init, body: JSON.stringify(Object.fromEntries(rest)) } };
}

/** Lists are sent as JSON, because their values may contain commas. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Not `crypto.randomUUID`, which browsers offer only to pages served over TLS. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
