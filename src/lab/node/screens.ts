// The console port of a lab node: RFB, where the password says which machine's screen it is. A password is good for one
// connection and for a short while.
import { createServer, type Server, type Socket } from 'node:net';
import { randomPassword } from '#kernel/random.ts';
import { RfbError } from '#wire/rfb/error.ts';
import { serveFramebuffer } from '#wire/rfb/framebuffer.ts';
import { serveHandshake } from '#wire/rfb/handshake.ts';
import { isResponseTo } from '#wire/rfb/password.ts';
import type { LabVirtualMachine } from './machine.ts';
import { keyText } from './text-screen.ts';

const passwordLength = 8;
const goodForMs = 60_000;
const handshakeMs = 20_000;
const ctrlAltDel = [0xffe3, 0xffe9, 0xffff];

export interface Screens {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  /** The password for the next connection to this machine's screen. */
  admit(machine: LabVirtualMachine): string;
}

export function makeScreens(): Screens {
  const tickets = new Map<string, { machine: LabVirtualMachine; untilMs: number }>();
  const sockets = new Set<Socket>();
  const accept = async (challenge: Buffer, response: Buffer): Promise<LabVirtualMachine | undefined> => {
    let machine: LabVirtualMachine | undefined;
    for (const [password, ticket] of tickets) {
      if (ticket.untilMs < Date.now()) tickets.delete(password);
      else if (isResponseTo(challenge, response, password)) {
        tickets.delete(password);
        machine = ticket.machine;
      }
    }
    return machine;
  };
  const serve = async (socket: Socket): Promise<void> => {
    const machine = await serveHandshake(socket, { accept }, AbortSignal.timeout(handshakeMs));
    const held = new Set<number>();
    const onKey = (keysym: number, move: 'down' | 'up'): void => {
      if (move === 'up') held.delete(keysym);
      else held.add(keysym);
      if (ctrlAltDel.every((key) => held.has(key))) {
        held.clear();
        machine.requestRestart();
      }
      const typed = move === 'down' ? keyText(keysym) : undefined;
      if (typed !== undefined) machine.serial.type(Buffer.from(typed));
    };
    await serveFramebuffer(socket, machine.screen, { onKey });
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    // What goes wrong with a connection ends it, and nothing else.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    serve(socket).then(
      () => socket.end(),
      (error: unknown) => {
        if (!(error instanceof RfbError) || error.kind !== 'auth') socket.destroy();
      },
    );
  });
  return {
    server,
    sockets,
    admit(machine) {
      const password = randomPassword(passwordLength);
      tickets.set(password, { machine, untilMs: Date.now() + goodForMs });
      return password;
    },
  };
}
