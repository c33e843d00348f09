// The door to the screens of virtual machines: one TCP port for all of them. Who knocks shows by VNC authentication which
// session is his, and is put through to its machine. Whoever has not shown that yet gets little: a few seconds, few
// connections, and few wrong answers from one address.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { screenSessionOf, screenStillAllowed, type ScreenSession } from '#app/machines/screens.ts';
import { screenOpened, viewed, viewerAdmitted } from '#app/machines/screen-views.ts';
import type { Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';

export interface ScreenProxyLimits {
  /** Of all connections, and of those that have not authenticated, in all and from one address. */
  readonly connections: number;
  readonly strangers: number;
  readonly strangersOfAddress: number;
  readonly handshakeMs: number;
  /** Wrong answers from one address in a minute. */
  readonly failures: number;
}
const defaultLimits: ScreenProxyLimits = {
  connections: 2000,
  strangers: 200,
  strangersOfAddress: 10,
  handshakeMs: 10_000,
  failures: 10,
};
const minuteMs = 60_000;
const checkEveryMs = 5000;
/** How long one who was turned away may take to read so. */
const farewellMs = 1000;
const addressesRemembered = 100_000;

export interface ScreenProxy extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
}

export async function startScreenProxy(
  yard: Yard,
  listen: { readonly host: string; readonly port: number },
  limits: ScreenProxyLimits = defaultLimits,
): Promise<ScreenProxy> {
  const sockets = new Set<Socket>();
  const strangers = new Map<string, number>();
  const failures = new Map<string, { count: number; until: number }>();

  function admits(peer: string): boolean {
    const all = [...strangers.values()].reduce((total, count) => total + count, 0);
    const failed = failures.get(peer);
    return (
      !yard.stopping.aborted &&
      sockets.size < limits.connections &&
      all < limits.strangers &&
      (strangers.get(peer) ?? 0) < limits.strangersOfAddress &&
      (failed === undefined || !isCounted(failed) || failed.count < limits.failures)
    );
  }

  /** For a minute, also where the clock is set back meanwhile. */
  function isCounted({ until }: { readonly until: number }): boolean {
    const leftMs = until - yard.clock.now();
    return leftMs > 0 && leftMs <= minuteMs;
  }

  function countFailure(peer: string): void {
    const before = failures.get(peer);
    if (failures.size >= addressesRemembered) failures.clear();
    if (before === undefined || !isCounted(before))
      failures.set(peer, { count: 1, until: yard.clock.now() + minuteMs });
    else before.count++;
  }

  async function authenticated(socket: Socket, peer: string) {
    strangers.set(peer, (strangers.get(peer) ?? 0) + 1);
    try {
      return await viewerAdmitted(socket, AbortSignal.timeout(limits.handshakeMs), async (challenge, response) => {
        const session = await screenSessionOf(yard, challenge, response);
        if (session === undefined) countFailure(peer);
        return session;
      });
    } finally {
      const left = (strangers.get(peer) ?? 1) - 1;
      if (left === 0) strangers.delete(peer);
      else strangers.set(peer, left);
    }
  }

  async function serve(socket: Socket): Promise<void> {
    const peer = peerOf(socket.remoteAddress ?? '');
    if (!admits(peer)) return void socket.destroy();
    sockets.add(socket);
    socket.setNoDelay(true).setKeepAlive(true, minuteMs);
    // A viewer who is gone is no fault of ours; the handshake and the pipes see it by themselves.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    try {
      const session = await authenticated(socket, peer);
      if (session === undefined) return void socket.setTimeout(farewellMs, () => socket.destroy());
      const machine = await screenOpened(yard, session.service_id);
      const watch = setInterval(() => endUnlessAllowed(yard, session, socket), checkEveryMs).unref();
      await viewed(yard, session.service_id, socket, machine, () => socket.destroy());
      clearInterval(watch);
    } catch (error) {
      if (!(error instanceof Fault)) yard.log.error({ err: error }, 'a screen could not be shown');
      socket.destroy();
    }
  }

  const server = createServer((socket) => void serve(socket));
  await listening(server, listen);
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

function endUnlessAllowed(yard: Yard, session: ScreenSession, socket: Socket): void {
  screenStillAllowed(yard, session).then(
    (allowed) => {
      if (!allowed) socket.destroy();
    },
    // A database that is away for a while ends nobody's screen.
    () => {},
  );
}

/** Who has one IPv6 address usually has its whole /64. */
function peerOf(address: string): string {
  return address.includes(':') && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address;
}

function listening(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
