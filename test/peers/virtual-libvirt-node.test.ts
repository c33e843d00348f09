// The libvirt driver on Debian's libvirt and QEMU, for everything that needs no booted machine: a daemon that hangs, a
// one-time boot device, VNC and its passwords, an interrupted build, changes made by an operator.
import assert from 'node:assert/strict';
import { open, readFile, writeFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import type { ApiError } from '#lib/api-error.ts';
import { makeBlockPool } from '#test/support/block-pool.ts';
import { needsLibvirt, startLibvirt, type LibvirtNode } from '#test/support/libvirt.ts';
import { needs } from '#test/support/needs.ts';
import { clientHandshake } from '#protocols/rfb/handshake.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('the libvirt driver', { ...needs('losetup', 'partx', 'parted'), ...needsLibvirt() }, () => {
  const system = { id: 'first', hostname: 'vm.example.com', rootPassword: 'password', addresses: [], nameServers: [] };
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

  it("keeps an operator's manual changes to a machine", async () => {
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

  it('removes what an interrupted removal left', async () => {
    await hypervisor.systems.tidy('vm-1', soon());
    await hypervisor.machines.create('vm-8', shape, { ...system, template: node.template }, soon());
    await node.virsh('undefine', 'vm-8');
    await hypervisor.machines.remove('vm-8', soon());
    assert.doesNotMatch(await node.virsh('vol-list', node.pool), /vm-8/);
  });

  it('reports the hardware of a machine that is off', async () => {
    const { memoryTotal, memoryUsed, diskTotal, sent } = await hypervisor.statistics.read('vm-1', soon());
    assert.deepEqual([memoryTotal, memoryUsed, diskTotal, sent], [64 * 2 ** 20, undefined, 2 ** 30, undefined]);
  });

  it('answers many requests at once over its one connection', async () => {
    const calls = Array.from({ length: 200 }, () => hypervisor.power.state('vm-1', soon()));
    assert.deepEqual(new Set(await Promise.all(calls)), new Set(['off']));
  });
});
