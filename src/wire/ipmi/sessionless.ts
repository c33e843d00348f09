// What can be asked of a BMC before there is a session: whether it is there, and which cipher suites it offers.

import { asfType, presencePong } from './asf.ts';
import type { PresencePong } from './asf.ts';
import type { Command } from './codec.ts';
import { getChannelCipherSuites, presentChannel, suitePieceBytes } from './commands/session.ts';
import { completion } from './error.ts';
import { exchange } from './exchange.ts';
import type { Deadline, Pace } from './exchange.ts';
import { decodeResponse, encodeRequest } from './message.ts';
import type { ResponseMessage } from './message.ts';
import { encodeAsf, encodeSessionless } from './packet.ts';
import { randomBuffer } from './random.ts';
import { cipherSuites, decodeSuiteIds } from './suite.ts';
import type { CipherSuite } from './suite.ts';
import type { Peer } from './transport.ts';

const noSession = 0;
const mostPieces = 16;

export function ping(peer: Peer, pace: Pace, deadline: Deadline): Promise<PresencePong> {
  const tag = randomBuffer(1).readUInt8();
  const datagram = encodeAsf({ type: asfType.presencePing, tag, data: Buffer.alloc(0) });
  return exchange(pace, deadline, {
    what: 'the presence ping',
    transmit: () => peer.send(datagram),
    listen: (answered) =>
      peer.receive(noSession, (packet) => {
        if (packet.format !== 'asf' || packet.type !== asfType.presencePong || packet.tag !== tag) return;
        const pong = presencePong.decode(packet.data);
        if (pong !== undefined) answered(pong);
      }),
  });
}

function askSessionless<Request, Response>(
  peer: Peer,
  command: Command<Request, Response>,
  request: Request,
  pace: Pace,
  deadline: Deadline,
): Promise<ResponseMessage> {
  const sequence = randomBuffer(1).readUInt8() & 0x3f;
  const data = command.request.encode(request);
  const datagram = encodeSessionless(encodeRequest({ netFn: command.netFn, code: command.code, sequence, data }));
  return exchange(pace, deadline, {
    what: command.name,
    transmit: () => peer.send(datagram),
    listen: (answered) =>
      peer.receive(noSession, (packet) => {
        if (packet.format !== 'sessionless') return;
        const response = decodeResponse(packet.payload);
        if (response?.sequence === sequence && response.code === command.code) answered(response);
      }),
  });
}

/**
 * The suites to try, best first. A BMC that does not know the question is simply tried with each. The list is not
 * authenticated, so a forger could hide suite 17; both suites that remain are sound, and no other is ever used.
 */
export async function offeredSuites(peer: Peer, pace: Pace, deadline: Deadline): Promise<readonly CipherSuite[]> {
  const records: Buffer[] = [];
  for (let piece = 0; piece < mostPieces; piece++) {
    const request = { channel: presentChannel, piece };
    const response = await askSessionless(peer, getChannelCipherSuites, request, pace, deadline);
    const answer = getChannelCipherSuites.response.decode(response.data);
    if (response.completionCode !== completion.ok || answer === undefined) return cipherSuites;
    records.push(answer.records);
    if (answer.records.length < suitePieceBytes) break;
  }
  const offered = new Set(decodeSuiteIds(Buffer.concat(records)));
  return cipherSuites.filter((suite) => offered.has(suite.id));
}
