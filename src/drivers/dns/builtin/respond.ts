// From the bytes of a request to the bytes of its answers: decoding, signatures, who may ask what. Whatever comes in, it
// never throws: what cannot be read is FORMERR, what fails inside is SERVFAIL, and what looks like an answer is dropped.
import { WireError } from '#wire/dns/errors.ts';
import {
  HEADER_BYTES,
  MIN_UDP_BYTES,
  type Message,
  type Question,
  decodeMessage,
  encodeMessage,
} from '#wire/dns/message.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { TSIG_ERROR, type TsigKey, refuseTsig, signMessage, tsigBytes, verifyMessage } from '#wire/dns/tsig.ts';
import { CLASS, FLAG, OPCODE, RCODE, TYPE } from '#wire/dns/types.ts';
import type { TransferAccess } from './access.ts';
import { type Answer, SERVFAIL, answerQuestion } from './answer.ts';
import type { ZoneSource } from './source.ts';
import { serialOf, transferOf } from './transfer.ts';

/** What fits a datagram on any path without fragments (the DNS flag day of 2020). */
const MAX_UDP_BYTES = 1232;
const MAX_TCP_BYTES = 0xffff;
const KEPT_FLAGS = FLAG.RECURSION_DESIRED | FLAG.CHECKING_DISABLED;

export interface Peer {
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
}

export interface RespondSettings {
  readonly source: ZoneSource;
  readonly access: TransferAccess;
  readonly nowMs: () => number;
  /** A fault inside, such as a database that does not answer; the asker gets SERVFAIL. */
  readonly onFault: (error: unknown) => void;
}

export type Respond = (request: Buffer, peer: Peer) => Promise<Iterable<Buffer>>;

export function responder(settings: RespondSettings): Respond {
  return async (bytes, peer) => {
    if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(2) & FLAG.RESPONSE) return [];
    try {
      return await respond(bytes, decodeMessage(bytes), peer, settings);
    } catch (error) {
      if (error instanceof WireError) return [bareAnswer(bytes, RCODE.FORMERR)];
      settings.onFault(error);
      return [bareAnswer(bytes, RCODE.SERVFAIL)];
    }
  };
}

/** A header alone, for a request of which nothing more can be said. */
function bareAnswer(request: Buffer, rcode: number): Buffer {
  const answer = Buffer.alloc(HEADER_BYTES);
  request.copy(answer, 0, 0, 4);
  answer.writeUInt16BE(FLAG.RESPONSE | (request.readUInt16BE(2) & (0x7800 | KEPT_FLAGS)) | rcode, 2);
  return answer;
}

async function respond(
  bytes: Buffer,
  request: Message,
  peer: Peer,
  settings: RespondSettings,
): Promise<Iterable<Buffer>> {
  const nowSeconds = Math.floor(settings.nowMs() / 1000);
  const { tsig } = request;
  if (!tsig) return replies(request, await decide(request, peer, undefined, settings), peer);

  const key = settings.access.key(tsig.key);
  const error = verifyMessage(bytes, tsig, key, { nowSeconds });
  if (key && error === TSIG_ERROR.NONE) {
    const decided = await decide(request, peer, key, settings);
    return signed(replies(request, decided, peer, key), key, tsig.mac, nowSeconds);
  }
  const refusal = encodeMessage(reply(request, refuse(RCODE.NOTAUTH)));
  if (!key || error !== TSIG_ERROR.BADTIME) return [refuseTsig(refusal, tsig, error)];
  const { timeSeconds, mac: priorMac } = tsig;
  return [signMessage(refusal, key, { timeSeconds, priorMac, badTimeNowSeconds: nowSeconds }).bytes];
}

type Decision = Answer | { readonly messages: Iterable<Rrset[]> };

async function decide(
  request: Message,
  peer: Peer,
  key: TsigKey | undefined,
  settings: RespondSettings,
): Promise<Decision> {
  const [question] = request.questions;
  if (request.opcode !== OPCODE.QUERY) return refuse(RCODE.NOTIMP);
  if (!question || request.questions.length > 1) return refuse(RCODE.FORMERR);
  if (request.edns && request.edns.version > 0) return refuse(RCODE.BADVERS);
  if (question.class !== CLASS.IN && question.class !== CLASS.ANY) return refuse(RCODE.REFUSED);
  switch (question.type) {
    case TYPE.AXFR:
    case TYPE.IXFR:
      return decideTransfer(request, question, peer, key, settings);
    case 0:
    case TYPE.OPT:
    case TYPE.TSIG:
      return refuse(RCODE.FORMERR);
    case TYPE.MAILA:
    case TYPE.MAILB:
      return refuse(RCODE.NOTIMP);
    case TYPE.ANY:
      // By UDP an answer of everything would serve attacks on forged addresses, so the asker must come by TCP.
      if (peer.transport === 'udp') return { ...refuse(RCODE.NOERROR), truncated: true };
  }
  const maySeeHidden = () => settings.access.mayTransfer(peer.address, key);
  return answerQuestion({ name: question.name, type: question.type, maySeeHidden }, settings.source);
}

async function decideTransfer(
  request: Message,
  question: Question,
  peer: Peer,
  key: TsigKey | undefined,
  { source, access }: RespondSettings,
): Promise<Decision> {
  if (question.type === TYPE.AXFR && peer.transport === 'udp') return refuse(RCODE.FORMERR);
  if (!access.mayTransfer(peer.address, key)) return refuse(RCODE.REFUSED);
  const zone = await source.zoneOf([question.name]);
  if (!zone) return refuse(RCODE.NOTAUTH);
  if (peer.transport === 'udp') {
    return answerQuestion({ name: zone.name, type: TYPE.SOA, maySeeHidden: () => true }, source);
  }
  const known = request.authorities.find((rrset) => rrset.type === TYPE.SOA);
  const messages = await transferOf(zone, source, question.type === TYPE.IXFR && known ? serialOf(known) : undefined);
  return messages ? { messages } : SERVFAIL;
}

function refuse(rcode: number): Answer {
  return { rcode, authoritative: false, answers: [], authorities: [], additionals: [] };
}

function reply(request: Message, answer: Answer): Message {
  const { rcode, answers, authorities, additionals } = answer;
  const flags =
    FLAG.RESPONSE |
    (request.flags & KEPT_FLAGS) |
    (answer.authoritative ? FLAG.AUTHORITATIVE : 0) |
    (answer.truncated ? FLAG.TRUNCATED : 0);
  const edns = request.edns && { udpBytes: MAX_UDP_BYTES, version: 0, dnssecOk: request.edns.dnssecOk };
  const { id, opcode, questions } = request;
  return { id, flags, opcode, rcode, questions: questions.slice(0, 1), answers, authorities, additionals, edns };
}

function replies(request: Message, decision: Decision, peer: Peer, key?: TsigKey): Iterable<Buffer> {
  if ('messages' in decision) return transferReplies(request, decision.messages);
  const maxBytes = roomFor(request, peer) - (key ? tsigBytes(key) : 0);
  return [encodeMessage(reply(request, decision), maxBytes)];
}

/** Encoded one at a time, as the asker takes them: a large zone never stands in memory twice. */
function* transferReplies(request: Message, messages: Iterable<Rrset[]>): Generator<Buffer> {
  const whole = { rcode: RCODE.NOERROR, authoritative: true, authorities: [], additionals: [] };
  for (const answers of messages) yield encodeMessage(reply(request, { ...whole, answers }));
}

function roomFor(request: Message, peer: Peer): number {
  if (peer.transport === 'tcp') return MAX_TCP_BYTES;
  return Math.min(Math.max(request.edns?.udpBytes ?? 0, MIN_UDP_BYTES), MAX_UDP_BYTES);
}

function* signed(messages: Iterable<Buffer>, key: TsigKey, requestMac: Buffer, timeSeconds: number): Generator<Buffer> {
  let priorMac = requestMac;
  let follows = false;
  for (const message of messages) {
    const { bytes, mac } = signMessage(message, key, { timeSeconds, priorMac, follows });
    yield bytes;
    priorMac = mac;
    follows = true;
  }
}
