// The fast path of both listeners: a plain query is read, counted against the limit of its network and answered from
// the image, without waiting for anything.
import { minUdpBytes } from '#protocols/dns/message.ts';
import { type Cookies } from './cookies.ts';
import { type Counters, count } from './counters.ts';
import { FastAnswer, type FastAnswerSettings } from './fast-answer.ts';
import { FastQuery } from './fast-query.ts';
import type { ZoneImage } from './image/image.ts';
import type { PeerAddress } from './peer-address.ts';
import { maxTcpBytes, maxUdpBytes } from './reply-writer.ts';
import type { ResponseLimit } from './response-limit.ts';

export interface PlainAnswerSettings extends FastAnswerSettings {
  readonly image: ZoneImage;
  readonly limit: ResponseLimit;
  readonly cookies: Cookies;
  readonly counters: Counters;
}

/** Instead of the length of a reply: none is sent, or `respond.ts` has to answer, perhaps with a truncated reply. */
export const noReply = 0;
export const otherAnswer = -1;
export const otherLimitedAnswer = -2;

export class PlainAnswers {
  readonly #limit: ResponseLimit;
  readonly #cookies: Cookies;
  readonly #counters: Counters;
  readonly #query = new FastQuery();
  readonly #answer: FastAnswer;

  constructor({ image, limit, cookies, counters, ...settings }: PlainAnswerSettings) {
    this.#limit = limit;
    this.#cookies = cookies;
    this.#counters = counters;
    this.#answer = new FastAnswer(image, settings);
  }

  /** Writes the reply to the datagram between `start` and `end`. Returns the length of the reply, which is in `out` from `base` on. */
  answerUdp(
    datagram: Uint8Array,
    start: number,
    end: number,
    peer: PeerAddress,
    nowMs: number,
    out: Uint8Array,
    base: number,
  ): number {
    count(this.#counters, 'udpQueries');
    const query = this.#query;
    const isPlain = query.read(datagram, start, end);
    const hasValidCookie = isPlain && query.hasCookie && this.#exchangeCookie(peer);
    const verdict = hasValidCookie ? 'answer' : this.#limit(peer, nowMs);
    if (verdict !== 'answer') count(this.#counters, verdict === 'drop' ? 'droppedByLimit' : 'truncatedByLimit');
    if (verdict === 'drop') return noReply;
    const isLimited = verdict === 'truncate';
    const maxBytes = Math.min(Math.max(query.udpBytes, minUdpBytes), maxUdpBytes);
    const length = isPlain ? this.#answer.write(query, out, base, maxBytes, isLimited) : 0;
    return length > 0 ? length : isLimited ? otherLimitedAnswer : otherAnswer;
  }

  answerTcp(message: Uint8Array, peer: PeerAddress, out: Uint8Array): number {
    count(this.#counters, 'tcpQueries');
    const query = this.#query;
    if (!query.read(message, 0, message.length)) return otherAnswer;
    if (query.hasCookie) this.#exchangeCookie(peer);
    return this.#answer.write(query, out, 0, maxTcpBytes, false) || otherAnswer;
  }

  #exchangeCookie(peer: PeerAddress): boolean {
    const { bytes, cookieAt, cookieBytes } = this.#query;
    return this.#cookies.exchange(bytes, cookieAt, cookieBytes, peer, this.#answer.reply.cookie);
  }
}
