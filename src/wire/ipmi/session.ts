// An open RMCP+ session, from the console's side: one question at a time, retransmitted under a new session sequence
// number each time, answers checked against replay. It knows nothing of reconnecting: a session that falls silent is
// given up by its owner.

import type { Command } from './codec.ts';
import { closeSession } from './commands/session.ts';
import { exchange } from './exchange.ts';
import type { Deadline, Pace } from './exchange.ts';
import type { SessionKeys } from './keys.ts';
import { decodeResponse, encodeRequest } from './message.ts';
import type { ResponseMessage } from './message.ts';
import { payloadType } from './packet.ts';
import type { Packet } from './packet.ts';
import { randomBuffer } from './random.ts';
import { openPacket, sealPacket } from './seal.ts';
import type { Peer } from './transport.ts';
import { ReplayWindow, windowBehind } from './window.ts';

export interface SessionParts {
  peer: Peer;
  pace: Pace;
  consoleSessionId: number;
  bmcSessionId: number;
  keys: SessionKeys;
}

export interface Answer {
  completionCode: number;
  data: Buffer;
  /** More than one says that the BMC may have run the command more than once. */
  transmissions: number;
}

const anyDistance = 0x7fffffff;

export class Session {
  readonly bmcSessionId: number;
  /** On the monotonic clock: when the BMC last answered. */
  lastHeardMs = performance.now();
  /** Set by whoever reads the serial console of this session. */
  onSol: ((payload: Buffer) => void) | undefined;

  readonly #parts: SessionParts;
  readonly #window = new ReplayWindow(anyDistance);
  readonly #stopReceiving: () => void;
  #nextSequence = 1;
  /** The BMC has seen this sequence number or a later one. */
  #confirmedSequence = 0;
  #requestSequence = randomBuffer(1).readUInt8() & 0x3f;
  #waiting: ((response: ResponseMessage) => void) | undefined;
  /** The request that was sent once and met with silence, and its answer if that comes late. */
  #unanswered: { isAnswer: (response: ResponseMessage) => boolean; late?: Answer } | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.bmcSessionId = parts.bmcSessionId;
    this.#stopReceiving = parts.peer.receive(parts.consoleSessionId, (packet) => this.#receive(packet));
  }

  #receive(packet: Packet): void {
    if (packet.format !== 'rmcpPlus') return;
    const payload = openPacket(this.#parts.keys, packet);
    if (payload === undefined || !this.#window.accept(packet.sequence)) return;
    this.lastHeardMs = performance.now();
    if (packet.payloadType === payloadType.sol) this.onSol?.(payload);
    if (packet.payloadType !== payloadType.ipmi) return;
    const response = decodeResponse(payload);
    if (response === undefined) return;
    if (this.#unanswered?.isAnswer(response) === true) this.#unanswered.late = answerOf(response, 1);
    this.#waiting?.(response);
  }

  send(type: number, payload: Buffer): void {
    const sequence = this.#nextSequence;
    this.#nextSequence = sequence === 0xffffffff ? 1 : sequence + 1;
    const { peer, keys, bmcSessionId } = this.#parts;
    peer.send(sealPacket(keys, { payloadType: type, sessionId: bmcSessionId, sequence, payload }));
  }

  request<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    deadline: Deadline,
  ): Promise<Answer> {
    return this.#ask(command, request, deadline, this.#parts.pace);
  }

  /** Sends once and no more: for what must not run twice. */
  requestOnce<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    deadline: Deadline,
  ): Promise<Answer> {
    // As long a wait as a retransmitted request has before its session is given up for dead.
    const { retransmitMs } = this.#parts.pace;
    return this.#ask(command, request, deadline, { retransmitMs: retransmitMs * 4, attempts: 1 });
  }

  async #ask<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    deadline: Deadline,
    pace: Pace,
  ): Promise<Answer> {
    const sequence = (this.#requestSequence = (this.#requestSequence + 1) & 0x3f);
    const message = encodeRequest({
      netFn: command.netFn,
      code: command.code,
      sequence,
      data: command.request.encode(request),
    });
    const isAnswer = (response: ResponseMessage): boolean =>
      response.sequence === sequence && response.code === command.code && response.netFn === command.netFn + 1;
    if (pace.attempts === 1) this.#unanswered = { isAnswer };
    const firstSequence = this.#nextSequence;
    let transmissions = 0;
    const response = await exchange<ResponseMessage>(pace, deadline, {
      what: command.name,
      transmit: () => {
        transmissions++;
        this.send(payloadType.ipmi, message);
      },
      listen: (answered) => {
        this.#waiting = (response) => {
          if (isAnswer(response)) answered(response);
        };
        return () => {
          this.#waiting = undefined;
        };
      },
    });
    this.#confirmedSequence = firstSequence;
    return answerOf(response, transmissions);
  }

  /**
   * Makes sure that nothing sent so far can still take effect: the numbers are moved on, by questions that the BMC
   * answers, until all earlier ones have fallen behind its window. Returns the answer to what was sent once, if that
   * came meanwhile.
   */
  async fence<Response>(question: Command<null, Response>, deadline: Deadline): Promise<Answer | undefined> {
    const target = this.#nextSequence + windowBehind;
    while (this.#confirmedSequence < target) {
      // Eight at a time stays well inside the fifteen numbers that a BMC accepts ahead, retransmissions included.
      this.#nextSequence = Math.max(this.#nextSequence, Math.min(target, this.#confirmedSequence + 8));
      await this.request(question, null, deadline);
    }
    return this.#unanswered?.late;
  }

  /** Ends this side without a word. */
  end(): void {
    this.#stopReceiving();
  }

  /** Ends this side and tells the BMC once, which may not hear it. */
  abandon(): void {
    const data = closeSession.request.encode(this.bmcSessionId);
    const { netFn, code } = closeSession;
    this.send(payloadType.ipmi, encodeRequest({ netFn, code, sequence: this.#requestSequence ^ 1, data }));
    this.end();
  }
}

function answerOf(response: ResponseMessage, transmissions: number): Answer {
  return { completionCode: response.completionCode, data: response.data, transmissions };
}
