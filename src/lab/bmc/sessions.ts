// The sessions of a lab BMC: handshake, privilege, replay window, and a limited number of sessions that end by closing
// or idling. A repeated handshake message gets the same response again.

import { randomBytes, type KeyObject } from 'node:crypto';
import { privileges } from '#protocols/ipmi/commands/session.ts';
import {
  openSessionRequest,
  openSessionResponse,
  rakp1,
  rakp2,
  rakp3,
  rakp4,
  rakpStatus,
  type OpenSessionRequest,
} from '#protocols/ipmi/handshake.ts';
import {
  bmcProof,
  consoleProof,
  finalCheck,
  isSameSecret,
  secretKey,
  sessionIntegrityKey,
  sessionKeys,
  type KeyExchange,
  type SessionKeys,
} from '#protocols/ipmi/keys.ts';
import { encodeUnprotected, payloadType, type RmcpPlusPacket } from '#protocols/ipmi/packet.ts';
import { openPacket, sealPacket } from '#protocols/ipmi/seal.ts';
import { findSuite, type CipherSuite } from '#protocols/ipmi/suite.ts';
import { ReplayWindow, windowAhead } from '#protocols/ipmi/window.ts';
import type { Sender } from './link.ts';
import type { LabUser, LabUsers } from './users.ts';

export interface LabSession {
  readonly bmcSessionId: number;
  /** As administrators name it. */
  readonly handle: number;
  readonly consoleSessionId: number;
  readonly suite: CipherSuite;
  readonly from: Sender;
  readonly openTag: number;
  readonly openPrivilege: number;
  readonly bmcRandom: Buffer;
  lastHeardMs: number;
  exchange?: KeyExchange;
  user?: LabUser;
  /** Set by its own request to close it, which is answered first. */
  isClosing?: true;
  /** Set once RAKP 4 has been sent. */
  active?: ActiveSession;
}

interface ActiveSession {
  keys: SessionKeys;
  window: ReplayWindow;
  nextSequence: number;
  /** The current privilege, and the highest that can be requested. */
  privilege: number;
  maxPrivilege: number;
  finalCheck: Buffer;
}

export interface SessionTableParts {
  users: LabUsers;
  guid: Buffer;
  kg: KeyObject | undefined;
  maxSessions: number;
  idleMs: number;
  send(datagram: Buffer, to: Sender): void;
  rejectsSessions(): boolean;
  hashesOpenPrivilege(): boolean;
  onEnd(session: LabSession): void;
}

const halfOpenMs = 10_000;

export class SessionTable {
  readonly #parts: SessionTableParts;
  readonly #sessions = new Map<number, LabSession>();

  constructor(parts: SessionTableParts) {
    this.#parts = parts;
  }

  get maxSessions(): number {
    return this.#parts.maxSessions;
  }

  get count(): number {
    this.sweep();
    return this.#sessions.size;
  }

  /** Ends sessions that have been idle for too long. */
  sweep(): void {
    const nowMs = performance.now();
    for (const session of this.#sessions.values()) {
      const idleLimitMs = session.active === undefined ? Math.min(halfOpenMs, this.#parts.idleMs) : this.#parts.idleMs;
      if (nowMs - session.lastHeardMs > idleLimitMs) this.end(session);
    }
  }

  end(session: LabSession): void {
    if (this.#sessions.delete(session.bmcSessionId)) this.#parts.onEnd(session);
  }

  endAll(): void {
    for (const session of this.#sessions.values()) this.end(session);
  }

  withId(bmcSessionId: number): LabSession | undefined {
    return this.#sessions.get(bmcSessionId);
  }

  withHandle(handle: number): LabSession | undefined {
    return this.active.find((session) => session.handle === handle);
  }

  get active(): LabSession[] {
    this.sweep();
    return [...this.#sessions.values()].filter(({ active }) => active !== undefined);
  }

  handshake(packet: RmcpPlusPacket, from: Sender): void {
    const response = this.#responseTo(packet, from);
    if (response !== undefined) this.#parts.send(encodeUnprotected(packet.payloadType + 1, response), from);
  }

  #responseTo(packet: RmcpPlusPacket, from: Sender): Buffer | undefined {
    if (packet.payloadType === payloadType.openSessionRequest) return this.#open(packet.payload, from);
    if (packet.payloadType === payloadType.rakp1) return this.#greet(packet.payload, from);
    if (packet.payloadType === payloadType.rakp3) return this.#confirm(packet.payload, from);
    return undefined;
  }

  #open(payload: Buffer, from: Sender): Buffer | undefined {
    const request = openSessionRequest.decode(payload);
    if (request === undefined) return undefined;
    const { tag, consoleSessionId } = request;
    const reject = (status: number): Buffer => openSessionResponse.encode({ tag, status, consoleSessionId });
    const suite = findSuite(request);
    if (suite === undefined) return reject(rakpStatus.noMatchingSuite);
    const session = this.#repeatedOpening(request, from) ?? this.#newSession(request, suite, from);
    if (session === undefined) return reject(rakpStatus.insufficientResources);
    const { bmcSessionId } = session;
    const privilege = request.privilege === 0 ? privileges.administrator : request.privilege;
    return openSessionResponse.encode({ ...suite, tag, status: 0, privilege, consoleSessionId, bmcSessionId });
  }

  #repeatedOpening(request: OpenSessionRequest, from: Sender): LabSession | undefined {
    return [...this.#sessions.values()].find(
      (session) =>
        session.consoleSessionId === request.consoleSessionId &&
        session.openTag === request.tag &&
        session.active === undefined &&
        isSame(session.from, from),
    );
  }

  #newSession(request: OpenSessionRequest, suite: CipherSuite, from: Sender): LabSession | undefined {
    this.sweep();
    if (this.#parts.rejectsSessions() || this.#sessions.size >= this.#parts.maxSessions) return undefined;
    const session: LabSession = {
      bmcSessionId: this.#unusedId(),
      handle: this.#unusedHandle(),
      consoleSessionId: request.consoleSessionId,
      suite,
      from: { address: from.address, port: from.port },
      openTag: request.tag,
      openPrivilege: request.privilege,
      bmcRandom: randomBytes(16),
      lastHeardMs: performance.now(),
    };
    this.#sessions.set(session.bmcSessionId, session);
    return session;
  }

  #unusedId(): number {
    const id = randomBytes(4).readUInt32LE();
    return id === 0 || this.#sessions.has(id) ? this.#unusedId() : id;
  }

  #unusedHandle(): number {
    const used = new Set([...this.#sessions.values()].map(({ handle }) => handle));
    for (let handle = 1; ; handle++) if (!used.has(handle)) return handle;
  }

  #greet(payload: Buffer, from: Sender): Buffer | undefined {
    const message = rakp1.decode(payload);
    const session = message && this.#sessions.get(message.bmcSessionId);
    if (message === undefined || session === undefined || session.active !== undefined) return undefined;
    if (!isSame(session.from, from)) return undefined;
    const { consoleSessionId, bmcSessionId, bmcRandom, suite } = session;
    const reject = (status: number): Buffer => {
      this.end(session);
      return rakp2.encode({ tag: message.tag, status, consoleSessionId });
    };
    const user = this.#parts.users.withName(message.username);
    if (user === undefined) return reject(rakpStatus.unauthorizedName);
    if ((message.role & 0x0f) > maxPrivilegeOf(user)) return reject(rakpStatus.unauthorizedRole);
    const { guid } = this.#parts;
    const { consoleRandom, role, username } = message;
    session.exchange = {
      suite,
      consoleSessionId,
      bmcSessionId,
      bmcRandom,
      role: this.#parts.hashesOpenPrivilege() ? session.openPrivilege : role,
      username,
      consoleRandom: Buffer.from(consoleRandom),
      bmcGuid: guid,
    };
    session.user = user;
    const keyExchangeCode = bmcProof(session.exchange, secretKey(user.password));
    return rakp2.encode({ tag: message.tag, status: 0, consoleSessionId, bmcRandom, bmcGuid: guid, keyExchangeCode });
  }

  #confirm(payload: Buffer, from: Sender): Buffer | undefined {
    const message = rakp3.decode(payload);
    const session = message && this.#sessions.get(message.bmcSessionId);
    if (message === undefined || session === undefined || !isSame(session.from, from)) return undefined;
    const { exchange, user, consoleSessionId, suite } = session;
    if (exchange === undefined || user === undefined) return undefined;
    const password = secretKey(user.password);
    const isProven = message.status === 0 && isSameSecret(message.keyExchangeCode, consoleProof(exchange, password));
    if (!isProven) {
      // Anyone can send an invalid RAKP 3 with another session's id, which must not end a session in use.
      if (session.active !== undefined) return undefined;
      this.end(session);
      if (message.status !== 0) return undefined;
      return rakp4.encode({ tag: message.tag, status: rakpStatus.invalidIntegrityCheck, consoleSessionId });
    }
    if (session.active === undefined) {
      const integrityKey = sessionIntegrityKey(exchange, this.#parts.kg ?? password);
      session.lastHeardMs = performance.now();
      session.active = {
        keys: sessionKeys(suite, integrityKey),
        window: new ReplayWindow(windowAhead),
        nextSequence: 1,
        privilege: privileges.user,
        maxPrivilege: exchange.role & 0x0f || maxPrivilegeOf(user),
        finalCheck: finalCheck(exchange, integrityKey),
      };
    }
    const integrityCheck = session.active.finalCheck;
    return rakp4.encode({ tag: message.tag, status: 0, consoleSessionId, integrityCheck });
  }

  /** Returns the payload of an authentic packet that is not a replay, with its session. */
  receive(packet: RmcpPlusPacket, from: Sender): { session: LabSession; payload: Buffer } | undefined {
    const session = this.#sessions.get(packet.sessionId);
    if (session?.active === undefined || !isSame(session.from, from)) return undefined;
    if (performance.now() - session.lastHeardMs > this.#parts.idleMs) {
      this.end(session);
      return undefined;
    }
    const payload = openPacket(session.active.keys, packet);
    if (payload === undefined || !session.active.window.accept(packet.sequence)) return undefined;
    // As on OpenIPMI's simulator, only commands keep a session alive: serial console traffic does not.
    if (packet.payloadType === payloadType.ipmi) session.lastHeardMs = performance.now();
    return { session, payload };
  }

  send(session: LabSession, type: number, payload: Buffer): void {
    const { active } = session;
    if (active === undefined) return;
    const { keys, nextSequence: sequence } = active;
    active.nextSequence++;
    const sessionId = session.consoleSessionId;
    this.#parts.send(sealPacket(keys, { payloadType: type, sessionId, sequence, payload }), session.from);
  }
}

function maxPrivilegeOf(user: LabUser): number {
  return user.privilege === 'none' ? 0 : privileges[user.privilege];
}

function isSame(left: Sender, right: Sender): boolean {
  return left.address === right.address && left.port === right.port;
}
