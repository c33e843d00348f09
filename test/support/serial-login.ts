// Somebody at the serial line of a machine: waits for the login prompt, logs in as root, runs a command, logs out.
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const stuckMs = 4000;
/** A boot takes one core for fifteen seconds, of which there may be few. */
const patienceMs = 200_000;
/** With which busybox follows its prompt. */
const whereIsTheCursor = '\u001b[6n';

/** What the command printed; undefined where the password is refused. The line is left at the login prompt. */
export async function runAsRoot(line: Duplex, password: string, command: string): Promise<string | undefined> {
  let text = '';
  let failure: Error | undefined;
  line.on('data', (chunk: Buffer) => (text = (text + chunk.toString('latin1')).replaceAll(whereIsTheCursor, '')));
  line.on('error', (error) => (failure = error));
  const send = (typed: string): void => {
    text = '';
    line.write(`${typed}\r`);
  };
  const giveUpAt = Date.now() + patienceMs;
  /** Waits for the pattern; where nothing more comes after `stuck`, types once more, since a terminal that starts drops what was typed. */
  const shown = async (pattern: RegExp, again?: { readonly stuck: RegExp; readonly typed: string }) => {
    let [before, since] = ['', Date.now()];
    for (;;) {
      const match = pattern.exec(text);
      if (match !== null) return match;
      if (failure !== undefined || line.closed || Date.now() > giveUpAt)
        throw new Error(`the line ended after:\n${text}`, { cause: failure });
      if (text !== before) [before, since] = [text, Date.now()];
      else if (again?.stuck.test(text) === true && Date.now() - since > stuckMs) {
        line.write(`${again.typed}\r`);
        since = Date.now();
      }
      await sleep(50);
    }
  };
  line.write('\r');
  await shown(/login: *$/, { stuck: /(?:)/, typed: '' });
  send('root');
  await shown(/assword: *$/, { stuck: /login: *$/, typed: 'root' });
  send(password);
  if ((await shown(/incorrect|[#] $/))[0] === 'incorrect') {
    await shown(/login: *$/);
    return undefined;
  }
  // The shell puts the marks together: the echo of what is typed does not hold them.
  send(`echo be''gin; ${command}; echo e''nd`);
  const [, output = ''] = await shown(/begin\r?\n([^]*)end\r?\n/);
  send('exit');
  await shown(/login: *$/);
  return output.replaceAll('\r', '').trim();
}
