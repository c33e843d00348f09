// Somebody at the serial line of a machine: waits for the login prompt, logs in as root, runs a command, logs out.
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';

const stuckMs = 4000;
/** A boot takes one core for fifteen seconds, of which there may be few. */
const patienceMs = 200_000;
const prompt = /login: *$/;
const [anything, nothing] = [/(?:)/, /^\b$/];
/** With which busybox follows its prompt. */
const whereIsTheCursor = '\u001b[6n';

/** On the serial line of a virtual machine, which is on and may still be booting. */
export async function runInside(
  node: Hypervisor,
  machine: string,
  password: string,
  command: string,
): Promise<string | undefined> {
  const line = await node.text!.open(machine, AbortSignal.timeout(patienceMs));
  try {
    return await runAsRoot(line, password, command);
  } finally {
    line.destroy();
  }
}

/** What the command printed; undefined where the password is refused. The line is left at the login prompt. */
export async function runAsRoot(
  line: Duplex,
  password: string,
  command: string,
  waitMs = patienceMs,
): Promise<string | undefined> {
  let text = '';
  let failure: Error | undefined;
  line.on('data', (chunk: Buffer) => (text = (text + chunk.toString('latin1')).replaceAll(whereIsTheCursor, '')));
  line.on('error', (error) => (failure = error));
  const send = (typed: string): void => {
    text = '';
    line.write(`${typed}\r`);
  };
  const giveUpAt = Date.now() + waitMs;
  /** Whether something was typed twice: what follows may be the answer to either. */
  let isUnsure = false;
  /** Waits for the pattern; where nothing more comes after `stuck`, types once more, since a terminal that starts drops what was typed. */
  const shown = async (pattern: RegExp, stuck: RegExp, typed = ''): Promise<RegExpExecArray> => {
    let [before, since] = ['', Date.now()];
    for (;;) {
      const match = pattern.exec(text);
      if (match !== null) return match;
      if (failure !== undefined || line.closed || Date.now() > giveUpAt)
        throw new Error(`the line ended after:\n${text}`, { cause: failure });
      if (text !== before) [before, since] = [text, Date.now()];
      else if (stuck.test(text) && Date.now() - since > stuckMs) {
        line.write(`${typed}\r`);
        [isUnsure, since] = [true, Date.now()];
      }
      await sleep(50);
    }
  };
  const logIn = async (): Promise<'in' | 'refused' | 'unsure'> => {
    send('');
    await shown(prompt, anything);
    isUnsure = false;
    send('root');
    await shown(/assword: *$/, prompt, 'root');
    send(password);
    if ((await shown(/incorrect|timed out|# $/, anything))[0] === '# ') return 'in';
    await shown(prompt, anything);
    return isUnsure ? 'unsure' : 'refused';
  };
  let outcome = await logIn();
  while (outcome === 'unsure') outcome = await logIn();
  if (outcome === 'refused') return undefined;
  // The shell puts the marks together: the echo of what is typed does not hold them.
  send(`echo be''gin; ${command}; echo e''nd`);
  const [, output = ''] = await shown(/begin\r*\n([^]*)end\r*\n/, nothing);
  send('exit');
  await shown(prompt, nothing);
  return output.replaceAll('\r', '').trim();
}
