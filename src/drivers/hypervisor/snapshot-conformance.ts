// The conformance suite of the part `snapshots` and of `machines.resize`: the life of one machine. It runs on a hypervisor that
// another suite has started, because real ones are slow to start, and needs no machine to boot unless `readFile` can read inside.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import { requireCapability, type Hypervisor, type MachineShape, type MachineSize, type SystemBuild } from './driver.ts';

export interface SnapshotFixture {
  readonly hypervisor: Hypervisor;
  readonly template: string;
  readonly shape: MachineShape;
  /** Changes what is on the disk of the current system, or reads that; the machine is off. */
  writeContent(name: string, text: string): Promise<void>;
  readContent(name: string): Promise<string>;
  /** Reads the size from the hypervisor. */
  size(name: string): Promise<MachineSize>;
  /** Fills the hypervisor's disk until disposed; undefined if another suite does. */
  fill?(): Promise<AsyncDisposable>;
}

const name = 'vm-4712';
const network = { addresses: [{ address: '192.0.2.11', prefixLength: 24 }], nameServers: ['192.0.2.53'] };
const soon = (): AbortSignal => AbortSignal.timeout(120_000);

/** Declares the tests, in order; `start` is called by the first. */
export function testSnapshots(start: () => Promise<SnapshotFixture>): void {
  let fixture: SnapshotFixture;
  const parts = () => {
    const { hypervisor } = fixture;
    return { ...hypervisor, snapshots: requireCapability(hypervisor, 'snapshots') };
  };
  const build = (id: string, template: string): SystemBuild => ({
    id,
    template,
    hostname: 'vm.example.com',
    rootPassword: 'Some-pass-1',
    sshKeys: [],
    ...network,
  });

  it('a snapshot of a machine that is off is consistent, and taking it twice changes nothing', async () => {
    fixture = await start();
    const { machines, snapshots } = parts();
    await machines.create(name, fixture.shape, build('first-1', fixture.template), soon());
    assert.deepEqual(await snapshots.list(name, soon()), []);
    await fixture.writeContent(name, 'before');
    const taken = await repeat(() => snapshots.create(name, 'snap-1', soon()));
    assert.deepEqual([taken.id, taken.isConsistent], ['snap-1', true]);
    await fixture.writeContent(name, 'after');
    assert.deepEqual(await snapshots.create(name, 'snap-1', soon()), taken);
    assert.deepEqual(await snapshots.list(name, soon()), [taken]);
  });

  it('a running machine keeps running while a snapshot is taken', async () => {
    const { power, snapshots } = parts();
    await power.set(name, 'on', soon());
    const taken = await repeat(() => snapshots.create(name, 'snap-2', soon()));
    assert.equal(taken.id, 'snap-2');
    assert.equal(await power.state(name, soon()), 'on');
    assert.deepEqual((await snapshots.list(name, soon())).map(({ id }) => id).toSorted(), ['snap-1', 'snap-2']);
    await power.set(name, 'off', soon());
  });

  it('a restored system has the content of the snapshot, and the old one stays until it is tidied', async () => {
    const { systems, snapshots } = parts();
    await repeat(() => snapshots.restore(name, 'snap-1', 'restored-1', soon()));
    assert.equal(await systems.current(name, soon()), 'first-1');
    await systems.use(name, 'restored-1', soon());
    assert.equal(await fixture.readContent(name), 'before');
    await systems.use(name, 'first-1', soon());
    assert.equal(await fixture.readContent(name), 'after');
    await systems.use(name, 'restored-1', soon());
    await assert.rejects(
      repeat(() => snapshots.restore(name, 'snap-9', 'restored-9', soon())),
      { code: 'not_found' },
    );
  });

  it('snapshots stay when the system that they were taken of is removed', async () => {
    const { systems, snapshots } = parts();
    await systems.tidy(name, soon());
    assert.deepEqual((await snapshots.list(name, soon())).map(({ id }) => id).toSorted(), ['snap-1', 'snap-2']);
    await repeat(() => snapshots.restore(name, 'snap-2', 'restored-2', soon()));
    await systems.use(name, 'restored-2', soon());
    assert.equal(await fixture.readContent(name), 'after');
    await systems.tidy(name, soon());
  });

  it('a snapshot that was removed is gone, and the others can still be restored', async () => {
    const { systems, snapshots } = parts();
    await snapshots.remove(name, 'snap-2', soon());
    await snapshots.remove(name, 'snap-2', soon());
    assert.deepEqual(
      (await snapshots.list(name, soon())).map(({ id }) => id),
      ['snap-1'],
    );
    await repeat(() => snapshots.restore(name, 'snap-1', 'restored-3', soon()));
    await systems.use(name, 'restored-3', soon());
    assert.equal(await fixture.readContent(name), 'before');
  });

  it('a template made from a snapshot builds systems that outlive it', async () => {
    const { systems, snapshots } = parts();
    await repeat(() => snapshots.createTemplate(name, 'snap-1', 'image-1', soon()));
    await systems.build(name, build('second-2', 'image-1'), soon());
    await systems.use(name, 'second-2', soon());
    await snapshots.removeTemplate('image-1', soon());
    await snapshots.removeTemplate('image-1', soon());
    assert.equal(await fixture.readContent(name), 'before');
    await assert.rejects(systems.build(name, build('third-3', 'image-1'), soon()), { code: 'node_error' });
    await systems.tidy(name, soon());
  });

  it('a full pool rejects a snapshot and keeps nothing of it', async (context) => {
    if (fixture.fill === undefined) return context.skip('another suite fills this hypervisor');
    const { snapshots } = parts();
    const before = await snapshots.list(name, soon());
    {
      await using _full = await fixture.fill();
      await assert.rejects(
        repeat(() => snapshots.create(name, 'snap-3', soon())),
        { code: 'nothing_free' },
      );
    }
    await snapshots.remove(name, 'snap-3', soon());
    assert.deepEqual(await snapshots.list(name, soon()), before);
    return undefined;
  });

  it('a machine changes its processors, memory and disk, and its disk never shrinks', async () => {
    const { machines } = parts();
    const { vcpus, memoryMb, diskGb } = fixture.shape;
    const larger = { vcpus: vcpus + 1, memoryMb: memoryMb * 2, diskGb: diskGb + 1 };
    await machines.resize(name, larger, soon());
    assert.deepEqual(await fixture.size(name), larger);
    await machines.resize(name, { vcpus, memoryMb, diskGb }, soon());
    assert.deepEqual(await fixture.size(name), { vcpus, memoryMb, diskGb: diskGb + 1 });
    const excessive = machines.resize(name, { ...larger, memoryMb: 2 ** 24 }, soon());
    await assert.rejects(excessive, { code: 'nothing_free' });
  });

  it('a machine that is removed takes its snapshots along', async () => {
    const { machines, snapshots } = parts();
    await machines.remove(name, soon());
    await assert.rejects(snapshots.create(name, 'snap-1', soon()), { code: 'not_found' });
    await snapshots.remove(name, 'snap-1', soon());
  });
}

async function repeat<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'device_busy') throw error;
      await sleep(50);
    }
  }
}
