// Requests without a session: presence ping and cipher suites.
import { asfType, presencePong, type PresencePong } from './asf.ts';
import type { Command } from './codec.ts';
import { getChannelCipherSuites, currentChannel, suitePieceBytes } from './commands/session.ts';
import { completion } from './error.ts';
import { exchange, isPast, type Deadline, type RetryPolicy } from './exchange.ts';
import { decodeResponse, encodeRequest, type ResponseMessage } from './message.ts';
import {
  encodeAsf,
  encodeSessionless,
  payloadType,
  type Packet,
  type RmcpPlusPacket,
  type SessionlessPacket,
} from './packet.ts';
import { randomBuffer } from './random.ts';
import { cipherSuites, decodeSuiteIds, type CipherSuite } from './suite.ts';
import type { Peer } from './transport.ts';

const noSession = 0;
const maxPieces = 16;
/** Few, because the suites can be tried without the list. */
const attemptsForSuites = 3;

export function ping(peer: Peer, pace: RetryPolicy, deadline: Deadline): Promise<PresencePong> {
  const tag = randomBuffer(1).readUInt8();
  const datagram = encodeAsf({ type: asfType.presencePing, tag, data: Buffer.alloc(0) });
  return exchange(pace, deadline, {
    what: 'the presence ping',
    transmit: () => peer.send(datagram),
    listen: (onResponse) =>
      peer.receive(noSession, (packet) => {
        if (packet.format !== 'asf' || packet.type !== asfType.presencePong || packet.tag !== tag) return;
        const pong = presencePong.decode(packet.data);
        if (pong !== undefined) onResponse(pong);
      }),
  });
}

function requestSessionless<Request, Response>(
  peer: Peer,
  command: Command<Request, Response>,
  request: Request,
  pace: RetryPolicy,
  deadline: Deadline,
): Promise<ResponseMessage> {
  const sequence = randomBuffer(1).readUInt8() & 0x3f;
  const data = command.request.encode(request);
  const datagram = encodeSessionless(encodeRequest({ netFn: command.netFn, code: command.code, sequence, data }));
  return exchange(pace, deadline, {
    what: command.name,
    transmit: () => peer.send(datagram),
    listen: (onResponse) =>
      peer.receive(noSession, (packet) => {
        if (!isSessionless(packet)) return;
        const response = decodeResponse(packet.payload);
        if (response?.sequence === sequence && response.code === command.code) onResponse(response);
      }),
  });
}

/** Some BMCs respond in RMCP+ packets, although they were asked without. */
function isSessionless(packet: Packet): packet is SessionlessPacket | RmcpPlusPacket {
  if (packet.format === 'rmcpPlus') return packet.payloadType === payloadType.ipmi && !packet.isProtected;
  return packet.format === 'sessionless';
}

/**
 * Returns the suites to try, strongest first. If the BMC does not support the command, or never responds to it, each is
 * tried. The list is not authenticated, so an attacker could hide suite 17; both suites are sound, and no other is ever
 * used.
 */
export async function getOfferedSuites(
  peer: Peer,
  { retransmitMs }: RetryPolicy,
  deadline: Deadline,
): Promise<readonly CipherSuite[]> {
  const pace = { retransmitMs, attempts: attemptsForSuites };
  const records: Buffer[] = [];
  for (let piece = 0; piece < maxPieces; piece++) {
    const request = { channel: currentChannel, piece };
    const response = await requestSessionless(peer, getChannelCipherSuites, request, pace, deadline).catch(
      (error: unknown) => {
        if (isPast(deadline)) throw error;
        return undefined;
      },
    );
    if (response === undefined) return cipherSuites;
    const content = getChannelCipherSuites.response.decode(response.data);
    if (response.completionCode !== completion.ok || content === undefined) return cipherSuites;
    records.push(content.records);
    if (content.records.length < suitePieceBytes) break;
  }
  const offeredIds = new Set(decodeSuiteIds(Buffer.concat(records)));
  return cipherSuites.filter((suite) => offeredIds.has(suite.id));
}
