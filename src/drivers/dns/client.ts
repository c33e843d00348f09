// Queries a name server over UDP or TCP, signed or not, to verify a change from outside.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { encodeFrame, readFrames } from '#protocols/dns/frames.ts';
import { type Message, decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { tsigErrors, type TsigKey, signMessage, verifyMessage } from '#protocols/dns/tsig.ts';
import { dnsClasses, opcodes, rcodes, rrTypes } from '#protocols/dns/types.ts';
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

/** Transfers a zone (AXFR) and verifies each message if there is a key. The SOA comes first, once. */
export async function transferZone(
  server: ServerAddress,
  zone: string,
  signal: AbortSignal,
  key?: TsigKey,
): Promise<Rrset[]> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const plain = encodeMessage({ ...queryMessage(zone, rrTypes.AXFR), edns: undefined });
  const request = key && signMessage(plain, key, { timeSeconds: nowSeconds });
  let priorMac = request?.mac;
  let follows = false;
  const records: Rrset[] = [];
  for await (const bytes of exchange(server, request?.bytes ?? plain, signal)) {
    const message = decodeMessage(bytes);
    if (message.rcode !== rcodes.NOERROR) {
      throw new NameServerError('nameserver_refused', `the transfer was refused with rcode ${message.rcode}`);
    }
    if (key && priorMac) {
      const { tsig } = message;
      if (!tsig || verifyMessage(bytes, tsig, key, { nowSeconds, priorMac, follows }) !== tsigErrors.NONE) {
        throw new NameServerError('nameserver_error', 'a message of the transfer is not signed correctly');
      }
      priorMac = tsig.mac;
      follows = true;
    }
    records.push(...message.answers);
    if (records.length > 1 && records.at(-1)!.type === rrTypes.SOA) return records.slice(0, -1);
  }
  throw new NameServerError('nameserver_error', 'the transfer ended early');
}

async function* exchange(server: ServerAddress, request: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
  const socket = connect({ host: server.address, port: server.port, signal });
  try {
    await once(socket, 'connect');
    socket.write(encodeFrame(request));
    yield* readFrames(socket);
  } finally {
    socket.destroy();
  }
}
