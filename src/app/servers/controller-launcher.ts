// The launcher file that a controller makes itself, signed in with the user of a session: it names the Java program of the
// controller's firmware, and carries tokens that only the controller can issue. Its addresses and ports are replaced by the
// gateway's.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { commandTimeout } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { escapeXml } from '#lib/xml.ts';
import type { App } from '../app.ts';
import { pageAgent, pageHost } from './web-consoles.ts';

export interface ControllerLauncher {
  readonly file: string;
  /** The controller's address or name, as its file writes it. */
  readonly host: string;
}

/** How the page of a make is used. */
interface ControllerPage {
  fetch(call: Call, username: string, password: string): Promise<string>;
  /** Returns the positions of the arguments that are ports of the controller. */
  portArguments(values: readonly string[]): number[];
}

interface PageRequest {
  readonly path: string;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: OutgoingHttpHeaders;
}
interface PageResponse {
  readonly cookies: string;
  readonly text: string;
}
type Call = (request: PageRequest) => Promise<PageResponse>;

const maxBytes = 512 * 1024;
/** For the screen, the drives and the page. Root on the server can make its controller ask for all ports of the gateway. */
const maxPorts = 10;
const standardPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };
const amiPortFlags = new Set(['-kvmport', '-cdport', '-fdport', '-hdport', '-webport', '-websecureport']);

const pages: Readonly<Record<string, ControllerPage>> = {
  aten: {
    async fetch(call, username, password) {
      const form = await call({ path: '/' });
      // Later firmware encodes the form in the browser.
      const encode = (value: string): string =>
        form.text.includes('btoa') ? Buffer.from(value).toString('base64') : value;
      const credentials = { name: encode(username), pwd: encode(password), check: '00' };
      const { cookies: cookie } = await call({ path: '/cgi/login.cgi', form: credentials });
      const referer = '/cgi/url_redirect.cgi?url_name=man_ikvm';
      const names = ['man_ikvm', 'ikvm'];
      for (const name of names) {
        const path = `/cgi/url_redirect.cgi?url_name=${name}&url_type=jwsk`;
        const { text } = await call({ path, headers: { cookie, referer } });
        if (text.includes('<jnlp')) return text;
      }
      return '';
    },
    // With TLS, the fifth argument is a local port of the viewer, and the tenth is the controller's.
    portArguments: (values) => (values[8] === '1' && values.length > 9 ? [5, 9] : [4, 5]),
  },
  ami: {
    async fetch(call, username, password) {
      const form = { WEBVAR_USERNAME: username, WEBVAR_PASSWORD: password };
      const session = await call({ path: '/rpc/WEBSES/create.asp', form });
      const cookie = `SessionCookie=${/SESSION_COOKIE'\s*:\s*'([^']*)'/.exec(session.text)?.[1] ?? ''}`;
      return (await call({ path: '/Java/jviewer.jnlp?JNLPSTR=JViewer', headers: { cookie } })).text;
    },
    portArguments: (values) =>
      values.flatMap((value, index) => (amiPortFlags.has(values[index - 1] ?? '') && isPort(value) ? [index] : [])),
  },
};

/** Returns whether controllers of this model make launcher files that we can fetch. */
export function hasControllerLauncher(model: string): boolean {
  return Object.hasOwn(pages, model);
}

export async function fetchControllerLauncher(
  app: App,
  { server, model, username, password }: { server: string; model: string; username: string; password: string },
): Promise<ControllerLauncher> {
  const { commandMs } = await app.bmcs.waits(server);
  const limit = commandTimeout(undefined, commandMs);
  const host = await pageHost(app, server);
  const call: Call = async ({ path, form, headers = {} }) => {
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    const request = httpRequest({
      agent,
      setHost: false,
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: {
        host,
        ...headers,
        ...(headers['referer'] !== undefined && { referer: `https://${host}${String(headers['referer'])}` }),
        ...(body !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        }),
      },
      signal: limit,
    }).end(body);
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const cookies = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
      return { cookies, text: await readText(response) };
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError('bmc_unreachable', { cause: error });
    }
  };
  const agent = pageAgent(app, server, { maxSockets: 1 });
  const file = await pages[model]!.fetch(call, username, password).finally(() => agent.destroy());
  if (!file.includes('<jnlp'))
    throw new ApiError('bmc_error', { message: 'The controller returned no launcher file for its console.' });
  return { file, host: new URL(`https://${host}`).hostname.replace(/^\[|\]$/g, '') };
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxBytes) throw new Error('the page is too large');
  }
  return text;
}

/** Returns the ports of the controller that the file uses. */
export function portsOfLauncher(model: string, { file, host }: ControllerLauncher): number[] {
  const values = argumentsOf(file);
  const named = pages[model]!.portArguments(values).map((index) => Number(values[index]));
  const linked = [...file.matchAll(urlPattern(host))].map(([, scheme, port]) => portOf(scheme!, port));
  const ports = [...new Set([...named, ...linked])].filter((port) => isPort(String(port)));
  if (ports.length > maxPorts)
    throw new ApiError('bmc_error', { message: 'The launcher file of the controller has too many ports.' });
  return ports;
}

/** Replaces the controller by the gateway, whose ports are given by the controller's. */
export function rewriteLauncher(
  model: string,
  { file, host }: ControllerLauncher,
  gateway: { readonly host: string; readonly ports: Readonly<Record<string, number>> },
): string {
  const indices = new Set(pages[model]!.portArguments(argumentsOf(file)));
  let index = -1;
  const gatewayHost = escapeXml(gateway.host);
  return file
    .replaceAll(urlPattern(host), (_, scheme: string, port: string | undefined) => {
      const forwarded = gateway.ports[portOf(scheme, port)];
      return `${scheme}://${gatewayHost}:${forwarded}`;
    })
    .replaceAll(argumentPattern, (whole, value: string) => {
      index++;
      const forwarded = indices.has(index) ? gateway.ports[value.trim()] : undefined;
      return forwarded === undefined ? whole : `<argument>${forwarded}</argument>`;
    })
    .replaceAll(new RegExp(`(?<![A-Za-z0-9.-])${escapePattern(host)}(?![A-Za-z0-9.-])`, 'g'), gatewayHost);
}

const argumentPattern = /<argument>([^<]*)<\/argument>/g;

function argumentsOf(file: string): string[] {
  return [...file.matchAll(argumentPattern)].map((match) => match[1]!.trim());
}

function urlPattern(host: string): RegExp {
  const name = host.includes(':') ? `[${host}]` : host;
  return new RegExp(`(https?)://${escapePattern(name)}(?::([0-9]+))?(?![A-Za-z0-9.-])`, 'g');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9-]/g, '\\$&');
}

function portOf(scheme: string, port: string | undefined): number {
  return Number(port ?? standardPorts[scheme]);
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536;
}
