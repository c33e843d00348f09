// PowerDNS's HTTP API: one request at a time made into an answer or a typed failure. Its failures come as JSON (422) or as
// plain text (all others), and a connection that broke says nothing of whether the change happened.
import { Agent, errors, request } from 'undici';
import { NameServerError } from '../driver.ts';

export interface PowerDnsSettings {
  /** Where the web server listens: http://127.0.0.1:8081 */
  readonly url: string;
  readonly apiKey: string;
  /** PowerDNS's own name of the server; `localhost` unless it stands behind a proxy of several. */
  readonly serverId?: string;
  readonly timeoutMs: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface Api extends AsyncDisposable {
  /** Answers statuses below 300 and 404; anything else throws NameServerError. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<ApiAnswer>;
}

const MAX_REASON_CHARACTERS = 300;
/** The largest zone that we keep is a third of it. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;

export function openApi(settings: PowerDnsSettings): Api {
  const dispatcher = new Agent({
    connections: 8,
    connect: { timeout: settings.timeoutMs },
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const base = `${settings.url.replace(/\/$/, '')}/api/v1/servers/${settings.serverId ?? 'localhost'}`;
  return {
    async call(method, path, signal, body) {
      const { status, text } = await send(method, path, signal, body);
      if (status < 300 || status === 404) return { status, body: parseBody(text, status) };
      const code = status >= 500 ? 'nameserver_error' : 'nameserver_refused';
      throw new NameServerError(code, `PowerDNS answered ${status}: ${reasonOf(text)}`);
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };

  async function send(
    method: string,
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<{ status: number; text: string }> {
    signal.throwIfAborted();
    try {
      const answer = await request(base + path, {
        method,
        dispatcher,
        signal: AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]),
        headers: { 'x-api-key': settings.apiKey, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof errors.ResponseExceededMaxSizeError)
        throw new NameServerError('nameserver_error', 'PowerDNS answered without end', { cause });
      throw new NameServerError('nameserver_unreachable', 'PowerDNS did not answer', { cause });
    }
  }
}

function parseBody(text: string, status: number): unknown {
  if (text === '' || status === 404) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NameServerError('nameserver_error', 'PowerDNS answered something that is not JSON', { cause });
  }
}

function reasonOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error.slice(0, MAX_REASON_CHARACTERS);
  } catch {
    // Plain text, as most of its failures.
  }
  return text.slice(0, MAX_REASON_CHARACTERS);
}
