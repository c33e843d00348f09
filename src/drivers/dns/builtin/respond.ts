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
import {
  tsigErrors,
  type TsigKey,
  createTsigError,
  signMessage,
  tsigBytes,
  verifyMessage,
} from '#protocols/dns/tsig.ts';
import { dnsClasses, headerFlags, opcodes, rcodes, rrTypes } from '#protocols/dns/types.ts';
import type { CustomerKeys, Signer, TransferAccess } from './access.ts';
import type { Cookies } from './cookies.ts';
import { type Answer, answerQuestion, emptyAnswer, findZone, serverFailure } from './answer.ts';
import { echoedFlags, maxTcpBytes, maxUdpBytes } from './reply-writer.ts';
import { isSigningType } from './sign-answer.ts';
import { OverSigningLimit } from './sign-set.ts';
import type { SignedZones } from './sign-zones.ts';
import type { ZoneSource } from './source.ts';
import { serialOf, transferMessages, type TransferMessages } from './transfer.ts';

export interface Peer {
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
  /** Sends only a truncated reply, because the peer's network is over its limit. */
  readonly isLimited?: boolean;
}

export interface RespondSettings {
  readonly source: ZoneSource;
  /** Absent if no zone is signed here. */
  readonly signedZones?: SignedZones | undefined;
  readonly access: TransferAccess;
  readonly customers?: CustomerKeys | undefined;
  readonly cookies?: Cookies;
  readonly nowMs: () => number;
  /** Called for internal errors, such as a failing database; the resolver gets SERVFAIL. */
  readonly onError: (error: unknown) => void;
}

/** Of a transfer, each reply is made when the one before has been sent. */
export type Replies = Iterable<Buffer> | AsyncIterable<Buffer>;
export type Respond = (request: Buffer, peer: Peer) => Promise<Replies>;

export function createResponder(settings: RespondSettings): Respond {
  return async (bytes, peer) => {
    if (bytes.length < headerBytes || bytes.readUInt16BE(2) & headerFlags.RESPONSE) return [];
    try {
      return await respond(bytes, completeCookie(decodeMessage(bytes), peer, settings), peer, settings);
    } catch (error) {
      if (error instanceof WireError) return [headerOnly(bytes, rcodes.FORMERR)];
      if (error instanceof OverSigningLimit) return [headerOnly(bytes, rcodes.SERVFAIL)];
      settings.onError(error);
      return [headerOnly(bytes, rcodes.SERVFAIL)];
    }
  };
}

/** Returns the request with the cookie that its replies get. */
function completeCookie(request: Message, { address }: Peer, { cookies }: RespondSettings): Message {
  const { edns } = request;
  return edns?.cookie ? { ...request, edns: { ...edns, cookie: cookies?.complete(edns.cookie, address) } } : request;
}

/** Returns a bare header, for requests that cannot be decoded. */
function headerOnly(request: Buffer, rcode: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  request.copy(header, 0, 0, 4);
  header.writeUInt16BE(headerFlags.RESPONSE | (request.readUInt16BE(2) & (0x7800 | echoedFlags)) | rcode, 2);
  return header;
}

async function respond(bytes: Buffer, request: Message, peer: Peer, settings: RespondSettings): Promise<Replies> {
  const nowSeconds = Math.floor(settings.nowMs() / 1000);
  const { tsig } = request;
  if (!tsig) return encodeReplies(request, await decide(request, peer, undefined, settings), peer);

  const signer = await settings.access.signer(tsig.key);
  const error = verifyMessage(bytes, tsig, signer, { nowSeconds });
  const { mac: priorMac, timeSeconds } = tsig;
  if (signer && error === tsigErrors.NONE) {
    const decision =
      request.opcode === opcodes.UPDATE
        ? emptyAnswer(await update(bytes, priorMac, peer, signer, settings))
        : await decide(request, peer, signer, settings);
    return signMessages(encodeReplies(request, decision, peer, signer), signer, priorMac, nowSeconds);
  }
  const errorReply = encodeMessage(createReply(request, emptyAnswer(rcodes.NOTAUTH)));
  if (!signer || error === tsigErrors.BADKEY || error === tsigErrors.BADSIG)
    return [createTsigError(errorReply, tsig, error)];
  if (error === tsigErrors.BADTRUNC)
    return [signMessage(errorReply, signer, { timeSeconds: nowSeconds, priorMac, error }).bytes];
  return [signMessage(errorReply, signer, { timeSeconds, priorMac, error, badTimeNowSeconds: nowSeconds }).bytes];
}

/** Only customers' keys have zones to change. */
async function update(
  bytes: Buffer,
  mac: Buffer,
  { address }: Peer,
  { name, isCustomer }: Signer,
  { customers, onError }: RespondSettings,
): Promise<number> {
  if (!isCustomer || !customers) return rcodes.REFUSED;
  try {
    return await customers.update(name, { bytes, mac, address });
  } catch (error) {
    onError(error);
    return rcodes.SERVFAIL;
  }
}

type Decision = Answer | { readonly messages: TransferMessages };

async function decide(
  request: Message,
  peer: Peer,
  signer: Signer | undefined,
  settings: RespondSettings,
): Promise<Decision> {
  const [question] = request.questions;
  if (request.opcode === opcodes.UPDATE) return emptyAnswer(rcodes.REFUSED);
  if (request.opcode !== opcodes.QUERY) return emptyAnswer(rcodes.NOTIMP);
  if (!question || request.questions.length > 1) return emptyAnswer(rcodes.FORMERR);
  if (request.edns && request.edns.version > 0) return emptyAnswer(rcodes.BADVERS);
  if (question.class !== dnsClasses.IN && question.class !== dnsClasses.ANY) return emptyAnswer(rcodes.REFUSED);
  if (peer.isLimited === true) return { ...emptyAnswer(rcodes.NOERROR), truncated: true };
  switch (question.type) {
    case rrTypes.AXFR:
    case rrTypes.IXFR:
      return decideTransfer(request, question, peer, signer, settings);
    case 0:
    case rrTypes.OPT:
    case rrTypes.TSIG:
      return emptyAnswer(rcodes.FORMERR);
    case rrTypes.MAILA:
    case rrTypes.MAILB:
      return emptyAnswer(rcodes.NOTIMP);
  }
  const signedAnswer = await answerSigned(question, request.edns?.dnssecOk === true, settings);
  if (signedAnswer) return signedAnswer;
  const maySeeHidden = () => settings.access.isSecondary(peer.address, signer);
  return answerQuestion({ name: question.name, type: question.type, maySeeHidden }, settings.source);
}

/** Returns undefined if the answer needs no signatures. */
async function answerSigned(
  { name, type }: Question,
  dnssecOk: boolean,
  { source, signedZones }: RespondSettings,
): Promise<Answer | undefined> {
  if (!signedZones || !(dnssecOk || isSigningType(type))) return undefined;
  const zone = await findZone(name, type, source);
  return zone && signedZones.answer(zone, { name, type, dnssecOk });
}

async function decideTransfer(
  request: Message,
  question: Question,
  peer: Peer,
  signer: Signer | undefined,
  { source, access, signedZones }: RespondSettings,
): Promise<Decision> {
  if (question.type === rrTypes.AXFR && peer.transport === 'udp') return emptyAnswer(rcodes.FORMERR);
  if (!signer && !access.isSecondary(peer.address, signer)) return emptyAnswer(rcodes.REFUSED);
  const zone = await source.findZone([question.name]);
  if (!zone) return emptyAnswer(rcodes.NOTAUTH);
  if (!(await access.mayTransfer(peer.address, signer, zone))) return emptyAnswer(rcodes.REFUSED);
  if (peer.transport === 'udp') {
    return answerQuestion({ name: zone.name, type: rrTypes.SOA, maySeeHidden: () => true }, source);
  }
  const soa = request.authorities.find((rrset) => rrset.type === rrTypes.SOA);
  const messages = await transferMessages(
    zone,
    source,
    question.type === rrTypes.IXFR && soa ? serialOf(soa) : undefined,
    signedZones,
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
  const edns = request.edns && { ...request.edns, udpBytes: maxUdpBytes, version: 0 };
  const { id, opcode, questions } = request;
  return { id, flags, opcode, rcode, questions: questions.slice(0, 1), answers, authorities, additionals, edns };
}

function encodeReplies(request: Message, decision: Decision, peer: Peer, key?: TsigKey): Replies {
  if ('messages' in decision) return transferReplies(request, decision.messages);
  const maxBytes = maxReplyBytes(request, peer) - (key ? tsigBytes(key) : 0);
  return [encodeMessage(createReply(request, decision), maxBytes)];
}

/** Encoded lazily, so that a large zone is not in memory twice. */
function transferReplies(request: Message, messages: TransferMessages): Replies {
  const sections = { rcode: rcodes.NOERROR, authoritative: true, authorities: [], additionals: [] };
  return mapLazily(messages, (answers) => encodeMessage(createReply(request, { ...sections, answers })));
}

function mapLazily<T>(items: Iterable<T> | AsyncIterable<T>, convert: (item: T) => Buffer): Replies {
  if (Symbol.asyncIterator in items)
    return (async function* () {
      for await (const item of items) yield convert(item);
    })();
  return (function* () {
    for (const item of items) yield convert(item);
  })();
}

function maxReplyBytes(request: Message, peer: Peer): number {
  if (peer.transport === 'tcp') return maxTcpBytes;
  return Math.min(Math.max(request.edns?.udpBytes ?? 0, minUdpBytes), maxUdpBytes);
}

function signMessages(messages: Replies, key: TsigKey, requestMac: Buffer, timeSeconds: number): Replies {
  let priorMac = requestMac;
  let follows = false;
  return mapLazily(messages, (message) => {
    const { bytes, mac } = signMessage(message, key, { timeSeconds, priorMac, follows });
    priorMac = mac;
    follows = true;
    return bytes;
  });
}
