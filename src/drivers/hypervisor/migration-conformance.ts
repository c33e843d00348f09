// The part of the conformance suite of hypervisor drivers about migration: a machine moves to a second hypervisor and back.
import assert from 'node:assert/strict';
import type { Hypervisor } from './driver.ts';
import type { CopyProgress } from './migration.ts';

export interface MigrationFixture {
  readonly source: Hypervisor;
  readonly target: Hypervisor;
  /** A machine of the source that is off. */
  readonly machine: string;
  readonly networks: readonly string[];
  readonly movesLive: boolean;
  /** Powers the machine on; it need not boot. */
  start(hypervisor: Hypervisor): Promise<void>;
}

function testTimeout(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

export async function checkMigration(fixture: MigrationFixture): Promise<void> {
  const { source, target, machine, networks, movesLive, start } = fixture;
  const expectPower = async (here: string | undefined, there: string | undefined) => {
    const found = await Promise.all([source, target].map(({ machines }) => machines.find(machine, testTimeout())));
    assert.deepEqual(
      found.map((info) => info?.power),
      [here, there],
    );
  };
  const copy = async () => {
    let progress: CopyProgress = { copiedBytes: 0, totalBytes: 0, isComplete: false };
    while (!progress.isComplete) {
      // An incomplete copy is not a machine.
      await expectPower('off', undefined);
      const { copiedBytes } = progress;
      progress = await source.migration!.copy(machine, target.migration!, networks, copiedBytes, testTimeout());
    }
    return progress;
  };

  const volume = { id: 'vol-9', sizeGb: 2 ** -6 };
  const hasVolume = source.migration!.movesVolumes;
  const remove = async ({ machines, volumes }: Hypervisor) => {
    await machines.remove(machine, testTimeout());
    if (hasVolume) await volumes!.remove(volume.id, testTimeout());
  };
  const expectVolume = async ({ volumes }: Hypervisor) => {
    if (!hasVolume) return;
    const ids = (await volumes!.list(machine, testTimeout())).map(({ id }) => id);
    assert.deepEqual(ids, [volume.id]);
  };
  if (hasVolume) {
    await source.volumes!.create(volume, machine, testTimeout());
    await source.volumes!.attach(volume.id, machine, testTimeout());
  }

  const expectSnapshots = async (hypervisor: Hypervisor) => {
    const ids = (await hypervisor.snapshots!.list(machine, testTimeout())).map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), ['snap-1', 'snap-2']);
  };
  for (const id of ['snap-1', 'snap-2']) await source.snapshots!.create(machine, id, testTimeout());

  const { copiedBytes } = await copy();
  await expectPower('off', 'off');
  const systems = await Promise.all([source, target].map(({ systems }) => systems.current(machine, testTimeout())));
  assert.equal(systems[0], systems[1]);
  // Repeated after a crash.
  const again = await source.migration!.copy(machine, target.migration!, networks, copiedBytes, testTimeout());
  assert.equal(again.isComplete, true);
  // Given up, and copied anew.
  await remove(target);
  await expectPower('off', undefined);
  await copy();
  await remove(source);
  await expectPower(undefined, 'off');
  await expectVolume(target);
  await expectSnapshots(target);

  await start(target);
  const back = target.migration!;
  await assert.rejects(back.copy(machine, source.migration!, networks, 0, testTimeout()), { code: 'state_conflict' });
  const obstacle = await back.findLiveObstacle(machine, source.migration!, testTimeout());
  assert.equal(obstacle === undefined, movesLive);
  if (!movesLive) {
    await assert.rejects(back.moveLive(machine, source.migration!, networks, testTimeout()), {
      code: 'capability_missing',
    });
    return expectPower(undefined, 'on');
  }
  // Nothing to cancel.
  await back.cancelLive(machine, testTimeout());
  await expectPower(undefined, 'on');
  while (!(await back.moveLive(machine, source.migration!, networks, testTimeout())).isComplete);
  await expectPower('on', 'off');
  assert.equal((await back.moveLive(machine, source.migration!, networks, testTimeout())).isComplete, true);
  await back.cancelLive(machine, testTimeout());
  await remove(target);
  await expectPower('on', undefined);
  await expectVolume(source);
  await expectSnapshots(source);
}
