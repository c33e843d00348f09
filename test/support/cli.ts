// The command line inside the test process: called with arguments and a shell of the test's own, it answers what it printed
// and how it ended. What concerns the process itself (its start, a signal, a real terminal) is told with the real program.
//
//   const { code, out } = await hostyard(yard, ['server', 'list']);

import { PassThrough } from 'node:stream';
import { sections } from '#admin/sections.ts';
import { runProgram } from '#cli/program.ts';
import type { Shell } from '#cli/shell.ts';

const patienceMs = 100_000;

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Call {
  /** What is typed, all at once. */
  readonly input?: string;
  /** What is typed as soon as this was printed, one after the other. */
  readonly dialogue?: readonly (readonly [printed: string, typed: string])[];
  /** Somebody sits there. */
  readonly terminal?: { readonly columns: number };
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
}

export async function hostyard(
  where: { readonly url: string; readonly key: string } | undefined,
  args: readonly string[],
  call: Call = {},
): Promise<Ran> {
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
    env: { ...(where === undefined ? {} : { HOSTYARD_URL: where.url, HOSTYARD_KEY: where.key }), ...call.env },
    home: call.home ?? '/nonexistent',
  };
  // Whoever waits for words that never come is told that nobody will type any more.
  const patience = setTimeout(() => input.end(), patienceMs);
  const code = await runProgram(args, sections, shell);
  clearTimeout(patience);
  await Promise.all([out, err].map((stream) => new Promise((done) => stream.end(() => setImmediate(done)))));
  return { code, ...printed };
}
