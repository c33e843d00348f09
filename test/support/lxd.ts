// A real LXD with a small image, in its own namespaces: its mounts, containers and monitors end with it, however the
// test ends. Its storage is in memory and can be made small, to test a full disk.
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { fetchIncus, incusBinaries } from './incus-packages.ts';
import { findBinary, needsRoot, type SuiteOptions } from './needs.ts';
import { ownLoopbackAddress } from './ports.ts';
import { until } from './until.ts';
import { withResources } from './resources.ts';

const patienceMs = 120_000;
const run = async (program: string, args: string[], env = process.env): Promise<string> =>
  (await promisify(execFile)(program, args, { env, maxBuffer: 2 ** 26, timeout: patienceMs })).stdout;

export const lxdPool = 'machines';
export const lxdTemplate = 'tiny';

/** Incus has the API of LXD and other names. */
export type LxdProduct = 'lxd' | 'incus';
const products = {
  lxd: { daemon: 'lxd', client: 'lxc', prefix: 'LXD', ready: ['lxd', 'waitready'] },
  incus: { ...incusBinaries, prefix: 'INCUS', ready: [incusBinaries.client, 'admin', 'waitready'] },
} as const;

export function needsLxd(product: LxdProduct = 'lxd'): SuiteOptions {
  const own = product === 'lxd' ? ['lxc'] : ['apt-get', 'dpkg-deb'];
  return needsRoot('lxd', ...own, 'busybox', 'unshare', 'nsenter', 'openssl');
}

export interface Lxd extends AsyncDisposable {
  readonly socket: string;
  /** The daemon's output so far. */
  output(): string;
  /** Returns the response of LXD's own client for an API path. */
  query(path: string): Promise<unknown>;
  /** Calls the API and waits for the operation. */
  call(method: string, path: string, body: object): Promise<unknown>;
  /** Runs LXD's own client. */
  lxc(...args: string[]): Promise<string>;
  /** Runs a program of the test machine in the network of a container. */
  runInNetwork(instance: string, command: readonly string[]): Promise<void>;
  /** Runs a shell command where the daemon's mounts are. $1 is the folder of the storage pool. */
  runInside(command: string): Promise<string>;
  resizePool(size: string): Promise<void>;
  /** Kills the daemon, which starts again; containers keep running. */
  restart(): Promise<void>;
  /** Creates a storage pool and the template. */
  prepare(): Promise<void>;
}

/**
 * First process of the namespace. It restarts the daemon whenever it ends, like a service manager. Container users are
 * unprivileged and could not traverse a test's folders; here they need not. The daemon's folder ($3) still needs a
 * unique name, because the sockets of all daemons share one abstract namespace. $4 is the variable that names it.
 */
const supervisor = `
  eval home=\\$$4
  mount -t tmpfs tmpfs /mnt && mkdir "$3" /mnt/pool && mount --bind "$home" "$3" &&
  mount -t tmpfs -o size=$2 tmpfs /mnt/pool || exit 1
  export $4="$3"
  trap 'kill -KILL $daemon' USR1
  while :; do
    "$1" --group root & daemon=$!
    wait $daemon; wait $daemon
  done`;
const poolFolder = '/mnt/pool';
const poolSize = '3g';

export async function startLxd(product: LxdProduct = 'lxd'): Promise<Lxd> {
  const {
    daemon: binary,
    client,
    prefix,
    ready: [readyProgram, ...readyArgs],
  } = products[product];
  if (product === 'incus') await fetchIncus();
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('lxd'));
  const home = join(folder.path, 'lxd');
  await mkdir(home);
  // An unreachable proxy, so that the daemon does not look for image updates on the network.
  const nowhere = 'http://127.0.0.1:9';
  const env = {
    ...process.env,
    [`${prefix}_DIR`]: home,
    [`${prefix}_CONF`]: folder.path,
    http_proxy: nowhere,
    https_proxy: nowhere,
    ...(product === 'incus' && { LD_LIBRARY_PATH: incusBinaries.libraries() }),
  };
  const isolation = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child=KILL'];
  const inside = join('/mnt', basename(folder.path));
  const daemon = owned.use(
    await startDaemon(
      'unshare',
      [...isolation, 'sh', '-c', supervisor, 'sh', findBinary(binary) ?? binary, poolSize, inside, `${prefix}_DIR`],
      { env },
    ),
  );
  const lxc = (...args: string[]): Promise<string> => run(client, args, env);
  const socket = join(home, 'unix.socket');
  const call = (method: string, path: string, body: object | Buffer): Promise<unknown> =>
    send(socket, method, path, body);
  const ready = (): Promise<string> => run(readyProgram, [...readyArgs, '--timeout=100'], env);
  const shell = async (): Promise<number> => {
    const { pid } = daemon.process;
    return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim());
  };
  const isThere = async (): Promise<boolean> => {
    if (!daemon.running()) throw new Error(`LXD ended:\n${daemon.output()}`);
    return serverPid(socket).then(
      () => true,
      () => false,
    );
  };
  await until(isThere, { saw: daemon.output, patienceMs });
  await ready();
  // Stopped containers leave no control groups behind. There may be none, or the daemon may already be gone.
  owned.defer(() =>
    lxc('stop', '--force', '--all').then(
      () => {},
      () => {},
    ),
  );
  return withResources(owned, {
    socket,
    output: () => daemon.output(),
    query: async (path) => JSON.parse(await lxc('query', path)) as unknown,
    call,
    lxc,
    async runInNetwork(instance, command) {
      const { pid } = (await send(socket, 'GET', `/1.0/instances/${instance}/state`)) as { pid: number };
      const inside = ['-t', String(await shell()), '-m', '-p', 'nsenter', '-t', String(pid), '-n'];
      await run('nsenter', [...inside, ...command]);
    },
    runInside: async (command) =>
      run('nsenter', ['-t', String(await shell()), '-m', 'sh', '-c', command, 'sh', poolFolder]),
    resizePool: async (size) => {
      await run('nsenter', ['-t', String(await shell()), '-m', 'mount', '-o', `remount,size=${size}`, poolFolder]);
    },
    async restart() {
      const before = await serverPid(socket);
      process.kill(await shell(), 'SIGUSR1');
      const isAnother = async (): Promise<boolean> => (await serverPid(socket).catch(() => before)) !== before;
      await until(isAnother, { saw: daemon.output, patienceMs });
      await ready();
    },
    prepare: async () => {
      await call('POST', '/1.0/storage-pools', { name: lxdPool, driver: 'dir', config: { source: poolFolder } });
      const image = await makeImage(join(folder.path, 'image'));
      const { fingerprint } = (await call('POST', '/1.0/images', await readFile(image))) as { fingerprint: string };
      await call('POST', '/1.0/images/aliases', { name: lxdTemplate, target: fingerprint });
    },
  });
}

export interface LxdCluster extends AsyncDisposable {
  readonly first: Lxd;
  readonly second: Lxd;
  /** Remote access, through the second member. */
  readonly access: { url: string; certificate: string; key: string; serverCertificate: string };
}

/** Starts two daemons and joins them. */
export async function startLxdCluster(): Promise<LxdCluster> {
  await using owned = new AsyncDisposableStack();
  const [first, second] = await Promise.all([startLxd(), startLxd()]);
  owned.use(first);
  owned.use(second);
  const folder = owned.use(await temporaryFolder('lxd-client'));
  const addresses = [`${ownLoopbackAddress()}:8443`, `${ownLoopbackAddress()}:8443`] as const;
  const password = 'joins the cluster';
  await first.prepare();
  const config = { 'core.https_address': addresses[0], 'core.trust_password': password };
  await first.call('PATCH', '/1.0', { config });
  await first.call('PUT', '/1.0/cluster', { server_name: 'first', enabled: true });
  const serverCertificate = ((await first.query('/1.0')) as { environment: { certificate: string } }).environment
    .certificate;
  await second.call('PUT', '/1.0/cluster', {
    server_name: 'second',
    enabled: true,
    server_address: addresses[1],
    cluster_address: addresses[0],
    cluster_certificate: serverCertificate,
    cluster_password: password,
    member_config: [{ entity: 'storage-pool', name: lxdPool, key: 'source', value: poolFolder }],
  });
  // A slow member on a busy machine is not offline.
  await first.call('PATCH', '/1.0', { config: { 'cluster.offline_threshold': '600' } });
  const [keyFile, certificateFile] = [join(folder.path, 'key.pem'), join(folder.path, 'certificate.pem')];
  const making = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=hostyard';
  await run('openssl', [...making.split(' '), '-keyout', keyFile, '-out', certificateFile]);
  const certificate = await readFile(certificateFile, 'utf8');
  const bare = certificate.replaceAll(/-----[^-]*-----|\s/g, '');
  await first.call('POST', '/1.0/certificates', { type: 'client', name: 'hostyard', certificate: bare });
  return withResources(owned, {
    first,
    second,
    access: { url: `https://${addresses[1]}`, certificate, key: await readFile(keyFile, 'utf8'), serverCertificate },
  });
}

const inittab = `
::sysinit:/bin/hostname -F /etc/hostname
::sysinit:/bin/ifup -a
console::respawn:/bin/getty 38400 console
::shutdown:/bin/sh -c "echo shutting down > /root/last-words"
`;
const applets = 'cat echo free getty grep hostname id ifup init ip login ls poweroff ps sh sleep'.split(' ');

/** Builds an image with busybox, an init and a login on the console, which boots in a tenth of a second. */
async function makeImage(folder: string): Promise<string> {
  const root = join(folder, 'rootfs');
  for (const name of ['bin', 'sbin', 'etc/network', 'dev', 'proc', 'sys', 'root', 'tmp', 'run', 'var/run'])
    await mkdir(join(root, name), { recursive: true });
  await copyFile(findBinary('busybox')!, join(root, 'bin/busybox'));
  await chmod(join(root, 'bin/busybox'), 0o755);
  for (const applet of applets) await symlink('busybox', join(root, 'bin', applet));
  await symlink('../bin/busybox', join(root, 'sbin/init'));
  const files = {
    'rootfs/etc/inittab': inittab,
    'rootfs/etc/hostname': 'template\n',
    'rootfs/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
    'rootfs/etc/group': 'root:x:0:\n',
    'rootfs/etc/shadow': 'root:*:19000:0:99999:7:::\n',
    'metadata.yaml': `{architecture: ${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}, creation_date: 1700000000}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const archive = `${folder}.tar.gz`;
  await run('tar', ['-C', folder, '--owner=0', '--group=0', '-czf', archive, 'metadata.yaml', 'rootfs']);
  return archive;
}

async function serverPid(socket: string): Promise<unknown> {
  const { environment } = (await send(socket, 'GET', '/1.0')) as { environment: { server_pid: number } };
  return environment.server_pid;
}

interface Envelope {
  readonly error?: string;
  readonly operation?: string;
  readonly metadata: { readonly status_code?: number; readonly err?: string; readonly metadata?: unknown };
}

async function send(socketPath: string, method: string, path: string, body?: object | Buffer): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(patienceMs + 10_000);
  const outgoing = request({ socketPath, method, path, agent: false, signal }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('end', () => resolve(text)).on('error', reject);
  });
  outgoing.on('error', (cause) => reject(new Error(`${method} ${path}: ${cause.message}`, { cause })));
  outgoing.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const { error, operation, metadata } = JSON.parse(await promise) as Envelope;
  if (error !== undefined && error !== '') throw new Error(`${method} ${path}: ${error}`);
  if (operation === undefined || operation === '') return metadata;
  const ended = (await send(
    socketPath,
    'GET',
    `${operation.split('?')[0]}/wait?timeout=${patienceMs / 1000}`,
  )) as Envelope['metadata'];
  if (ended.status_code !== 200) throw new Error(`${method} ${path}: ${ended.err}`);
  return ended.metadata;
}
