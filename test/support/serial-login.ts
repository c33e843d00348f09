// Logs in on a machine's serial line as root, runs a command and logs out.
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import { isLongRun } from './long-run.ts';

const stuckMs = 4000;
/** A boot takes a core for fifteen seconds, and there may be few cores, in long runs for several suites at once. */
const patienceMs = isLongRun ? 600_000 : 200_000;
const prompt = /login: *$/;
const [anything, nothing] = [/(?:)/, /^\b$/];
/** Busybox sends this cursor position query after its prompt. */
const whereIsTheCursor = '\u001b[6n';

/** Runs a command through the serial line of a virtual machine, which is on but may still be booting. */
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

/** Returns the command's output, or undefined if the password is rejected. Leaves the line at the login prompt. */
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
  /** Whether a key was repeated, so that the next output may belong to either. */
  let isUnsure = false;
  /**
   * Waits for the pattern. If the output stalls after `stuck`, types once more, because a terminal that is starting
   * discards input.
   */
  const waitForOutput = async (pattern: RegExp, stuck: RegExp, typed = ''): Promise<RegExpExecArray> => {
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
    await waitForOutput(prompt, anything);
    isUnsure = false;
    send('root');
    await waitForOutput(/assword: *$/, prompt, 'root');
    send(password);
    if ((await waitForOutput(/incorrect|timed out|# $/, anything))[0] === '# ') return 'in';
    await waitForOutput(prompt, anything);
    return isUnsure ? 'unsure' : 'refused';
  };
  let outcome = await logIn();
  while (outcome === 'unsure') outcome = await logIn();
  if (outcome === 'refused') return undefined;
  // The shell joins the markers, so that the echo of the command does not contain them.
  send(`echo be''gin; ${command}; echo e''nd`);
  const [, output = ''] = await waitForOutput(/begin\r*\n([^]*)end\r*\n/, nothing);
  send('exit');
  await waitForOutput(prompt, nothing);
  return output.replaceAll('\r', '').trim();
}
