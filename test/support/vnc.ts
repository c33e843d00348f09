// A minimal VNC viewer: it authenticates, reads the desktop name, fetches frames, recognises the text in them and sends
// keys.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { readBytes } from '#protocols/rfb/bytes.ts';
import { clientHandshake } from '#protocols/rfb/handshake.ts';
import { recognizeText } from './screen-text.ts';
import { until } from './until.ts';

export interface VncViewer extends AsyncDisposable {
  /** The desktop name. */
  readonly name: string;
  /** Fetches the first frame; returns the number of pixels that are not black. */
  look(): Promise<number>;
  /** Returns the text on a text screen of ours. */
  text(): Promise<string>;
  /** Waits until the screen shows the text. */
  shows(text: string): Promise<void>;
  type(text: string): void;
  /** Resolves when the server has closed the connection. */
  readonly ended: Promise<void>;
}

/** Rejects with an RfbError if the password is wrong. */
export async function viewScreen({ host, port, pass }: { host: string; port: string; pass: string }) {
  const socket = connect(Number(port), host);
  return viewer(await waitForConnection(socket), pass);
}

/** Connects through a ticket's WebSocket, like noVNC. */
export async function viewTicket(url: string, path: string) {
  const socket = new WebSocket(new URL(path, url.replace('http', 'ws')), ['binary']);
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  socket.on('error', () => {});
  const stream = createWebSocketStream(socket);
  return { ...(await viewer(stream, undefined)), protocol: socket.protocol, closed };
}

async function waitForConnection(socket: Socket): Promise<Socket> {
  await once(socket, 'connect');
  return socket;
}

const deadlineMs = 60_000;

async function viewer(stream: Duplex, password: string | undefined): Promise<VncViewer> {
  stream.on('error', () => {});
  const ended = new Promise<void>((resolve) => stream.on('close', () => resolve()));
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    await clientHandshake(stream, password, signal);
    stream.write(Buffer.from([1]));
    const init = await readBytes(stream, 24, signal);
    const name = (await readBytes(stream, init.readUInt32BE(20), signal)).toString();
    const size = { width: init.readUInt16BE(0), height: init.readUInt16BE(2), bytes: init[4]! / 8 };
    const text = async (): Promise<string> => recognizeText(await fetchFrame(stream, size, signal), size.width);
    return {
      name,
      look: async () => (await fetchFrame(stream, size, signal)).filter((colour) => colour !== 0).length,
      text,
      async shows(expected) {
        let shown = '';
        await until(async () => (shown = await text()).includes(expected), { saw: () => shown });
      },
      type(text) {
        for (const character of text) {
          const key = character === '\n' ? 0xff0d : character.codePointAt(0)!;
          for (const down of [1, 0]) stream.write(keyEvent(key, down));
        }
      },
      ended,
      async [Symbol.asyncDispose]() {
        stream.destroy();
        await ended;
      },
    };
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** Returns the colours of the whole screen, as 0xRRGGBB. */
async function fetchFrame(stream: Duplex, { width, height, bytes }: Size, signal: AbortSignal): Promise<Uint32Array> {
  const request = Buffer.alloc(10);
  request[0] = 3;
  request.writeUInt16BE(width, 6);
  request.writeUInt16BE(height, 8);
  stream.write(request);
  const head = await readBytes(stream, 4, signal);
  const frame = new Uint32Array(width * height);
  for (let left = head.readUInt16BE(2); left > 0; left--) {
    const rectangle = await readBytes(stream, 12, signal);
    const [x, y, w, h] = [0, 2, 4, 6].map((at) => rectangle.readUInt16BE(at)) as [number, number, number, number];
    const pixels = await readBytes(stream, w * h * bytes, signal);
    for (let at = 0; at < w * h; at++)
      frame[(y + Math.floor(at / w)) * width + x + (at % w)] = pixels.readUIntLE(at * bytes, 3);
  }
  return frame;
}

function keyEvent(key: number, down: number): Buffer {
  const event = Buffer.alloc(8);
  event[0] = 4;
  event[1] = down;
  event.writeUInt32BE(key, 4);
  return event;
}
