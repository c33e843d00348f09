// One SNMP session with a switch or power strip: wraps the library's callbacks in promises that respect an AbortSignal, and its errors
// in API errors. The library's messages are dropped, because some quote the community.
import * as snmp from 'net-snmp';
import type { Session, Varbind } from 'net-snmp';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from '#lib/api-error.ts';
import type { DriverWaits } from '../waits.ts';
import type { SnmpSettings } from './settings.ts';

export interface SnmpSession {
  get(oids: readonly string[], signal: AbortSignal): Promise<readonly Varbind[]>;
  /** Returns one varbind per scalar, then up to `repetitions` per column. Agents may return fewer. */
  getBulk(request: BulkRequest, signal: AbortSignal): Promise<BulkResponse>;
  /** Sends the request once: a repetition might reach a switch that has restarted and renumbered its ports. */
  set(varbind: Varbind, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface BulkRequest {
  readonly scalars: readonly string[];
  readonly columns: readonly string[];
  readonly repetitions: number;
}

export interface BulkResponse {
  readonly scalars: readonly Varbind[];
  /** In the order of the request; a column that did not fit is absent. */
  readonly columns: readonly (readonly Varbind[])[];
}

/** The response would exceed what the agent can send: request less. */
export class TooBigError extends Error {
  override readonly name = 'TooBigError';
}

export const maxAttempts = 3;
const defaultResponseMs = 6_000;

/** The errors of a kind of device: for an invalid response, and for none. */
export interface DeviceErrors {
  readonly error: ErrorCode;
  readonly unreachable: ErrorCode;
}

export function openSession(
  settings: SnmpSettings,
  errors: DeviceErrors,
  { responseMs = defaultResponseMs }: DriverWaits,
): SnmpSession {
  let session = connect(settings, responseMs / maxAttempts);
  let isOpen = true;

  const call = async <T>(work: Work<T>, signal: AbortSignal): Promise<T> => {
    const current = session;
    try {
      return await awaitResponse(current, work, signal);
    } catch (error) {
      if (settings.version !== '3' || !isOpen || !isOutOfSync(error, current !== session))
        throw toApiError(error, settings, errors);
    }
    // A restarted v3 agent has a new engine time or engine ID, but the library keeps the values it discovered, so this
    // session stays out of sync. A new one discovers them again; if that fails too, the error is the switch's.
    if (current === session) {
      session = connect(settings, responseMs / maxAttempts);
      current.close();
    }
    return awaitResponse(session, work, signal).catch((error: unknown) => {
      throw toApiError(error, settings, errors);
    });
  };

  return {
    get: (oids, signal) => call((session, done) => session.get([...oids], done), signal),
    getBulk: async ({ scalars, columns, repetitions }, signal) => {
      const oids = [...scalars, ...columns];
      const response = await call<(Varbind | Varbind[])[]>(
        (session, done) => session.getBulk(oids, scalars.length, repetitions, done),
        signal,
      );
      const parts = response.map((part) => (Array.isArray(part) ? part : [part]));
      return { scalars: parts.slice(0, scalars.length).flat(), columns: parts.slice(scalars.length) };
    },
    set: async (varbind, signal) => {
      const setOnce: Work<Varbind[]> = (session, done) => {
        const adjustable = session as Session & { retries: number };
        adjustable.retries = 0;
        session.set([varbind], done);
        adjustable.retries = maxAttempts - 1;
      };
      await awaitResponse(session, setOnce, signal).catch((error: unknown) => {
        throw toApiError(error, settings, errors);
      });
    },
    close: () => {
      if (isOpen) session.close();
      isOpen = false;
    },
  };
}

type Work<T> = (session: Session, done: (error: Error | null, value?: T) => void) => void;

function connect(settings: SnmpSettings, attemptMs: number): Session {
  const transport: 'udp4' | 'udp6' = settings.address.includes(':') ? 'udp6' : 'udp4';
  const { address, port = 161, timeoutMs = attemptMs } = settings;
  const options = { port, transport, timeout: timeoutMs, retries: maxAttempts - 1 };
  const session =
    settings.version === '3'
      ? snmp.createV3Session(address, v3User(settings), { ...options, version: snmp.Version3 })
      : snmp.createSession(address, settings.community, { ...options, version: snmp.Version2c });
  // Emitted for a datagram that is not SNMP; the pending request times out. Without a listener the process would exit.
  session.on('error', () => {});
  return session;
}

function v3User({ username, authentication, privacy }: Extract<SnmpSettings, { version: '3' }>): snmp.User {
  const authProtocols = {
    SHA: snmp.AuthProtocols.sha,
    SHA256: snmp.AuthProtocols.sha256,
    SHA512: snmp.AuthProtocols.sha512,
  };
  const privProtocols = {
    AES: snmp.PrivProtocols.aes,
    AES256: snmp.PrivProtocols.aes256b,
    AES256C: snmp.PrivProtocols.aes256r,
  };
  return {
    name: username,
    level: snmp.SecurityLevel.authPriv,
    authProtocol: authProtocols[authentication.protocol],
    authKey: authentication.password,
    privProtocol: privProtocols[privacy.protocol],
    privKey: privacy.password,
  };
}

/** The library cannot cancel a request: after an abort, its response or timeout is ignored. */
function awaitResponse<T>(session: Session, work: Work<T>, signal: AbortSignal): Promise<T> {
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

function isOutOfSync(error: unknown, wasReplaced: boolean): boolean {
  return error instanceof Error && (error.name === 'ResponseInvalidError' || (wasReplaced && error.name === 'Error'));
}

function toApiError(error: unknown, { address, port = 161 }: SnmpSettings, errors: DeviceErrors): unknown {
  if (!(error instanceof Error)) return error;
  const endpoint = `${address}:${port}`;
  if (error.name === 'RequestFailedError') {
    const { status } = error as snmp.RequestFailedError;
    if (status === snmp.ErrorStatus.TooBig) return new TooBigError();
    return new ApiError(errors.error, { internal: `${endpoint} returned ${snmp.ErrorStatus[status] ?? status}` });
  }
  if (error.name === 'ResponseInvalidError') {
    const { code } = error as snmp.ResponseInvalidError;
    return new ApiError(errors.error, {
      internal: `${endpoint} sent an invalid response: ${snmp.ResponseInvalidCode[code] ?? code}`,
    });
  }
  // The caller aborted for reasons unrelated to the switch.
  if (error.name === 'AbortError') return error;
  const isTimeout = error.name === 'RequestTimedOutError' || error.name === 'TimeoutError' || 'syscall' in error;
  const internal = isTimeout ? `${endpoint} did not respond` : `the session with ${endpoint} is closed`;
  return new ApiError(errors.unreachable, { internal });
}
