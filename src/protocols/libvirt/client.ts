// A libvirt client that connects on the first call and reconnects after the connection broke. Pending calls are not
// repeated, because they may have run.
import type { Duplex } from 'node:stream';
import { connect, type Connection } from './connection.ts';
import { LibvirtError, timeoutError } from './error.ts';
import { authList, authPolkit, connectOpen, type Procedure } from './procedures.ts';

export interface LibvirtClient {
  call<A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal): Promise<R>;
  openStream<A>(procedure: Procedure<A, undefined>, args: A, signal: AbortSignal): Promise<Duplex>;
  close(): Promise<void>;
}

const authentication = { none: 0, polkit: 2 } as const;
const loginTimeoutMs = 10_000;

export function libvirtClient(settings: { readonly socket: string; readonly uri: string }): LibvirtClient {
  let pending: Promise<Connection> | undefined;
  let isClosed = false;

  const login = async (): Promise<Connection> => {
    // Independent of the caller's signal, because others wait for the same connection.
    const signal = AbortSignal.timeout(loginTimeoutMs);
    const connection = await connect(settings.socket, signal);
    try {
      const { types } = await connection.call(authList, undefined, signal);
      if (types.includes(authentication.polkit)) await connection.call(authPolkit, undefined, signal);
      else if (types.length > 0 && !types.includes(authentication.none))
        throw new LibvirtError('auth', 'the daemon requires a user name and password');
      await connection.call(connectOpen, { name: settings.uri, flags: 0 }, signal);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  const startLogin = (): Promise<Connection> => {
    const attempt = login();
    attempt.catch(() => discard(attempt));
    return attempt;
  };
  const discard = (attempt: Promise<Connection>): void => {
    if (pending === attempt) pending = undefined;
  };
  const open = async (signal: AbortSignal): Promise<Connection> => {
    for (;;) {
      if (isClosed) throw new LibvirtError('unreachable', 'this client is closed');
      const attempt = (pending ??= startLogin());
      const connection = await abortable(attempt, signal);
      if (connection.isOpen) return connection;
      discard(attempt);
    }
  };
  return {
    call: async (procedure, args, signal) => (await open(signal)).call(procedure, args, signal),
    openStream: async (procedure, args, signal) => (await open(signal)).openStream(procedure, args, signal),
    async close() {
      isClosed = true;
      const connection = await pending?.catch(() => undefined);
      connection?.close();
    },
  };
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw timeoutError(signal);
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(timeoutError(signal));
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
