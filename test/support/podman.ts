// A podman of its own for tests that build images, with base images made from packages of Debian: the registries of the real ones are on
// the Internet.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { createDebian } from './debian.ts';
import { temporaryFolder } from './folder.ts';
import { findBinary } from './needs.ts';
import { root } from './pages.ts';
import { withResources } from './resources.ts';

const run = promisify(execFile);
export const podmanPrograms = ['podman', 'mmdebstrap', 'unshare', 'nsenter', 'npm', 'ip'] as const;

// Containers, their mounts and their network end with the first process. crun does not support machines that mount
// version 2 of control groups next to version 1.
const machine = `
  umount /sys/fs/cgroup/unified 2>/dev/null
  ip link set lo up || exit 1
  echo ready
  exec sleep infinity`;

export interface Podman extends AsyncDisposable {
  /** Has all files of podman, and the programs in front of `PATH`. */
  readonly folder: string;
  /** Runs a script in the repository. Without a network only containers and their ports can be reached; with it, only the Internet. */
  shell(script: string, options?: { network?: boolean; input?: string }): Promise<string>;
}

export async function openPodman(): Promise<Podman> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('image')).path;
  const alone = ['--mount', '--net', '--pid', '--mount-proc', '--fork', '--kill-child'];
  const holder = owned.use(await startDaemon('unshare', [...alone, 'sh', '-c', machine]));
  await holder.printed('ready');

  const shell: Podman['shell'] = async (script, { network = true, input } = {}) => {
    const first = readFileSync(`/proc/${holder.process.pid}/task/${holder.process.pid}/children`, 'utf8').trim();
    const namespaces = ['--mount', '--pid', ...(network ? [] : ['--net'])];
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const enter = ['--target', first, ...namespaces, '--', 'bash', '-ec', `cd ${root}\n${script}`];
    const running = run('nsenter', enter, { env, maxBuffer: 1 << 26 });
    if (input !== undefined) running.child.stdin!.end(input);
    return (await running).stdout;
  };

  await createDebian(join(folder, 'debian.tar'));
  writeFileSync(join(folder, 'podman'), podmanScript(folder), { mode: 0o755 });
  await shell(`podman import --quiet ${folder}/debian.tar localhost/debian`);
  await shell(`podman build --tag localhost/node ${nodeContext(folder)}`);
  return withResources(owned, { folder, shell });
}

/** Debian with this machine's Node and npm, which the registry's image of Node has too. */
function nodeContext(folder: string): string {
  const context = join(folder, 'node');
  mkdirSync(context);
  cpSync(process.execPath, join(context, 'node'), { dereference: true });
  cpSync(join(realpathSync(findBinary('npm')!), '..', '..'), join(context, 'npm'), { recursive: true });
  writeFileSync(
    join(context, 'Containerfile'),
    [
      'FROM localhost/debian',
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
      '',
    ].join('\n'),
  );
  return context;
}

/** A podman that keeps everything in the folder, and builds from local images with this machine's network. */
function podmanScript(folder: string): string {
  const stores = `--root ${folder}/images --runroot ${folder}/run --tmpdir ${folder}/state`;
  const certificates = ['/etc/ssl/certs', '/usr/share/ca-certificates', '/usr/local/share/ca-certificates'];
  const volumes = certificates.map((path) => `--volume ${path}:${path}:ro`).join(' ');
  const images = '--build-arg NODE_IMAGE=localhost/node --build-arg DEBIAN_IMAGE=localhost/debian';
  return `#!/bin/sh
    [ "$1" != build ] || { shift; set -- build --network host --pull=never ${volumes} ${images} "$@"; }
    exec ${findBinary('podman')} ${stores} --cgroup-manager cgroupfs --events-backend file "$@"
  `;
}
