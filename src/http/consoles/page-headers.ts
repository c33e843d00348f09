// Translates the headers between a browser, which sees a page under the gateway's name, and the controller, which must
// believe that it is reached directly.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export interface PageNames {
  /** The origin that the browser uses. */
  readonly origin: string;
  /** The controller's host, with its port. */
  readonly host: string;
  /** The gateway's own cookie, which the controller must neither see nor set. */
  readonly cookie: string;
}

/** These concern one connection only (RFC 9110, 7.6.1); Node adds its own. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** They would tell the controller of the customer's network, or the browser of another way to the controller. */
const privateHeaders = new Set(['forwarded', 'via', 'x-real-ip']);
const pinningHeaders = new Set(['strict-transport-security', 'alt-svc', 'public-key-pins']);
const linkHeaders = new Set(['location', 'content-location']);

export function toController(
  headers: IncomingHttpHeaders,
  { origin, host, cookie: ownCookie }: PageNames,
  token: string | undefined,
): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers))
    if (!hopHeaders.has(name) && !privateHeaders.has(name) && !name.startsWith('x-forwarded-')) sent[name] = value;
  sent['host'] = host;
  if (headers.origin === origin) sent['origin'] = `https://${host}`;
  if (headers.referer?.startsWith(`${origin}/`) === true)
    sent['referer'] = `https://${host}${headers.referer.slice(origin.length)}`;
  const cookies = splitCookies(headers.cookie).filter(([name]) => name !== ownCookie);
  if (cookies.length > 0) sent['cookie'] = cookies.map((pair) => pair.join('=')).join('; ');
  else delete sent['cookie'];
  if (token !== undefined && headers['x-auth-token'] === undefined) sent['x-auth-token'] = token;
  return sent;
}

export function toBrowser(headers: IncomingHttpHeaders, names: PageNames): OutgoingHttpHeaders {
  const sent: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (hopHeaders.has(name) || pinningHeaders.has(name)) continue;
    sent[name] = linkHeaders.has(name) && typeof value === 'string' ? toOwnLink(value, names.host) : value;
  }
  const cookies = toBrowserCookies(headers['set-cookie'] ?? [], names);
  if (cookies.length > 0) sent['set-cookie'] = cookies;
  else delete sent['set-cookie'];
  return sent;
}

/** Cookies without a domain belong to the gateway's name. Over plain HTTP, a browser would ignore secure ones. */
export function toBrowserCookies(cookies: readonly string[], { origin, cookie: ownCookie }: PageNames): string[] {
  const isSecure = origin.startsWith('https:');
  return cookies
    .map((cookie) => cookie.split(';').map((part) => part.trim()))
    .filter(([pair = '']) => pair.split('=')[0] !== ownCookie)
    .map(([pair, ...attributes]) => {
      const kept = attributes.filter((attribute) => {
        const name = attribute.split('=')[0]!.toLowerCase();
        return name !== 'domain' && (isSecure || (name !== 'secure' && attribute.toLowerCase() !== 'samesite=none'));
      });
      return [pair, ...kept].join('; ');
    });
}

/** Returns a link to the controller itself as a path, whatever protocol and port it names; others stay. */
function toOwnLink(link: string, host: string): string {
  const base = new URL(`https://${host}/`);
  if (!/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(link)) return link;
  const url = URL.parse(link, base.href);
  return url?.hostname === base.hostname ? `${url.pathname}${url.search}${url.hash}` : link;
}

export function findCookie(header: string | undefined, name: string): string | undefined {
  return splitCookies(header).find(([candidate]) => candidate === name)?.[1];
}

function splitCookies(header: string | undefined): [name: string, value: string][] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    });
}
