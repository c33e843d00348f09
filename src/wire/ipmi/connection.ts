// A BMC's one pooled session: opened when first needed, kept alive while it is used, opened anew when the BMC has
// silently lost it, closed when nobody wants it. Commands run one at a time; a BMC is a small computer.

import type { Command } from './codec.ts';
import { getDeviceId } from './commands/device.ts';
import { completion, completionError, IpmiError } from './error.ts';
import { deadlineIn, isPast, pause, timeoutError } from './exchange.ts';
import type { Deadline, Pace } from './exchange.ts';
import { login, logout } from './login.ts';
import type { Credentials } from './login.ts';
import { offeredSuites } from './sessionless.ts';
import type { Answer, Session } from './session.ts';
import type { Peer } from './transport.ts';

export interface Timing extends Pace {
  /** How long a call may take when its caller gives no signal that ends it sooner. */
  deadlineMs: number;
  /** A session that has been quiet this long is asked something, lest the BMC drop it. */
  keepAliveMs: number;
  /** A session that no caller has used for this long is closed. */
  idleCloseMs: number;
}

const loginAttempts = 3;
const busyPausesMs = [50, 100, 200, 400];
const logoutMs = 2_000;

export class Connection {
  readonly #peer: Peer;
  readonly #credentials: Credentials;
  readonly timing: Timing;
  /** What else must be closed with this connection: its serial consoles. */
  readonly closers = new Set<() => Promise<void>>();
  #session: Session | undefined;
  #lastUsedMs = 0;
  #isClosed = false;
  /** Those who wait for their turn; present while a turn is taken. */
  #turn: (() => void)[] | undefined;

  constructor(peer: Peer, credentials: Credentials, timing: Timing) {
    this.#peer = peer;
    this.#credentials = credentials;
    this.timing = timing;
  }

  /** Sends a command that may safely be run again, reconnecting as often as the deadline allows. */
  async call<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    return this.exclusive(signal, (deadline) => this.repeat(command, request, deadline));
  }

  /** Runs with this BMC to itself: no other command comes between. */
  async exclusive<Result>(
    signal: AbortSignal | undefined,
    run: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    const deadline = deadlineIn(this.timing.deadlineMs, signal);
    await this.#takeTurn(deadline);
    try {
      this.#lastUsedMs = performance.now();
      return await run(deadline);
    } finally {
      this.#passTurn();
    }
  }

  /** Within one's turn: as `call`. */
  async repeat<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    deadline: Deadline,
  ): Promise<Response> {
    return decodeAnswer(command, await this.repeatForAnswer(command, request, deadline));
  }

  /** Within one's turn: the answer with whatever completion code it has, except "busy", which is waited out. */
  async repeatForAnswer<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    deadline: Deadline,
  ): Promise<Answer> {
    for (let busyAnswers = 0; ;) {
      const session = await this.session(deadline);
      try {
        const answer = await session.request(command, request, deadline);
        const busyPauseMs = busyPausesMs[busyAnswers];
        if (answer.completionCode !== completion.nodeBusy || busyPauseMs === undefined) return answer;
        busyAnswers++;
        await pause(busyPauseMs, deadline, command.name);
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
        this.drop(session);
        if (isPast(deadline)) throw error;
      }
    }
  }

  /** Within one's turn: the pooled session, opened if there is none. */
  async session(deadline: Deadline): Promise<Session> {
    return (this.#session ??= await this.openSession(deadline));
  }

  /** A session that does not belong to the pool: a serial console has its own. */
  async openSession(deadline: Deadline): Promise<Session> {
    for (let attempt = 1; ; attempt++) {
      this.#refuseWhenClosed();
      try {
        return await this.#loginWithBestSuite(deadline);
      } catch (error) {
        // Silence is waited out to the deadline. An answer out of order is what a lossy network makes of a login.
        if (!(error instanceof IpmiError) || isPast(deadline)) throw error;
        if (error.kind === 'timeout') continue;
        if (error.kind !== 'badAnswer' || attempt >= loginAttempts) throw error;
      }
    }
  }

  async #loginWithBestSuite(deadline: Deadline): Promise<Session> {
    const peer = this.#peer;
    peer.suites ??= await offeredSuites(peer, this.timing, deadline);
    for (const suite of peer.suites) {
      try {
        const session = await login(peer, this.#credentials, suite, this.timing, deadline);
        peer.suites = [suite];
        return session;
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'unsupported') throw error;
      }
    }
    // What was offered once may have changed with the BMC's firmware.
    peer.suites = undefined;
    throw new IpmiError('unsupported', 'the BMC offers neither cipher suite 17 nor 3');
  }

  /** Forgets a session that has fallen silent, and frees its place on the BMC if that still listens. */
  drop(session: Session): void {
    if (this.#session === session) this.#session = undefined;
    session.abandon();
  }

  /** To be called now and then: keeps the session alive, or closes it when nobody has used it for long. */
  async tend(): Promise<void> {
    const session = this.#session;
    if (session === undefined || this.#turn !== undefined) return;
    const nowMs = performance.now();
    if (nowMs - this.#lastUsedMs >= this.timing.idleCloseMs) {
      await this.#closeSession();
      return;
    }
    if (nowMs - session.lastHeardMs < this.timing.keepAliveMs) return;
    const deadline = deadlineIn(this.timing.deadlineMs, undefined);
    await this.#takeTurn(deadline);
    try {
      await session.request(getDeviceId, null, deadline);
    } catch {
      this.drop(session);
    } finally {
      this.#passTurn();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.closers].map((close) => close()));
    await this.#closeSession();
  }

  async #closeSession(): Promise<void> {
    const deadline = deadlineIn(Math.min(logoutMs, this.timing.deadlineMs), undefined);
    try {
      await this.#takeTurn(deadline);
    } catch {
      this.#session?.abandon();
      return;
    }
    const session = this.#session;
    this.#session = undefined;
    try {
      if (session !== undefined) await logout(session, deadline);
    } catch {
      // A BMC that does not answer will drop the session by itself.
    } finally {
      this.#passTurn();
    }
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new IpmiError('unsupported', 'the connection to this BMC has been closed');
  }

  #takeTurn(deadline: Deadline): Promise<void> {
    if (this.#turn === undefined) {
      this.#turn = [];
      return Promise.resolve();
    }
    const queue = this.#turn;
    const { signal } = deadline;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        finish();
      };
      const myTurn = (): void => settle(resolve);
      const giveUp = (): void => {
        const place = queue.indexOf(myTurn);
        if (place >= 0) queue.splice(place, 1);
        settle(() => reject(timeoutError(deadline, 'the commands before it')));
      };
      const timer = setTimeout(giveUp, Math.max(0, deadline.atMs - performance.now()));
      queue.push(myTurn);
      if (signal?.aborted === true) giveUp();
      else signal?.addEventListener('abort', giveUp);
    });
  }

  #passTurn(): void {
    const next = this.#turn?.shift();
    if (next === undefined) this.#turn = undefined;
    else next();
  }
}

export function decodeAnswer<Request, Response>(command: Command<Request, Response>, answer: Answer): Response {
  if (answer.completionCode !== completion.ok) throw completionError(command.name, answer.completionCode);
  const response = command.response.decode(answer.data);
  if (response === undefined) throw new IpmiError('badAnswer', `the answer to ${command.name} makes no sense`);
  return response;
}
