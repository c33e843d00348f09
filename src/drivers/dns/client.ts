// Queries a name server over UDP or TCP.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { encodeFrame, readFrames } from '#protocols/dns/frames.ts';
import { type Message, decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import { dnsClasses, opcodes, rcodes } from '#protocols/dns/types.ts';
import { NameServerError } from './driver.ts';

export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

const advertisedUdpBytes = 1232;

export function queryMessage(name: string, type: number): Message {
  return {
    id: randomInt(0x10000),
    flags: 0,
    opcode: opcodes.QUERY,
    rcode: rcodes.NOERROR,
    questions: [{ name, type, class: dnsClasses.IN }],
    answers: [],
    authorities: [],
    additionals: [],
    edns: { udpBytes: advertisedUdpBytes, version: 0, dnssecOk: false },
  };
}

export async function queryUdp(server: ServerAddress, request: Message, signal: AbortSignal): Promise<Message> {
  const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.connect(server.port, server.address);
    await once(socket, 'connect', { signal });
    socket.send(encodeMessage(request));
    for (;;) {
      const [datagram] = (await once(socket, 'message', { signal })) as [Buffer];
      const response = decodeMessage(datagram);
      if (response.id === request.id) return response;
    }
  } finally {
    socket.close();
  }
}

export async function queryTcp(server: ServerAddress, request: Message, signal: AbortSignal): Promise<Message> {
  for await (const bytes of exchange(server, encodeMessage(request), signal)) return decodeMessage(bytes);
  throw new NameServerError('nameserver_error', 'the connection was closed without an answer');
}

/** Sends a request over TCP, and yields each message of the response. */
export async function* exchange(server: ServerAddress, request: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
  const socket = connect({ host: server.address, port: server.port, signal });
  try {
    await once(socket, 'connect');
    socket.write(encodeFrame(request));
    yield* readFrames(socket);
  } finally {
    socket.destroy();
  }
}
