// The client of these tests can misbehave; test/peers covers real clients.
import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fc } from '#test/support/fast-check.ts';
import { until } from '#test/support/until.ts';
import { decodeReply, decodeRequest, encodeAck, encodeRead, tftpError } from './packet.ts';
import { startTftpServer } from './server.ts';
import { createTransfer } from './transfer.ts';

const files: Record<string, Buffer> = { small: Buffer.from('hello'), full: Buffer.alloc(1024, 'x') };
const start = (retransmitMs = 150) =>
  startTftpServer({
    address: '127.0.0.1',
    port: 0,
    retransmitMs,
    find: async (name) => (Object.hasOwn(files, name) ? files[name] : undefined),
    onError: (error) => assert.fail(String(error)),
  });

async function openReader(address = '127.0.0.1') {
  const socket = createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  const received: { datagram: Buffer; from: RemoteInfo }[] = [];
  socket.on('message', (datagram, from) => received.push({ datagram, from }));
  return {
    received,
    send: (datagram: Buffer, port: number) => socket.send(datagram, port, '127.0.0.1'),
    async next() {
      await until(() => received.length > 0, { pollMs: 5 });
      return received.shift()!;
    },
    [Symbol.dispose]: () => void socket.close(),
  };
}
const errorCode = (datagram: Buffer): number | undefined =>
  datagram.readUInt16BE(0) === 5 ? datagram.readUInt16BE(2) : undefined;

describe('the TFTP codec', () => {
  it('decodes what it encodes, and handles any bytes', () => {
    const word = fc.stringMatching(/^[a-z0-9./-]{1,20}$/);
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { maxLength: 4 }), (file, names) => {
        const options = new Map(names.map((name) => [name, '1']));
        assert.deepEqual(decodeRequest(encodeRead(file, options)), { kind: 'read', file, mode: 'octet', options });
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        assert.ok(decodeRequest(Buffer.from(bytes)).kind);
        assert.ok(decodeReply(Buffer.from(bytes)).kind);
      }),
    );
  });

  it('transfers every file completely, with any block size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 3000 }), (size, blksize) => {
        const file = Buffer.from(Array.from({ length: size }, (_, index) => index & 0xff));
        const options = new Map([['blksize', String(blksize)]]);
        const transfer = createTransfer({ kind: 'read', file: 'f', mode: 'octet', options }, file);
        const parts: Buffer[] = [];
        for (let block = blksize < 8 ? 1 : 0, state = ''; state !== 'done'; block++) {
          if (block > 0) parts.push(transfer.current().subarray(4));
          assert.equal(transfer.acknowledge(block + 1), 'ignored');
          state = transfer.acknowledge(block);
        }
        assert.deepEqual(Buffer.concat(parts), file);
        assert.ok(parts.every((part) => part.length <= 1468));
      }),
      { numRuns: 50 },
    );
  });

  it('converts a file to netascii once, however often it is requested', () => {
    let conversions = 0;
    const file = Object.assign(Buffer.from('#!ipxe\nexit\r'), {
      toString(encoding: BufferEncoding) {
        conversions++;
        return Buffer.prototype.toString.call(this, encoding);
      },
    });
    for (let request = 0; request < 3; request++) {
      const transfer = createTransfer({ kind: 'read', file: 'f', mode: 'netascii', options: new Map() }, file);
      assert.equal(transfer.current().toString('latin1', 4), '#!ipxe\r\nexit\r\0');
    }
    assert.equal(conversions, 1);
  });
});

describe('a TFTP server', () => {
  it('retransmits unacknowledged blocks, and ends after the last one', async () => {
    await using server = await start();
    using reader = await openReader();
    reader.send(encodeRead('full'), server.port);
    const first = await reader.next();
    const retransmitted = await reader.next();
    assert.deepEqual(retransmitted.datagram, first.datagram);
    assert.equal(first.datagram.length, 516);
    for (const block of [1, 2, 3]) {
      reader.send(encodeAck(block), first.from.port);
      if (block === 3) break;
      let next = await reader.next();
      while (next.datagram.readUInt16BE(2) === block) next = await reader.next();
      assert.equal(next.datagram.length, block === 1 ? 516 : 4);
    }
    await until(() => server.transferCount() === 0);
  });

  it('gives up on a client that never responds, after few datagrams', async () => {
    await using server = await start(10);
    using reader = await openReader();
    reader.send(encodeRead('small'), server.port);
    await reader.next();
    await until(() => server.transferCount() === 0);
    await sleep(30);
    assert.ok(reader.received.length <= 2);
  });

  it('limits transfers per address', async () => {
    await using server = await start(60_000);
    using reader = await openReader();
    for (let count = 0; count < 30; count++) reader.send(encodeRead('small'), server.port);
    reader.send(encodeRead('absent'), server.port);
    let errorReply: number | undefined;
    while (errorReply === undefined) errorReply = errorCode((await reader.next()).datagram);
    assert.equal(server.transferCount(), 8);
  });

  for (const answers of [false, true])
    it(`serves a reader although others take all places, and ${answers ? 'answer' : 'never answer'}`, async () => {
      await using server = await start(60_000);
      using stack = new DisposableStack();
      for (let host = 1; host <= 32; host++) {
        const other = stack.use(await openReader(`127.0.1.${host}`));
        for (let count = 0; count < 8; count++) other.send(encodeRead('full'), server.port);
        await until(() => other.received.length === 8, { pollMs: 5 });
        if (!answers) continue;
        for (const { from } of other.received) other.send(encodeAck(1), from.port);
        await until(() => other.received.length === 16, { pollMs: 5 });
      }
      assert.equal(server.transferCount(), 256);
      using reader = await openReader();
      await until(() => {
        reader.send(encodeRead('small'), server.port);
        return reader.received.length > 0;
      });
      assert.equal((await reader.next()).datagram.subarray(4).toString(), 'hello');
    });

  it('rejects missing files, writes, unknown modes and datagrams from other addresses', async () => {
    await using server = await start(60_000);
    using reader = await openReader();
    using otherSocket = await openReader();
    const requestError = async (request: Buffer): Promise<number | undefined> => {
      reader.send(request, server.port);
      return errorCode((await reader.next()).datagram);
    };
    assert.equal(await requestError(encodeRead('../etc/passwd')), tftpError.notFound);
    assert.equal(await requestError(encodeRead('constructor')), tftpError.notFound);
    assert.equal(await requestError(Buffer.from('\0\x02name\0octet\0', 'latin1')), tftpError.accessViolation);
    assert.equal(await requestError(Buffer.from('\0\x01small\0mail\0', 'latin1')), tftpError.illegal);
    reader.send(encodeRead('/small'), server.port);
    const { from } = await reader.next();
    otherSocket.send(encodeAck(1), from.port);
    assert.equal(errorCode((await otherSocket.next()).datagram), tftpError.unknownTransfer);
    assert.equal(server.transferCount(), 1);
  });

  it('accepts options within limits', async () => {
    await using server = await start(60_000);
    using reader = await openReader();
    reader.send(
      encodeRead(
        'full',
        new Map([
          ['blksize', '65464'],
          ['tsize', '0'],
          ['windowsize', '16'],
        ]),
      ),
      server.port,
    );
    const { datagram } = await reader.next();
    assert.equal(datagram.readUInt16BE(0), 6);
    assert.equal(datagram.subarray(2).toString(), 'blksize\x001468\0tsize\x001024\0');
  });
});
