// A libvirt daemon as one asks it: the connection is made with the first call, kept, and made anew after it broke. A call that
// was under way then is not repeated, for it may have run.
import type { Duplex } from 'node:stream';
import { connect, type Connection } from './connection.ts';
import { LibvirtError, timedOut } from './error.ts';
import { authList, authPolkit, connectOpen, type Procedure } from './procedures.ts';

export interface LibvirtClient {
  call<A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal): Promise<R>;
  openStream<A>(procedure: Procedure<A, undefined>, args: A, signal: AbortSignal): Promise<Duplex>;
  close(): Promise<void>;
}

const authentication = { none: 0, polkit: 2 } as const;
const loginWithinMs = 10_000;

export function libvirtClient(settings: { readonly socket: string; readonly uri: string }): LibvirtClient {
  let opening: Promise<Connection> | undefined;
  let isClosed = false;

  const login = async (): Promise<Connection> => {
    // Of its own, not the caller's: others wait for the same connection.
    const signal = AbortSignal.timeout(loginWithinMs);
    const connection = await connect(settings.socket, signal);
    try {
      const { types } = await connection.call(authList, undefined, signal);
      if (types.includes(authentication.polkit)) await connection.call(authPolkit, undefined, signal);
      else if (types.length > 0 && !types.includes(authentication.none))
        throw new LibvirtError('auth', 'the daemon wants a login by name and password');
      await connection.call(connectOpen, { name: settings.uri, flags: 0 }, signal);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  const begin = (): Promise<Connection> => {
    const attempt = login();
    attempt.catch(() => forget(attempt));
    return attempt;
  };
  const forget = (attempt: Promise<Connection>): void => {
    if (opening === attempt) opening = undefined;
  };
  const open = async (signal: AbortSignal): Promise<Connection> => {
    for (;;) {
      if (isClosed) throw new LibvirtError('unreachable', 'this client is closed');
      const attempt = (opening ??= begin());
      const connection = await within(attempt, signal);
      if (connection.isOpen) return connection;
      forget(attempt);
    }
  };
  return {
    call: async (procedure, args, signal) => (await open(signal)).call(procedure, args, signal),
    openStream: async (procedure, args, signal) => (await open(signal)).openStream(procedure, args, signal),
    async close() {
      isClosed = true;
      const connection = await opening?.catch(() => undefined);
      connection?.close();
    },
  };
}

async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw timedOut(signal);
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(timedOut(signal));
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
