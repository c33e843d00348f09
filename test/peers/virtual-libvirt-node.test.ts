// The libvirt driver on Debian's libvirt and QEMU, for everything that needs no booted machine: a daemon that hangs, a
// one-time boot device, VNC and its passwords, an interrupted build, changes made by an operator.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { plainPlatform, type Hypervisor, type Platform } from '#drivers/hypervisor/driver.ts';
import { checkBackups } from '#drivers/hypervisor/backup-conformance.ts';
import { testSnapshots } from '#drivers/hypervisor/snapshot-conformance.ts';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import { checkMigration } from '#drivers/hypervisor/migration-conformance.ts';
import { checkVolumes } from '#drivers/hypervisor/volume-conformance.ts';
import { readIsoImage } from '#drivers/hypervisor/libvirt/iso9660.ts';
import { writeTar, type TarEntry } from '#drivers/hypervisor/tar-stream.ts';
import { operatorMessage, type ApiError } from '#lib/api-error.ts';
import { makeBlockPool } from '#test/support/block-pool.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { snapshotFixture } from '#test/support/libvirt-snapshots.ts';
import { needsLibvirt, startLibvirt, type LibvirtNode } from '#test/support/libvirt.ts';
import { needs } from '#test/support/needs.ts';
import { clientHandshake } from '#protocols/rfb/handshake.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const run = promisify(execFile);

describe('the libvirt driver', { ...needs('losetup', 'partx', 'parted', 'swtpm'), ...needsLibvirt() }, () => {
  const system = {
    id: 'first',
    hostname: 'vm.example.com',
    rootPassword: 'password',
    addresses: [],
    nameServers: [],
    sshKeys: [],
  };
  const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:12:34:57', networks: [] };
  const soon = (): AbortSignal => AbortSignal.timeout(60_000);
  const owned = suiteResources();
  let node: LibvirtNode;
  let hypervisor: Hypervisor;
  before(async () => {
    node = owned.use(await startLibvirt());
    hypervisor = owned.use(await libvirtDriver.open({ socket: node.socket, pool: node.pool, accelerator: 'tcg' }));
    await hypervisor.machines.create('vm-1', shape, { ...system, template: node.template }, soon());
  });

  it('reports a daemon that hangs as unreachable and no machine as off, and continues when it resumes', async () => {
    await node.signal('SIGSTOP');
    try {
      const signal = AbortSignal.timeout(500);
      const calls = [
        hypervisor.power.state('vm-1', signal),
        hypervisor.machines.list(signal),
        hypervisor.freeCapacity(signal),
      ];
      for (const outcome of await Promise.allSettled(calls)) {
        assert.equal(outcome.status, 'rejected');
        assert.equal((outcome.reason as ApiError).code, 'node_unreachable');
      }
    } finally {
      await node.signal('SIGCONT');
    }
    assert.equal(await hypervisor.power.state('vm-1', soon()), 'off');
  });

  it('finds a storage pool that was made as the guide says', async () => {
    const guide = await readFile(new URL('../../docs/guides/hypervisors.md', import.meta.url), 'utf8');
    const [commands] = /virsh pool-define-as [^`]*/.exec(guide)!;
    const folder = join(dirname(node.socket), 'guide');
    for (const command of commands.replace('/srv/machines', folder).replaceAll(' machines', ' guide').split('&&'))
      await node.virsh(...command.trim().split(/\s+/).slice(1));
    const capacity = await libvirtDriver.open({ socket: node.socket, pool: 'guide', accelerator: 'tcg' });
    assert.ok((await owned.use(capacity).freeCapacity(soon())).diskGb > 0);
  });

  it('passes on what libvirt says, which operators read and customers do not', async () => {
    const settings = { socket: node.socket, pool: 'gone', accelerator: 'tcg' } as const;
    const { machines } = owned.use(await libvirtDriver.open(settings));
    const creation = machines.create('vm-2', shape, { ...system, template: node.template }, soon());
    const error = await creation.then(
      () => assert.fail('created'),
      (reason: unknown) => reason as ApiError,
    );
    assert.match(operatorMessage(error), /storage pool.*'gone'/i);
    assert.ok(!error.message.includes('gone'));
  });

  it('knows whether the host can use KVM', async () => {
    assert.deepEqual(await hypervisor.findHostProblems!(soon()), []);
    const settings = { socket: node.socket, pool: node.pool, accelerator: 'kvm' } as const;
    const problems = await owned.use(await libvirtDriver.open(settings)).findHostProblems!(soon());
    assert.deepEqual(problems, existsSync('/dev/kvm') ? [] : ['The accelerator is kvm, but the host cannot use KVM.']);
  });

  it('boots from the chosen device once, also if the system inside restarts', async () => {
    const placeOf = async (device: string): Promise<number> => {
      const args = { path: `/machine/peripheral/${device}`, property: 'bootindex' };
      const command = JSON.stringify({ execute: 'qom-get', arguments: args });
      return (JSON.parse(await node.virsh('qemu-monitor-command', 'vm-1', command)) as { return: number }).return;
    };
    await hypervisor.boot!.setNext('vm-1', 'cdrom', soon());
    await hypervisor.power.set('vm-1', 'on', soon());
    assert.ok((await placeOf('virtio-disk0')) < (await placeOf('ide0-0-0')));
    await hypervisor.boot!.setNext('vm-1', 'pxe', soon());
    await hypervisor.power.reset('vm-1', soon());
    assert.match(await node.virsh('dumpxml', 'vm-1', '--xpath', '//boot[@order=1]/..'), /<interface/);
    assert.match(await node.virsh('dumpxml', 'vm-1', '--inactive', '--xpath', '//boot[@order=1]/..'), /vda/);
    await hypervisor.power.set('vm-1', 'off', soon());
  });

  it('opens VNC only with the password of this session', async () => {
    await hypervisor.power.set('vm-1', 'on', soon());
    const before = await hypervisor.vnc!.open('vm-1', soon());
    const viewing = await hypervisor.vnc!.open('vm-1', soon());
    await assert.rejects(clientHandshake(before.stream, before.password, soon()));
    await clientHandshake(viewing.stream, viewing.password, soon());
    for (const { stream } of [before, viewing]) stream.destroy();
    await hypervisor.power.set('vm-1', 'off', soon());
    await assert.rejects(hypervisor.vnc!.open('vm-1', soon()), { code: 'state_conflict' });
  });

  it('completes a partially built system', async () => {
    await node.virsh('vol-create-as', node.pool, 'vm-1.second.qcow2', '1M', '--format', 'qcow2');
    assert.equal(
      await hypervisor.systems.use('vm-1', 'second', soon()).catch((error: ApiError) => error.code),
      'not_found',
    );
    await hypervisor.systems.build('vm-1', { ...system, id: 'second', template: node.template }, soon());
    assert.match(await node.virsh('vol-info', 'vm-1.second.qcow2', node.pool), /1\.00 GiB/);
    await hypervisor.systems.use('vm-1', 'second', soon());
    assert.equal(await hypervisor.systems.current('vm-1', soon()), 'second');
  });

  it('changes the addresses in the seed of a machine, whether it runs or not, and after an interruption', async () => {
    const seedFiles = async () => {
      const descriptions = await Promise.all([
        node.virsh('dumpxml', 'vm-1', '--xpath', "//target[@dev='hdb']/../source"),
        node.virsh('dumpxml', 'vm-1', '--inactive', '--xpath', "//target[@dev='hdb']/../source"),
      ]);
      return descriptions.map((text) => /file=["']([^"']*)/.exec(text)?.[1]);
    };
    const volumes = async () => (await node.virsh('vol-list', node.pool)).match(/vm-1\.second\.\S*seed(?= )/g);
    const read = async () => {
      const [running, persistent] = await seedFiles();
      assert.equal(running, persistent);
      const copy = join(dirname(node.socket), 'seed.copy');
      await node.virsh('vol-download', '--vol', running!, '--file', copy);
      return readIsoImage(await readFile(copy))!;
    };
    const set = async (address: string) => {
      const settings = { addresses: [{ address, prefixLength: 24 }], nameServers: ['192.0.2.53'] };
      await hypervisor.systems.setNetwork('vm-1', settings, soon());
      assert.equal((await volumes())?.length, 1);
      assert.match((await read())['network-config']!, new RegExp(`- ${address}/24\\n`));
    };
    const before = await read();
    await set('192.0.2.20');
    const { 'network-config': _, ...others } = await read();
    assert.deepEqual(others, { 'meta-data': before['meta-data'], 'user-data': before['user-data'] });
    await hypervisor.power.set('vm-1', 'on', soon());
    await set('192.0.2.21');
    const [path] = await seedFiles();
    await set('192.0.2.21');
    assert.deepEqual(await seedFiles(), [path, path], 'nothing to do');
    // Hostyard died after it had changed the running machine, and another time while it uploaded a seed.
    const second = path!.replace(/[0-9]+\.seed$/, '8.seed');
    await node.virsh('vol-clone', path!, 'vm-1.second.8.seed', '--pool', node.pool);
    await node.virsh('change-media', 'vm-1', 'hdb', second, '--update', '--live', '--force');
    await node.virsh('vol-create-as', node.pool, 'vm-1.second.9.seed', '1k');
    assert.deepEqual(await seedFiles(), [second, path]);
    await set('192.0.2.22');
    await hypervisor.power.set('vm-1', 'off', soon());
    await set('192.0.2.23');
    await hypervisor.systems.use('vm-1', 'second', soon());
    assert.match((await read())['network-config']!, /192\.0\.2\.23/);
    // A seed that the operator inserted.
    const own = join(dirname(node.socket), 'own.iso');
    await writeFile(own, 'a seed');
    await node.virsh('change-media', 'vm-1', 'hdb', own, '--update', '--config');
    await hypervisor.systems.setNetwork('vm-1', { addresses: [], nameServers: [] }, soon());
    assert.deepEqual((await seedFiles())[1], own);
    await hypervisor.systems.use('vm-1', 'second', soon());
  });

  it('runs systems with the firmware and TPM that they need, and the former ones after a rollback', async () => {
    const uefi = { firmware: 'uefi', secureBoot: false, tpm: true } as const;
    const secure = { firmware: 'uefi', secureBoot: true, tpm: false } as const;
    const build = (id: string, platform: Platform) => ({ ...system, id, template: node.template, platform });
    const volumes = async (name: string) => {
      await node.virsh('pool-refresh', node.pool);
      return (await node.virsh('vol-list', node.pool)).match(new RegExp(`(?<=${name}\\.)\\S*(?= )`, 'g'));
    };
    const start = async (name: string) => {
      await hypervisor.power.set(name, 'on', soon());
      const description = await node.virsh('dumpxml', name);
      await hypervisor.power.set(name, 'off', soon());
      return [/<loader .*>(.*)<\/loader>/.exec(description)?.[1], description.includes('<tpm ')];
    };
    assert.deepEqual(await hypervisor.findPlatformProblems!(secure, undefined, soon()), []);
    await hypervisor.machines.create('vm-7', shape, build('plain', plainPlatform), soon());
    assert.deepEqual(await hypervisor.findPlatformProblems!(secure, 'vm-7', soon()), [
      'The machine was created without secure boot and cannot get it.',
    ]);
    await assert.rejects(hypervisor.systems.build('vm-7', build('no', secure), soon()), { code: 'capability_missing' });
    await hypervisor.systems.build('vm-7', build('modern', uefi), soon());
    await hypervisor.systems.use('vm-7', 'modern', soon());
    assert.deepEqual(await start('vm-7'), ['/usr/share/OVMF/OVMF_CODE_4M.fd', true]);
    await hypervisor.systems.use('vm-7', 'plain', soon());
    assert.deepEqual(await start('vm-7'), [undefined, true]);
    await hypervisor.systems.tidy('vm-7', soon());
    assert.deepEqual(await volumes('vm-7'), ['plain.qcow2', 'plain.seed']);
    await hypervisor.machines.remove('vm-7', soon());
    await hypervisor.machines.create('vm-6', { ...shape, memoryMb: 128 }, build('secure', secure), soon());
    assert.deepEqual(await start('vm-6'), ['/usr/share/OVMF/OVMF_CODE_4M.ms.fd', false]);
    assert.deepEqual(await volumes('vm-6'), ['secure.nvram', 'secure.qcow2', 'secure.seed']);
    await hypervisor.machines.remove('vm-6', soon());
    assert.deepEqual([await volumes('vm-6'), await volumes('vm-7')], [null, null]);
  });

  it("keeps an operator's manual changes to a machine", async () => {
    // The pool has room for four systems, of which those that follow need some.
    await hypervisor.systems.tidy('vm-1', soon());
    await node.virsh('desc', 'vm-1', '--config', 'moved here & kept <by hand>');
    await hypervisor.systems.build('vm-1', { ...system, id: 'third', template: node.template }, soon());
    await hypervisor.systems.use('vm-1', 'third', soon());
    await hypervisor.boot!.setNext('vm-1', 'pxe', soon());
    assert.equal(await node.virsh('desc', 'vm-1'), 'moved here & kept <by hand>');
  });

  it('erases the disks of a machine before another one can read them', async () => {
    await using pool = await makeBlockPool(node);
    const canary = Buffer.from('what the former customer wrote');
    const plant = async (): Promise<string> => {
      const path = await pool.makeVolume();
      await using disk = await open(path, 'r+');
      for (const at of [0, 2 ** 20, 7 * 2 ** 20]) await disk.write(canary, 0, canary.length, at);
      await disk.sync();
      return path;
    };
    const isReadable = async (path: string): Promise<boolean> => (await readFile(path)).includes(canary);
    await plant();
    await pool.removeVolume();
    assert.ok(await isReadable(await pool.makeVolume()), 'a volume of this pool shows old blocks');
    await pool.removeVolume();
    const path = await plant();
    const byHand = await node.virsh('dumpxml', 'vm-1');
    const renamed = byHand.replace(/<name>.*?<\/name>\s*<uuid>.*?<\/uuid>/, '<name>vm-9</name>');
    const file = `${node.image}.xml`;
    const disk = `<disk type='block' device='disk'><source dev='${path}'/><target dev='vdb' bus='virtio'/></disk>`;
    await writeFile(file, renamed.replace(/<disk .*<\/disk>/s, disk).replace(/<mac .*?\/>/, ''));
    await node.virsh('define', file);
    await hypervisor.machines.remove('vm-9', soon());
    await assert.rejects(node.virsh('vol-info', path), /not found|no storage vol/i);
    assert.ok(!(await isReadable(await pool.makeVolume())), 'the canary survived');
    await pool.removeVolume();
  });

  it('reads no file of the hypervisor for a customer whose disk begins like the header of an image', async () => {
    const at = (name: string): string => join(dirname(node.socket), name);
    const bytes = 2 ** 20;
    await writeFile(at('secret'), 'of another customer'.padEnd(bytes));
    await run('qemu-img', ['create', '-f', 'qcow2', '-F', 'raw', '-b', at('secret'), at('hostile'), String(bytes)]);
    const hostile = Buffer.concat([await readFile(at('hostile')), Buffer.alloc(bytes)]).subarray(0, bytes);
    // Many customers encrypt a volume as a whole.
    const encrypted = Buffer.alloc(bytes, 'LUKS\xba\xbe\0\x01', 'latin1');
    const read = async (volume: string): Promise<Buffer> => {
      await node.virsh('vol-download', volume, '--pool', node.pool, '--file', at('image'));
      await run('qemu-img', ['check', '-f', 'qcow2', at('image')]);
      await run('qemu-img', ['convert', '-f', 'qcow2', '-O', 'raw', at('image'), at('raw')]);
      await using raw = await open(at('raw'));
      return (await raw.read(Buffer.alloc(bytes))).buffer;
    };
    const { backups, machines, snapshots, systems, volumes } = hypervisor;
    for (const [name, disk] of Object.entries({ hostile, encrypted })) {
      const content = async function* (): AsyncGenerator<Buffer> {
        yield disk;
      };
      const entries = async function* (): AsyncGenerator<TarEntry> {
        yield { name: 'seed.iso', bytes, content: content() };
        yield { name: 'disk.raw', bytes, content: content() };
      };
      await backups!.restore('vm-1', name, writeTar(entries()), soon());
      assert.ok((await read(`vm-1.${name}.qcow2`)).equals(disk), `${name} as a system`);
      await systems.tidy('vm-1', soon());
      await backups!.createVolume({ id: 'vol-66', sizeGb: bytes / 2 ** 30 }, 'vm-1', 'volume', content(), soon());
      assert.ok((await read('vol-66.volume')).equals(disk), `${name} as a volume`);
      await volumes!.remove('vol-66', soon());
      await backups!.createTemplate('restore-66', writeTar(entries()), soon());
      await machines.create('vm-66', shape, { ...system, template: 'restore-66' }, soon());
      assert.ok((await read('vm-66.first.qcow2')).equals(disk), `${name} as a machine`);
      await machines.remove('vm-66', soon());
      await snapshots!.removeTemplate('restore-66', soon());
    }
  });

  it('moves a machine to another hypervisor, on or off, with its disk, filter and screen', async () => {
    const other = owned.use(await startLibvirt());
    const openNode = ({ socket, pool, bridge }: LibvirtNode) =>
      libvirtDriver.open({
        socket,
        pool,
        bridge,
        accelerator: 'tcg',
        migrationUri: `qemu+unix:///system?socket=${socket}`,
        migrationAddress: '127.0.0.1',
      });
    const [source, target] = [owned.use(await openNode(node)), owned.use(await openNode(other))];
    const networks = ['192.0.2.10/32'];
    const mac = '52:54:00:12:34:58';
    await source.machines.create('vm-8', { ...shape, mac, networks }, { ...system, template: node.template }, soon());
    await node.virsh('change-media', 'vm-8', 'hda', '/nowhere/else.iso', '--insert', '--config');
    const start = async () => void (await other.virsh('start', 'vm-8', '--paused'));
    // How a move finds out that both use the same storage.
    const owners = await Promise.all([source, target].map(({ migration }) => migration!.hasFiles!('vm-8', soon())));
    assert.deepEqual(owners, [true, false]);
    await checkMigration({ source, target, machine: 'vm-8', networks, movesLive: true, start });
    // The template may differ from one hypervisor to the other, so the machine took its own along, and is flat now.
    const files = await node.virsh('vol-list', node.pool);
    assert.match(files, /vm-8\.first\.qcow2/);
    assert.doesNotMatch(await node.virsh('vol-dumpxml', 'vm-8.first.qcow2', node.pool), /backingStore/);
    assert.doesNotMatch(await other.virsh('vol-list', other.pool), /vm-8/);
    const description = await node.virsh('dumpxml', 'vm-8');
    assert.match(description, new RegExp(`<source bridge='${node.bridge}'/>`));
    assert.match(description, /<filterref filter='vm-8'\/>/);
    assert.doesNotMatch(description, /else\.iso/);
    await source.machines.remove('vm-8', soon());
    // It came along, and outlives the machine.
    await source.volumes!.remove('vol-9', soon());

    // A snapshot that came along needs the template that did, whichever system the machine has.
    await source.machines.create('vm-8', { ...shape, mac, networks }, { ...system, template: node.template }, soon());
    // Of a running machine, whose snapshots are overlays.
    await node.virsh('start', 'vm-8', '--paused');
    await source.snapshots!.create('vm-8', 'snap-1', soon());
    await source.power.set('vm-8', 'off', soon());
    const migration = source.migration!;
    while (!(await migration.copy('vm-8', target.migration!, networks, 0, soon())).isComplete);
    await source.machines.remove('vm-8', soon());
    await target.snapshots!.restore('vm-8', 'snap-1', 'restored', soon());
    await target.systems.use('vm-8', 'restored', soon());
    await target.systems.tidy('vm-8', soon());
    assert.match(await other.virsh('vol-list', other.pool), /vm-8\.first\.base/);
    await other.virsh('start', 'vm-8', '--paused');
    await target.power.set('vm-8', 'off', soon());
    await target.systems.build('vm-8', { ...system, id: 'next', template: other.template }, soon());
    await target.systems.use('vm-8', 'next', soon());
    await target.systems.tidy('vm-8', soon());
    await target.snapshots!.remove('vm-8', 'snap-1', soon());
    assert.doesNotMatch(await other.virsh('vol-list', other.pool), /vm-8\..*base/);
    await target.machines.remove('vm-8', soon());
  });

  it('attaches, grows and removes volumes of a machine, on or off', async () => {
    await hypervisor.machines.create('vm-7', shape, { ...system, template: node.template }, soon());
    await checkVolumes({ hypervisor, machine: 'vm-1', other: 'vm-7', sizeGb: 2 ** -4, tooLargeGb: 100 });
    assert.doesNotMatch(await node.virsh('vol-list', node.pool), /vol-/);
    const { create, attach, grow, detach, list } = hypervisor.volumes!;
    const disks = () => node.virsh('dumpxml', 'vm-1', '--xpath', '//disk[serial="vol-7"]/target/@dev');
    await node.virsh('start', 'vm-1', '--paused');
    await create({ id: 'vol-7', sizeGb: 2 ** -4 }, 'vm-1', soon());
    await attach('vol-7', 'vm-1', soon());
    assert.match(await disks(), /vdb/);
    await grow({ id: 'vol-7', sizeGb: 2 ** -3 }, 'vm-1', soon());
    assert.match(await node.virsh('domblkinfo', 'vm-1', 'vdb'), new RegExp(String(2 ** 27)));
    // A guest that does not run cannot release it.
    await assert.rejects(detach('vol-7', 'vm-1', soon()), { code: 'state_conflict' });
    await assert.rejects(detach('vol-7', 'vm-1', soon()), { code: 'state_conflict' });
    assert.deepEqual(await list('vm-1', soon()), [{ id: 'vol-7', sizeGb: 2 ** -3 }]);
    await node.virsh('destroy', 'vm-1');
    await detach('vol-7', 'vm-1', soon());
    await create({ id: 'vol-70', sizeGb: 2 ** -4 }, 'vm-1', soon());
    // Of a backup that was abandoned.
    await hypervisor.backups!.copyVolume('vol-7', 'vm-1', 'b-1', soon());
    for (const _ of [1, 2]) await hypervisor.volumes!.remove('vol-7', soon());
    assert.deepEqual((await node.virsh('vol-list', node.pool)).match(/(?<=\/)vol-\S+/g), ['vol-70.volume']);
    await hypervisor.volumes!.remove('vol-70', soon());
  });

  it('removes what an interrupted removal left', async () => {
    await hypervisor.systems.tidy('vm-1', soon());
    await hypervisor.machines.create('vm-8', shape, { ...system, template: node.template }, soon());
    await node.virsh('undefine', 'vm-8');
    await hypervisor.machines.remove('vm-8', soon());
    assert.doesNotMatch(await node.virsh('vol-list', node.pool), /vm-8/);
  });

  testSnapshots(async () => snapshotFixture(node, hypervisor));

  // Reads and writes gigabytes through the daemon, for a minute.
  if (isLongRun)
    it('copies a machine off the hypervisor, and restores it', () => checkBackups(snapshotFixture(node, hypervisor)));

  it('reports the hardware of a machine that is off', async () => {
    const { memoryTotal, memoryUsed, diskTotal, sent } = await hypervisor.statistics.read('vm-1', soon());
    assert.deepEqual([memoryTotal, memoryUsed, diskTotal, sent], [64 * 2 ** 20, undefined, 2 ** 30, undefined]);
  });

  it('answers many requests at once over its one connection', async () => {
    const calls = Array.from({ length: 200 }, () => hypervisor.power.state('vm-1', soon()));
    assert.deepEqual(new Set(await Promise.all(calls)), new Set(['off']));
  });
});
