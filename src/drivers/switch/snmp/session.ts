// One SNMP session with one switch: the library's callbacks as promises that heed an AbortSignal, and its errors as faults.
// The library's own messages are not passed on, as some of them quote the community.
import * as snmp from 'net-snmp';
import type { Session, Varbind } from 'net-snmp';
import { Fault } from '#kernel/fault.ts';
import type { SnmpSettings } from './settings.ts';

export interface SnmpSession {
  get(oids: readonly string[], signal: AbortSignal): Promise<readonly Varbind[]>;
  /** One varbind of each scalar, then up to `repetitions` of each column. An agent may answer with fewer. */
  getBulk(request: BulkRequest, signal: AbortSignal): Promise<BulkAnswer>;
  set(varbind: Varbind, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface BulkRequest {
  readonly scalars: readonly string[];
  readonly columns: readonly string[];
  readonly repetitions: number;
}

export interface BulkAnswer {
  readonly scalars: readonly Varbind[];
  /** In the order of the request; a column that did not fit is absent. */
  readonly columns: readonly (readonly Varbind[])[];
}

/** The answer would have been larger than the agent can send: ask for less. */
export class TooBigError extends Error {
  override readonly name = 'TooBigError';
}

const TRIES = 3;
const DEFAULT_TIMEOUT_MS = 2_000;

export function openSession(settings: SnmpSettings): SnmpSession {
  let session = connect(settings);
  let isOpen = true;

  const call = async <T>(work: Work<T>, signal: AbortSignal): Promise<T> => {
    const used = session;
    try {
      return await answered(used, work, signal);
    } catch (error) {
      if (settings.version !== '3' || !isOpen || !isStale(error, used !== session)) throw faultOf(error, settings);
    }
    // A v3 agent that was restarted has another clock, or another identity, and the library holds on to what it learnt: its
    // session can never be in step again. A fresh one learns anew; a second refusal is the switch's own.
    if (used === session) {
      session = connect(settings);
      used.close();
    }
    return answered(session, work, signal).catch((error: unknown) => {
      throw faultOf(error, settings);
    });
  };

  return {
    get: (oids, signal) => call((session, done) => session.get([...oids], done), signal),
    getBulk: async ({ scalars, columns, repetitions }, signal) => {
      const oids = [...scalars, ...columns];
      const answer = await call<(Varbind | Varbind[])[]>(
        (session, done) => session.getBulk(oids, scalars.length, repetitions, done),
        signal,
      );
      const parts = answer.map((part) => (Array.isArray(part) ? part : [part]));
      return { scalars: parts.slice(0, scalars.length).flat(), columns: parts.slice(scalars.length) };
    },
    set: async (varbind, signal) => void (await call((session, done) => session.set([varbind], done), signal)),
    close: () => {
      if (isOpen) session.close();
      isOpen = false;
    },
  };
}

type Work<T> = (session: Session, done: (error: Error | null, value?: T) => void) => void;

function connect(settings: SnmpSettings): Session {
  const transport: 'udp4' | 'udp6' = settings.address.includes(':') ? 'udp6' : 'udp4';
  const { address, port = 161, timeoutMs = DEFAULT_TIMEOUT_MS } = settings;
  const options = { port, transport, timeout: timeoutMs, retries: TRIES - 1 };
  const session =
    settings.version === '3'
      ? snmp.createV3Session(address, userOf(settings), { ...options, version: snmp.Version3 })
      : snmp.createSession(address, settings.community, { ...options, version: snmp.Version2c });
  // A datagram that is no SNMP: the request that waits will time out. Without a listener it would end the process.
  session.on('error', () => {});
  return session;
}

function userOf({ username, authentication, privacy }: Extract<SnmpSettings, { version: '3' }>): snmp.User {
  const authProtocols = {
    SHA: snmp.AuthProtocols.sha,
    SHA256: snmp.AuthProtocols.sha256,
    SHA512: snmp.AuthProtocols.sha512,
  };
  return {
    name: username,
    level: snmp.SecurityLevel.authPriv,
    authProtocol: authProtocols[authentication.protocol],
    authKey: authentication.password,
    privProtocol: privacy.protocol === 'AES' ? snmp.PrivProtocols.aes : snmp.PrivProtocols.aes256b,
    privKey: privacy.password,
  };
}

/** The library has no way to give up one request: after an abort its answer, or its timeout, finds nobody waiting. */
function answered<T>(session: Session, work: Work<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work(session, (error, value) => {
      signal.removeEventListener('abort', abort);
      if (error !== null) reject(error);
      else resolve(value!);
    });
  });
}

function isStale(error: unknown, wasReplaced: boolean): boolean {
  return error instanceof Error && (error.name === 'ResponseInvalidError' || (wasReplaced && error.name === 'Error'));
}

function faultOf(error: unknown, { address, port = 161 }: SnmpSettings): unknown {
  if (!(error instanceof Error)) return error;
  const place = `${address}:${port}`;
  if (error.name === 'RequestFailedError') {
    const { status } = error as snmp.RequestFailedError;
    if (status === snmp.ErrorStatus.TooBig) return new TooBigError();
    return new Fault('switch_error', { internal: `${place} refused: ${snmp.ErrorStatus[status] ?? status}` });
  }
  if (error.name === 'ResponseInvalidError') {
    const { code } = error as snmp.ResponseInvalidError;
    return new Fault('switch_error', {
      internal: `${place} answered wrongly: ${snmp.ResponseInvalidCode[code] ?? code}`,
    });
  }
  // The caller gave up for a reason of its own, which is not the switch's.
  if (error.name === 'AbortError') return error;
  const isTimeout = error.name === 'RequestTimedOutError' || error.name === 'TimeoutError' || 'syscall' in error;
  const internal = isTimeout ? `${place} did not answer` : `the session with ${place} is closed`;
  return new Fault('switch_unreachable', { internal });
}
