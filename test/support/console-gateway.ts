// What customers do with the console gateway: run a launcher file, and open a web console in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { clientHandshake } from '#protocols/rfb/handshake.ts';
import type { TestDevice } from './devices.ts';

export async function launch(device: TestDevice) {
  const response = await device.v2('GET', 'console');
  assert.equal(response.status, 200, JSON.stringify(response.body));
  const file = Buffer.from(response.body.result as string, 'base64').toString();
  const values = [...file.matchAll(/<argument>([^<]*)<\/argument>/g)].map((match) => match[1]!);
  const [host, username, password, , kvm] = values as [string, string, string, string, string];
  const web = Number(/codebase="https:\/\/[^":]*:([0-9]+)\/"/.exec(file)?.[1]);
  return { file, host, username, password, kvm: Number(kvm), web, results: response.body.results };
}

export interface ForwardedSocket {
  readonly socket: Socket;
  /** Resolves to all bytes when the connection has ended. */
  readonly ended: Promise<string>;
}

export function connectForward(options: NetConnectOpts): ForwardedSocket {
  const socket = connect(options);
  let text = '';
  socket.on('error', () => {}).on('data', (data) => (text += data.toString('latin1')));
  return { socket, ended: once(socket, 'close').then(() => text) };
}

/** Opens the controller's screen through the gateway, as a viewer of the launcher does. */
export async function openScreen({ host, kvm: port, password }: Awaited<ReturnType<typeof launch>>): Promise<Socket> {
  const socket = connect({ host, port });
  socket.on('error', () => {});
  await clientHandshake(socket, password, AbortSignal.timeout(60_000));
  return socket;
}

export interface WebConsole {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}
export interface Page {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** As a browser would send them. */
  readonly cookies: string;
}

export async function openWebConsole(device: TestDevice): Promise<WebConsole> {
  const response = await device.v2('POST', 'console/web');
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body.result as WebConsole;
}

export interface GetOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly localAddress?: string;
}
/** Names below localhost need no resolver: the proxy sees only the Host header. */
export async function getPage(
  url: string,
  { method = 'GET', headers = {}, ...options }: GetOptions = {},
): Promise<Page> {
  const { host, port, pathname, search } = new URL(url);
  const request = httpRequest({
    ...options,
    method,
    host: '127.0.0.1',
    port,
    path: `${pathname}${search}`,
    headers: { host, ...headers },
  }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const cookies = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
  return { status: response.statusCode!, headers: response.headers, body: await text(response), cookies };
}

export function connectSocket(origin: string, headers: Record<string, string>): WebSocket {
  const { host, port } = new URL(origin);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/kvm/0`, { headers: { host, ...headers } });
  return socket.on('error', () => {});
}
