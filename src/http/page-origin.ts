// The origin of the calling page. A browser sends it in `Origin`, and no page can forge it; a page is ours if its
// origin is the host of the request. Behind a trusted proxy that is the host that the proxy was called with.
import type { FastifyRequest } from 'fastify';
import type { PageOrigin } from '#app/caller.ts';

export function findPageOrigin(request: Pick<FastifyRequest, 'headers' | 'host'>): PageOrigin {
  const { origin } = request.headers;
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const page = new URL(origin);
  // The default port may be included or omitted.
  const calledOrigin = `${page.protocol}//${request.host}`;
  const isSame = page.origin === origin && URL.canParse(calledOrigin) && new URL(calledOrigin).href === `${origin}/`;
  return isSame ? origin : undefined;
}
