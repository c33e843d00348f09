// The panel at /panel: files that an install has built, sent as they lie in out/panel. Every address below it that is no file is a
// page of the panel, which finds out by itself which. It loads nothing from elsewhere, and its policy forbids that it ever does.
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '#kernel/fault.ts';

const builtIn = join(import.meta.dirname, '..', '..', '..', 'out', 'panel');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Scripts are the panel's own files and nothing else. Styles may stand inline: the terminal and the components write some. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // WebSockets of consoles: `'self'` stands for them in browsers of today.
  "connect-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-cache',
};
/** Their names change with their content. */
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };

const encodings = [
  ['br', /\bbr\b/],
  ['gzip', /\bgzip\b/],
] as const;
const endings = { br: '.br', gzip: '.gz' } as const;

export async function panel(server: FastifyInstance, folder: string = builtIn): Promise<void> {
  // A closed list: nothing that a request says becomes a path.
  const files = new Set(existsSync(folder) ? globSync('**/*', { cwd: folder, withFileTypes: false }) : []);

  async function send(request: FastifyRequest, reply: FastifyReply, file: string): Promise<Buffer> {
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = encodings.find(
      ([name, pattern]) => pattern.test(accepted) && files.has(file + endings[name]),
    )?.[0];
    reply.header('content-type', types[extname(file)] ?? 'application/octet-stream').header('vary', 'accept-encoding');
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return readFile(join(folder, encoding === undefined ? file : file + endings[encoding]));
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    const asked = (request.params as { '*'?: string })['*'] ?? '';
    if (files.has(asked) && extname(asked) in types && asked !== 'index.html') {
      reply.headers(assetHeaders);
      return send(request, reply, asked);
    }
    if (asked.startsWith('assets/')) throw new Fault('not_found', { message: 'There is no such file.' });
    if (!files.has('index.html'))
      throw new Fault('not_found', { message: 'The panel is not built here: npm run panel builds it.' });
    reply.headers(pageHeaders);
    return send(request, reply, 'index.html');
  }

  server.get('/panel', answer);
  server.get('/panel/*', answer);
  server.get('/', (_request, reply) => reply.redirect('/panel', 302));
}
