// Asks a name server what it really answers, by UDP or TCP, signed or not: to look after a change from outside, as the
// world would.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { frame, framesOf } from '#wire/dns/frames.ts';
import { type Message, decodeMessage, encodeMessage } from '#wire/dns/message.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { TSIG_ERROR, type TsigKey, signMessage, verifyMessage } from '#wire/dns/tsig.ts';
import { CLASS, OPCODE, RCODE, TYPE } from '#wire/dns/types.ts';
import { NameServerError } from './driver.ts';

export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

const UDP_BYTES = 1232;

export function queryMessage(name: string, type: number): Message {
  return {
    id: randomInt(0x10000),
    flags: 0,
    opcode: OPCODE.QUERY,
    rcode: RCODE.NOERROR,
    questions: [{ name, type, class: CLASS.IN }],
    answers: [],
    authorities: [],
    additionals: [],
    edns: { udpBytes: UDP_BYTES, version: 0, dnssecOk: false },
  };
}

export async function askUdp(server: ServerAddress, request: Message, signal: AbortSignal): Promise<Message> {
  const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.connect(server.port, server.address);
    await once(socket, 'connect', { signal });
    socket.send(encodeMessage(request));
    for (;;) {
      const [datagram] = (await once(socket, 'message', { signal })) as [Buffer];
      const answer = decodeMessage(datagram);
      if (answer.id === request.id) return answer;
    }
  } finally {
    socket.close();
  }
}

export async function askTcp(server: ServerAddress, request: Message, signal: AbortSignal): Promise<Message> {
  for await (const bytes of exchange(server, encodeMessage(request), signal)) return decodeMessage(bytes);
  throw new NameServerError('nameserver_error', 'the connection was closed without an answer');
}

/** Copies a whole zone (AXFR), each message's signature checked where a key is given. The SOA comes first, once. */
export async function fetchZone(
  server: ServerAddress,
  zone: string,
  signal: AbortSignal,
  key?: TsigKey,
): Promise<Rrset[]> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const plain = encodeMessage({ ...queryMessage(zone, TYPE.AXFR), edns: undefined });
  const request = key && signMessage(plain, key, { timeSeconds: nowSeconds });
  let priorMac = request?.mac;
  let follows = false;
  const records: Rrset[] = [];
  for await (const bytes of exchange(server, request?.bytes ?? plain, signal)) {
    const message = decodeMessage(bytes);
    if (message.rcode !== RCODE.NOERROR) {
      throw new NameServerError('nameserver_refused', `the transfer was refused with code ${message.rcode}`);
    }
    if (key && priorMac) {
      const { tsig } = message;
      if (!tsig || verifyMessage(bytes, tsig, key, { nowSeconds, priorMac, follows }) !== TSIG_ERROR.NONE) {
        throw new NameServerError('nameserver_error', 'a message of the transfer is not signed as it should be');
      }
      priorMac = tsig.mac;
      follows = true;
    }
    records.push(...message.answers);
    if (records.length > 1 && records.at(-1)!.type === TYPE.SOA) return records.slice(0, -1);
  }
  throw new NameServerError('nameserver_error', 'the transfer was cut short');
}

async function* exchange(server: ServerAddress, request: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
  const socket = connect({ host: server.address, port: server.port, signal });
  try {
    await once(socket, 'connect');
    socket.write(frame(request));
    yield* framesOf(socket);
  } finally {
    socket.destroy();
  }
}
