import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { frame, framesOf } from '#wire/dns/frames.ts';
import { decodeMessage, encodeMessage } from '#wire/dns/message.ts';
import type { TsigKey } from '#wire/dns/tsig.ts';
import { FLAG, OPCODE, RCODE, TYPE } from '#wire/dns/types.ts';
import { askTcp, askUdp, fetchZone, queryMessage } from '../client.ts';
import { rrset, zoneOf } from '../conformance.ts';
import { MemorySource } from './memory-source.ts';
import { type NameServer, type NameServerSettings, startNameServer } from './server.ts';

const key: TsigKey = { name: 'key.test', algorithm: 'hmac-sha256', secret: Buffer.from('of this test') };
const deadline = () => AbortSignal.timeout(20_000);

/** Unlike `once`, it does not mind how: a server that hangs up on bytes it has not read resets the connection. */
function closed(socket: Socket): Promise<void> {
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
  source.put(zoneOf('example.test', 1, rrset('www.example.test', 'A', '192.0.2.1'), ...many));
  const onFault = (error: unknown) => assert.fail(String(error));
  return startNameServer({ source, address: '127.0.0.1', port: 0, transferKeys: [key], onFault, ...settings });
}

describe('the name server on its sockets', () => {
  it('answers by UDP and by TCP on one port, over IPv4 and IPv6', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      await using server = await start({ address });
      for (const ask of [askUdp, askTcp]) {
        const answer = await ask(server, queryMessage('www.example.test', TYPE.A), deadline());
        assert.deepEqual([...answer.answers[0]!.rdata[0]!], [192, 0, 2, 1]);
      }
    }
  });

  it('answers many messages on one connection, however the bytes are cut', async () => {
    await using server = await start();
    const socket = connect(server.port, server.address);
    const request = frame(encodeMessage(queryMessage('www.example.test', TYPE.A)));
    for (const byte of request) socket.write(Buffer.of(byte));
    socket.write(Buffer.concat([request, request]));
    let count = 0;
    for await (const bytes of framesOf(socket as AsyncIterable<Buffer>)) {
      assert.equal(decodeMessage(bytes).answers.length, 1);
      if (++count === 3) break;
    }
    assert.equal(count, 3);
  });

  it('hands a zone of many messages over, each signed', async () => {
    await using server = await start();
    assert.equal((await fetchZone(server, 'example.test', deadline(), key)).length, 1 + 2 + 1 + 3000);
    const refused = fetchZone(server, 'example.test', deadline());
    await assert.rejects(refused, { name: 'NameServerError', code: 'nameserver_refused' });
  });

  it('closes a connection that brings no whole message in time, though bytes trickle in', async () => {
    await using server = await start({
      tcpLimits: { idleTimeoutMs: 100, maxConnections: 10, maxConnectionsPerAddress: 10 },
    });
    const socket = connect(server.port, server.address);
    const trickle = setInterval(() => socket.write(Buffer.of(0)), 20);
    try {
      socket.write(Buffer.of(0xff, 0xff));
      socket.resume();
      await closed(socket);
    } finally {
      clearInterval(trickle);
    }
  });

  it('takes no more connections from one address than it may have', async () => {
    await using server = await start({
      tcpLimits: { idleTimeoutMs: 20_000, maxConnections: 10, maxConnectionsPerAddress: 2 },
    });
    const sockets = Array.from({ length: 3 }, () => connect(server.port, server.address).resume());
    await Promise.race(sockets.map(closed));
    assert.equal(sockets.filter((socket) => socket.closed).length, 1);
    await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => closed(socket.destroy())));
  });

  it('stays up under garbage on both transports', async () => {
    await using server = await start();
    const udp = createSocket('udp4');
    udp.connect(server.port, server.address);
    await once(udp, 'connect');
    for (let size = 0; size < 500; size++) udp.send(Buffer.alloc(size, size));
    const tcp = connect(server.port, server.address);
    tcp.end(Buffer.alloc(5000, 1));
    tcp.resume();
    await closed(tcp);
    udp.close();
    assert.equal((await askTcp(server, queryMessage('www.example.test', TYPE.A), deadline())).rcode, RCODE.NOERROR);
  });

  it('tells a secondary of a change, again if it does not hear the first time', async () => {
    const secondary = createSocket('udp4');
    secondary.bind(0, '127.0.0.1');
    await once(secondary, 'listening');
    const heard: string[] = [];
    secondary.on('message', (bytes, peer) => {
      const { id, opcode, questions, tsig } = decodeMessage(bytes);
      heard.push(`${questions[0]!.name} ${opcode} ${tsig?.key}`);
      if (heard.length < 2) return;
      const acknowledgement = {
        ...queryMessage('example.test', TYPE.SOA),
        id,
        opcode: OPCODE.NOTIFY,
        flags: FLAG.RESPONSE,
      };
      secondary.send(encodeMessage(acknowledgement), peer.port, peer.address);
    });
    try {
      const { port } = secondary.address();
      await using server = await start({ secondaries: [{ address: '127.0.0.1', port, key }] });
      assert.equal(await server.notify('example.test', deadline()), 1);
      assert.deepEqual(heard.slice(0, 2), ['example.test 4 key.test', 'example.test 4 key.test']);
      assert.equal(await server.notify('absent.test', deadline()), 0);
      assert.equal(await server.notify('example.test', AbortSignal.abort()), 0);
    } finally {
      secondary.close();
    }
  });
});
