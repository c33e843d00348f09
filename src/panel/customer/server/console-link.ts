// The way to a console: a ticket, a WebSocket opened with it, and another of both when the connection is lost. It knows nothing of
// how the console is shown.
import { HostyardError } from '#sdk/v2.ts';
import { askToSignIn } from '../../data/expiry.ts';
import { customer } from '../../data/session.ts';

/** One connection. What comes before somebody listens is kept for him. */
export interface Line {
  listen(onFrame: (frame: Uint8Array<ArrayBuffer>) => void): void;
  send(data: Uint8Array<ArrayBuffer>): void;
  sendBreak(): void;
}
export type View = 'text' | 'screen';
export type LinkState =
  | { readonly is: 'connecting' }
  | { readonly is: 'open'; readonly line: Line; readonly view: View }
  /** It is tried again without being asked. */
  | { readonly is: 'lost'; readonly reason: string }
  | { readonly is: 'ended'; readonly reason: string };

const firstAgainMs = 1000;
const longestAgainMs = 15_000;
/** A connection that held for so long was a good one. */
const steadyMs = 10_000;
/** A screen speaks first (RFC 6143, 7.1.1). What is silent for longer than a node takes to open one is a text console. */
const greetingMs = 9000;
const policyViolation = 1008;

interface Wanted {
  readonly service: string;
  readonly mayBeScreen: boolean;
}

/** Until the answer is called. */
export function followConsole(wanted: Wanted, onState: (state: LinkState) => void): () => void {
  const ending = new AbortController();
  void follow(wanted, onState, ending.signal);
  return () => ending.abort();
}

async function follow(wanted: Wanted, onState: (state: LinkState) => void, signal: AbortSignal): Promise<void> {
  for (let againMs = firstAgainMs; !signal.aborted; againMs = Math.min(againMs * 2, longestAgainMs)) {
    onState({ is: 'connecting' });
    const begun = Date.now();
    const end = await connect(wanted, onState, signal);
    if (signal.aborted) return;
    onState(end);
    if (end.is === 'ended') return;
    if (Date.now() - begun > steadyMs) againMs = firstAgainMs;
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

type End = Extract<LinkState, { is: 'lost' | 'ended' }>;

async function connect(
  { service, mayBeScreen }: Wanted,
  onState: (state: LinkState) => void,
  signal: AbortSignal,
): Promise<End> {
  let path: string;
  try {
    path = (await customer().deviceConsoleTicket({ service }, { signal })).url;
  } catch (error) {
    return refused(error as Error);
  }
  if (signal.aborted) return { is: 'ended', reason: '' };
  const socket = new WebSocket(new URL(path, location.origin.replace('http', 'ws')));
  socket.binaryType = 'arraybuffer';
  signal.addEventListener('abort', () => socket.close());
  const line = lineOf(socket);
  socket.addEventListener('open', async () => {
    const view = mayBeScreen ? await viewOf(line) : await textView(line);
    if (socket.readyState === WebSocket.OPEN) onState({ is: 'open', line, view });
  });
  return new Promise((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => {
      const said = reason === '' ? 'The connection was lost.' : reason;
      resolve({ is: code === policyViolation ? 'ended' : 'lost', reason: said });
    });
  });
}

/** What the same call would be told again is not tried again. */
function refused(error: Error): End {
  const status = error instanceof HostyardError ? error.status : undefined;
  if (status === 401) askToSignIn();
  const isFinal = status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 429;
  return { is: isFinal ? 'ended' : 'lost', reason: error.message };
}

type PeekedLine = Line & { readonly first: Promise<Uint8Array> };

function lineOf(socket: WebSocket): PeekedLine {
  const early: Uint8Array<ArrayBuffer>[] = [];
  let onFrame = (frame: Uint8Array<ArrayBuffer>): void => void early.push(frame);
  const first = new Promise<Uint8Array>((resolve) => {
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      const frame = new Uint8Array(data);
      resolve(frame);
      onFrame(frame);
    });
  });
  const whileOpen = (data: string | Uint8Array<ArrayBuffer>): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  return {
    first,
    listen(listener) {
      onFrame = listener;
      for (const frame of early.splice(0)) listener(frame);
    },
    send: whileOpen,
    sendBreak: () => whileOpen('break'),
  };
}

/** A serial line is there with its first frame, which may be empty; until then another node may have to give it up. */
async function textView({ first }: PeekedLine): Promise<View> {
  await first;
  return 'text';
}

async function viewOf({ first }: PeekedLine): Promise<View> {
  const silence = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), greetingMs));
  const greeting = await Promise.race([first, silence]);
  return greeting !== undefined && new TextDecoder().decode(greeting).startsWith('RFB ') ? 'screen' : 'text';
}
