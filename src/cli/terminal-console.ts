// A serial console in the terminal: keys go to the line as they are typed, what the line says is printed as it is.
import { once } from 'node:events';
import { WebSocket, type RawData } from 'ws';
import { CommandError, exitCodes } from './exit-codes.ts';
import { escapeHelp, escapeReader } from './escape.ts';
import type { Shell } from './shell.ts';

const normalEnd = 1000;
/** How long the other end may take to answer the farewell. */
const farewellMs = 2000;

export async function terminalConsole(url: URL, shell: Shell): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  try {
    await once(socket, 'open');
  } catch (error) {
    throw new CommandError(`The console did not open: ${(error as Error).message}`, exitCodes.failed);
  }
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  socket.on('error', () => socket.terminate());
  socket.on('message', (data: RawData) => {
    // A line that says more than the terminal takes waits at its own end.
    if (!shell.out.write(data as Buffer)) {
      socket.pause();
      shell.out.once('drain', () => socket.resume());
    }
  });
  let isLeaving = false;
  const leave = (): void => {
    isLeaving = true;
    socket.close(normalEnd);
    setTimeout(() => socket.terminate(), farewellMs).unref();
  };
  const read = escapeReader();
  const onKeys = (keys: Buffer): void => {
    for (const typed of read(keys)) {
      if ('bytes' in typed) socket.send(typed.bytes);
      else if (typed.command === 'break') socket.send('break');
      else if (typed.command === 'help') shell.err.write(`\r\n${escapeHelp}`);
      else leave();
    }
  };
  shell.in.setRawMode?.(true);
  shell.in.on('data', onKeys).once('end', leave);
  try {
    const { reason } = await ended;
    if (!isLeaving) throw new CommandError(`The console ended. ${reason}`.trim());
  } finally {
    shell.in.off('data', onKeys).off('end', leave);
    shell.in.setRawMode?.(false);
    shell.in.pause();
  }
}
