// TCP forwards to the consoles of controllers, on a fixed set of ports. A port is free until a console session is given it,
// and then forwards for the address that opened the session, until the session ends. All other connections are closed
// without a byte.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { connectToController, findConsoleForward, type ConsoleSession } from '#app/servers/console-sessions.ts';
import type { App } from '#app/app.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { watchSession } from './session-views.ts';

export interface ConsoleForwards extends AsyncDisposable {
  readonly address: string;
  readonly ports: readonly number[];
}

/** Of all connections, and of those of one account, so that no customer takes all of them. */
const defaultLimits = { connections: 2000, perAccount: 500 };
/** Of those that are being checked in total and per address, and per server. */
const maxUnchecked = 200;
const maxUncheckedPerAddress = 20;
const connectionsPerServer = 32;
const keepAliveMs = 60_000;

export async function startConsoleForwards(
  app: App,
  address: string,
  ports: readonly number[],
  listen: (port: number, start: (port: number) => Promise<Server>) => Promise<Server>,
  limits = defaultLimits,
): Promise<ConsoleForwards> {
  /** Each with the account that it forwards for. */
  const sockets = new Map<Socket, ConsoleSession['account_id'] | undefined>();
  const unchecked = new Map<Socket, string>();

  function isAdmitted(peer: string): boolean {
    const ofPeer = [...unchecked.values()].filter((other) => other === peer).length;
    return (
      !app.stopping.aborted &&
      sockets.size < limits.connections &&
      unchecked.size < maxUnchecked &&
      ofPeer < maxUncheckedPerAddress
    );
  }

  function isCrowded({ server, account_id }: ConsoleSession): boolean {
    const ofAccount = [...sockets.values()].filter((account) => account === account_id).length;
    return app.consoleGateway.count(server) >= connectionsPerServer || ofAccount >= limits.perAccount;
  }

  async function serveSocket(socket: Socket): Promise<void> {
    const { remoteAddress = '', localPort = 0 } = socket;
    const peer = budgetNetwork(remoteAddress);
    if (!isAdmitted(peer)) return void socket.destroy();
    sockets.set(socket, undefined);
    unchecked.set(socket, peer);
    socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
    // Disconnects are normal; the pipes notice them by themselves.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    try {
      const session = await findConsoleForward(app, localPort, remoteAddress).finally(() => unchecked.delete(socket));
      if (session === undefined || isCrowded(session)) return;
      sockets.set(socket, session.account_id);
      // Before the connection to the controller is open, so that a reset in between ends this one too.
      const stopWatching = watchSession(app, session, () => socket.destroy());
      try {
        const controller = await connectToController(app, session.server, session.target);
        await pipeline(socket, controller, socket).catch(() => {
          // Either side may disconnect at any time.
        });
        controller.destroy();
      } finally {
        stopWatching();
      }
    } catch (error) {
      if (!(error instanceof ApiError)) app.log.error({ err: error }, 'cannot open a console forward');
    } finally {
      socket.destroy();
    }
  }

  const start = async (port: number): Promise<Server> => {
    const server = createServer((socket) => void serveSocket(socket));
    server.listen(port, address);
    await once(server, 'listening');
    return server;
  };
  await using started = new AsyncDisposableStack();
  const bound: AddressInfo[] = [];
  for (const port of ports) {
    const server = started.adopt(await listen(port, start), (open) => void open.close());
    bound.push(server.address() as AddressInfo);
  }
  const owned = started.move();
  return {
    address: bound[0]?.address ?? address,
    ports: bound.map(({ port }) => port),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.keys()) socket.destroy();
      await owned.disposeAsync();
    },
  };
}
