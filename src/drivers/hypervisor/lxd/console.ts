// The text console of an instance: a websocket for its bytes, beside one for control that must be there and says nothing.
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import type { ClientOptions, WebSocket } from 'ws';
import { Fault } from '#kernel/fault.ts';
import { unreachable } from '../http.ts';
import { fitting, type LxdApi } from './api.ts';
import { consoleLine, hangUpInOrder } from './console-line.ts';
import { instancePath, memberOf, type Instance } from './shapes.ts';

const Started = Type.Object({
  metadata: Type.Object({ fds: Type.Object({ '0': Type.String(), control: Type.String() }) }),
});
const Server = Type.Object({ environment: Type.Object({ server_name: Type.Optional(Type.String()) }) });
const Member = Type.Object({ url: Type.String({ pattern: '^https://' }) });
const size = { width: 80, height: 24 };
/** The daemon starts a program that takes the terminal, and what is typed before that is lost. Nothing tells when. */
const settleMs = 250;
/** A member that is not heard of by then is reached by the one that we know. */
const otherMemberMs = 5000;

export interface SocketPlace {
  /** What a path is put behind. */
  readonly base: string;
  readonly options: ClientOptions;
}

export async function openConsole(
  api: LxdApi,
  place: SocketPlace,
  instance: Instance,
  signal: AbortSignal,
): Promise<Duplex> {
  const body = { type: 'console', ...size };
  const { path, metadata } = await api.start('POST', `${instancePath(instance.name)}/console`, signal, body);
  const { fds } = fitting(Started, metadata, 'a console').metadata;
  const { WebSocket: Socket } = await import('ws');
  const socketAt = ({ base, options }: SocketPlace, secret: string): WebSocket =>
    new Socket(`${base}${path}/websocket?secret=${encodeURIComponent(secret)}`, options);
  const openAt = async (at: SocketPlace): Promise<Duplex> => {
    const control = await opened(socketAt(at, fds.control), signal);
    const line = socketAt(at, fds['0']);
    hangUpInOrder(line, control);
    await opened(line, signal);
    await pause(settleMs);
    return consoleLine(line);
  };
  const near = await nearTo(api, place, instance, signal);
  if (near === undefined) return openAt(place);
  return openAt(near).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof Fault)) throw error;
    return openAt(place);
  });
}

/** The other member of a cluster that runs the instance: one between us would not pass on how we hang up. */
async function nearTo(
  api: LxdApi,
  { base, options }: SocketPlace,
  instance: Instance,
  signal: AbortSignal,
): Promise<SocketPlace | undefined> {
  const { member } = memberOf(instance);
  // By the socket in the file system nobody has shown a certificate that another member would ask for.
  if (member === undefined || !base.startsWith('wss:')) return undefined;
  const { environment } = await api.get('/1.0', Server, signal);
  if (environment.server_name === member) return undefined;
  const { url } = await api.get(`/1.0/cluster/members/${encodeURIComponent(member)}`, Member, signal);
  return { base: url.replace(/^https/, 'wss'), options: { ...options, handshakeTimeout: otherMemberMs } };
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
