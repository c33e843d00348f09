// The API reference at /docs: a public page that shows the OpenAPI documents and loads nothing from other hosts. Its
// Content-Security-Policy enforces that, so that a later version of the page cannot change it.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type ApiName, apis } from '#contract/contract.ts';
import { openapiDocument } from '#contract/openapi/openapi.ts';
import { ApiError } from '#lib/api-error.ts';
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
  server.get('/docs/start.js', (_request, reply) => reply.headers(scriptHeaders).type(scriptType).send(startScript));
  server.get('/docs/scalar.js', { onRequest: requireBuilt }, (request, reply) =>
    files.send(request, reply.headers(scriptHeaders), 'scalar.js'),
  );

  for (const api of apiNames) {
    let document: string | undefined;
    server.get(documentPath(api), (_request, reply) => {
      document ??= JSON.stringify(openapiDocument(api));
      return reply.type('application/json; charset=utf-8').send(document);
    });
  }
}
