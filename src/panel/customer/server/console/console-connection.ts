// Connects to a server's console through a WebSocket opened with a one-time ticket, and reconnects with a new ticket
// when the connection is lost. Independent of how the console is rendered.
import { HostyardError } from '#sdk/v2.ts';
import { showSignInPrompt } from '../../../data/sign-in-prompt.ts';
import type { DeviceApi } from '../../../data/operations.ts';
import { errorText } from '../../../parts/error-text.ts';
import { t, tData } from '../../../text/text.ts';

/** One connection. Frames that arrive before `listen` is called are buffered. */
export interface Connection {
  listen(onFrame: (frame: Uint8Array<ArrayBuffer>) => void): void;
  send(data: Uint8Array<ArrayBuffer>): void;
  sendBreak(): void;
}
export type View = 'text' | 'vnc';
export type ConnectionState =
  | { readonly status: 'connecting' }
  | { readonly status: 'open'; readonly connection: Connection }
  /** Reconnects automatically. */
  | { readonly status: 'lost'; readonly reason: string }
  | { readonly status: 'ended'; readonly reason: string };

const initialRetryMs = 1000;
const maxRetryMs = 15_000;
/** A connection that lasted this long resets the retry delay. */
const steadyMs = 10_000;
/** The subprotocol with which every virtual machine has a VNC console, also a container. */
const vncProtocol = 'binary';
const policyViolation = 1008;

interface ConsoleTarget {
  readonly api: DeviceApi;
  readonly service: string;
  readonly view: View;
}

/** Keeps a console connected until the returned function is called. */
export function connectConsole(target: ConsoleTarget, onState: (state: ConnectionState) => void): () => void {
  const controller = new AbortController();
  void keepConnected(target, onState, controller.signal);
  return () => controller.abort();
}

async function keepConnected(
  target: ConsoleTarget,
  onState: (state: ConnectionState) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let retryMs = initialRetryMs; !signal.aborted; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
    onState({ status: 'connecting' });
    const startedAt = Date.now();
    const end = await connect(target, onState, signal);
    if (signal.aborted) return;
    onState(end);
    if (end.status === 'ended') return;
    if (Date.now() - startedAt > steadyMs) retryMs = initialRetryMs;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

type End = Extract<ConnectionState, { status: 'lost' | 'ended' }>;

async function connect(
  { service, view, api }: ConsoleTarget,
  onState: (state: ConnectionState) => void,
  signal: AbortSignal,
): Promise<End> {
  let path: string;
  try {
    path = (await api.client().deviceConsoleTicket({ service }, { signal })).url;
  } catch (error) {
    return handleTicketError(error as Error, api);
  }
  if (signal.aborted) return { status: 'ended', reason: '' };
  const protocols = view === 'vnc' ? [vncProtocol] : [];
  const socket = new WebSocket(new URL(path, location.origin.replace('http', 'ws')), protocols);
  socket.binaryType = 'arraybuffer';
  signal.addEventListener('abort', () => socket.close());
  const connection = createConnection(socket);
  socket.addEventListener('open', async () => {
    // Until the first frame, which may be empty, another instance may still have to release a serial line.
    await connection.firstFrame;
    if (socket.readyState === WebSocket.OPEN) onState({ status: 'open', connection });
  });
  return new Promise((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => {
      const message = reason === '' ? t('The connection was lost.') : tData(reason);
      resolve({ status: code === policyViolation ? 'ended' : 'lost', reason: message });
    });
  });
}

/** Reports the failure; errors that a retry would repeat end the connection. */
function handleTicketError(error: Error, { portal }: DeviceApi): End {
  const status = error instanceof HostyardError ? error.status : undefined;
  if (status === 401) showSignInPrompt(portal);
  const isFinal = status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 429;
  return { status: isFinal ? 'ended' : 'lost', reason: errorText(error).message };
}

type PeekableConnection = Connection & { readonly firstFrame: Promise<void> };

function createConnection(socket: WebSocket): PeekableConnection {
  const buffered: Uint8Array<ArrayBuffer>[] = [];
  let onFrame = (frame: Uint8Array<ArrayBuffer>): void => void buffered.push(frame);
  const firstFrame = new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      const frame = new Uint8Array(data);
      resolve();
      onFrame(frame);
    });
  });
  const sendIfOpen = (data: string | Uint8Array<ArrayBuffer>): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  return {
    firstFrame,
    listen(listener) {
      onFrame = listener;
      for (const frame of buffered.splice(0)) listener(frame);
    },
    send: sendIfOpen,
    sendBreak: () => sendIfOpen('break'),
  };
}
