// Sessions of a lab Redfish service, identified by tokens and ended when idle. As on many services, a session outlives its
// account.
import { randomBytes } from 'node:crypto';
import type { LabAccount } from './accounts.ts';

export interface LabRedfishSession {
  readonly id: string;
  readonly token: string;
  readonly account: LabAccount;
  /** As signed in; the account may be renamed. */
  readonly userName: string;
  usedAtMs: number;
  readonly connection?: LabSessionConnection;
}

/** A connection that lasts as long as its session, which does not expire. */
export interface LabSessionConnection {
  readonly type: 'KVMIP';
  /** Called when the session is ended. */
  end(): void;
}

export class LabRedfishSessions {
  readonly #byToken = new Map<string, LabRedfishSession>();
  readonly #idleMs: number;
  readonly #maxSessions: number;
  #count = 0;

  constructor(idleMs: number, maxSessions: number) {
    this.#idleMs = idleMs;
    this.#maxSessions = maxSessions;
  }

  get count(): number {
    return this.all.length;
  }

  get all(): readonly LabRedfishSession[] {
    return [...this.#byToken.values()].filter((session) => this.#isAlive(session));
  }

  /** Returns undefined if there are too many sessions. */
  open(account: LabAccount, connection?: LabSessionConnection): LabRedfishSession | undefined {
    if (this.count >= this.#maxSessions) return undefined;
    const session = {
      id: String(++this.#count),
      token: randomBytes(16).toString('hex'),
      account,
      userName: account.name,
      usedAtMs: performance.now(),
      ...(connection && { connection }),
    };
    this.#byToken.set(session.token, session);
    return session;
  }

  /** Returns the session of a token and resets its idle time. */
  use(token: string): LabRedfishSession | undefined {
    const session = this.#byToken.get(token);
    if (session === undefined || !this.#isAlive(session)) return undefined;
    session.usedAtMs = performance.now();
    return session;
  }

  end(id: string): void {
    for (const session of this.#byToken.values()) if (session.id === id) this.#end(session);
  }

  endAll(): void {
    for (const session of this.#byToken.values()) this.#end(session);
  }

  #end(session: LabRedfishSession): void {
    this.#byToken.delete(session.token);
    session.connection?.end();
  }

  #isAlive(session: LabRedfishSession): boolean {
    return session.connection !== undefined || performance.now() - session.usedAtMs < this.#idleMs;
  }
}
