// User data and SSH keys in a system with Debian's own cloud-init: a customer orders a container of it through the API, and root
// signs in by SSH with the customer's key. The files that a libvirt machine has in its seed are given to the same cloud-init, because
// a whole Debian takes very long to boot in an emulator.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { readIsoImage } from '#drivers/hypervisor/libvirt/iso9660.ts';
import { seedImage } from '#drivers/hypervisor/libvirt/seed.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { createDebian } from '#test/support/debian.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { currentOf } from '#test/support/lxd-console.ts';
import { lxdPool, needsLxd, startLxd, type Lxd } from '#test/support/lxd.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { needs } from '#test/support/needs.ts';
import { requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const run = promisify(execFile);
const packages = ['systemd-sysv', 'dbus', 'cloud-init', 'ifupdown', 'iproute2', 'openssh-server'];
// The default locale would have to be compiled first.
const userData = `#cloud-config
locale: C.UTF-8
write_files:
  - path: /etc/from-user-data
    content: written by cloud-init
runcmd:
  - [sh, -c, 'hostname > /root/name-at-first-boot']
`;
const size = { vcpus: 1, memoryMb: 512, diskGb: 2, addresses: '/32', order: true } as const;

describe('cloud-init', { ...needs('mmdebstrap', 'ssh', 'ssh-keygen'), ...needsLxd(), concurrency: 1 }, () => {
  const owned = suiteResources();
  let lxd: Lxd;
  let app: TestApp;
  let key: string;
  let keyFile: string;
  before(async () => {
    lxd = owned.use(await startLxd());
    await lxd.prepare();
    const folder = owned.use(await temporaryFolder('cloud-init')).path;
    keyFile = join(folder, 'id');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
    await importDebian(lxd, folder);
    const settings = { socket: lxd.socket, pool: lxdPool, nic: { nictype: 'p2p' } };
    const template = { name: 'Debian 12', value: 'debian', type: 'OpenVZ', source: 'debian', cloudInit: true } as const;
    const { site, key: own } = machineSite([{ name: 'real', driver: 'lxd', settings }], [], [template]);
    key = own;
    const plans = [{ name: 'Small', price: '5.00', cycle: 'monthly', machine: size } as const];
    const netblocks = [{ cidr: '10.64.0.0/20', gateway: '10.64.0.1', pool: 'assign' } as const];
    app = owned.use(await openTestApp({ worksOffJobs: true, site: { ...site, plans, netblocks } }));
    await machineSync(app.parts, async () => {}).run(AbortSignal.timeout(60_000));
  });
  const inside = (instance: string, script: string) => lxd.lxc('exec', instance, '--', 'sh', '-ec', script);
  const finishedOn = async (instance: string): Promise<void> => {
    const status = await inside(instance, 'cloud-init status --wait --long || true');
    assert.match(status, /^status: done$/m, `${status}\n${await inside(instance, 'cat /var/log/cloud-init.log')}`);
  };
  /** Runs a command as root in a session of sshd, from the network of the machine itself. */
  const overSsh = async (instance: string, command: string): Promise<void> => {
    const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes', 'LogLevel=ERROR'];
    const args = ['-i', keyFile, ...options.flatMap((option) => ['-o', option]), 'root@127.0.0.1', command];
    await lxd.runInNetwork(instance, ['ssh', ...args]);
  };

  it('applies the user data and SSH keys of an order', async () => {
    const publicKey = (await readFile(`${keyFile}.pub`, 'utf8')).trim();
    const order = { plan: 'Small', system: 'debian', hostname: 'web1.example.net', userdata: userData };
    const options = { key, params: { ...order, sshkeys: [publicKey] } };
    const { service, vmid } = await requestResult<{ service: string; vmid: string }>(
      app,
      'POST',
      '/v2/machine',
      options,
    );
    const find = async () =>
      (await requestResult<{ service: string; status: string }[]>(app, 'GET', '/v2/machine', { key })).find(
        (machine) => machine.service === service,
      );
    await until(async () => (await find())?.status === 'Active', { saw: find });
    const { name: instance } = (await currentOf(lxd, `vm-${vmid}`))!;
    await finishedOn(instance);
    assert.equal(await inside(instance, 'cat /etc/from-user-data'), 'written by cloud-init');
    assert.equal(await inside(instance, 'cat /root/name-at-first-boot; hostname'), 'web1.example.net\n'.repeat(2));
    assert.match(await inside(instance, 'ip address show eth0'), /inet 10\.64\.0\.\d+\/20/);
    await overSsh(instance, 'test -f /etc/from-user-data');
  });

  it('accepts the seed of a libvirt machine, with user data and Hostyard’s settings at once', async () => {
    const instance = 'by-hand';
    const devices = { root: { type: 'disk', path: '/', pool: lxdPool } };
    await lxd.call('POST', '/1.0/instances', { name: instance, source: { type: 'image', alias: 'debian' }, devices });
    const publicKey = (await readFile(`${keyFile}.pub`, 'utf8')).trim();
    const system = { id: 'one', template: 'debian', hostname: 'vm1.example.net', rootPassword: 'Password-of-one' };
    const network = { addresses: [], nameServers: [], sshKeys: [publicKey], userData };
    const files = readIsoImage(seedImage({ ...system, ...network }, '52:54:00:00:00:01'))!;
    await using folder = await temporaryFolder('seed');
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder.path, name), text);
      await lxd.lxc('file', 'push', '-p', join(folder.path, name), `${instance}/var/lib/cloud/seed/nocloud/${name}`);
    }
    await lxd.lxc('start', instance);
    await finishedOn(instance);
    assert.equal(await inside(instance, 'cat /etc/from-user-data'), 'written by cloud-init');
    assert.equal(await inside(instance, 'hostname'), 'vm1.example.net\n');
    // The password, which is only there as a hash.
    const [, salt] = /^root:(\$6\$[^$]+\$)/.exec(await inside(instance, 'grep ^root: /etc/shadow')) ?? [];
    assert.ok(salt, 'root has a password');
    await overSsh(instance, 'test -f /etc/from-user-data');
    await lxd.lxc('delete', '--force', instance);
  });
});

async function importDebian(lxd: Lxd, folder: string): Promise<void> {
  const [root, metadata] = [join(folder, 'rootfs.tar'), join(folder, 'metadata.tar')];
  await createDebian(root, packages);
  await mkdir(join(folder, 'image'));
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  await writeFile(join(folder, 'image/metadata.yaml'), `{architecture: ${architecture}, creation_date: 1700000000}\n`);
  await run('tar', ['-C', join(folder, 'image'), '-cf', metadata, 'metadata.yaml']);
  await lxd.lxc('image', 'import', metadata, root, '--alias', 'debian');
}
