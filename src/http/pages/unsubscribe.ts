// The link at the end of messages that can be turned off. Opening it only asks, because mail scanners open links too; mail
// programs unsubscribe with a POST (RFC 8058).
import type { FastifyInstance, FastifyReply } from 'fastify';
import { escapeHtml } from '#app/mail/blocks.ts';
import { readUnsubscribeToken, unsubscribe } from '#app/mail/unsubscribe.ts';
import type { App } from '#app/app.ts';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
const style =
  ':root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:32rem;margin:10vh auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}';
const maxBytes = 4096;

interface Route {
  readonly Params: { readonly token: string };
}

export async function addUnsubscribe(server: FastifyInstance, app: App): Promise<void> {
  await server.register(async (scope) => {
    // Mail programs send a form as either of two types, and the body says nothing new.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    scope.get<Route>('/mail/unsubscribe/:token', async ({ params: { token } }, reply) => {
      const { label } = readUnsubscribeToken(app, token);
      return sendPage(reply, `Stop receiving messages of the kind “${label}”?`, '<button>Unsubscribe</button>');
    });
    scope.post<Route>('/mail/unsubscribe/:token', { bodyLimit: maxBytes }, async ({ params: { token } }, reply) => {
      const { label } = await unsubscribe(app, token);
      return sendPage(reply, `You no longer receive messages of the kind “${label}”.`, '');
    });
  });
}

function sendPage(reply: FastifyReply, text: string, button: string): FastifyReply {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Email messages</title><style>${style}</style><p>${escapeHtml(text)}</p><form method="post">${button}</form></html>`;
  return reply.headers(headers).send(page);
}
