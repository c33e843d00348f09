// The part of the conformance suite of hypervisor drivers about volumes. The machine exists and is off.
import assert from 'node:assert/strict';
import type { Hypervisor } from './driver.ts';

export interface VolumeFixture {
  readonly hypervisor: Hypervisor;
  /** Two machines that are off. */
  readonly machine: string;
  readonly other: string;
  /** Of a volume: three of them fit into the storage. */
  readonly sizeGb: number;
  /** Larger than the storage. */
  readonly tooLargeGb: number;
}

function testTimeout(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

/** The life of two volumes. Each call is repeated, because a workflow repeats it after a crash. */
export async function checkVolumes(fixture: VolumeFixture): Promise<void> {
  const { hypervisor, machine, other, sizeGb, tooLargeGb } = fixture;
  const volumes = hypervisor.volumes!;
  const [first, second] = [
    { id: 'vol-1', sizeGb },
    { id: 'vol-2', sizeGb },
  ] as const;
  const larger = { ...first, sizeGb: 2 * sizeGb };
  const twice = async (work: () => Promise<void>): Promise<void> => {
    await work();
    await work();
  };
  const expectAttached = async (name: string, expected: readonly { id: string; sizeGb: number }[]) =>
    assert.deepEqual((await volumes.list(name, testTimeout())).toSorted(byId), expected);
  await assert.rejects(volumes.create({ id: 'vol-3', sizeGb: tooLargeGb }, machine, testTimeout()), {
    code: 'nothing_free',
  });
  await assert.rejects(volumes.attach('vol-3', machine, testTimeout()), { code: 'not_found' });
  for (const volume of [first, second]) await twice(() => volumes.create(volume, machine, testTimeout()));
  await expectAttached(machine, []);
  for (const { id } of [first, second]) await twice(() => volumes.attach(id, machine, testTimeout()));
  await expectAttached(machine, [first, second]);
  await assert.rejects(volumes.remove(first.id, testTimeout()), { code: 'state_conflict' });
  await twice(() => volumes.grow(larger, machine, testTimeout()));
  // Never shrinks.
  await volumes.grow(first, machine, testTimeout());
  await assert.rejects(volumes.grow({ ...first, sizeGb: tooLargeGb }, machine, testTimeout()), {
    code: 'nothing_free',
  });
  await expectAttached(machine, [larger, second]);
  await twice(() => volumes.detach(first.id, machine, testTimeout()));
  await volumes.detach(first.id, 'vm-999', testTimeout());
  await expectAttached(machine, [second]);
  await twice(() => volumes.attach(first.id, other, testTimeout()));
  await expectAttached(other, [larger]);
  // A machine that is removed leaves its volume behind.
  await hypervisor.machines.remove(other, testTimeout());
  await volumes.attach(first.id, machine, testTimeout());
  await expectAttached(machine, [larger, second]);
  for (const { id } of [first, second]) {
    await volumes.detach(id, machine, testTimeout());
    await twice(() => volumes.remove(id, testTimeout()));
  }
  await assert.rejects(volumes.attach(first.id, machine, testTimeout()), { code: 'not_found' });
}

function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return left.id < right.id ? -1 : 1;
}
