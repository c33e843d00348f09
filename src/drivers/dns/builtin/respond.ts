// Turns the bytes of a request into those of its replies: decoding, signatures, access. Never throws: unreadable
// requests get FORMERR, internal errors SERVFAIL, and messages that are themselves responses are dropped.
import { WireError } from '#protocols/dns/errors.ts';
import {
  headerBytes,
  minUdpBytes,
  type Message,
  type Question,
  decodeMessage,
  encodeMessage,
} from '#protocols/dns/message.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import {
  tsigErrors,
  type TsigKey,
  createTsigError,
  signMessage,
  tsigBytes,
  verifyMessage,
} from '#protocols/dns/tsig.ts';
import { dnsClasses, headerFlags, opcodes, rcodes, rrTypes } from '#protocols/dns/types.ts';
import type { TransferAccess } from './access.ts';
import { type Answer, answerQuestion, emptyAnswer, serverFailure } from './answer.ts';
import type { ZoneSource } from './source.ts';
import { serialOf, transferMessages } from './transfer.ts';

/** Fits in a datagram on any path without fragmentation (DNS flag day 2020). */
const maxUdpBytes = 1232;
const maxTcpBytes = 0xffff;
const echoedFlags = headerFlags.RECURSION_DESIRED | headerFlags.CHECKING_DISABLED;

export interface Peer {
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
  /** Sends only a truncated reply, because the peer's network is over its limit. */
  readonly isLimited?: boolean;
}

export interface RespondSettings {
  readonly source: ZoneSource;
  readonly access: TransferAccess;
  readonly nowMs: () => number;
  /** Called for internal errors, such as a failing database; the resolver gets SERVFAIL. */
  readonly onError: (error: unknown) => void;
}

export type Respond = (request: Buffer, peer: Peer) => Promise<Iterable<Buffer>>;

export function createResponder(settings: RespondSettings): Respond {
  return async (bytes, peer) => {
    if (bytes.length < headerBytes || bytes.readUInt16BE(2) & headerFlags.RESPONSE) return [];
    try {
      return await respond(bytes, decodeMessage(bytes), peer, settings);
    } catch (error) {
      if (error instanceof WireError) return [headerOnly(bytes, rcodes.FORMERR)];
      settings.onError(error);
      return [headerOnly(bytes, rcodes.SERVFAIL)];
    }
  };
}

/** Returns a bare header, for requests that cannot be decoded. */
function headerOnly(request: Buffer, rcode: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  request.copy(header, 0, 0, 4);
  header.writeUInt16BE(headerFlags.RESPONSE | (request.readUInt16BE(2) & (0x7800 | echoedFlags)) | rcode, 2);
  return header;
}

async function respond(
  bytes: Buffer,
  request: Message,
  peer: Peer,
  settings: RespondSettings,
): Promise<Iterable<Buffer>> {
  const nowSeconds = Math.floor(settings.nowMs() / 1000);
  const { tsig } = request;
  if (!tsig) return encodeReplies(request, await decide(request, peer, undefined, settings), peer);

  const key = settings.access.key(tsig.key);
  const error = verifyMessage(bytes, tsig, key, { nowSeconds });
  if (key && error === tsigErrors.NONE) {
    const decision = await decide(request, peer, key, settings);
    return signMessages(encodeReplies(request, decision, peer, key), key, tsig.mac, nowSeconds);
  }
  const errorReply = encodeMessage(createReply(request, emptyAnswer(rcodes.NOTAUTH)));
  if (!key || error !== tsigErrors.BADTIME) return [createTsigError(errorReply, tsig, error)];
  const { timeSeconds, mac: priorMac } = tsig;
  return [signMessage(errorReply, key, { timeSeconds, priorMac, badTimeNowSeconds: nowSeconds }).bytes];
}

type Decision = Answer | { readonly messages: Iterable<Rrset[]> };

async function decide(
  request: Message,
  peer: Peer,
  key: TsigKey | undefined,
  settings: RespondSettings,
): Promise<Decision> {
  const [question] = request.questions;
  if (request.opcode !== opcodes.QUERY) return emptyAnswer(rcodes.NOTIMP);
  if (!question || request.questions.length > 1) return emptyAnswer(rcodes.FORMERR);
  if (request.edns && request.edns.version > 0) return emptyAnswer(rcodes.BADVERS);
  if (question.class !== dnsClasses.IN && question.class !== dnsClasses.ANY) return emptyAnswer(rcodes.REFUSED);
  if (peer.isLimited === true) return { ...emptyAnswer(rcodes.NOERROR), truncated: true };
  switch (question.type) {
    case rrTypes.AXFR:
    case rrTypes.IXFR:
      return decideTransfer(request, question, peer, key, settings);
    case 0:
    case rrTypes.OPT:
    case rrTypes.TSIG:
      return emptyAnswer(rcodes.FORMERR);
    case rrTypes.MAILA:
    case rrTypes.MAILB:
      return emptyAnswer(rcodes.NOTIMP);
    case rrTypes.ANY:
      // Large responses over UDP would amplify attacks with spoofed addresses, so the resolver must retry over TCP.
      if (peer.transport === 'udp') return { ...emptyAnswer(rcodes.NOERROR), truncated: true };
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
  if (question.type === rrTypes.AXFR && peer.transport === 'udp') return emptyAnswer(rcodes.FORMERR);
  if (!access.mayTransfer(peer.address, key)) return emptyAnswer(rcodes.REFUSED);
  const zone = await source.findZone([question.name]);
  if (!zone) return emptyAnswer(rcodes.NOTAUTH);
  if (peer.transport === 'udp') {
    return answerQuestion({ name: zone.name, type: rrTypes.SOA, maySeeHidden: () => true }, source);
  }
  const soa = request.authorities.find((rrset) => rrset.type === rrTypes.SOA);
  const messages = await transferMessages(
    zone,
    source,
    question.type === rrTypes.IXFR && soa ? serialOf(soa) : undefined,
  );
  return messages ? { messages } : serverFailure;
}

function createReply(request: Message, answer: Answer): Message {
  const { rcode, answers, authorities, additionals } = answer;
  const flags =
    headerFlags.RESPONSE |
    (request.flags & echoedFlags) |
    (answer.authoritative ? headerFlags.AUTHORITATIVE : 0) |
    (answer.truncated ? headerFlags.TRUNCATED : 0);
  const edns = request.edns && { udpBytes: maxUdpBytes, version: 0, dnssecOk: request.edns.dnssecOk };
  const { id, opcode, questions } = request;
  return { id, flags, opcode, rcode, questions: questions.slice(0, 1), answers, authorities, additionals, edns };
}

function encodeReplies(request: Message, decision: Decision, peer: Peer, key?: TsigKey): Iterable<Buffer> {
  if ('messages' in decision) return transferReplies(request, decision.messages);
  const maxBytes = maxReplyBytes(request, peer) - (key ? tsigBytes(key) : 0);
  return [encodeMessage(createReply(request, decision), maxBytes)];
}

/** Encoded lazily, so that a large zone is not in memory twice. */
function* transferReplies(request: Message, messages: Iterable<Rrset[]>): Generator<Buffer> {
  const sections = { rcode: rcodes.NOERROR, authoritative: true, authorities: [], additionals: [] };
  for (const answers of messages) yield encodeMessage(createReply(request, { ...sections, answers }));
}

function maxReplyBytes(request: Message, peer: Peer): number {
  if (peer.transport === 'tcp') return maxTcpBytes;
  return Math.min(Math.max(request.edns?.udpBytes ?? 0, minUdpBytes), maxUdpBytes);
}

function* signMessages(
  messages: Iterable<Buffer>,
  key: TsigKey,
  requestMac: Buffer,
  timeSeconds: number,
): Generator<Buffer> {
  let priorMac = requestMac;
  let follows = false;
  for (const message of messages) {
    const { bytes, mac } = signMessage(message, key, { timeSeconds, priorMac, follows });
    yield bytes;
    priorMac = mac;
    follows = true;
  }
}
