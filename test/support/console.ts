// A browser's end of the serial console: a WebSocket with what it has been shown so far.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import type { TestDevice } from './devices.ts';
import { request, type RequestOptions } from './request.ts';
import { until } from './until.ts';

export interface Viewer extends AsyncDisposable {
  text(): string;
  shows(text: string): Promise<void>;
  type(text: string): void;
  sendBreak(): void;
  /** Resolves to the code and the reason with which the console ended. */
  readonly ended: Promise<{ code: number; reason: string }>;
}

export async function ticketOf(
  { yard, service }: TestDevice,
  { key = yard.lab.customer.key, headers = {} }: Pick<RequestOptions, 'key' | 'headers'> = {},
): Promise<{ ticket: string; url: string; expires: string }> {
  const { status, body } = await request<{ result: { ticket: string; url: string; expires: string } }>(
    yard,
    'POST',
    '/v2/device/console',
    { key, headers, params: { service } },
  );
  if (status !== 200) throw new Error(`no ticket: ${status}`);
  return body.result;
}

/** The status with which the way in is refused; 101 where it is open. */
export async function knock(url: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(new URL(path, url.replace('http', 'ws')), { headers });
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', () => {});
  });
}

export async function watch(device: TestDevice): Promise<Viewer> {
  return watchAt(device.yard.url, (await ticketOf(device)).url);
}

export async function watchAt(url: string, path: string): Promise<Viewer> {
  const socket = new WebSocket(new URL(path, url.replace('http', 'ws')));
  let text = '';
  socket.on('message', (data: Buffer) => (text += data.toString('latin1')));
  let end: { code: number; reason: string } | undefined;
  const ended = once(socket, 'close').then(
    ([code, reason]) => (end = { code: code as number, reason: String(reason) }),
  );
  await once(socket, 'open');
  return {
    text: () => text,
    shows: (wanted) =>
      until(
        () => {
          if (text.includes(wanted)) return true;
          if (end === undefined) return false;
          throw new Error(`the console ended (${end.code} ${end.reason}) before it showed "${wanted}":\n${text}`);
        },
        { saw: () => text.slice(-2000) },
      ),
    type: (keys) => socket.send(Buffer.from(keys)),
    sendBreak: () => socket.send('break'),
    ended,
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await ended;
    },
  };
}

/** The same as a line that bytes are read from and written to. */
export async function lineAt(url: string, path: string): Promise<Duplex> {
  const socket = new WebSocket(new URL(path, url.replace('http', 'ws')));
  const line = createWebSocketStream(socket);
  await once(socket, 'open');
  return line;
}
