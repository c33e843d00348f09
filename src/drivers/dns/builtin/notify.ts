// Sends NOTIFY (RFC 1996) to a secondary, and retries until it is acknowledged.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type Message, decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { type TsigKey, signMessage } from '#protocols/dns/tsig.ts';
import { dnsClasses, headerFlags, opcodes, rcodes, rrTypes } from '#protocols/dns/types.ts';

export interface Secondary {
  readonly address: string;
  readonly port: number;
  readonly key?: TsigKey;
}

/** Timeouts of the attempts; a secondary that misses all of them relies on its SOA refresh. */
const attemptTimeoutsMs = [500, 1000, 2000, 4000];

/** Returns whether the secondary acknowledged. `from` is the address that it knows us by, unless it is of the other family. */
export async function sendNotify(
  soa: Rrset,
  secondary: Secondary,
  from: string,
  signal: AbortSignal,
): Promise<boolean> {
  const id = randomInt(0x10000);
  const request: Message = {
    id,
    flags: headerFlags.AUTHORITATIVE,
    opcode: opcodes.NOTIFY,
    rcode: rcodes.NOERROR,
    questions: [{ name: soa.name, type: rrTypes.SOA, class: dnsClasses.IN }],
    answers: [soa],
    authorities: [],
    additionals: [],
  };
  const { key } = secondary;
  const plain = encodeMessage(request);
  const bytes = key ? signMessage(plain, key, { timeSeconds: Math.floor(Date.now() / 1000) }).bytes : plain;
  const usesIpv6 = isIPv6(secondary.address);
  const socket = createSocket({ type: usesIpv6 ? 'udp6' : 'udp4' });
  const acknowledged = Promise.withResolvers<boolean>();
  const fail = () => acknowledged.resolve(false);
  socket.on('error', fail);
  socket.on('message', (datagram, peer) => {
    if (peer.port === secondary.port && isAcknowledgement(datagram, id)) acknowledged.resolve(true);
  });
  signal.addEventListener('abort', fail, { once: true });
  if (signal.aborted) fail();
  let timer: NodeJS.Timeout | undefined;
  const attempt = (index: number) => {
    const timeoutMs = attemptTimeoutsMs[index];
    if (timeoutMs === undefined) return fail();
    socket.send(bytes, secondary.port, secondary.address, () => {});
    timer = setTimeout(attempt, timeoutMs, index + 1);
  };
  try {
    socket.bind({ port: 0, ...(usesIpv6 === isIPv6(from) && { address: from }) }, () => attempt(0));
    return await acknowledged.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', fail);
    socket.close();
  }
}

function isAcknowledgement(datagram: Buffer, id: number): boolean {
  try {
    const message = decodeMessage(datagram);
    return message.id === id && message.opcode === opcodes.NOTIFY && (message.flags & headerFlags.RESPONSE) !== 0;
  } catch {
    return false;
  }
}
