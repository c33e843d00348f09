// Somebody at a terminal: a program on a pseudo-terminal, keys for it, and what it has shown. `script` is that terminal.
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { until } from './until.ts';

export interface Typist extends AsyncDisposable {
  type(keys: string): void;
  /** Waits until this is shown after what was shown when it was asked for last. */
  sees(text: string): Promise<void>;
}

export function sitDown(command: string, env: NodeJS.ProcessEnv): Typist {
  const terminal = spawn('script', ['-qfec', command, '/dev/null'], { env: { ...env, TERM: 'xterm' } });
  const ended = once(terminal, 'close');
  let shown = '';
  let seen = 0;
  for (const stream of [terminal.stdout, terminal.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (shown += text));
  terminal.stdin.on('error', () => {});
  return {
    type: (keys) => void terminal.stdin.write(keys),
    async sees(text) {
      await until(() => shown.includes(text, seen), { saw: () => shown.slice(seen), patienceMs: 100_000 });
      seen = shown.indexOf(text, seen) + text.length;
    },
    async [Symbol.asyncDispose]() {
      terminal.kill('SIGKILL');
      await ended;
    },
  };
}
