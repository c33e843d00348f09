// Sends one API call. Parameters go where a client would put them: into the query of a GET or DELETE, otherwise into a
// JSON body; `form` sends them form-encoded, like legacy clients.
import assert from 'node:assert/strict';

export interface RequestOptions {
  key?: string;
  params?: Record<string, unknown>;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

export interface TestResponse<Body> {
  status: number;
  headers: Headers;
  /** Parsed if the response is JSON, otherwise its text. */
  body: Body;
}

/** A response of either API. In the legacy API, an error's text is the result itself. */
export interface Envelope<Result = unknown> {
  readonly success: boolean;
  readonly results: number;
  readonly result: Result;
}
export interface ErrorResult {
  readonly code: string;
  readonly message: string;
  readonly fields: Record<string, string>;
}

/** Sends a call that must succeed, and returns its result. */
export async function requestResult<Result>(...call: Parameters<typeof request>): Promise<Result> {
  const { status, body } = await request<Envelope<Result>>(...call);
  assert.equal(status, 200, `${call[1]} ${call[2]}: ${JSON.stringify(body)}`);
  return body.result;
}

/** Creates an API key of the account that the caller's key belongs to. */
export function createKey(
  server: { url: string },
  key: string,
  fields: { scopes: readonly string[]; name?: string } & Record<string, unknown>,
): Promise<{ id: string; key: string }> {
  return requestResult(server, 'POST', '/v2/account/key', { key, params: { name: 'test', ...fields } });
}

export async function request<Body = Record<string, unknown>>(
  server: { url: string },
  method: string,
  path: string,
  { key, params, form, headers = {} }: RequestOptions = {},
): Promise<TestResponse<Body>> {
  const url = new URL(path, server.url);
  const sent = new Headers(headers);
  if (key !== undefined && !sent.has('x-api-key')) sent.set('x-api-key', key);

  let content: string | URLSearchParams | undefined;
  if (form !== undefined) {
    content = new URLSearchParams(form);
  } else if (params !== undefined && ['GET', 'HEAD', 'DELETE'].includes(method)) {
    for (const [name, value] of Object.entries(params)) url.searchParams.append(name, String(value));
  } else if (params !== undefined) {
    content = JSON.stringify(params);
    if (!sent.has('content-type')) sent.set('content-type', 'application/json');
  }

  const response = await fetch(url, { method, headers: sent, redirect: 'manual', ...(content && { body: content }) });
  const text = await response.text();
  const isJson = /^application\/([a-z]+\+)?json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson && text !== '' ? JSON.parse(text) : text) as Body,
  };
}
