// Many snmpd agents with 48 ports each: they run in one network namespace with 24 veth pairs, each on its own loopback
// port, and read real interfaces. The poller runs in the namespace too.
import { execFile, execFileSync, type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/support/folder.ts';

export interface Agents extends AsyncDisposable {
  readonly ports: readonly number[];
}

export const community = 'bench';
const firstPort = 20_000;
const pairs = 24;
const namespace = `hy-bench-${process.pid}`;

/** Runs this file again as root of a new namespace, and exits with it. Does nothing inside. */
export function enterNamespace(): void {
  if (process.env['HOSTYARD_BENCH_INSIDE'] === '1') return;
  const ip = (...args: string[]): void => void execFileSync('ip', args);
  ip('netns', 'add', namespace);
  try {
    ip('-n', namespace, 'link', 'set', 'lo', 'up');
    for (let pair = 1; pair <= pairs; pair++)
      ip('-n', namespace, 'link', 'add', `a${pair}`, 'type', 'veth', 'peer', 'name', `b${pair}`);
    const env = { ...process.env, HOSTYARD_BENCH_INSIDE: '1' };
    execFileSync('ip', ['netns', 'exec', namespace, process.execPath, ...process.argv.slice(1)], {
      stdio: 'inherit',
      env,
    });
  } catch (error) {
    process.exitCode = (error as { status?: number }).status ?? 1;
  } finally {
    ip('netns', 'delete', namespace);
  }
  process.exit();
}

export async function startAgents(count: number): Promise<Agents> {
  const folder = await temporaryFolder('agents');
  const ports = Array.from({ length: count }, (_, index) => firstPort + index);
  const children: ChildProcess[] = ports.map((port) => {
    const config = join(folder.path, `${port}.conf`);
    writeFileSync(config, `rocommunity ${community} 127.0.0.1\nagentaddress udp:127.0.0.1:${port}\n`);
    const env = { ...process.env, MIBS: '', SNMP_PERSISTENT_DIR: folder.path };
    const args = ['-f', '-LE', '0', '-C', '-c', config, '-p', join(folder.path, `${port}.pid`)];
    return spawn('snmpd', args, { env, stdio: 'ignore' });
  });
  const stop = async (): Promise<void> => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null) return;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await ended;
      }),
    );
    await folder[Symbol.asyncDispose]();
  };
  for (const port of ports) await waitForAgent(port);
  return { ports, [Symbol.asyncDispose]: stop };
}

async function waitForAgent(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      const options = ['-m', '', '-v2c', '-c', community, '-t', '1', '-r', '0', `127.0.0.1:${port}`];
      await promisify(execFile)('snmpget', [...options, '1.3.6.1.2.1.1.3.0']);
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`snmpd on port ${port} does not respond`);
}
