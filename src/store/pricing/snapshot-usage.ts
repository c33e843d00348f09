// How much the snapshots of a machine occupy, for plans that charge for it.
import { dayOf } from '#lib/time.ts';
import type { AccountId } from '../account-id.ts';
import { machineSnapshotBytes } from '../devices/machine-snapshots.ts';
import type { Queries } from '../store.ts';
import { usagePut } from './usage.ts';

const bytesPerGb = 1e9;
const thousandths = 1000;

/** Records what applies from today on, after a snapshot was added or removed. */
export async function snapshotUsagePut(
  queries: Queries,
  owner: { readonly account_id: AccountId; readonly service_id: number },
  now: number,
): Promise<void> {
  const quantity = Math.ceil(((await machineSnapshotBytes(queries, owner.service_id)) / bytesPerGb) * thousandths);
  const { account_id, service_id } = owner;
  await usagePut(queries, { account_id, service_id, item: 'snapshots', day: dayOf(now), quantity });
}
