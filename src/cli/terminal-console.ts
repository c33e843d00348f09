// A serial console in the terminal: keys go to the line as they are typed, what the line says is printed as it is.
import { WebSocket, type RawData } from 'ws';
import { CommandError } from './exit-codes.ts';
import { escapeHelp, escapeReader } from './escape.ts';
import { harmless } from './output/text.ts';
import type { Shell } from './shell.ts';

/** How a screen begins, in place of a line of text. */
const picture = Buffer.from('RFB ');
const normalEnd = 1000;
/** How long the other end may take to answer the farewell. */
const farewellMs = 2000;

export async function terminalConsole(url: URL, shell: Shell): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let failure: string | undefined;
  let isLeaving = false;
  const ended = new Promise<string>((resolve) => socket.on('close', (_, reason) => resolve(reason.toString())));
  const fail = (words: string): void => {
    failure ??= words;
    socket.terminate();
  };
  const leave = (): void => {
    isLeaving = true;
    socket.close(normalEnd);
    setTimeout(() => socket.terminate(), farewellMs).unref();
  };
  socket.on('error', (error) => fail(`The console is not there: ${error.message}`));
  socket.once('message', (data: RawData) => {
    if ((data as Buffer).subarray(0, picture.length).equals(picture))
      fail('This console is a picture, and there is no door for VNC viewers: open it in the panel.');
  });
  socket.on('message', (data: RawData) => {
    if (failure !== undefined) return;
    // A line that says more than the terminal takes waits at its own end.
    if (!shell.out.write(data as Buffer)) {
      socket.pause();
      shell.out.once('drain', () => socket.resume());
    }
  });
  const read = escapeReader();
  const onKeys = (keys: Buffer): void => {
    for (const typed of read(keys)) {
      if ('bytes' in typed) socket.send(typed.bytes);
      else if (typed.command === 'break') socket.send('break');
      else if (typed.command === 'help') shell.err.write(`\r\n${escapeHelp}`);
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
    if (!isLeaving) throw new CommandError(`The console ended. ${harmless(reason)}`.trim());
  } finally {
    shell.in.off('data', onKeys).off('end', leave);
    shell.in.setRawMode?.(false);
    shell.in.pause();
  }
}
