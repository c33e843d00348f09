// The panel at /panel: static files built at install time into out/panel. Every other path below it is a page of the
// panel, which does its own routing. It loads nothing from other hosts, which its policy enforces.
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#lib/api-error.ts';
import { openBuiltFiles, type BuiltFiles } from './built-files.ts';

const builtFolder = join(import.meta.dirname, '..', '..', '..', 'out', 'panel');

/**
 * Scripts come only from the panel's own files. Inline styles are allowed: the terminal and the components need them.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // In current browsers, `'self'` includes the WebSockets of consoles.
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

export async function addPanel(server: FastifyInstance): Promise<void> {
  const files = openBuiltFiles(builtFolder);

  async function sendPage(request: FastifyRequest, reply: FastifyReply): ReturnType<BuiltFiles['send']> {
    const path = (request.params as { '*'?: string })['*'] ?? '';
    if (files.has(path) && path !== 'index.html') {
      reply.headers(assetHeaders);
      return files.send(request, reply, path);
    }
    if (path.startsWith('assets/')) throw new ApiError('not_found', { message: 'File not found.' });
    if (!files.has('index.html'))
      throw new ApiError('not_found', { message: 'The panel has not been built. Run: npm run panel' });
    reply.headers(pageHeaders);
    return files.send(request, reply, 'index.html');
  }

  server.get('/panel', sendPage);
  server.get('/panel/*', sendPage);
  server.get('/', (_request, reply) => reply.redirect('/panel', 302));
}
