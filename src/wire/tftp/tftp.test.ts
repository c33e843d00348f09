// TFTP by a reader of the test's own, which can misbehave; real clients read from it in test/peers.
import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { decodeReply, decodeRequest, encodeAck, encodeRead, tftpError } from './packet.ts';
import { startTftpServer } from './server.ts';
import { beginTransfer } from './transfer.ts';

const files: Record<string, Buffer> = { small: Buffer.from('hello'), full: Buffer.alloc(1024, 'x') };
const start = (retransmitMs = 150) =>
  startTftpServer({
    address: '127.0.0.1',
    port: 0,
    retransmitMs,
    find: async (name) => (Object.hasOwn(files, name) ? files[name] : undefined),
    onFault: (error) => assert.fail(String(error)),
  });

async function openReader() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const received: { datagram: Buffer; from: RemoteInfo }[] = [];
  socket.on('message', (datagram, from) => received.push({ datagram, from }));
  return {
    received,
    send: (datagram: Buffer, port: number) => socket.send(datagram, port, '127.0.0.1'),
    async next() {
      while (received.length === 0) await sleep(5);
      return received.shift()!;
    },
    [Symbol.dispose]: () => void socket.close(),
  };
}
const errorCode = (datagram: Buffer): number | undefined =>
  datagram.readUInt16BE(0) === 5 ? datagram.readUInt16BE(2) : undefined;

describe('the TFTP codec', () => {
  it('reads what it writes, and makes sense of any bytes', () => {
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

  it('gives every file whole, in blocks of whatever size is asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 1, max: 3000 }), (size, blksize) => {
        const file = Buffer.from(Array.from({ length: size }, (_, index) => index & 0xff));
        const options = new Map([['blksize', String(blksize)]]);
        const transfer = beginTransfer({ kind: 'read', file: 'f', mode: 'octet', options }, file);
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
});

describe('a TFTP server', () => {
  it('sends again what was not acknowledged, and is done with the last block', async () => {
    await using server = await start();
    using reader = await openReader();
    reader.send(encodeRead('full'), server.port);
    const first = await reader.next();
    const again = await reader.next();
    assert.deepEqual(again.datagram, first.datagram);
    assert.equal(first.datagram.length, 516);
    for (const block of [1, 2, 3]) {
      reader.send(encodeAck(block), first.from.port);
      if (block === 3) break;
      let next = await reader.next();
      while (next.datagram.readUInt16BE(2) === block) next = await reader.next();
      assert.equal(next.datagram.length, block === 1 ? 516 : 4);
    }
    while (server.transferCount() > 0) await sleep(5);
  });

  it('gives up on a reader that never answers, after few datagrams', async () => {
    await using server = await start(10);
    using reader = await openReader();
    reader.send(encodeRead('small'), server.port);
    await reader.next();
    while (server.transferCount() > 0) await sleep(5);
    await sleep(30);
    assert.ok(reader.received.length <= 2);
  });

  it('has so many transfers for one address and no more', async () => {
    await using server = await start(60_000);
    using reader = await openReader();
    for (let count = 0; count < 30; count++) reader.send(encodeRead('small'), server.port);
    reader.send(encodeRead('absent'), server.port);
    let refusal: number | undefined;
    while (refusal === undefined) refusal = errorCode((await reader.next()).datagram);
    assert.equal(server.transferCount(), 8);
  });

  it('refuses what is not there, writing, unknown modes, and strangers to a transfer', async () => {
    await using server = await start(60_000);
    using reader = await openReader();
    using stranger = await openReader();
    const refused = async (request: Buffer): Promise<number | undefined> => {
      reader.send(request, server.port);
      return errorCode((await reader.next()).datagram);
    };
    assert.equal(await refused(encodeRead('../etc/passwd')), tftpError.notFound);
    assert.equal(await refused(encodeRead('constructor')), tftpError.notFound);
    assert.equal(await refused(Buffer.from('\0\x02name\0octet\0', 'latin1')), tftpError.accessViolation);
    assert.equal(await refused(Buffer.from('\0\x01small\0mail\0', 'latin1')), tftpError.illegal);
    reader.send(encodeRead('/small'), server.port);
    const { from } = await reader.next();
    stranger.send(encodeAck(1), from.port);
    assert.equal(errorCode((await stranger.next()).datagram), tftpError.unknownTransfer);
    assert.equal(server.transferCount(), 1);
  });

  it('answers options within bounds', async () => {
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
