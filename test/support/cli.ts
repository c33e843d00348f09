// Runs the CLI inside the test process with its own arguments and shell, and returns its output and exit code. Use the
// real program for what concerns the process itself: start-up, signals, a real terminal.
//
//   const { code, out } = await runCli({ url: app.url, key }, ['server', 'list']);

import { PassThrough } from 'node:stream';
import { program } from '#server/program.ts';
import { runProgram } from '#cli/program.ts';
import type { Shell } from '#cli/shell.ts';

const patienceMs = 100_000;

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliCall {
  /** Typed all at once. */
  readonly input?: string;
  /** Typed one after the other, each as soon as its text was printed. */
  readonly dialogue?: readonly (readonly [printed: string, typed: string])[];
  /** Simulates an interactive terminal. */
  readonly terminal?: { readonly columns: number };
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
}

export async function runCli(
  server: { readonly url: string; readonly key: string } | undefined,
  args: readonly string[],
  call: CliCall = {},
): Promise<CliResult> {
  const input = new PassThrough();
  const [out, err] = [new PassThrough(), new PassThrough()];
  const printed = { out: '', err: '' };
  const waiting = [...(call.dialogue ?? [])];
  const look = (): void => {
    const [next] = waiting;
    if (next === undefined || !(printed.out + printed.err).includes(next[0])) return;
    waiting.shift();
    input.write(next[1]);
  };
  for (const [name, stream] of [
    ['out', out],
    ['err', err],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      look();
    });
  if (call.input !== undefined) input.end(call.input);
  const isTTY = call.terminal !== undefined;
  const shell: Shell = {
    in: Object.assign(input, { isTTY, setRawMode: () => {} }),
    out: Object.assign(out, { isTTY, ...call.terminal }),
    err: Object.assign(err, { isTTY }),
    env: { ...(server === undefined ? {} : { HOSTYARD_URL: server.url, HOSTYARD_KEY: server.key }), ...call.env },
    home: call.home ?? '/nonexistent',
  };
  // Ends the input if the expected text never appears, so that the command does not wait forever.
  const patience = setTimeout(() => input.end(), patienceMs);
  const code = await runProgram(args, program, shell);
  clearTimeout(patience);
  await Promise.all([out, err].map((stream) => new Promise((done) => stream.end(() => setImmediate(done)))));
  return { code, ...printed };
}
