// Debian systems for tests that need a whole one: made from packages, and booted with systemd as first process.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const maxOutputBytes = 1 << 26;

/** Makes a minimal system: an archive if the name ends in `.tar`, otherwise a folder. */
export async function createDebian(target: string, packages: readonly string[] = []): Promise<void> {
  const included = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  await run('mmdebstrap', ['--variant=minbase', ...included, 'bookworm', target], { maxBuffer: maxOutputBytes });
}

export interface BootedDebian extends AsyncDisposable {
  /** Visible inside under the same path. */
  readonly shared: string;
  /** Runs a script as root and returns its standard output. */
  shell(script: string): Promise<string>;
}

/** Boots a system in systemd-nspawn. It shares the network of this machine, so that tests reach its services. */
export async function bootDebian(packages: readonly string[]): Promise<BootedDebian> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('debian')).path;
  const system = join(folder, basename(folder));
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  await createDebian(system, ['systemd-sysv', 'dbus', ...packages]);
  // nspawn leaves it behind on machines without systemd.
  owned.defer(() => rmSync(join('/run/systemd/nspawn/propagate', basename(folder)), { recursive: true, force: true }));
  const nspawn = owned.use(
    await startDaemon(
      'systemd-nspawn',
      [`--directory=${system}`, `--bind=${shared}`, '--boot', '--register=no', '--keep-unit', '--console=pipe'],
      { stopSignal: 'SIGTERM' },
    ),
  );
  let first = '';
  const shell = async (script: string): Promise<string> => {
    const enter = ['--target', first, '--mount', '--uts', '--ipc', '--pid', '--', 'bash', '-ec', script];
    return (await run('nsenter', enter, { env: { PATH: process.env['PATH'] }, maxBuffer: maxOutputBytes })).stdout;
  };
  await until(
    async () => {
      first = firstProcess(String(nspawn.process.pid)) ?? '';
      const state = first && (await shell('systemctl is-system-running || true').catch(() => ''));
      return /^(?:running|degraded)/.test(state);
    },
    { saw: () => nspawn.output() },
  );
  return withResources(owned, { shared, shell });
}

/** Returns the descendant that is the first process of a namespace. */
function firstProcess(pid: string): string | undefined {
  if (/^NSpid:(?:\t\d+)+\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return pid;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  for (const child of children) {
    const found = firstProcess(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
