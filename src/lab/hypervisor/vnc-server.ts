// The console port of a lab hypervisor. It speaks RFB, and the password selects the machine. A password is valid for
// one connection and a short time.
import { createServer, type Server, type Socket } from 'node:net';
import { randomPassword } from '#lib/random.ts';
import { RfbError } from '#protocols/rfb/error.ts';
import { serveFramebuffer } from '#protocols/rfb/framebuffer.ts';
import { serveHandshake } from '#protocols/rfb/handshake.ts';
import { isValidResponse } from '#protocols/rfb/password.ts';
import { createKeyboard } from '#protocols/terminal/keyboard.ts';
import type { LabVirtualMachine } from './machine.ts';

const passwordLength = 8;
const passwordLifetimeMs = 60_000;
const handshakeMs = 20_000;
const ctrlAltDel = [0xffe3, 0xffe9, 0xffff];

export interface VncServer {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  /** Returns a password for the next connection to this machine's screen. */
  issuePassword(machine: LabVirtualMachine): string;
}

/** Serves a connection to a screen until its end. `sockets` are the open ones. */
export function serveViewer(socket: Socket, sockets: Set<Socket>, serve: (socket: Socket) => Promise<void>): void {
  sockets.add(socket);
  // A connection error affects nothing but the connection.
  socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  serve(socket).then(
    () => socket.end(),
    (error: unknown) => {
      // The handshake notifies a viewer with a wrong password, and ends the connection.
      if (!(error instanceof RfbError) || error.kind !== 'auth') socket.destroy();
    },
  );
}

export function createVncServer(): VncServer {
  const tickets = new Map<string, { machine: LabVirtualMachine; untilMs: number }>();
  const sockets = new Set<Socket>();
  const accept = async (challenge: Buffer, response: Buffer): Promise<LabVirtualMachine | undefined> => {
    let machine: LabVirtualMachine | undefined;
    for (const [password, ticket] of tickets) {
      if (ticket.untilMs < Date.now()) tickets.delete(password);
      else if (isValidResponse(challenge, response, password)) {
        tickets.delete(password);
        machine = ticket.machine;
      }
    }
    return machine;
  };
  const serve = async (socket: Socket): Promise<void> => {
    const machine = await serveHandshake(socket, { verify: accept }, AbortSignal.timeout(handshakeMs));
    const pressedKeys = new Set<number>();
    const keyboard = createKeyboard(() => false);
    const onKey = (keysym: number, move: 'down' | 'up'): void => {
      if (move === 'up') pressedKeys.delete(keysym);
      else pressedKeys.add(keysym);
      if (ctrlAltDel.every((key) => pressedKeys.has(key))) {
        pressedKeys.clear();
        machine.requestRestart();
      }
      const typed = keyboard(keysym, move);
      if (typed !== undefined) machine.serial.type(Buffer.from(typed));
    };
    await serveFramebuffer(socket, machine.screen, { onKey });
  };
  return {
    server: createServer((socket) => serveViewer(socket, sockets, serve)),
    sockets,
    issuePassword(machine) {
      const password = randomPassword(passwordLength);
      tickets.set(password, { machine, untilMs: Date.now() + passwordLifetimeMs });
      return password;
    },
  };
}
