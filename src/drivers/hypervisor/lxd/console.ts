// Opens the text console of an instance: a websocket for its bytes, and a control socket that must be open but stays
// silent.
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { terminalSize } from '#protocols/terminal/size.ts';
import type { ClientOptions, WebSocket } from 'ws';
import { ApiError } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { unreachableError } from '../http.ts';
import { checkSchema, type LxdApi } from './api.ts';
import { consoleStream, closeControlAfterLine } from './console-stream.ts';
import { instancePath, memberOf, type Instance } from './instances.ts';

const Started = Type.Object({
  metadata: Type.Object({ fds: Type.Object({ '0': Type.String(), control: Type.String() }) }),
});
const Server = Type.Object({ environment: Type.Object({ server_name: Type.Optional(Type.String()) }) });
const Member = Type.Object({ url: Type.String({ pattern: '^https://' }) });
/**
 * The daemon starts a program that attaches to the terminal, and input before that is lost. There is no signal for it.
 */
const attachDelayMs = 250;
/** If the other member does not respond by then, the connection goes through the member we know. */
const otherMemberTimeoutMs = 5000;

/** A few screens of text. */
const maxLogBytes = 8192;
const maxLogs = 1000;

export interface SocketEndpoint {
  /** Prefix of all paths. */
  readonly base: string;
  readonly options: ClientOptions;
}

export async function openConsole(
  api: LxdApi,
  known: SocketEndpoint,
  instance: Instance,
  signal: AbortSignal,
): Promise<Duplex> {
  const body = { type: 'console', ...terminalSize };
  const { path, metadata } = await api.start('POST', `${instancePath(instance.name)}/console`, signal, body);
  const { fds } = checkSchema(Started, metadata, 'a console').metadata;
  const { WebSocket: Socket } = await import('ws');
  const socketAt = ({ base, options }: SocketEndpoint, secret: string): WebSocket =>
    new Socket(`${base}${path}/websocket?secret=${encodeURIComponent(secret)}`, options);
  const openAt = async (endpoint: SocketEndpoint): Promise<Duplex> => {
    const control = await waitForOpen(socketAt(endpoint, fds.control), signal);
    const line = socketAt(endpoint, fds['0']);
    closeControlAfterLine(line, control);
    await waitForOpen(line, signal);
    await pause(attachDelayMs);
    return consoleStream(line);
  };
  const direct = await otherMemberEndpoint(api, known, instance, signal);
  if (direct === undefined) return openAt(known);
  return openAt(direct).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof ApiError)) throw error;
    return openAt(known);
  });
}

/**
 * Returns a function that reads what an instance has printed on its console. The daemon forgets what it has returned,
 * so the end of it is kept here.
 */
export function consoleLogs(api: LxdApi): (instance: string, signal: AbortSignal) => Promise<Buffer> {
  const logs = new BoundedMap<string, Buffer>(maxLogs);
  return async (instance, signal) => {
    const { status, text } = await api.send({ method: 'GET', path: `${instancePath(instance)}/console` }, signal);
    // Without new output, the daemon reports an error.
    const log = Buffer.concat([logs.get(instance) ?? Buffer.alloc(0), Buffer.from(status === 200 ? text : '')]);
    logs.set(instance, Buffer.from(log.subarray(-maxLogBytes)));
    return log;
  };
}

/**
 * Returns the endpoint of the cluster member that runs the instance, if it is another one: an intermediate member
 * would not forward how we close the sockets.
 */
async function otherMemberEndpoint(
  api: LxdApi,
  { base, options }: SocketEndpoint,
  instance: Instance,
  signal: AbortSignal,
): Promise<SocketEndpoint | undefined> {
  const { member } = memberOf(instance);
  // A Unix socket needs no certificate, so there is none that another member would accept.
  if (member === undefined || !base.startsWith('wss:')) return undefined;
  const { environment } = await api.get('/1.0', Server, signal);
  if (environment.server_name === member) return undefined;
  const { url } = await api.get(`/1.0/cluster/members/${encodeURIComponent(member)}`, Member, signal);
  return { base: url.replace(/^https/, 'wss'), options: { ...options, handshakeTimeout: otherMemberTimeoutMs } };
}

function waitForOpen(socket: WebSocket, signal: AbortSignal): Promise<WebSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const fail = (cause: unknown): void => reject(unreachableError(cause));
  const abort = (): void => {
    fail(signal.reason);
    socket.terminate();
  };
  // Stays registered after the open: a later error ends the line, which the stream reports.
  socket.on('error', fail).on('open', () => resolve(socket));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
