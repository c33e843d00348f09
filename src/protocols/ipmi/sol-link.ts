// One end of a Serial-over-LAN link, the same for console and BMC: one outstanding packet at a time, acknowledged,
// retransmitted after a timeout, and delayed while the other end sends NACKs.
import type { RetryPolicy } from './exchange.ts';
import type { SolPacket } from './sol.ts';

export interface SolLinkParts {
  send(packet: SolPacket): void;
  onData(data: Buffer): void;
  onBreak(): void;
  /** The other end did not acknowledge a packet despite all retransmissions. */
  onSilence(): void;
  maxCharacters: number;
  pace: RetryPolicy;
}

interface PendingWrite {
  data: Buffer;
  isBreak: boolean;
  onWritten: () => void;
}

interface Outstanding {
  sequence: number;
  data: Buffer;
  isBreak: boolean;
  transmissions: number;
}

const sequenceCount = 15;
const empty = Buffer.alloc(0);
const maxNackDelayMs = 2_000;

const noFlags = { isNack: false, isBreak: false, isDeactivating: false, isUnavailable: false };

export class SolLink {
  readonly #parts: SolLinkParts;
  #queue: PendingWrite[] = [];
  #outstanding: Outstanding | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastSent = 0;
  #nacks = 0;
  #lastReceived = 0;
  #lastAccepted = 0;
  #isClosed = false;

  constructor(parts: SolLinkParts) {
    this.#parts = parts;
  }

  /** Resolves when the other end has accepted all characters, so that a writer who awaits it cannot flood the link. */
  write(data: Buffer): Promise<void> {
    return this.#enqueue(Buffer.from(data), { isBreak: false });
  }

  sendBreak(): Promise<void> {
    return this.#enqueue(empty, { isBreak: true });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const writing of this.#queue.splice(0)) writing.onWritten();
  }

  #enqueue(data: Buffer, { isBreak }: { isBreak: boolean }): Promise<void> {
    if (this.#isClosed || (data.length === 0 && !isBreak)) return Promise.resolve();
    return new Promise((onWritten) => {
      this.#queue.push({ data, isBreak, onWritten });
      if (this.#outstanding === undefined && this.#timer === undefined) this.#sendNext();
    });
  }

  #sendNext(): void {
    this.#timer = undefined;
    const first = this.#queue[0];
    if (first === undefined || this.#isClosed) return;
    this.#lastSent = (this.#lastSent % sequenceCount) + 1;
    const data = first.isBreak ? empty : this.#nextCharacters();
    this.#outstanding = { sequence: this.#lastSent, data, isBreak: first.isBreak, transmissions: 0 };
    this.#transmit(this.#outstanding);
  }

  /** Returns as many queued characters as fit, up to the next break. */
  #nextCharacters(): Buffer {
    const pieces: Buffer[] = [];
    let room = this.#parts.maxCharacters;
    for (const writing of this.#queue) {
      if (writing.isBreak || room === 0) break;
      const piece = writing.data.subarray(0, room);
      pieces.push(piece);
      room -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  #transmit(outstanding: Outstanding): void {
    const { pace, send, onSilence } = this.#parts;
    if (outstanding.transmissions >= pace.attempts) {
      this.close();
      onSilence();
      return;
    }
    outstanding.transmissions++;
    const { sequence, data, isBreak } = outstanding;
    send({ ...noFlags, sequence, acknowledged: 0, acceptedCharacters: 0, isBreak, data });
    this.#timer = setTimeout(() => this.#transmit(outstanding), pace.retransmitMs);
  }

  receive(packet: SolPacket): void {
    if (this.#isClosed) return;
    if (packet.acknowledged !== 0 && packet.acknowledged === this.#outstanding?.sequence) {
      this.#handleAcknowledgement(this.#outstanding, packet);
    }
    if (packet.sequence !== 0) this.#accept(packet);
  }

  #handleAcknowledgement(outstanding: Outstanding, packet: SolPacket): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#outstanding = undefined;
    const accepted = Math.min(packet.acceptedCharacters, outstanding.data.length);
    if (outstanding.isBreak) this.#queue.shift()?.onWritten();
    else this.#removeAccepted(accepted);
    const isRejected = packet.isNack || (accepted === 0 && !outstanding.isBreak);
    if (!isRejected) {
      this.#nacks = 0;
      this.#sendNext();
      return;
    }
    // The other end has no space: the rest is sent with a new sequence number, after increasing delays.
    const delayMs = Math.min(this.#parts.pace.retransmitMs * 2 ** this.#nacks++, maxNackDelayMs);
    this.#timer = setTimeout(() => this.#sendNext(), delayMs);
  }

  #removeAccepted(characters: number): void {
    let remaining = characters;
    for (let first = this.#queue[0]; first !== undefined && !first.isBreak; first = this.#queue[0]) {
      const removed = Math.min(remaining, first.data.length);
      first.data = first.data.subarray(removed);
      remaining -= removed;
      if (first.data.length > 0) return;
      this.#queue.shift();
      first.onWritten();
    }
  }

  #accept(packet: SolPacket): void {
    const distance = (packet.sequence - this.#lastReceived + sequenceCount) % sequenceCount;
    const isFirst = this.#lastReceived === 0;
    // A number from behind is a late copy of a packet that was delivered and acknowledged before.
    if (!isFirst && distance > sequenceCount / 2) return;
    const isRepeated = !isFirst && distance === 0;
    // A retransmitted packet may contain more characters than before.
    const data = isRepeated ? packet.data.subarray(this.#lastAccepted) : packet.data;
    this.#lastReceived = packet.sequence;
    this.#lastAccepted = packet.data.length;
    this.#parts.send({
      ...noFlags,
      sequence: 0,
      acknowledged: packet.sequence,
      acceptedCharacters: packet.data.length & 0xff,
      data: empty,
    });
    if (packet.isBreak && !isRepeated) this.#parts.onBreak();
    if (data.length > 0) this.#parts.onData(data);
  }
}
