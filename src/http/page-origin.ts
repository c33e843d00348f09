// From where a page calls. A browser says so in `Origin`, and no page can make it say anything else; the page is ours where that
// is the host that was called. Behind a trusted proxy this is the host that the proxy was called by.
import type { FastifyRequest } from 'fastify';
import type { PageOrigin } from '#app/caller.ts';

export function pageOrigin({ headers: { origin }, host }: Pick<FastifyRequest, 'headers' | 'host'>): PageOrigin {
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const page = new URL(origin);
  // The default port may be said or left out.
  const called = `${page.protocol}//${host}`;
  const same = page.origin === origin && URL.canParse(called) && new URL(called).href === `${origin}/`;
  return same ? origin : undefined;
}
