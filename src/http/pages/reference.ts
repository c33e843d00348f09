// The API reference at /docs: a public page that shows the OpenAPI documents and loads nothing from other hosts. Its
// Content-Security-Policy enforces that, so that a later version of the page cannot change it. The policy also gives
// the page an opaque origin: its script, which is not ours, has no access to the panel's session or storage. It calls
// the API across origins, with a key that somebody enters.
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiName, apis } from '#contract/contract.ts';
import { openapiDocument } from '#contract/openapi/openapi.ts';
import { ApiError } from '#lib/api-error.ts';
import { sendInPieces } from '../files/pieces.ts';
import { openBuiltFiles } from './built-files.ts';

const builtFolder = join(import.meta.dirname, '..', '..', '..', 'out', 'reference');

const titles: Record<ApiName, string> = { v2: 'Version 2', legacy: 'Legacy', operator: 'Operator' };
const apiNames = Object.keys(apis) as ApiName[];
const documentPath = (api: ApiName): string => `/docs/openapi-${api}.json`;

const configuration = {
  sources: apiNames.map((api) => ({ title: titles[api], slug: api, url: documentPath(api) })),
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
};
const startScript = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)});\n`;

/** A page with an opaque origin has no storage, and the reference does not start without. */
const storageScript = `for (const name of ['localStorage', 'sessionStorage']) {
  const items = new Map();
  const value = {
    getItem: (key) => items.get(String(key)) ?? null,
    setItem: (key, text) => void items.set(String(key), String(text)),
    removeItem: (key) => void items.delete(String(key)),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
  Object.defineProperty(window, name, { value });
}
`;
const scripts = { '/docs/storage.js': storageScript, '/docs/start.js': startScript };

const page = `<!doctype html>
<html lang="en">
  <head>
    <title>Hostyard API</title>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/storage.js"></script>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The page adds style elements as it runs, so inline styles are the only exception. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-scripts allow-downloads',
].join('; ');
const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const scriptHeaders = { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' };
const scriptType = 'text/javascript; charset=utf-8';

export async function addReference(server: FastifyInstance, folder: string = builtFolder): Promise<void> {
  const files = openBuiltFiles(folder);
  const requireBuilt = async (): Promise<void> => {
    if (!files.has('scalar.js'))
      throw new ApiError('not_found', { message: 'The API reference has not been built. Run: npm run panel' });
  };
  server.get('/docs', { onRequest: requireBuilt }, (_request, reply) =>
    reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page),
  );
  for (const [path, script] of Object.entries(scripts))
    server.get(path, (_request, reply) => reply.headers(scriptHeaders).type(scriptType).send(script));
  server.get('/docs/scalar.js', { onRequest: requireBuilt }, (request, reply) => {
    reply.headers(scriptHeaders);
    return files.send(request, reply, 'scalar.js');
  });

  for (const api of apiNames) {
    let document: Buffer | undefined;
    server.get(documentPath(api), async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(openapiDocument(api)));
      reply.headers(readableByAnyPage).type('application/json; charset=utf-8');
      return sendInPieces(reply, [document], document.length);
    });
  }
  server.addHook('onRequest', allowReference);
}

/** The value makes browsers refuse to send or store cookies. */
const readableByAnyPage = { 'access-control-allow-origin': '*' };
const allowedHeaders = ['x-api-key', 'authorization', 'content-type', 'idempotency-key', 'accept', 'last-event-id'];
const preflightHeaders = {
  ...readableByAnyPage,
  'access-control-allow-headers': allowedHeaders.join(', '),
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-max-age': '600',
};
const keyHeaders = ['x-api-key', 'authorization'];

/**
 * Lets pages with an opaque origin, such as the reference, call the API with a key. Requests without one get no access,
 * so that no page can guess passwords through its visitors' browsers.
 */
function allowReference(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { origin, 'access-control-request-headers': requested = '' } = request.headers;
  if (origin !== 'null') return done();
  reply.header('vary', 'origin');
  if (keyHeaders.some((name) => request.headers[name] !== undefined)) reply.headers(readableByAnyPage);
  const names = requested.toLowerCase().split(/, */);
  const isAllowed =
    names.some((name) => keyHeaders.includes(name)) && names.every((name) => allowedHeaders.includes(name));
  if (request.method !== 'OPTIONS' || !isAllowed) return done();
  reply.code(204).headers(preflightHeaders).send();
}
