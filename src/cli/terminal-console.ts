// A serial console in the terminal. Input and output are passed on unchanged.
import { WebSocket, type RawData } from 'ws';
import { CommandError } from './exit-codes.ts';
import { escapeHelp, escapeReader } from './escape.ts';
import type { Shell } from './shell.ts';

/** The greeting of the VNC protocol (RFC 6143), in place of text. */
const vncGreeting = Buffer.from('RFB ');
const normalClosure = 1000;
/** How long the server may take to answer the close frame. */
const closeTimeoutMs = 2000;

/** Prints the greeting once the console is open. Returns early if it is graphical. */
export async function terminalConsole(url: URL, shell: Shell, greeting: string): Promise<'text' | 'graphical'> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let failure: string | undefined;
  let isLeaving = false;
  let isGraphical = false;
  const ended = new Promise<string>((resolve) => socket.on('close', (_, reason) => resolve(reason.toString())));
  const fail = (message: string): void => {
    failure ??= message;
    socket.terminate();
  };
  const leave = (): void => {
    isLeaving = true;
    socket.close(normalClosure);
    setTimeout(() => socket.terminate(), closeTimeoutMs).unref();
  };
  socket.on('error', (error) => fail(`Could not open the console: ${error.message}`));
  socket.once('message', (data: RawData) => {
    isGraphical = (data as Buffer).subarray(0, vncGreeting.length).equals(vncGreeting);
    if (isGraphical) leave();
    else shell.err.write(greeting);
  });
  socket.on('message', (data: RawData) => {
    if (failure !== undefined || isGraphical) return;
    // Stops reading while the terminal is slower than the console.
    if (!shell.out.write(data as Buffer)) {
      socket.pause();
      shell.out.once('drain', () => socket.resume());
    }
  });
  const read = escapeReader();
  const onKeys = (keys: Buffer): void => {
    for (const input of read(keys)) {
      if ('bytes' in input) socket.send(input.bytes);
      else if (input.command === 'break') socket.send('break');
      else if (input.command === 'help') shell.err.write(`\r\n${escapeHelp}`);
      else return leave();
    }
  };
  socket.on('open', () => {
    shell.in.setRawMode?.(true);
    shell.in.on('data', onKeys).once('end', leave);
  });
  try {
    const reason = await ended;
    if (failure !== undefined) throw new CommandError(failure);
    if (!isLeaving) throw new CommandError(`The server closed the console. ${reason}`.trim());
    return isGraphical ? 'graphical' : 'text';
  } finally {
    shell.in.off('data', onKeys).off('end', leave);
    shell.in.setRawMode?.(false);
    shell.in.pause();
  }
}
