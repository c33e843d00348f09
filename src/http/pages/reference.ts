// The API reference at /docs: a page that shows the OpenAPI documents, open to all, and loads nothing from elsewhere. Its
// Content-Security-Policy forbids what it should not do, so that a later version of the page cannot begin to do it.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type FaceName, faces } from '#contract/contract.ts';
import { openapiDocument } from '#contract/openapi.ts';

const titles: Record<FaceName, string> = { v2: 'Version 2', legacy: 'Legacy', operator: 'Operator' };
const faceNames = Object.keys(faces) as FaceName[];
const documentPath = (face: FaceName): string => `/docs/openapi-${face}.json`;

const configuration = {
  sources: faceNames.map((face) => ({ title: titles[face], slug: face, url: documentPath(face) })),
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

/** The page writes style elements as it goes, so styles alone may stand inline. */
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
const largestScriptBytes = 16 * 1024 * 1024;

async function compressedScript(): Promise<Buffer> {
  const program = fileURLToPath(new URL('reference-script.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    encoding: 'buffer',
    maxBuffer: largestScriptBytes,
    env: {},
  });
  return stdout;
}

/** Made when first asked for, then kept; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((cause: unknown) => {
      made = undefined;
      throw cause;
    });
    return made;
  };
}

export async function reference(server: FastifyInstance): Promise<void> {
  server.get('/docs', (_request, reply) => reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page));
  server.get('/docs/start.js', (_request, reply) => reply.headers(scriptHeaders).type(scriptType).send(startScript));

  const script = once(compressedScript);
  server.get('/docs/scalar.js', async (request, reply) => {
    const compressed = await script();
    reply.headers({ ...scriptHeaders, vary: 'accept-encoding' }).type(scriptType);
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(gunzipSync(compressed));
    return reply.header('content-encoding', 'gzip').send(compressed);
  });

  for (const face of faceNames) {
    const text = once(async () => JSON.stringify(openapiDocument(face)));
    server.get(documentPath(face), async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await text()),
    );
  }
}
