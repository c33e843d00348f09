// Two LXD daemons as a cluster, of which we talk to the second over the network: the driver's part.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Hypervisor, SystemBuild } from '#drivers/hypervisor/driver.ts';
import { lxdDriver } from '#drivers/hypervisor/lxd.ts';
import { checkMigration } from '#drivers/hypervisor/migration-conformance.ts';
import { instancesOf, onConsole, patience, shape } from '#test/support/lxd-console.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { lxdPool, lxdTemplate, needsLxd, startLxd, startLxdCluster, type LxdCluster } from '#test/support/lxd.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

// One after the other, because they share a cluster.
describe('a cluster of two LXD daemons, over the network', { ...needsLxd(), concurrency: 1 }, () => {
  const owned = suiteResources();
  let cluster: LxdCluster;
  let node: Hypervisor;
  before(async () => {
    cluster = owned.use(await startLxdCluster());
    node = owned.use(await lxdDriver.open({ ...cluster.access, pool: lxdPool, nic: { nictype: 'p2p' } }));
  });
  const system = (id: string): SystemBuild => ({
    id,
    template: lxdTemplate,
    hostname: `${id}.example.com`,
    rootPassword: `Password-of-${id}`,
    addresses: [{ address: '192.0.2.10', prefixLength: 24, gateway: '192.0.2.1' }],
    nameServers: ['192.0.2.53'],
    sshKeys: [],
  });

  it('places machines, reports where they are, and has the capacity of both', async () => {
    const before = await node.freeCapacity(patience());
    const alone = (await cluster.first.query('/1.0/resources')) as { memory: { total: number } };
    assert.equal(before.memoryMb, Math.floor((2 * alone.memory.total) / 2 ** 20));
    for (const name of ['vm-1', 'vm-2']) await node.machines.create(name, shape, system('one'), patience());
    const machines = await node.machines.list(patience());
    assert.deepEqual(machines.map(({ member }) => member).toSorted(), ['first', 'second']);
    assert.equal((await node.freeCapacity(patience())).memoryMb, before.memoryMb - 2 * shape.memoryMb);
  });

  it('runs them on both members, with their assigned addresses', async () => {
    for (const name of ['vm-1', 'vm-2']) {
      await node.power.set(name, 'on', patience());
      const output = await onConsole(node, name, 'Password-of-one', 'hostname; ip addr show dev eth0; ip route');
      assert.match(output ?? '', /^one\.example\.com\n[^]*inet 192\.0\.2\.10\/24[^]*default via 192\.0\.2\.1/);
    }
  });

  it('reinstalls one, from the other member too, and restarts an interrupted build', async () => {
    const name = 'vm-2';
    const source = { type: 'image', alias: lxdTemplate };
    const config = { 'user.hostyard.system': 'two', 'user.hostyard.built': 'no' };
    // The state that a crash in the middle leaves.
    const half = { name: `${name}--two`, profiles: ['default', name], source, config };
    await cluster.first.call('POST', '/1.0/instances?target=first', half);
    const errors = [
      await node.systems.use(name, 'two', patience()).catch((error: unknown) => error),
      await node.systems.use(name, 'three', patience()).catch((error: unknown) => error),
    ];
    assert.deepEqual(
      errors.map((error) => (error as { code?: string } | undefined)?.code),
      ['not_found', 'not_found'],
    );
    await node.systems.build(name, system('two'), patience());
    await node.power.set(name, 'off', patience());
    await node.systems.use(name, 'two', patience());
    await node.power.set(name, 'on', patience());
    await node.systems.tidy(name, patience());
    assert.equal(await onConsole(node, name, 'Password-of-two', 'hostname'), 'two.example.com');
    const left = await instancesOf(cluster.second, name);
    assert.deepEqual(
      left.map((instance) => instance.name),
      [`${name}--two`],
    );
  });

  it('attaches volumes on the member of the machine, where its next system is built too', async () => {
    const machine = 'vm-1';
    await node.volumes!.create({ id: 'vol-9', sizeGb: 1 }, machine, patience());
    await node.volumes!.attach('vol-9', machine, patience());
    const write = await onConsole(node, machine, 'Password-of-one', 'echo kept > /mnt/vol-9/file; cat /mnt/vol-9/file');
    assert.equal(write, 'kept');
    await node.systems.build(machine, system('next'), patience());
    await node.power.set(machine, 'off', patience());
    await node.systems.use(machine, 'next', patience());
    await node.power.set(machine, 'on', patience());
    assert.equal(await onConsole(node, machine, 'Password-of-next', 'cat /mnt/vol-9/file'), 'kept');
    await node.volumes!.detach('vol-9', machine, patience());
    assert.match((await onConsole(node, machine, 'Password-of-next', 'ls /mnt/vol-9')) ?? '', /^$|No such/);
    await node.volumes!.remove('vol-9', patience());
    await node.power.set(machine, 'off', patience());
    await node.systems.use(machine, 'one', patience());
    await node.systems.tidy(machine, patience());
    await node.power.set(machine, 'on', patience());
  });

  it('adopts a container that was created by hand, and reinstalls it', async () => {
    const devices = { root: { type: 'disk', path: '/', pool: lxdPool, size: '1GiB' } };
    const handmade = { name: 'vm-9', source: { type: 'image', alias: lxdTemplate }, devices };
    await cluster.first.call('POST', '/1.0/instances', handmade);
    assert.equal((await node.machines.find('vm-9', patience()))?.power, 'off');
    assert.equal(await node.systems.current('vm-9', patience()), 'original');
    await node.systems.build('vm-9', system('new'), patience());
    assert.equal(await node.systems.current('vm-9', patience()), 'original');
    for (const id of ['new', 'original', 'new']) {
      await node.systems.use('vm-9', id, patience());
      assert.equal(await node.systems.current('vm-9', patience()), id);
    }
    await node.systems.tidy('vm-9', patience());
    const all = (await cluster.first.query('/1.0/instances')) as readonly string[];
    assert.deepEqual(
      all.filter((path) => path.includes('vm-9')),
      ['/1.0/instances/vm-9--new'],
    );
    const names = (await node.machines.list(patience())).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ['vm-1', 'vm-2', 'vm-9']);
  });

  it('forces off what ignores a shutdown request', async () => {
    await cluster.first.lxc('pause', 'vm-1--one');
    await node.power.requestShutdown('vm-1', patience());
    assert.equal(await node.power.state('vm-1', patience()), 'on');
    await node.power.set('vm-1', 'off', patience());
    assert.equal(await node.power.state('vm-1', patience()), 'off');
  });

  const inLongRuns = isLongRun ? it : () => {};
  inLongRuns('moves a machine to another member, with the snapshots of all its systems', async () => {
    const name = 'vm-6';
    await node.machines.create(name, shape, system('old'), patience());
    await node.snapshots!.create(name, 'snap-1', patience());
    await node.systems.build(name, system('new'), patience());
    await node.systems.use(name, 'new', patience());
    await node.systems.tidy(name, patience());
    await node.snapshots!.create(name, 'snap-2', patience());
    const { member } = (await node.machines.find(name, patience()))!;
    assert.deepEqual((await node.members!.list(patience())).toSorted(), ['first', 'second']);
    const other = member === 'first' ? 'second' : 'first';
    await node.power.set(name, 'on', patience());
    await assert.rejects(node.members!.move(name, other, patience()), { code: 'state_conflict' });
    await node.power.set(name, 'off', patience());
    while (!(await node.members!.move(name, other, patience())));
    assert.equal(await node.members!.isMoving(name, patience()), false);
    const places = (await instancesOf(cluster.first, name)).map(({ name: instance, location }) => [instance, location]);
    assert.deepEqual(places.toSorted(), [
      [`${name}--new`, other],
      [`${name}--old`, other],
    ]);
    const kept = (await node.snapshots!.list(name, patience())).map(({ id }) => id);
    assert.deepEqual(kept.toSorted(), ['snap-1', 'snap-2']);
    await node.power.set(name, 'on', patience());
    assert.equal(await onConsole(node, name, 'Password-of-new', 'hostname'), 'new.example.com');
    await node.machines.remove(name, patience());
  });

  it('gives a container to another server, which pulls it', async () => {
    const alone = owned.use(await startLxd());
    await alone.prepare();
    const settings = { socket: alone.socket, pool: lxdPool, nic: { nictype: 'p2p' } };
    const target = owned.use(await lxdDriver.open(settings));
    await node.machines.create('vm-5', shape, system('one'), patience());
    const start = ({ power }: Hypervisor) => power.set('vm-5', 'on', patience());
    const networks = ['192.0.2.10/32'];
    await checkMigration({ source: node, target, machine: 'vm-5', networks, movesLive: false, start });
    assert.equal((await alone.lxc('exec', 'vm-5--one', '--', 'hostname')).trim(), 'one.example.com');
  });

  it('rejects an unknown certificate', async () => {
    const { url, serverCertificate } = cluster.access;
    await using stranger = await lxdDriver.open({ url, serverCertificate, pool: lxdPool });
    await assert.rejects(stranger.machines.list(patience()), { code: 'node_error' });
    await using doubtful = await lxdDriver.open({
      ...cluster.access,
      serverCertificate: cluster.access.certificate,
      pool: lxdPool,
    });
    await assert.rejects(doubtful.machines.list(patience()), { code: 'node_unreachable' });
  });

  it('kept both of its daemons running', () => {
    for (const lxd of [cluster.first, cluster.second]) assert.doesNotMatch(lxd.output(), /^panic: /m);
  });
});
