import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { encodeFrame, readFrames } from '#protocols/dns/frames.ts';
import { decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import { signMessage, type TsigKey } from '#protocols/dns/tsig.ts';
import { headerFlags, opcodes, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { randomFrom } from '#test/support/dns-zones.ts';
import { until } from '#test/support/until.ts';
import { transferZone } from '#test/support/zone-transfer.ts';
import { queryTcp, queryUdp, queryMessage } from '../client.ts';
import { rrset, createZone } from '../conformance.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import { type NameServer, type NameServerSettings, startNameServer } from './server.ts';

const key: TsigKey = { name: 'key.test', algorithm: 'hmac-sha256', secret: Buffer.from('of this test') };
const deadline = () => AbortSignal.timeout(20_000);

/** Unlike `once`, accepts a reset too: closing with unread bytes resets the connection. */
function waitForClose(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    deadline().addEventListener('abort', () => reject(new Error('the connection stayed open')));
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

function start(settings: Partial<NameServerSettings> = {}): Promise<NameServer> {
  const source = new MemorySource();
  const many = Array.from({ length: 3000 }, (_, index) =>
    rrset(`host-${index}.example.test`, 'TXT', `text of the host ${index}`),
  );
  source.put(createZone('example.test', 1, rrset('www.example.test', 'A', '192.0.2.1'), ...many));
  const onError = (error: unknown) => assert.fail(String(error));
  return startNameServer({ source, address: '127.0.0.1', port: 0, transferKeys: [key], onError, ...settings });
}

describe("the name server's listeners", () => {
  it('answer over UDP and TCP on one port, with IPv4 and IPv6', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      await using server = await start({ address });
      for (const ask of [queryUdp, queryTcp]) {
        const answer = await ask(server, queryMessage('www.example.test', rrTypes.A), deadline());
        assert.deepEqual([...answer.answers[0]!.rdata[0]!], [192, 0, 2, 1]);
      }
    }
  });

  it('answer many messages on one connection, however they are segmented', async () => {
    await using server = await start();
    const socket = connect(server.port, server.address);
    const request = encodeFrame(encodeMessage(queryMessage('www.example.test', rrTypes.A)));
    for (const byte of request) socket.write(Buffer.of(byte));
    socket.write(Buffer.concat([request, request]));
    let count = 0;
    for await (const bytes of readFrames(socket as AsyncIterable<Buffer>)) {
      assert.equal(decodeMessage(bytes).answers.length, 1);
      if (++count === 3) break;
    }
    assert.equal(count, 3);
  });

  it('answer each connection with its own reply when several have waited for a change', async () => {
    let isStale = true;
    const { promise: change, resolve: finishChange } = Promise.withResolvers<void>();
    let waiting = 0;
    const catchUp = (): Promise<void> => {
      waiting++;
      return change;
    };
    await using server = await start({ freshness: { isStale: () => isStale, catchUp } });
    const names = Array.from({ length: 20 }, (_, index) => `host-${index}.example.test`);
    const asking = names.map((name) => queryTcp(server, queryMessage(name, rrTypes.TXT), deadline()));
    await until(() => waiting === names.length);
    isStale = false;
    finishChange();
    const answers = await Promise.all(asking);
    assert.deepEqual(
      answers.map(({ questions }) => questions[0]?.name),
      names,
    );
  });

  it('transfer a zone in many signed messages', async () => {
    await using server = await start();
    assert.equal((await transferZone(server, 'example.test', deadline(), key)).length, 1 + 2 + 1 + 3000);
    const unsigned = transferZone(server, 'example.test', deadline());
    await assert.rejects(unsigned, /refused with rcode 5$/);
  });

  it('close a connection without a complete message in time, even if bytes trickle in', async () => {
    await using server = await start({
      tcpLimits: { idleTimeoutMs: 100, maxConnections: 10, maxConnectionsPerPrefix: 10 },
    });
    const socket = connect(server.port, server.address);
    const trickle = setInterval(() => socket.write(Buffer.of(0)), 20);
    try {
      socket.write(Buffer.of(0xff, 0xff));
      socket.resume();
      await waitForClose(socket);
    } finally {
      clearInterval(trickle);
    }
  });

  it('limit connections per network, and close the longest idle one for a new one', async () => {
    await using server = await start({
      tcpLimits: { idleTimeoutMs: 60_000, maxConnections: 10, maxConnectionsPerPrefix: 2 },
    });
    const open = async (localAddress: string) => {
      const socket = connect({ port: server.port, host: server.address, localAddress });
      await once(socket, 'connect');
      return socket;
    };
    const ask = async (socket: Socket) => {
      socket.write(encodeFrame(encodeMessage(queryMessage('www.example.test', rrTypes.A))));
      for await (const bytes of readFrames(socket as AsyncIterable<Buffer>)) return decodeMessage(bytes).answers.length;
      return 0;
    };
    const first = (await open('127.0.0.1')).resume();
    await open('127.0.0.2');
    const third = await open('127.0.0.3');
    await waitForClose(first);
    assert.equal(await ask(third), 1);
  });

  it('close a connection that does not read its replies for a new one', async () => {
    await using server = await start({
      tcpLimits: { idleTimeoutMs: 60_000, maxConnections: 10, maxConnectionsPerPrefix: 1 },
    });
    const reader = connect(server.port, server.address).pause();
    const transfer = encodeMessage({ ...queryMessage('example.test', rrTypes.AXFR), edns: undefined });
    const { bytes } = signMessage(transfer, key, { timeSeconds: Math.floor(Date.now() / 1000) });
    for (let count = 0; count < 100; count++) reader.write(encodeFrame(bytes));
    await once(reader, 'readable');
    const ask = () => queryTcp(server, queryMessage('www.example.test', rrTypes.A), deadline());
    await until(() => ask().then(Boolean, () => false), { patienceMs: 20_000 });
    await waitForClose(reader.resume());
  });

  it('limit UDP responses per network, and send every second one above the limit to TCP', async () => {
    await using server = await start({ responsesPerSecond: 1 });
    const socket = createSocket('udp4');
    try {
      const replies: boolean[] = [];
      socket.on('message', (bytes) => {
        const { flags, answers } = decodeMessage(bytes);
        const isTruncated = (flags & headerFlags.TRUNCATED) !== 0;
        assert.equal(answers.length, isTruncated ? 0 : 1);
        replies.push(isTruncated);
      });
      const request = encodeMessage(queryMessage('www.example.test', rrTypes.A));
      for (let sent = 0; sent < 40; sent++) socket.send(request, server.port, server.address);
      await until(() => replies.length >= 15, { saw: () => replies });
      const answer = await queryTcp(server, queryMessage('www.example.test', rrTypes.A), deadline());
      assert.equal(answer.answers.length, 1);
      assert.ok(replies.filter((isTruncated) => !isTruncated).length < 10, `${replies}`);
    } finally {
      socket.close();
    }
  });

  it('survive 3000 random and mutated packets on both transports', async () => {
    await using server = await start();
    const random = randomFrom(4);
    const query = encodeMessage(queryMessage('host-7.example.test', rrTypes.TXT));
    const packet = (): Buffer => {
      if (random(10) === 0) return Buffer.alloc(random(2000), random(256));
      const mutated = Buffer.from(query);
      for (let changes = random(5); changes > 0; changes--) mutated[random(mutated.length)] = random(256);
      return mutated.subarray(0, query.length - (random(5) === 0 ? random(query.length) : 0));
    };
    const udp = createSocket('udp4');
    udp.connect(server.port, server.address);
    await once(udp, 'connect');
    for (let count = 0; count < 3000; count++) udp.send(packet());
    const tcp = connect(server.port, server.address);
    tcp.resume();
    for (let count = 0; count < 3000; count++) tcp.write(encodeFrame(packet()));
    tcp.end(Buffer.alloc(5000, 1));
    await waitForClose(tcp);
    udp.close();
    for (const ask of [queryUdp, queryTcp]) {
      const answer = await ask(server, queryMessage('www.example.test', rrTypes.A), deadline());
      assert.equal(answer.rcode, rcodes.NOERROR);
    }
  });

  it('share a port with another server, which answers everything once they are closed', async () => {
    const first = await start({ reusePort: true });
    await using second = await start({ reusePort: true, port: first.port });
    const ask = () => queryUdp(second, queryMessage('www.example.test', rrTypes.A), deadline());
    for (let count = 0; count < 20; count++) assert.equal((await ask()).answers.length, 1);
    await first[Symbol.asyncDispose]();
    for (let count = 0; count < 20; count++) assert.equal((await ask()).answers.length, 1);
  });

  it('wait for a change that is not in memory yet', async () => {
    const source = new MemorySource();
    let isStale = true;
    const freshness = {
      isStale: () => isStale,
      async catchUp() {
        source.put(createZone('late.test', 1, rrset('www.late.test', 'A', '192.0.2.9')));
        isStale = false;
      },
    };
    await using server = await start({ source, freshness });
    for (const ask of [queryUdp, queryTcp]) {
      const answer = await ask(server, queryMessage('www.late.test', rrTypes.A), deadline());
      assert.equal(answer.answers.length, 1);
      source.delete('late.test');
      isStale = true;
    }
  });

  it('notify a secondary, and retry if it misses the first message', async () => {
    const secondary = createSocket('udp4');
    secondary.bind(0, '127.0.0.1');
    await once(secondary, 'listening');
    const received: string[] = [];
    secondary.on('message', (bytes, peer) => {
      const { id, opcode, questions, tsig } = decodeMessage(bytes);
      received.push(`${questions[0]!.name} ${opcode} ${tsig?.key}`);
      if (received.length < 2) return;
      const acknowledgement = {
        ...queryMessage('example.test', rrTypes.SOA),
        id,
        opcode: opcodes.NOTIFY,
        flags: headerFlags.RESPONSE,
      };
      secondary.send(encodeMessage(acknowledgement), peer.port, peer.address);
    });
    try {
      const { port } = secondary.address();
      await using server = await start({ secondaries: [{ address: '127.0.0.1', port, key }] });
      assert.equal(await server.notify('example.test', deadline()), 1);
      assert.deepEqual(received.slice(0, 2), ['example.test 4 key.test', 'example.test 4 key.test']);
      assert.equal(await server.notify('absent.test', deadline()), 0);
      assert.equal(await server.notify('example.test', AbortSignal.abort()), 0);
      received.length = 2;
      await server.notifyAll(deadline());
      await until(() => received.includes('example.test 4 key.test', 2));
    } finally {
      secondary.close();
    }
  });

  it('notify a secondary whose address is of the other family', async () => {
    const secondary = createSocket('udp4').bind(0, '127.0.0.1');
    await once(secondary, 'listening');
    secondary.on('message', (bytes, peer) => {
      bytes.writeUInt16BE(bytes.readUInt16BE(2) | headerFlags.RESPONSE, 2);
      secondary.send(bytes, peer.port, peer.address);
    });
    try {
      const { port } = secondary.address();
      await using server = await start({ address: '::', secondaries: [{ address: '127.0.0.1', port }] });
      assert.equal(await server.notify('example.test', deadline()), 1);
    } finally {
      secondary.close();
    }
  });
});
