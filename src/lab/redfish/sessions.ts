// Sessions of a lab Redfish service: a token each, gone after a while without use.
import { randomBytes } from 'node:crypto';
import type { LabAccount } from './accounts.ts';

export interface LabRedfishSession {
  readonly id: string;
  readonly token: string;
  readonly account: LabAccount;
  usedAtMs: number;
}

export class LabRedfishSessions {
  readonly #byToken = new Map<string, LabRedfishSession>();
  readonly #idleMs: number;
  readonly #most: number;
  #count = 0;

  constructor(idleMs: number, most: number) {
    this.#idleMs = idleMs;
    this.#most = most;
  }

  get count(): number {
    return this.all.length;
  }

  get all(): readonly LabRedfishSession[] {
    return [...this.#byToken.values()].filter((session) => this.#isAlive(session));
  }

  /** Undefined where there are too many. */
  open(account: LabAccount): LabRedfishSession | undefined {
    if (this.count >= this.#most) return undefined;
    const session = {
      id: String(++this.#count),
      token: randomBytes(16).toString('hex'),
      account,
      usedAtMs: performance.now(),
    };
    this.#byToken.set(session.token, session);
    return session;
  }

  /** Whose token it is; using it keeps it. */
  use(token: string): LabRedfishSession | undefined {
    const session = this.#byToken.get(token);
    if (session === undefined || !this.#isAlive(session)) return undefined;
    session.usedAtMs = performance.now();
    return session;
  }

  end(id: string): void {
    for (const session of this.#byToken.values()) if (session.id === id) this.#byToken.delete(session.token);
  }

  endAll(): void {
    this.#byToken.clear();
  }

  #isAlive(session: LabRedfishSession): boolean {
    return performance.now() - session.usedAtMs < this.#idleMs && session.account.isEnabled;
  }
}
