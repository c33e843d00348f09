// One API call as a story writes it. Parameters go where a client would put them: into the query of a GET or DELETE, into a JSON
// body otherwise; `form` sends them form-encoded, as the legacy interface's clients do.

export interface RequestOptions {
  key?: string;
  params?: Record<string, unknown>;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  /** Parsed where the answer says that it is JSON, else its text. */
  body: Body;
}

export async function request<Body = Record<string, unknown>>(
  server: { url: string },
  method: string,
  path: string,
  { key, params, form, headers = {} }: RequestOptions = {},
): Promise<Answer<Body>> {
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
