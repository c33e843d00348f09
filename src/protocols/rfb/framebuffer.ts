// A small RFB server from ClientInit on: sends the bands of a screen that changed when the client requests them, in the
// hextile or raw encoding, and reads key, pointer and clipboard events with limits.
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitForEvent, readByteOrEnd, readBytes } from './bytes.ts';
import { RfbError } from './error.ts';
import { encodeHextile } from './hextile.ts';
import { decodePixelFormat, encodePixelFormat, encodePixels, pixelFormatBytes, defaultPixelFormat } from './pixels.ts';

/** A screen that consists of bands of its full width, so that a change costs only its bands. */
export interface Display {
  readonly name: string;
  readonly width: number;
  readonly bandHeight: number;
  readonly bands: number;
  /** Increases with each change of the band. */
  revision(band: number): number;
  /** Colours as 0xRRGGBB, row by row. */
  paint(band: number): Uint32Array;
  /** Returns a function that stops listening. */
  listen(onChange: () => void): () => void;
}

export interface InputHandler {
  /**
   * Resolves when the screen may be drawn again, after drawing it took this long. A client can ask for the whole screen again and
   * again, with a few bytes each time. By default, a tenth of the time is for drawing.
   */
  pauseAfter?(spentMs: number): Promise<unknown>;
  onKey?(keysym: number, move: 'down' | 'up'): void;
  onPointer?(x: number, y: number, buttons: number): void;
  onCutText?(text: string): void;
}

const message = { pixelFormat: 0, encodings: 2, updateRequest: 3, key: 4, pointer: 5, cutText: 6 } as const;
const encodings = { raw: 0, hextile: 5 } as const;
const maxCutTextBytes = 65_536;
const pauseFactor = 9;

/** Resolves when the client disconnects. */
export async function serveFramebuffer(stream: Duplex, display: Display, input: InputHandler): Promise<void> {
  await readBytes(stream, 1);
  stream.write(serverInit(display));
  const sent = Array.from({ length: display.bands }, () => -1);
  let format = defaultPixelFormat;
  // Every client must support it, whatever it lists.
  let encoding: number = encodings.raw;
  let isUpdateRequested = false;
  let isPausing = false;
  const { pauseAfter = (spentMs: number) => sleep(spentMs * pauseFactor) } = input;
  const update = (): void => {
    if (!isUpdateRequested || isPausing || stream.destroyed) return;
    const bands = sent.flatMap((revision, band) => (revision === display.revision(band) ? [] : [band]));
    if (bands.length === 0) return;
    isUpdateRequested = false;
    const startMs = performance.now();
    stream.cork();
    stream.write(updateHeader(bands.length));
    for (const band of bands) {
      sent[band] = display.revision(band);
      const colours = display.paint(band);
      stream.write(rectangleHeader(display, band, encoding));
      stream.write(
        encoding === encodings.raw ? encodePixels(colours, format) : encodeHextile(colours, display.width, format),
      );
    }
    stream.uncork();
    isPausing = true;
    void pauseAfter(performance.now() - startMs).finally(() => {
      isPausing = false;
      update();
    });
  };
  const handlers: Readonly<Record<number, () => Promise<void>>> = {
    async [message.pixelFormat]() {
      format = decodePixelFormat((await readBytes(stream, 3 + pixelFormatBytes)).subarray(3));
    },
    async [message.encodings]() {
      const count = (await readBytes(stream, 3)).readUInt16BE(1);
      const listed = await readBytes(stream, 4 * count);
      const supported = Array.from({ length: count }, (_, index) => listed.readInt32BE(4 * index));
      encoding = supported.includes(encodings.hextile) ? encodings.hextile : encodings.raw;
    },
    async [message.updateRequest]() {
      const isIncremental = (await readBytes(stream, 9))[0] !== 0;
      if (!isIncremental) sent.fill(-1);
      isUpdateRequested = true;
      update();
    },
    async [message.key]() {
      const bytes = await readBytes(stream, 7);
      input.onKey?.(bytes.readUInt32BE(3), bytes[0] === 0 ? 'up' : 'down');
    },
    async [message.pointer]() {
      const bytes = await readBytes(stream, 5);
      input.onPointer?.(bytes.readUInt16BE(1), bytes.readUInt16BE(3), bytes[0]!);
    },
    async [message.cutText]() {
      const length = (await readBytes(stream, 7)).readUInt32BE(3);
      if (length > maxCutTextBytes) throw new RfbError('protocol', 'the clipboard text is too long');
      input.onCutText?.((await readBytes(stream, length)).toString('latin1'));
    },
  };
  const stopListening = display.listen(update);
  try {
    for (;;) {
      const type = await readByteOrEnd(stream);
      if (type === undefined) return;
      const handle = handlers[type];
      if (handle === undefined) throw new RfbError('protocol', `unknown message type ${type}`);
      await handle();
      // Stops reading from a client that does not read.
      if (stream.writableNeedDrain) await waitForEvent(stream, 'drain');
    }
  } finally {
    stopListening();
  }
}

function serverInit({ width, bandHeight, bands, name }: Display): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(width, 0);
  size.writeUInt16BE(bandHeight * bands, 2);
  const nameLength = Buffer.alloc(4);
  nameLength.writeUInt32BE(Buffer.byteLength(name));
  return Buffer.concat([size, encodePixelFormat(defaultPixelFormat), nameLength, Buffer.from(name)]);
}

function updateHeader(rectangles: number): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16BE(rectangles, 2);
  return header;
}

function rectangleHeader({ width, bandHeight }: Display, band: number, encoding: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(band * bandHeight, 2);
  header.writeUInt16BE(width, 4);
  header.writeUInt16BE(bandHeight, 6);
  header.writeInt32BE(encoding, 8);
  return header;
}
