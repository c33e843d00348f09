// A browser's end of the serial console: a WebSocket and the text received so far.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import type { TestDevice } from './devices.ts';
import { requestResult, type RequestOptions } from './request.ts';
import { until } from './until.ts';

export interface Viewer extends AsyncDisposable {
  text(): string;
  shows(text: string): Promise<void>;
  type(text: string): void;
  sendBreak(): void;
  /** Resolves to the close code and reason. */
  readonly ended: Promise<{ code: number; reason: string }>;
}

export async function requestTicket(
  { app, service }: TestDevice,
  { key = app.lab.customer.key, headers = {} }: Pick<RequestOptions, 'key' | 'headers'> = {},
): Promise<{ ticket: string; url: string; expires: string }> {
  return requestResult(app, 'POST', '/v2/device/console', { key, headers, params: { service } });
}

/** Returns the HTTP status that rejects the upgrade, or 101 if the console opens. */
export async function upgradeStatus(url: string, path: string, headers: Record<string, string> = {}): Promise<number> {
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

/**
 * Resolves to the first line of the response to an upgrade once the server has closed the connection, which the client
 * itself never does.
 */
export async function rejectedUpgrade(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.on('error', () => {}).on('data', (data) => (text += data.toString('latin1')));
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', '', ''];
  socket.write(lines.join('\r\n'));
  try {
    await once(socket, 'end');
    // Only a connection that is closed in both directions resets on what it is sent.
    await until(() => {
      socket.write('x');
      return socket.destroyed;
    });
    return text.split('\r\n')[0]!;
  } finally {
    socket.destroy();
  }
}

export async function watchConsole(device: TestDevice): Promise<Viewer> {
  return watchConsoleAt(device.app.url, (await requestTicket(device)).url);
}

export async function watchConsoleAt(url: string, path: string): Promise<Viewer> {
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
    shows: (expected) =>
      until(
        () => {
          if (text.includes(expected)) return true;
          if (end === undefined) return false;
          throw new Error(`the console ended (${end.code} ${end.reason}) before it showed "${expected}":\n${text}`);
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

/** The same connection as a byte stream. */
export async function openLineAt(url: string, path: string): Promise<Duplex> {
  const socket = new WebSocket(new URL(path, url.replace('http', 'ws')));
  const line = createWebSocketStream(socket);
  await once(socket, 'open');
  return line;
}
