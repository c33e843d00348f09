import assert from 'node:assert/strict';
import { duplexPair, type Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { until } from '#test/support/until.ts';
import { readBytes } from './bytes.ts';
import { RfbError } from './error.ts';
import { serveFramebuffer, type Display, type InputHandler } from './framebuffer.ts';
import { encodeHextile } from './hextile.ts';
import { clientHandshake, serveHandshake, serveOpenHandshake } from './handshake.ts';
import { isValidResponse, vncResponse } from './password.ts';
import { decodePixelFormat, encodePixelFormat, encodePixels, defaultPixelFormat } from './pixels.ts';

const failsWith = (kind: string) => (error: unknown) => {
  assert.ok(error instanceof RfbError, String(error));
  assert.equal(error.kind, kind);
  return true;
};
const authenticatorFor = (passwords: readonly string[]) => ({
  verify: async (challenge: Buffer, response: Buffer) =>
    passwords.find((password) => isValidResponse(challenge, response, password)),
});
/** A client with an older version than server. */
function asVersion(server: Duplex, version: string): Duplex {
  const [near, far] = duplexPair();
  let isFirst = true;
  server.on('data', (bytes: Buffer) => {
    near.write(isFirst ? Buffer.concat([Buffer.from(version), bytes.subarray(12)]) : bytes);
    isFirst = false;
  });
  near.on('data', (bytes: Buffer) => server.write(bytes));
  server.on('end', () => near.end());
  return far;
}

describe('VNC authentication', () => {
  it('is DES with reversed key bits', () => {
    const zeros = Buffer.alloc(16);
    assert.equal(vncResponse('', zeros).toString('hex'), '8ca64de9c1b123a7'.repeat(2));
    const password = Buffer.from('c82cea9ed93dfb8f', 'hex').toString('latin1');
    const challenge = Buffer.from('0123456789abcdef'.repeat(2), 'hex');
    assert.equal(vncResponse(password, challenge).toString('hex'), '85e813540f0ab405'.repeat(2));
  });

  it('uses only eight characters', () => {
    const challenge = Buffer.from('an old challenge');
    assert.deepEqual(vncResponse('12345678', challenge), vncResponse('12345678 and more', challenge));
    assert.equal(isValidResponse(challenge, vncResponse('12345678', challenge), '1234567'), false);
    assert.equal(isValidResponse(challenge, Buffer.alloc(3), '12345678'), false);
  });
});

describe('the handshake', () => {
  for (const version of ['RFB 003.003\n', 'RFB 003.005\n', 'RFB 003.007\n', 'RFB 003.008\n', 'RFB 003.889\n']) {
    it(`identifies whose password it is, in ${version.trim()}`, async () => {
      const [server, wire] = duplexPair();
      const client = asVersion(wire, version);
      const serving = serveHandshake(server, authenticatorFor(['anna', 'bert', 'carl']));
      await clientHandshake(client, 'bert');
      assert.equal(await serving, 'bert');
      server.write('what follows');
      assert.equal((await readBytes(client, 12)).toString(), 'what follows');
    });

    it(`rejects a wrong password, in ${version.trim()}`, async () => {
      const [server, wire] = duplexPair();
      const client = asVersion(wire, version);
      const serving = assert.rejects(serveHandshake(server, authenticatorFor(['anna'])), failsWith('auth'));
      await assert.rejects(clientHandshake(client, 'guess'), failsWith('auth'));
      await serving;
    });

    it(`admits an already authenticated client, in ${version.trim()}`, async () => {
      const [server, wire] = duplexPair();
      const client = asVersion(wire, version);
      const serving = serveOpenHandshake(server);
      await clientHandshake(client, 'not asked for');
      await serving;
      client.write('x');
      assert.equal((await readBytes(server, 1)).toString(), 'x');
    });
  }

  it('reports that a password is required', async () => {
    const [server, client] = duplexPair();
    const serving = assert.rejects(serveHandshake(server, authenticatorFor([])), failsWith('closed'));
    await assert.rejects(clientHandshake(client, undefined), failsWith('auth'));
    client.end();
    await serving;
  });

  it('reports why a server rejects', async () => {
    const [server, client] = duplexPair();
    server.write(Buffer.from('RFB 003.008\n\0\0\0\0\x04full', 'latin1'));
    await assert.rejects(
      clientHandshake(client, 'x'),
      (error) => failsWith('rejected')(error) && /full/.test(`${error}`),
    );
  });

  it('ends when its signal aborts', async () => {
    const [server] = duplexPair();
    await assert.rejects(serveHandshake(server, authenticatorFor([]), AbortSignal.timeout(10)), failsWith('closed'));
  });

  it('handles any bytes from either side', async () => {
    const noise = fc.uint8Array({ maxLength: 80 });
    const start = fc.constantFrom('', 'RFB 003.003\n', 'RFB 003.007\n', 'RFB 003.008\n');
    const handshakes = [
      (stream: Duplex) => serveHandshake(stream, authenticatorFor(['x'])),
      (stream: Duplex) => serveOpenHandshake(stream),
      (stream: Duplex) => clientHandshake(stream, 'x'),
      (stream: Duplex) => clientHandshake(stream, undefined),
    ];
    await fc.assert(
      fc.asyncProperty(start, noise, fc.constantFrom(...handshakes), async (opening, bytes, handshake) => {
        const [server, client] = duplexPair();
        client.resume();
        client.end(Buffer.concat([Buffer.from(opening), bytes]));
        await handshake(server).catch((error: unknown) => assert.ok(error instanceof RfbError, String(error)));
      }),
      { numRuns: 200 },
    );
  });
});

describe('pixel formats', () => {
  const channel = (bits: number) =>
    fc.record({ max: fc.constantFrom(1, 3, 7, 31, 63, 255), shift: fc.integer({ min: 0, max: bits - 1 }) });
  const formats = fc.constantFrom(8 as const, 16 as const, 32 as const).chain((bits) =>
    fc.record({
      bitsPerPixel: fc.constant(bits),
      byteOrder: fc.constantFrom('big' as const, 'little' as const),
      red: channel(bits),
      green: channel(bits),
      blue: channel(bits),
    }),
  );
  it('are decoded as encoded', () => {
    fc.assert(
      fc.property(formats, (format) =>
        assert.deepEqual(decodePixelFormat(encodePixelFormat(format)), structuredClone(format)),
      ),
    );
  });

  it('encode every colour', () => {
    const colours = Uint32Array.of(0xffffff, 0x123456, 0);
    assert.equal(encodePixels(colours, defaultPixelFormat).toString('hex'), 'ffffff005634120000000000');
    fc.assert(
      fc.property(formats, fc.array(fc.integer({ min: 0, max: 0xffffff })), (format, list) => {
        const bytes = encodePixels(Uint32Array.from(list), format);
        assert.equal(bytes.length, (list.length * format.bitsPerPixel) / 8);
      }),
    );
  });
});

describe('the hextile encoding', () => {
  /** As a viewer does it (RFC 6143, section 7.7.4), with the default pixel format. */
  function decode(bytes: Buffer, width: number, height: number): Uint32Array {
    const colours = new Uint32Array(width * height);
    let at = 0;
    const byte = (): number => bytes[at++]!;
    const pixel = (): number => bytes.readUInt32LE((at += 4) - 4);
    let [background, foreground] = [0, 0];
    for (let top = 0; top < height; top += 16)
      for (let left = 0; left < width; left += 16) {
        const [tileWidth, tileHeight] = [Math.min(16, width - left), Math.min(16, height - top)];
        const fill = (x: number, y: number, w: number, h: number, colour: () => number): void => {
          for (let row = y; row < y + h; row++)
            for (let column = x; column < x + w; column++) colours[(top + row) * width + left + column] = colour();
        };
        const flags = byte();
        if ((flags & 1) !== 0) {
          fill(0, 0, tileWidth, tileHeight, pixel);
          continue;
        }
        if ((flags & 2) !== 0) background = pixel();
        if ((flags & 4) !== 0) foreground = pixel();
        fill(0, 0, tileWidth, tileHeight, () => background);
        for (let count = (flags & 8) === 0 ? 0 : byte(); count > 0; count--) {
          const [position, size] = [byte(), byte()];
          fill(position >> 4, position & 15, (size >> 4) + 1, (size & 15) + 1, () => foreground);
        }
      }
    assert.equal(at, bytes.length);
    return colours;
  }

  it('is decoded to the same picture, whatever its colours and size', () => {
    const size = fc.integer({ min: 1, max: 40 });
    const pictures = fc
      .tuple(size, size, fc.integer({ min: 1, max: 4 }))
      .chain(([width, height, colours]) =>
        fc.tuple(
          fc.constant(width),
          fc.array(fc.integer({ min: 0, max: colours - 1 }), { minLength: width * height, maxLength: width * height }),
        ),
      );
    fc.assert(
      fc.property(pictures, ([width, picture]) => {
        const colours = Uint32Array.from(picture);
        const bytes = encodeHextile(colours, width, defaultPixelFormat);
        assert.deepEqual(decode(bytes, width, colours.length / width), colours);
      }),
    );
  });
});

describe('the framebuffer server', () => {
  function screen() {
    const revisions = [0, 0];
    const listeners = new Set<() => void>();
    const display: Display = {
      name: 'tiny',
      width: 2,
      bandHeight: 1,
      bands: 2,
      revision: (band) => revisions[band]!,
      paint: (band) => Uint32Array.of(band, revisions[band]!),
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const change = (band: number): void => {
      revisions[band]!++;
      for (const listener of listeners) listener();
    };
    return { display, change, listeners };
  }
  const request = (isIncremental: 0 | 1) => Buffer.from([3, isIncremental, 0, 0, 0, 0, 0, 2, 0, 2]);
  const rectangle = (y: number) => Buffer.from([0, 0, 0, y, 0, 2, 0, 1, 0, 0, 0, 0]);

  it('sends the whole screen on request, then changes, and receives keys, pointer and clipboard', async () => {
    const { display, change, listeners } = screen();
    const [server, client] = duplexPair();
    const received: unknown[] = [];
    const input: InputHandler = {
      onKey: (...key) => received.push(key),
      onPointer: (...pointer) => received.push(pointer),
      onCutText: (text) => received.push(text),
    };
    const serving = serveFramebuffer(server, display, input);
    client.write(Buffer.from([1]));
    const init = await readBytes(client, 28);
    assert.deepEqual([init.readUInt16BE(0), init.readUInt16BE(2)], [2, 2]);
    assert.equal(init.subarray(24).toString(), 'tiny');
    client.write(Buffer.from([2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7]));
    client.write(request(0));
    const wholeScreen = Buffer.concat([
      rectangle(0),
      Buffer.alloc(8),
      rectangle(1),
      Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]),
    ]);
    assert.deepEqual(await readBytes(client, 44), Buffer.concat([Buffer.from([0, 0, 0, 2]), wholeScreen]));
    client.write(request(1));
    client.write(Buffer.from([4, 1, 0, 0, 0, 0, 0xff, 0x0d]));
    client.write(Buffer.from([5, 1, 0, 3, 0, 4]));
    client.write(Buffer.from([6, 0, 0, 0, 0, 0, 0, 2, 0x68, 0x69]));
    await until(() => received.length >= 3, { saw: () => received });
    assert.deepEqual(received, [[0xff0d, 'down'], [3, 4, 1], 'hi']);
    change(1);
    const part = Buffer.concat([Buffer.from([0, 0, 0, 1]), rectangle(1), Buffer.from([1, 0, 0, 0, 1, 0, 0, 0])]);
    assert.deepEqual(await readBytes(client, 24), part);
    change(0);
    client.end();
    await serving;
    assert.equal(listeners.size, 0);
  });

  it('handles any bytes', async () => {
    const { display } = screen();
    const messages = fc.array(
      fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(request(0)), fc.constant(request(1))),
      { maxLength: 10 },
    );
    await fc.assert(
      fc.asyncProperty(messages, async (parts) => {
        const [server, client] = duplexPair();
        client.resume();
        client.end(Buffer.concat(parts));
        await serveFramebuffer(server, display, {}).catch((error: unknown) =>
          assert.ok(error instanceof RfbError, String(error)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('draws once for a client that requests the whole screen repeatedly', async () => {
    const { display } = screen();
    let drawn = 0;
    const paint = (band: number): Uint32Array => {
      drawn++;
      return display.paint(band);
    };
    const [server, client] = duplexPair();
    client.resume();
    const pausing = Promise.withResolvers<void>();
    const typed = Promise.withResolvers<void>();
    const input = { onKey: () => typed.resolve(), pauseAfter: () => pausing.promise };
    const serving = serveFramebuffer(server, { ...display, paint }, input);
    const flood = Array.from({ length: 1000 }, () => request(0));
    client.write(Buffer.concat([Buffer.from([1]), ...flood, Buffer.from([4, 1, 0, 0, 0, 0, 0xff, 0x0d])]));
    await typed.promise;
    assert.equal(drawn, display.bands);
    pausing.resolve();
    await until(() => drawn === 2 * display.bands);
    client.end();
    await serving;
  });

  it('rejects a clipboard text that is too long', async () => {
    const { display } = screen();
    const [server, client] = duplexPair();
    client.write(Buffer.from([1, 6, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]));
    await assert.rejects(serveFramebuffer(server, display, {}), failsWith('protocol'));
  });
});
