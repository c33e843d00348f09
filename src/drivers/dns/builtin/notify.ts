// NOTIFY (RFC 1996): tells a secondary that a zone changed, and asks again until it says that it heard.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type Message, decodeMessage, encodeMessage } from '#wire/dns/message.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { type TsigKey, signMessage } from '#wire/dns/tsig.ts';
import { CLASS, FLAG, OPCODE, RCODE, TYPE } from '#wire/dns/types.ts';

export interface Secondary {
  readonly address: string;
  readonly port: number;
  readonly key?: TsigKey;
}

/** Waits between attempts; a secondary that heard none of them finds out by its SOA refresh. */
const ATTEMPT_TIMEOUTS_MS = [500, 1000, 2000, 4000];

/** Answers whether the secondary acknowledged. `from` must be the address by which it knows us. */
export async function sendNotify(
  soa: Rrset,
  secondary: Secondary,
  from: string,
  signal: AbortSignal,
): Promise<boolean> {
  const id = randomInt(0x10000);
  const request: Message = {
    id,
    flags: FLAG.AUTHORITATIVE,
    opcode: OPCODE.NOTIFY,
    rcode: RCODE.NOERROR,
    questions: [{ name: soa.name, type: TYPE.SOA, class: CLASS.IN }],
    answers: [soa],
    authorities: [],
    additionals: [],
  };
  const { key } = secondary;
  const plain = encodeMessage(request);
  const bytes = key ? signMessage(plain, key, { timeSeconds: Math.floor(Date.now() / 1000) }).bytes : plain;
  const socket = createSocket({ type: isIPv6(secondary.address) ? 'udp6' : 'udp4' });
  const acknowledged = Promise.withResolvers<boolean>();
  const giveUp = () => acknowledged.resolve(false);
  socket.on('error', giveUp);
  socket.on('message', (datagram, peer) => {
    if (peer.port === secondary.port && isAcknowledgement(datagram, id)) acknowledged.resolve(true);
  });
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  let timer: NodeJS.Timeout | undefined;
  const attempt = (index: number) => {
    const timeoutMs = ATTEMPT_TIMEOUTS_MS[index];
    if (timeoutMs === undefined) return giveUp();
    socket.send(bytes, secondary.port, secondary.address, () => {});
    timer = setTimeout(attempt, timeoutMs, index + 1);
  };
  try {
    socket.bind({ address: from, port: 0 }, () => attempt(0));
    return await acknowledged.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    socket.close();
  }
}

function isAcknowledgement(datagram: Buffer, id: number): boolean {
  try {
    const message = decodeMessage(datagram);
    return message.id === id && message.opcode === OPCODE.NOTIFY && (message.flags & FLAG.RESPONSE) !== 0;
  } catch {
    return false;
  }
}
