// A program on a pseudo-terminal (`script`), with keys to send and the output so far.
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { until } from './until.ts';

export interface Terminal extends AsyncDisposable {
  type(keys: string): void;
  /** Waits until this text appears after the text of the previous call. */
  sees(text: string): Promise<void>;
}

export function openTerminal(command: string, env: NodeJS.ProcessEnv): Terminal {
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], { env: { ...env, TERM: 'xterm' } });
  const ended = once(terminal, 'close');
  let output = '';
  let position = 0;
  for (const stream of [terminal.stdout, terminal.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  terminal.stdin.on('error', () => {});
  return {
    type: (keys) => void terminal.stdin.write(keys),
    async sees(text) {
      await until(() => output.includes(text, position), { saw: () => output.slice(position), patienceMs: 100_000 });
      position = output.indexOf(text, position) + text.length;
    },
    async [Symbol.asyncDispose]() {
      terminal.kill('SIGKILL');
      await ended;
    },
  };
}
