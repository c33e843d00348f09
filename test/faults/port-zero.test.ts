// Datagrams from port 0, to which nobody can reply: Node throws if told to, and an error in a listener ends the process. Anybody with a
// raw socket can send them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { queryMessage, queryUdp } from '#drivers/dns/client.ts';
import { createZone, rrset } from '#drivers/dns/conformance.ts';
import { startNameServer } from '#drivers/dns/builtin/server.ts';
import { encodeMessage } from '#protocols/dns/message.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { encodeAck, encodeRead } from '#protocols/tftp/packet.ts';
import { startTftpServer } from '#protocols/tftp/server.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import { needsRoot } from '#test/support/needs.ts';

const address = '127.0.0.1';
const onError = (error: unknown) => assert.fail(String(error));

const script = `my ($port, $data) = @ARGV; $data = pack("H*", $data);
  socket(my $socket, 2, 3, 17) or die $!;
  send($socket, pack("n n n n", 0, $port, 8 + length($data), 0) . $data, 0, pack("S n C4 x8", 2, 0, 127, 0, 0, 1)) or die $!`;

async function sendFromPortZero(datagram: Buffer, port: number): Promise<void> {
  await promisify(execFile)('perl', ['-e', script, String(port), datagram.toString('hex')]);
}

describe('datagrams from port 0', needsRoot('perl'), () => {
  test('do not end the name server', async () => {
    const source = new MemorySource();
    source.put(createZone('example.test', 1, rrset('www.example.test', 'A', '192.0.2.1')));
    await using server = await startNameServer({ source, address, port: 0, onError });
    const query = queryMessage('www.example.test', rrTypes.A);
    // One that is answered at once, and one that is answered later.
    for (const opcode of [0, 4]) await sendFromPortZero(encodeMessage({ ...query, opcode }), server.port);
    assert.equal((await queryUdp(server, query, AbortSignal.timeout(20_000))).answers.length, 1);
  });

  test('do not end the TFTP server or take its transfers', async () => {
    await using server = await startTftpServer({ address, port: 0, find: async () => Buffer.alloc(1024), onError });
    await sendFromPortZero(encodeRead('file', new Map()), server.port);
    const reader = createSocket('udp4').bind(0, address);
    await once(reader, 'listening');
    try {
      reader.send(encodeRead('file', new Map()), server.port, address);
      const [, { port }] = (await once(reader, 'message')) as [Buffer, RemoteInfo];
      assert.equal(server.transferCount(), 1);
      await sendFromPortZero(encodeAck(1), port);
      reader.send(encodeAck(1), port, address);
      await once(reader, 'message');
    } finally {
      reader.close();
    }
  });
});
