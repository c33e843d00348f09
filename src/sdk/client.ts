// A call from its parameters to its result. Everything here is what browsers and Node share: `fetch`, streams, timers.
import { accepted, resultOf } from './answer.ts';
import { HostyardError } from './error.ts';
import { delayBefore, pause, retryPolicy, type RetryPolicy } from './retry.ts';
import type { CallOptions, ClientSettings, Route } from './settings.ts';

export type Input = Readonly<Record<string, unknown>>;
export type Call = (input?: Input, options?: CallOptions) => Promise<unknown>;

/** What the parts of a client share. */
export interface Transport {
  readonly policy: RetryPolicy;
  /** One try. Fails with a HostyardError where no answer came, and with the signal's reason where the caller ended it. */
  send(url: URL, init: RequestInit, options: CallOptions): Promise<Response>;
  urlOf(path: string): URL;
}

/** The documents of the legacy interface know forms only. */
export type BodyFormat = 'json' | 'form';

const defaultTimeoutMs = 120_000;

export function openTransport(settings: ClientSettings): Transport {
  const base = new URL(settings.url.endsWith('/') ? settings.url : `${settings.url}/`);
  // In a browser `fetch` must be called as a function of the window.
  const dial = settings.fetch ?? ((url, init) => globalThis.fetch(url, init));

  return {
    policy: retryPolicy(settings.retry),
    urlOf: (path) => new URL(path.slice(1), base),
    async send(url, init, options) {
      const headers = new Headers(init.headers);
      if (settings.key !== undefined) headers.set('x-api-key', settings.key);
      const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? defaultTimeoutMs;
      const late = AbortSignal.timeout(timeoutMs);
      const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
      try {
        // The key must not follow a redirection to somewhere else.
        return await dial(url, { ...init, headers, signal, redirect: 'error', credentials: 'omit' });
      } catch (error) {
        throw lost(error, options.signal, late.aborted ? timeoutMs : undefined);
      }
    },
  };
}

/** A connection that broke: the caller's own doing, too late, or the network's. */
export function lost(error: unknown, signal: AbortSignal | undefined, timeoutMs: number | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (error instanceof HostyardError) return error;
  const why = timeoutMs === undefined ? 'The connection failed' : `There was no answer within ${timeoutMs} ms`;
  return new HostyardError({ status: 0, code: 'connection_failed', message: `${why}.`, cause: error });
}

export function makeCall(transport: Transport, route: Route, format: BodyFormat): Call {
  return async (input = {}, options = {}) => {
    const { url, init } = requestOf(transport, route, input, format);
    if (route.repeat === 'with-key') init.headers.set('idempotency-key', options.idempotencyKey ?? newKey());
    for (let attempt = 1; ; attempt++) {
      try {
        return await attemptOf(transport, route, url, init, options);
      } catch (error) {
        const delayMs = delayBefore(transport.policy, { attempt, repeat: route.repeat, error });
        if (delayMs === undefined) throw error;
        await pause(delayMs, options.signal);
      }
    }
  };
}

async function attemptOf(
  transport: Transport,
  route: Route,
  url: URL,
  init: RequestInit,
  options: CallOptions,
): Promise<unknown> {
  const response = await transport.send(url, init, options);
  try {
    return await resultOf(response, route);
  } catch (error) {
    // The connection can break in the middle of the body, too.
    throw lost(error, options.signal, undefined);
  }
}

/** Parameters stand in the path where it has a place for them, else in the query of a GET and the body of anything else. */
export function requestOf(
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
  const init = { method: route.method, headers: new Headers({ accept: accepted }) };
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

/** Lists are sent as JSON, so that a comma inside a value stays where it is. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `crypto.randomUUID` is absent in a browser where the page did not come over TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
