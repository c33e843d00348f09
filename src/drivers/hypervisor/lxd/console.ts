// The text console of an instance: a websocket for its bytes, beside one for control that must be there and says nothing.
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import type { ClientOptions, WebSocket } from 'ws';
import { unreachable } from '../http.ts';
import { fitting, type LxdApi } from './api.ts';
import { instancePath } from './shapes.ts';

const Started = Type.Object({
  metadata: Type.Object({ fds: Type.Object({ '0': Type.String(), control: Type.String() }) }),
});
const size = { width: 80, height: 24 };
/** The daemon starts a program that takes the terminal, and what is typed before that is lost. Nothing tells when. */
const settleMs = 250;

export interface SocketPlace {
  /** What a path is put behind. */
  readonly base: string;
  readonly options: ClientOptions;
}

export async function openConsole(
  api: LxdApi,
  place: SocketPlace,
  instance: string,
  signal: AbortSignal,
): Promise<Duplex> {
  const body = { type: 'console', ...size };
  const { path, metadata } = await api.start('POST', `${instancePath(instance)}/console`, signal, body);
  const { fds } = fitting(Started, metadata, 'a console').metadata;
  const { createWebSocketStream, WebSocket: Socket } = await import('ws');
  const open = (secret: string): Promise<WebSocket> =>
    opened(new Socket(`${place.base}${path}/websocket?secret=${encodeURIComponent(secret)}`, place.options), signal);
  const control = await open(fds.control);
  try {
    const line = await open(fds['0']);
    line.on('close', () => control.terminate());
    await pause(settleMs);
    return createWebSocketStream(line);
  } catch (error) {
    control.terminate();
    throw error;
  }
}

function opened(socket: WebSocket, signal: AbortSignal): Promise<WebSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const fail = (cause: unknown): void => reject(unreachable({ method: 'GET' }, false, cause));
  const abort = (): void => {
    fail(signal.reason);
    socket.terminate();
  };
  // Also after it is open: an error of the line is an end of it, which the stream tells.
  socket.on('error', fail).on('open', () => resolve(socket));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
