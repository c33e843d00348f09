// The remote screen of a lab server (KVM over IP): RFB on a TCP port, where VNC authentication takes the password of any
// account, and in the browser on a WebSocket. Open screens are sessions of the BMC, which can end them.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { serveFramebuffer } from '#protocols/rfb/framebuffer.ts';
import { serveHandshake, serveOpenHandshake } from '#protocols/rfb/handshake.ts';
import { isValidResponse } from '#protocols/rfb/password.ts';
import { createKeyboard } from '#protocols/terminal/keyboard.ts';
import type { LabServer } from '../bmc/server.ts';
import { createTextScreen, type TextScreen } from '../hypervisor/text-screen.ts';
import { serveViewer } from '../hypervisor/vnc-server.ts';
import type { LabAccount, LabAccounts } from './accounts.ts';
import type { LabRedfishSessions } from './sessions.ts';
import { startOnPort } from '../start-on-port.ts';

const handshakeMs = 20_000;

export interface LabKvm extends AsyncDisposable {
  readonly port: number;
  readonly screen: TextScreen;
  /** Shows the screen to a viewer that has signed in. */
  show(viewer: Duplex, account: LabAccount): Promise<void>;
}

export async function startLabKvm(
  { serial }: LabServer,
  parts: { accounts: LabAccounts; sessions: LabRedfishSessions; name: string; address: string; port: number },
): Promise<LabKvm> {
  const screen = createTextScreen(parts.name);
  const stopListening = serial.listen((text) => screen.print(text));
  const sockets = new Set<Socket>();

  async function serve(viewer: Duplex, account: LabAccount): Promise<void> {
    const session = parts.sessions.open(account, { type: 'KVMIP', end: () => viewer.destroy() });
    if (session === undefined) return void viewer.destroy();
    const keyboard = createKeyboard(() => false);
    try {
      await serveFramebuffer(viewer, screen, {
        onKey: (keysym, move) => serial.type(Buffer.from(keyboard(keysym, move) ?? '')),
      });
    } finally {
      parts.sessions.end(session.id);
    }
  }
  const verify = async (challenge: Buffer, response: Buffer): Promise<LabAccount | undefined> =>
    parts.accounts.enabled.find(({ password }) => isValidResponse(challenge, response, password));

  const serveSocket = async (socket: Socket): Promise<void> =>
    serve(socket, await serveHandshake(socket, { verify }, AbortSignal.timeout(handshakeMs)));
  const server = await startOnPort(parts.port, async (port) => {
    const listener = createServer((socket) => serveViewer(socket, sockets, serveSocket)).listen(port, parts.address);
    await once(listener, 'listening');
    return listener;
  });
  return {
    port: (server.address() as AddressInfo).port,
    screen,
    async show(viewer, account) {
      await serveOpenHandshake(viewer, AbortSignal.timeout(handshakeMs));
      await serve(viewer, account);
    },
    async [Symbol.asyncDispose]() {
      stopListening();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
