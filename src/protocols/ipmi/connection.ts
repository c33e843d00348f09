// The pooled session of one BMC: opened on first use, kept alive while in use, reopened when the BMC has lost it,
// closed when idle, or when a serial console's session can carry the commands. They run one at a time, because BMCs have
// little capacity.
import type { Command } from './codec.ts';
import { getDeviceId } from './commands/device.ts';
import { completion, completionError, IpmiError } from './error.ts';
import { deadlineIn, isPast, pause, requestMs, timeoutError, type Deadline, type RetryPolicy } from './exchange.ts';
import { login, logout, type Credentials } from './login.ts';
import { getOfferedSuites } from './sessionless.ts';
import type { CommandResponse, Session } from './session.ts';
import { SilenceLimit } from './silence.ts';
import type { Peer } from './transport.ts';

export interface Timing extends RetryPolicy {
  /** How long a call may take if its caller's signal does not end it sooner. */
  deadlineMs: number;
  /** How long every BMC keeps a session open without a request. */
  keepAliveMs: number;
  /** A session that no caller has used for this long is closed. */
  idleCloseMs: number;
}

const loginAttempts = 3;
const firstBusyPauseMs = 50;
const longestBusyPauseMs = 400;
const logoutTimeoutMs = 2_000;

/** The ways to a BMC. */
export interface Routes {
  readonly commands: Peer;
  /** From another port than commands, because some BMCs tell sessions apart by port. */
  readonly consoles: Peer;
  /** Opens a port for a single session: some BMCs ignore a second session from the port of an earlier one. */
  openPort(): Promise<OwnPort>;
}

export interface OwnPort {
  readonly peer: Peer;
  close(): Promise<void>;
}

/** The session of the serial console. */
export interface ConsoleSession {
  readonly session: Session;
  /** Ends the console, because the BMC stopped responding. */
  onSilence(): void;
}

export class Connection {
  readonly #routes: Routes;
  readonly #credentials: Credentials;
  readonly timing: Timing;
  /** Closes what belongs to this connection: its serial consoles. */
  readonly closers = new Set<() => Promise<void>>();
  #session: Session | undefined;
  #console: ConsoleSession | undefined;
  /** True if the console's session responded to its last command, so that others can use it. */
  #isConsoleResponding = false;
  readonly #silence: SilenceLimit;
  #lastUsedMs = 0;
  #isClosed = false;
  /** Callers that wait for exclusive access; defined while it is held. */
  #waiters: (() => void)[] | undefined;

  constructor(routes: Routes, credentials: Credentials, timing: Timing) {
    this.#routes = routes;
    this.#credentials = credentials;
    this.timing = timing;
    this.#silence = new SilenceLimit(timing.keepAliveMs);
  }

  /** Sends a command that is safe to repeat, reconnecting as often as the deadline allows. */
  async call<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    signal?: AbortSignal,
  ): Promise<Response> {
    return this.exclusive(signal, async (deadline) => {
      const response = await this.#callThroughConsole(command, request, deadline);
      return response === undefined
        ? this.repeat(command, request, deadline)
        : decodeCommandResponse(command, response);
    });
  }

  /**
   * Uses the session of the serial console, which is open and kept alive anyway, so that an idle BMC needs no second one.
   * Returns undefined if there is none, or it does not respond: the console then still has its session to itself.
   */
  async #callThroughConsole<Request>(
    command: Command<Request, unknown>,
    request: Request,
    deadline: Deadline,
  ): Promise<CommandResponse | undefined> {
    if (this.#console === undefined || !this.#isConsoleResponding) return undefined;
    try {
      const response = await this.#request(this.#console.session, command, request, deadline);
      return response.completionCode === completion.nodeBusy ? undefined : response;
    } catch (error) {
      if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
      this.#isConsoleResponding = false;
      if (isPast(deadline)) throw error;
      return undefined;
    }
  }

  /** Runs with exclusive access to this BMC: no other command runs in between. */
  async exclusive<Result>(
    signal: AbortSignal | undefined,
    run: (deadline: Deadline) => Promise<Result>,
  ): Promise<Result> {
    const deadline = deadlineIn(this.timing.deadlineMs, signal);
    await this.#acquire(deadline);
    try {
      this.#lastUsedMs = performance.now();
      return await run(deadline);
    } finally {
      this.#release();
    }
  }

  /** Like `call`; must run exclusively. */
  async repeat<Request, Response>(
    command: Command<Request, Response>,
    request: Request,
    deadline: Deadline,
  ): Promise<Response> {
    return decodeCommandResponse(command, await this.repeatForResponse(command, request, deadline));
  }

  /** Retries while the BMC is busy, for as long as it may take to respond. Must run exclusively. */
  async repeatForResponse<Request>(
    command: Command<Request, unknown>,
    request: Request,
    deadline: Deadline,
  ): Promise<CommandResponse> {
    let busyUntilMs: number | undefined;
    for (let pauseMs = firstBusyPauseMs; ;) {
      const session = await this.session(deadline);
      try {
        const response = await this.#request(session, command, request, deadline);
        if (response.completionCode !== completion.nodeBusy) return response;
        busyUntilMs ??= performance.now() + requestMs(this.timing);
        if (performance.now() >= busyUntilMs) return response;
        await pause(pauseMs, deadline, command.name);
        pauseMs = Math.min(2 * pauseMs, longestBusyPauseMs);
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
        this.drop(session);
        if (isPast(deadline)) throw error;
      }
    }
  }

  async #request<Request>(
    session: Session,
    command: Command<Request, unknown>,
    request: Request,
    deadline: Deadline,
  ): Promise<CommandResponse> {
    const silentMs = performance.now() - session.lastResponseMs;
    try {
      const response = await session.request(command, request, deadline);
      this.#silence.survived(silentMs);
      return response;
    } catch (error) {
      this.#silence.lost(silentMs);
      throw error;
    }
  }

  /** Returns the pooled session, opening it if necessary. Must run exclusively. */
  async session(deadline: Deadline): Promise<Session> {
    return (this.#session ??= await this.openSession(deadline, 'commands'));
  }

  /** Opens a session outside the pool. */
  async openSession(deadline: Deadline, use: 'commands' | 'consoles'): Promise<Session> {
    let needsOwnPort = this.#routes.commands.needsOwnPorts;
    for (let attempt = 1; ; attempt++) {
      this.#rejectIfClosed();
      try {
        if (!needsOwnPort) return await this.#loginWithBestSuite(this.#routes[use], deadline);
        const session = await this.#loginFromOwnPort(deadline);
        this.#routes.commands.needsOwnPorts = true;
        return session;
      } catch (error) {
        // Silence is retried until the deadline. A lossy network may deliver login messages out of order.
        if (!(error instanceof IpmiError) || isPast(deadline)) throw error;
        if (error.kind === 'timeout') needsOwnPort = true;
        else if (error.kind !== 'badResponse' || attempt >= loginAttempts) throw error;
      }
    }
  }

  async #loginFromOwnPort(deadline: Deadline): Promise<Session> {
    const port = await this.#routes.openPort();
    try {
      const session = await this.#loginWithBestSuite(port.peer, deadline);
      session.onEnd = () => void port.close();
      return session;
    } catch (error) {
      await port.close();
      throw error;
    }
  }

  async #loginWithBestSuite(peer: Peer, deadline: Deadline): Promise<Session> {
    const known = this.#routes.commands;
    known.suites ??= await getOfferedSuites(peer, this.timing, deadline);
    for (const suite of known.suites) {
      try {
        const session = await login(peer, this.#credentials, suite, this.timing, deadline);
        known.suites = [suite];
        return session;
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'unsupported') throw error;
      }
    }
    // The offer may have changed with a firmware update.
    known.suites = undefined;
    throw new IpmiError('unsupported', 'the BMC offers neither cipher suite 17 nor 3');
  }

  /** Drops a session that stopped responding, and frees its slot on the BMC if possible. */
  drop(session: Session): void {
    if (this.#session === session) this.#session = undefined;
    session.abandon();
  }

  /** Lets commands use the session of a console, and keeps it alive, until `removeConsole`. */
  addConsole(console: ConsoleSession): void {
    this.#console = console;
    this.#isConsoleResponding = true;
  }

  removeConsole({ session }: ConsoleSession): void {
    if (this.#console?.session === session) this.#console = undefined;
  }

  /**
   * Keeps the sessions alive, or closes the pooled one if it is idle. Called periodically, so it starts nothing if nothing is due.
   * Failures show in the next call; nobody waits for them here.
   */
  maintain(): void {
    if (this.#console !== undefined && this.#isKeepAliveDue(this.#console.session)) void this.#keepAlive(this.#console);
    if (this.#session !== undefined && this.#waiters === undefined)
      void this.#maintainPooled(this.#session).catch(() => {});
  }

  /** Does not wait for commands that use the pooled session: the BMC would close the console's meanwhile. */
  async #keepAlive(console: ConsoleSession): Promise<void> {
    try {
      await this.#request(console.session, getDeviceId, null, deadlineIn(this.timing.deadlineMs, undefined));
      this.#isConsoleResponding = true;
    } catch {
      console.onSilence();
    }
  }

  async #maintainPooled(session: Session): Promise<void> {
    const isIdle = performance.now() - this.#lastUsedMs >= this.timing.idleCloseMs;
    const isKeepAliveDue = this.#isKeepAliveDue(session);
    if (isIdle || (isKeepAliveDue && this.#console !== undefined && this.#isConsoleResponding)) {
      await this.#closeSession();
      return;
    }
    if (!isKeepAliveDue) return;
    const deadline = deadlineIn(this.timing.deadlineMs, undefined);
    await this.#acquire(deadline);
    try {
      await this.#request(session, getDeviceId, null, deadline);
    } catch {
      this.drop(session);
    } finally {
      this.#release();
    }
  }

  #isKeepAliveDue({ lastResponseMs }: Session): boolean {
    return performance.now() - lastResponseMs >= this.#silence.ms;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.closers].map((close) => close()));
    await this.#closeSession();
  }

  async #closeSession(): Promise<void> {
    const deadline = deadlineIn(Math.min(logoutTimeoutMs, this.timing.deadlineMs), undefined);
    try {
      await this.#acquire(deadline);
    } catch {
      this.#session?.abandon();
      return;
    }
    const session = this.#session;
    this.#session = undefined;
    try {
      if (session !== undefined) await logout(session, deadline);
    } catch {
      // The BMC closes an abandoned session after its idle timeout.
    } finally {
      this.#release();
    }
  }

  #rejectIfClosed(): void {
    if (this.#isClosed) throw new IpmiError('unsupported', 'the connection to this BMC is closed');
  }

  #acquire(deadline: Deadline): Promise<void> {
    if (this.#waiters === undefined) {
      this.#waiters = [];
      return Promise.resolve();
    }
    const queue = this.#waiters;
    const { signal } = deadline;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', fail);
        finish();
      };
      const proceed = (): void => settle(resolve);
      const fail = (): void => {
        const index = queue.indexOf(proceed);
        if (index >= 0) queue.splice(index, 1);
        settle(() => reject(timeoutError(deadline, 'the commands before it')));
      };
      const timer = setTimeout(fail, Math.max(0, deadline.atMs - performance.now()));
      queue.push(proceed);
      if (signal?.aborted === true) fail();
      else signal?.addEventListener('abort', fail);
    });
  }

  #release(): void {
    const next = this.#waiters?.shift();
    if (next === undefined) this.#waiters = undefined;
    else next();
  }
}

export function decodeCommandResponse<Request, Response>(
  command: Command<Request, Response>,
  raw: CommandResponse,
): Response {
  if (raw.completionCode !== completion.ok) throw completionError(command.name, raw.completionCode);
  const response = command.response.decode(raw.data);
  if (response === undefined) throw new IpmiError('badResponse', `the BMC sent an invalid response to ${command.name}`);
  return response;
}
