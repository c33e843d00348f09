// One end of a Serial-over-LAN conversation, the same for console and BMC: one packet of characters on its way at a
// time, acknowledged, sent again after silence, held back when the other end has no room.

import type { Pace } from './exchange.ts';
import type { SolPacket } from './sol.ts';

export interface SolLinkParts {
  send(packet: SolPacket): void;
  onData(data: Buffer): void;
  onBreak(): void;
  /** The other end has not acknowledged a packet however often it was sent. */
  onSilence(): void;
  mostCharacters: number;
  pace: Pace;
}

interface Writing {
  data: Buffer;
  isBreak: boolean;
  written: () => void;
}

interface Outstanding {
  sequence: number;
  data: Buffer;
  isBreak: boolean;
  transmissions: number;
}

const sequences = 15;
const empty = Buffer.alloc(0);
const mostHeldMs = 2_000;

const quiet = { isRefusal: false, isBreak: false, isDeactivating: false, isUnavailable: false };

export class SolLink {
  readonly #parts: SolLinkParts;
  #queue: Writing[] = [];
  #outstanding: Outstanding | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastSent = 0;
  #refusals = 0;
  #lastReceived = 0;
  #lastAccepted = 0;
  #isClosed = false;

  constructor(parts: SolLinkParts) {
    this.#parts = parts;
  }

  /** Resolves when the other end has taken every character: a writer that waits for it cannot flood. */
  write(data: Buffer): Promise<void> {
    return this.#enqueue(Buffer.from(data), { isBreak: false });
  }

  sendBreak(): Promise<void> {
    return this.#enqueue(empty, { isBreak: true });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const writing of this.#queue.splice(0)) writing.written();
  }

  #enqueue(data: Buffer, { isBreak }: { isBreak: boolean }): Promise<void> {
    if (this.#isClosed || (data.length === 0 && !isBreak)) return Promise.resolve();
    return new Promise((written) => {
      this.#queue.push({ data, isBreak, written });
      if (this.#outstanding === undefined && this.#timer === undefined) this.#sendNext();
    });
  }

  #sendNext(): void {
    this.#timer = undefined;
    const first = this.#queue[0];
    if (first === undefined || this.#isClosed) return;
    this.#lastSent = (this.#lastSent % sequences) + 1;
    const data = first.isBreak ? empty : this.#nextCharacters();
    this.#outstanding = { sequence: this.#lastSent, data, isBreak: first.isBreak, transmissions: 0 };
    this.#transmit(this.#outstanding);
  }

  /** As many queued characters as fit, up to the next break. */
  #nextCharacters(): Buffer {
    const pieces: Buffer[] = [];
    let room = this.#parts.mostCharacters;
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
    send({ ...quiet, sequence, acknowledged: 0, acceptedCharacters: 0, isBreak, data });
    this.#timer = setTimeout(() => this.#transmit(outstanding), pace.retransmitMs);
  }

  receive(packet: SolPacket): void {
    if (this.#isClosed) return;
    if (packet.acknowledged !== 0 && packet.acknowledged === this.#outstanding?.sequence) {
      this.#acknowledged(this.#outstanding, packet);
    }
    if (packet.sequence !== 0) this.#accept(packet);
  }

  #acknowledged(outstanding: Outstanding, packet: SolPacket): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#outstanding = undefined;
    if (outstanding.isBreak) this.#queue.shift()?.written();
    else this.#take(Math.min(packet.acceptedCharacters, outstanding.data.length));
    if (!packet.isRefusal) {
      this.#refusals = 0;
      this.#sendNext();
      return;
    }
    // The other end is there but has no room: what it did not take goes under a new number, later and later.
    const heldMs = Math.min(this.#parts.pace.retransmitMs * 2 ** this.#refusals++, mostHeldMs);
    this.#timer = setTimeout(() => this.#sendNext(), heldMs);
  }

  #take(characters: number): void {
    let left = characters;
    for (let first = this.#queue[0]; first !== undefined && !first.isBreak; first = this.#queue[0]) {
      const taken = Math.min(left, first.data.length);
      first.data = first.data.subarray(taken);
      left -= taken;
      if (first.data.length > 0) return;
      this.#queue.shift();
      first.written();
    }
  }

  #accept(packet: SolPacket): void {
    const distance = (packet.sequence - this.#lastReceived + sequences) % sequences;
    const isFirst = this.#lastReceived === 0;
    // A number from behind is a late copy of what was delivered and acknowledged long ago.
    if (!isFirst && distance > sequences / 2) return;
    const isRepeated = !isFirst && distance === 0;
    // A packet sent again may have grown by what was typed meanwhile.
    const data = isRepeated ? packet.data.subarray(this.#lastAccepted) : packet.data;
    this.#lastReceived = packet.sequence;
    this.#lastAccepted = packet.data.length;
    this.#parts.send({
      ...quiet,
      sequence: 0,
      acknowledged: packet.sequence,
      acceptedCharacters: packet.data.length & 0xff,
      data: empty,
    });
    if (packet.isBreak && !isRepeated) this.#parts.onBreak();
    if (data.length > 0) this.#parts.onData(data);
  }
}
