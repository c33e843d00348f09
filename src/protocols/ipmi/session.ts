// An open RMCP+ session, on the console's side: one request at a time, each retransmission with a new session sequence
// number, responses checked against replay. It does not reconnect: its owner drops a session that stops responding.
import type { Command } from './codec.ts';
import { closeSession } from './commands/session.ts';
import { exchange, type Deadline, type RetryPolicy } from './exchange.ts';
import type { SessionKeys } from './keys.ts';
import { decodeSealedResponse, encodeRequest, type ResponseMessage } from './message.ts';
import { payloadType, type Packet } from './packet.ts';
import { randomBuffer } from './random.ts';
import { openPacket, sealPacket } from './seal.ts';
import type { Peer } from './transport.ts';
import { ReplayWindow, windowBehind } from './window.ts';

export interface SessionParts {
  peer: Peer;
  pace: RetryPolicy;
  consoleSessionId: number;
  bmcSessionId: number;
  keys: SessionKeys;
}

export interface CommandResponse {
  completionCode: number;
  data: Buffer;
  /** More than one means that the BMC may have run the command more than once. */
  transmissions: number;
}

const unlimitedAhead = 0x7fffffff;

export class Session {
  readonly bmcSessionId: number;
  /** When the BMC last responded to a command, on the monotonic clock. Some do not count a console's output as activity. */
  lastResponseMs = performance.now();
  /** Called once it neither sends nor receives any more. */
  onEnd: (() => void) | undefined;
  /** Set by the reader of this session's serial console. */
  onSol: ((payload: Buffer) => void) | undefined;

  readonly #parts: SessionParts;
  readonly #window = new ReplayWindow(unlimitedAhead);
  readonly #stopReceiving: () => void;
  #nextSequence = 1;
  /** The BMC has seen this sequence number or a later one. */
  #confirmedSequence = 0;
  #requestSequence = randomBuffer(1).readUInt8() & 0x3f;
  #waiting: ((response: ResponseMessage) => void) | undefined;
  #onLost: (() => void) | undefined;
  /** Resolves when the current request has ended. */
  #busy: Promise<void> | undefined;
  /** The request that was sent once without a response, and its response if that arrives late. */
  #unanswered: { isResponse: (response: ResponseMessage) => boolean; late?: CommandResponse } | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.bmcSessionId = parts.bmcSessionId;
    this.#stopReceiving = parts.peer.receive(parts.consoleSessionId, (packet) => this.#receive(packet));
  }

  #receive(packet: Packet): void {
    if (packet.format !== 'rmcpPlus') return;
    const payload = openPacket(this.#parts.keys, packet);
    if (payload === undefined || !this.#window.accept(packet.sequence)) return;
    if (packet.payloadType === payloadType.sol) this.onSol?.(payload);
    if (packet.payloadType !== payloadType.ipmi) return;
    this.lastResponseMs = performance.now();
    const response = decodeSealedResponse(payload);
    if (response === undefined) return;
    if (this.#unanswered?.isResponse(response) === true) this.#unanswered.late = toCommandResponse(response, 1);
    this.#waiting?.(response);
  }

  send(type: number, payload: Buffer): void {
    const sequence = this.#nextSequence;
    this.#nextSequence = sequence === 0xffffffff ? 1 : sequence + 1;
    const { peer, keys, bmcSessionId } = this.#parts;
    peer.send(sealPacket(keys, { payloadType: type, sessionId: bmcSessionId, sequence, payload }));
  }

  request<Request>(command: Command<Request, unknown>, request: Request, deadline: Deadline): Promise<CommandResponse> {
    return this.#exchange(command, request, deadline, this.#parts.pace);
  }

  /** Sends only once, for commands that must not run twice. */
  requestOnce<Request>(
    command: Command<Request, unknown>,
    request: Request,
    deadline: Deadline,
  ): Promise<CommandResponse> {
    // As long as a retransmitted request waits before its session is dropped.
    const { retransmitMs } = this.#parts.pace;
    return this.#exchange(command, request, deadline, { retransmitMs: retransmitMs * 4, attempts: 1 });
  }

  async #exchange<Request>(
    command: Command<Request, unknown>,
    request: Request,
    deadline: Deadline,
    pace: RetryPolicy,
  ): Promise<CommandResponse> {
    while (this.#busy !== undefined) await this.#busy;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#busy = promise;
    try {
      return await this.#exchangeAlone(command, request, deadline, pace);
    } finally {
      this.#busy = undefined;
      resolve();
    }
  }

  async #exchangeAlone<Request>(
    command: Command<Request, unknown>,
    request: Request,
    deadline: Deadline,
    pace: RetryPolicy,
  ): Promise<CommandResponse> {
    const sequence = (this.#requestSequence = (this.#requestSequence + 1) & 0x3f);
    const message = encodeRequest({
      netFn: command.netFn,
      code: command.code,
      sequence,
      data: command.request.encode(request),
    });
    const isResponse = (response: ResponseMessage): boolean =>
      response.sequence === sequence && response.code === command.code && response.netFn === command.netFn + 1;
    if (pace.attempts === 1) this.#unanswered = { isResponse };
    const firstSequence = this.#nextSequence;
    let transmissions = 0;
    const response = await exchange<ResponseMessage>(pace, deadline, {
      what: command.name,
      transmit: () => {
        transmissions++;
        this.send(payloadType.ipmi, message);
      },
      listen: (onResponse, onLost) => {
        this.#waiting = (response) => {
          if (isResponse(response)) onResponse(response);
        };
        this.#onLost = onLost;
        return () => {
          this.#waiting = undefined;
          this.#onLost = undefined;
        };
      },
    });
    this.#confirmedSequence = firstSequence;
    return toCommandResponse(response, transmissions);
  }

  /**
   * Makes sure that nothing sent so far can still take effect: advances the sequence numbers, with requests that the
   * BMC responds to, until all earlier ones are behind its window. Returns the response to the request that was sent
   * once, if it has arrived.
   */
  async fence<Response>(probe: Command<null, Response>, deadline: Deadline): Promise<CommandResponse | undefined> {
    const target = this.#nextSequence + windowBehind;
    while (this.#confirmedSequence < target) {
      // Eight at a time stays well within the fifteen numbers that a BMC accepts ahead, including retransmissions.
      this.#nextSequence = Math.max(this.#nextSequence, Math.min(target, this.#confirmedSequence + 8));
      await this.request(probe, null, deadline);
    }
    return this.#unanswered?.late;
  }

  /** Stops receiving, without notifying the BMC. A request without a response fails at once. */
  end(): void {
    this.#stopReceiving();
    this.#onLost?.();
    this.onEnd?.();
  }

  /** Stops receiving and sends one Close Session, which may get lost. */
  abandon(): void {
    const data = closeSession.request.encode({ id: this.bmcSessionId });
    const { netFn, code } = closeSession;
    this.send(payloadType.ipmi, encodeRequest({ netFn, code, sequence: this.#requestSequence ^ 1, data }));
    this.end();
  }
}

function toCommandResponse(response: ResponseMessage, transmissions: number): CommandResponse {
  return { completionCode: response.completionCode, data: response.data, transmissions };
}
