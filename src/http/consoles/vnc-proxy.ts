// VNC access to virtual machines: one TCP port for all of them. VNC authentication identifies the session of a client,
// which is then connected to its machine. Unauthenticated clients get little: a few seconds, few connections, and few
// failed attempts per address.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { findVncSession, isVncSessionValid, type VncSession } from '#app/machines/vnc-sessions.ts';
import { openVncStream, pipeView, authenticateViewer } from '#app/machines/vnc-views.ts';
import type { App } from '#app/app.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import type { ListenAddress } from '#lib/config.ts';

export interface VncProxyLimits {
  /** Limits of all connections, and of unauthenticated ones in total and per address. */
  readonly connections: number;
  readonly unauthenticated: number;
  readonly unauthenticatedPerAddress: number;
  readonly handshakeMs: number;
  /** Failed attempts per address and minute. */
  readonly failures: number;
  /** Of one machine at a time. */
  readonly viewers: number;
}
const defaultLimits: VncProxyLimits = {
  connections: 2000,
  unauthenticated: 200,
  unauthenticatedPerAddress: 10,
  handshakeMs: 10_000,
  failures: 10,
  viewers: 10,
};
/** So that no customer takes all connections. */
const shareOfAccount = 1 / 4;
const minuteMs = 60_000;
const checkEveryMs = 5000;
/** How long a rejected client gets to read the reason. */
const rejectionMs = 1000;
const maxAddresses = 100_000;

export interface VncProxy extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
}

export async function startVncProxy(
  app: App,
  listen: ListenAddress,
  limits: VncProxyLimits = defaultLimits,
): Promise<VncProxy> {
  const sockets = new Set<Socket>();
  const viewers = new Map<Socket, VncSession>();
  const isCrowded = ({ service_id, account_id }: VncSession): boolean => {
    const ofAccount = [...viewers.values()].filter((viewed) => viewed.account_id === account_id);
    const ofMachine = ofAccount.filter((viewed) => viewed.service_id === service_id);
    return ofMachine.length >= limits.viewers || ofAccount.length >= limits.connections * shareOfAccount;
  };
  /** Each with its network; the oldest comes first. */
  const unauthenticated = new Map<Socket, string>();
  const failures = new BoundedMap<string, { count: number; until: number }>(maxAddresses);

  function isAdmitted(peer: string): boolean {
    const ofPeer = [...unauthenticated.values()].filter((other) => other === peer).length;
    const failed = failures.get(peer);
    return (
      !app.stopping.aborted &&
      sockets.size < limits.connections &&
      ofPeer < limits.unauthenticatedPerAddress &&
      (failed === undefined || !isCounted(failed) || failed.count < limits.failures)
    );
  }

  /** For one minute, even if the clock is set back. */
  function isCounted({ until }: { readonly until: number }): boolean {
    const leftMs = until - app.clock.now();
    return leftMs > 0 && leftMs <= minuteMs;
  }

  function countFailure(peer: string): void {
    const counter = failures.get(peer);
    if (counter === undefined || !isCounted(counter))
      failures.set(peer, { count: 1, until: app.clock.now() + minuteMs });
    else counter.count++;
  }

  async function authenticateSocket(socket: Socket, peer: string) {
    // A viewer needs a second or two, so that the oldest one is hardly a viewer.
    const [oldest] = unauthenticated.keys();
    if (oldest !== undefined && unauthenticated.size >= limits.unauthenticated) {
      unauthenticated.delete(oldest);
      oldest.destroy();
    }
    unauthenticated.set(socket, peer);
    try {
      return await authenticateViewer(socket, AbortSignal.timeout(limits.handshakeMs), async (challenge, response) => {
        const session = await findVncSession(app, challenge, response);
        if (session === undefined) countFailure(peer);
        return session;
      });
    } finally {
      unauthenticated.delete(socket);
    }
  }

  async function serveSocket(socket: Socket): Promise<void> {
    const peer = budgetNetwork(socket.remoteAddress ?? '');
    if (!isAdmitted(peer)) return void socket.destroy();
    sockets.add(socket);
    socket.setNoDelay(true).setKeepAlive(true, minuteMs);
    // Disconnects are normal; the handshake and the pipes notice them by themselves.
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket);
        viewers.delete(socket);
      });
    try {
      const session = await authenticateSocket(socket, peer);
      if (session === undefined) return void socket.setTimeout(rejectionMs, () => socket.destroy());
      // A viewer that left while its password was checked would keep its place forever.
      if (socket.destroyed || isCrowded(session)) return void socket.destroy();
      viewers.set(socket, session);
      const machine = await openVncStream(app, session.service_id);
      const watch = setInterval(() => closeUnlessAllowed(app, session, socket), checkEveryMs).unref();
      await pipeView(app, session.service_id, socket, machine, () => socket.destroy());
      clearInterval(watch);
    } catch (error) {
      if (!(error instanceof ApiError)) app.log.error({ err: error }, 'cannot open a VNC connection');
      socket.destroy();
    }
  }

  const server = createServer((socket) => void serveSocket(socket));
  server.listen(listen);
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  return {
    address,
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function closeUnlessAllowed(app: App, session: VncSession, socket: Socket): void {
  isVncSessionValid(app, session).then(
    (allowed) => {
      if (!allowed) socket.destroy();
    },
    // A temporarily unavailable database ends no connection.
    () => {},
  );
}
