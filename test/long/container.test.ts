// The container image, built and started by the commands of the installation guide, from a Debian that is made here: the
// registries of the real base images are on the Internet.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startDaemon, type Daemon } from '#test/support/daemon.ts';
import { createDebian } from '#test/support/debian.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { findBinary, needsRoot } from '#test/support/needs.ts';
import { blocksOf, root } from '#test/support/pages.ts';
import { until } from '#test/support/until.ts';

const run = promisify(execFile);
const [build, start] = blocksOf('docs/guides/installing.md')
  .map(({ text }) => text)
  .filter((text) => text.includes('podman '));
const password = 'sec$ret & \\ "12\' ';

// Containers, their mounts and their network end with the first process. crun does not support machines that mount
// version 2 of control groups next to version 1.
const machine = `
  umount /sys/fs/cgroup/unified 2>/dev/null
  ip link set lo up || exit 1
  echo ready
  exec sleep infinity`;

describe('the container image', needsRoot('podman', 'mmdebstrap', 'unshare', 'nsenter', 'npm', 'ip', 'curl'), () => {
  const owned = new AsyncDisposableStack();
  let folder: string;
  let holder: Daemon;
  before(async () => {
    folder = owned.use(await temporaryFolder('image')).path;
    const alone = ['--mount', '--net', '--pid', '--mount-proc', '--fork', '--kill-child'];
    holder = owned.use(await startDaemon('unshare', [...alone, 'sh', '-c', machine]));
    await holder.printed('ready');
    await createDebian(join(folder, 'debian.tar'));
    writeFileSync(join(folder, 'podman'), podman(folder), { mode: 0o755 });
    await shell(`podman import --quiet ${folder}/debian.tar localhost/debian`);
    await makeNodeImage();
  });
  after(() => owned.disposeAsync());

  /** Without a network only containers and their ports can be reached; with it, only the Internet. */
  async function shell(
    script: string,
    { network = true, input }: { network?: boolean; input?: string } = {},
  ): Promise<string> {
    const first = readFileSync(`/proc/${holder.process.pid}/task/${holder.process.pid}/children`, 'utf8').trim();
    const namespaces = ['--mount', '--pid', ...(network ? [] : ['--net'])];
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const enter = ['--target', first, ...namespaces, '--', 'bash', '-ec', `cd ${root}\n${script}`];
    const running = run('nsenter', enter, { env, maxBuffer: 1 << 26 });
    if (input !== undefined) running.child.stdin!.end(input);
    return (await running).stdout;
  }
  const alone = (script: string): Promise<string> => shell(script, { network: false });

  /** Debian with this machine's Node and npm, which the registry's image of Node has too. */
  async function makeNodeImage(): Promise<void> {
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
    await shell(`podman build --tag localhost/node ${context}`);
  }

  test('is built as documented', async () => {
    await shell(build!);
    const [image] = JSON.parse(await shell('podman image inspect hostyard')) as {
      Config: { User: string };
      Healthcheck?: { Test: string[] };
    }[];
    assert.equal(image!.Config.User, '10001:10001');
    assert.match(String(image!.Healthcheck?.Test), /readyz/, 'the health check is in the image');
  });

  test('runs as documented: without root, without a writable system, with its secrets', async () => {
    writeFileSync(join(folder, 'hostyard.yaml'), 'provider: { name: Example, currency: { code: EUR } }\n');
    await shell(`cd ${folder}\n${start}`, { network: false, input: `${password}\n` });
    const isReady = (): Promise<boolean> =>
      alone('curl --silent --fail http://127.0.0.1:8080/readyz').then(
        (text) => text.includes('"ready"'),
        () => false,
      );
    await until(isReady, { saw: () => alone('podman logs hostyard 2>&1') });
    const inside = (command: string): Promise<string> => alone(`podman exec hostyard ${command}`);
    assert.equal(await inside('id --user'), '10001\n');
    await assert.rejects(inside('touch /opt/hostyard/file'), /Read-only file system/);
    assert.equal(await inside('printenv BMC_PASSWORD'), `${password}\n`);
    assert.doesNotMatch(await inside('ls /var/lib/hostyard'), /secret\.key/, 'the key is not next to the data');
    assert.match(await inside('hostyard audit'), /All audit logs are intact/);
    await alone('podman healthcheck run hostyard');
    await alone('podman stop hostyard');
    assert.equal(await alone("podman inspect --format '{{.State.ExitCode}}' hostyard"), '0\n');
    await assert.rejects(alone('podman healthcheck run hostyard'));
  });
});

/** A podman that keeps everything in the folder, and builds from local images with this machine's network. */
function podman(folder: string): string {
  const stores = `--root ${folder}/images --runroot ${folder}/run --tmpdir ${folder}/state`;
  const certificates = ['/etc/ssl/certs', '/usr/share/ca-certificates', '/usr/local/share/ca-certificates'];
  const volumes = certificates.map((path) => `--volume ${path}:${path}:ro`).join(' ');
  const images = '--build-arg NODE_IMAGE=localhost/node --build-arg DEBIAN_IMAGE=localhost/debian';
  return `#!/bin/sh
    [ "$1" != build ] || { shift; set -- build --network host --pull=never ${volumes} ${images} "$@"; }
    exec ${findBinary('podman')} ${stores} --cgroup-manager cgroupfs --events-backend file "$@"
  `;
}
