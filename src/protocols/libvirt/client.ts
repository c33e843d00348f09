// A libvirt client that connects on the first call and reconnects after a connection broke. Pending calls are not
// repeated, because they may have run.
//
// libvirtd works on five calls of a connection at a time, and does not read the next one before. Calls that wait for a guest or
// for a disk therefore have connections of their own, and few of them are sent at a time: a customer whose guests never
// answer must not keep anybody else from the hypervisor.
import type { Duplex } from 'node:stream';
import { connect, type Connection } from './connection.ts';
import { LibvirtError, timeoutError } from './error.ts';
import { createPlaces } from './places.ts';
import { authList, authPolkit, connectOpen, type Procedure, type Wait } from './procedures.ts';

export interface LibvirtClient {
  call<A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal): Promise<R>;
  openStream<A>(procedure: Procedure<A, undefined>, args: A, signal: AbortSignal): Promise<Duplex>;
  close(): Promise<void>;
}

interface DaemonSettings {
  readonly socket: string;
  readonly uri: string;
}

const authentication = { none: 0, polkit: 2 } as const;
const loginTimeoutMs = 10_000;
/**
 * At a time. Four of a connection, because libvirtd must be able to read the responses to its pings. Together with five others,
 * fewer than libvirtd has threads: 20 by default.
 */
const places: Readonly<Record<Wait, { readonly connections: number; readonly calls: number }>> = {
  guest: { connections: 2, calls: 4 },
  copy: { connections: 1, calls: 4 },
  // Takes hours.
  erasure: { connections: 1, calls: 2 },
};

export function libvirtClient(settings: DaemonSettings): LibvirtClient {
  const shared = openLink(settings);
  const lanes = {
    guest: openLane(settings, 'guest'),
    copy: openLane(settings, 'copy'),
    erasure: openLane(settings, 'erasure'),
  };
  return {
    call: async (procedure, args, signal) =>
      procedure.wait === undefined
        ? (await shared.open(signal)).call(procedure, args, signal)
        : lanes[procedure.wait].call(procedure, args, signal),
    openStream: async (procedure, args, signal) => (await shared.open(signal)).openStream(procedure, args, signal),
    close: async () => void (await Promise.all([shared, ...Object.values(lanes)].map((part) => part.close()))),
  };
}

/** A connection is busy with a call until the daemon has answered it, even if the caller has given it up. */
function openLane(settings: DaemonSettings, wait: Wait): Pick<LibvirtClient, 'call' | 'close'> {
  const { connections, calls } = places[wait];
  const links = Array.from({ length: connections }, () => openLink(settings));
  const free = createPlaces(links, calls);
  return {
    async call(procedure, args, signal) {
      const link = await free.take(signal);
      const release = (): void => free.release(link);
      const connection = await link.open(signal).catch((error: unknown) => {
        release();
        throw error;
      });
      return connection.call(procedure, args, signal, release);
    },
    close: async () => void (await Promise.all(links.map((link) => link.close()))),
  };
}

interface Link {
  open(signal: AbortSignal): Promise<Connection>;
  close(): Promise<void>;
}

/** One connection, which is replaced when it has broken. */
function openLink(settings: DaemonSettings): Link {
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
  return {
    async open(signal) {
      for (;;) {
        if (isClosed) throw new LibvirtError('unreachable', 'this client is closed');
        const attempt = (pending ??= startLogin());
        const connection = await abortable(attempt, signal);
        if (connection.isOpen) return connection;
        discard(attempt);
      }
    },
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
