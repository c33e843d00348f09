// What a piece of work costs: of this process, or of a shell command and its children.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startCpuWatch } from './figures.ts';

const run = promisify(execFile);

export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

export async function measure(work: () => Promise<unknown>): Promise<Cost> {
  const startMs = performance.now();
  const cpuMs = startCpuWatch();
  await work();
  return { cpuMs: cpuMs(), wallMs: performance.now() - startMs };
}

/** Returns the cost as the shell reports it. A command that fails costs infinitely much, so it does not count as the best. */
export async function measureShell(command: string): Promise<Cost> {
  const script = `TIMEFORMAT='%U %S %R'; time { ${command} >/dev/null 2>&1; }`;
  try {
    const { stderr } = await run('bash', ['-c', script], { maxBuffer: 2 ** 24 });
    const [user = 0, system = 0, wall = 0] = stderr.trim().split(' ').map(Number);
    return { cpuMs: (user + system) * 1_000, wallMs: wall * 1_000 };
  } catch {
    return { cpuMs: Infinity, wallMs: Infinity };
  }
}
