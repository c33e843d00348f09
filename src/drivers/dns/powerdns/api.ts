// PowerDNS's HTTP API. Errors are JSON (422) or plain text (all others), and a broken connection leaves the outcome
// unknown.
import { Agent, errors, request } from 'undici';
import { NameServerError } from '../driver.ts';

export interface PowerDnsSettings {
  /** The web server's URL, such as http://127.0.0.1:8081. */
  readonly url: string;
  readonly apiKey: string;
  /** PowerDNS's server id; `localhost` except behind a proxy. */
  readonly serverId?: string;
  readonly timeoutMs: number;
}

export interface PowerDnsResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface Api extends AsyncDisposable {
  /** Resolves for statuses below 300 and 404; otherwise rejects with NameServerError. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<PowerDnsResponse>;
}

const maxReasonCharacters = 300;
/** About three times the largest zone. */
const maxResponseBytes = 64 * 2 ** 20;

export function openApi(settings: PowerDnsSettings): Api {
  const dispatcher = new Agent({
    connections: 8,
    connect: { timeout: settings.timeoutMs },
    maxResponseSize: maxResponseBytes,
  });
  const base = `${settings.url.replace(/\/$/, '')}/api/v1/servers/${settings.serverId ?? 'localhost'}`;
  return {
    async call(method, path, signal, body) {
      const { status, text } = await send(method, path, signal, body);
      if (status < 300 || status === 404) return { status, body: parseBody(text, status) };
      if (status === 422) throw new NameServerError('record_refused', errorText(text));
      const code = status >= 500 ? 'nameserver_error' : 'nameserver_refused';
      throw new NameServerError(code, `PowerDNS returned ${status}: ${errorText(text)}`);
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
      const response = await request(base + path, {
        method,
        dispatcher,
        signal: AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]),
        headers: { 'x-api-key': settings.apiKey, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof errors.ResponseExceededMaxSizeError)
        throw new NameServerError('nameserver_error', 'the response of PowerDNS is too large', { cause });
      throw new NameServerError('nameserver_unreachable', 'PowerDNS did not respond', { cause });
    }
  }
}

function parseBody(text: string, status: number): unknown {
  if (text === '' || status === 404) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NameServerError('nameserver_error', 'PowerDNS sent invalid JSON', { cause });
  }
}

function errorText(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error.slice(0, maxReasonCharacters);
  } catch {
    // Most errors are plain text.
  }
  return text.slice(0, maxReasonCharacters);
}
