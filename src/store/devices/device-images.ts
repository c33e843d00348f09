// The ISO image of a device and its state. Every change names the state it starts from, so that of two concurrent
// changes only one succeeds.
import type { Selectable } from 'kysely';
import { imageMayBecome } from '#contract/states/images.ts';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { DeviceImageTable } from './tables.ts';

export type DeviceImage = Selectable<DeviceImageTable>;

export async function deviceImageFind(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<DeviceImage | undefined> {
  const ofService = selectWhere(queries, 'device_images', { account_id: account, service_id: service });
  return ofService.selectAll().executeTakeFirst();
}

/** Finds an image by its link alone. */
export async function deviceImageOfLink(queries: Queries, linkHash: string): Promise<DeviceImage | undefined> {
  return queries.selectFrom('device_images').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** Returns false if an image is in the drive, or being inserted or ejected. */
export async function deviceImageSet(
  queries: Queries,
  image: Omit<DeviceImage, 'state' | 'link_hash'>,
): Promise<boolean> {
  const { image: value, account_id, changed_at } = image;
  const row = await queries
    .insertInto('device_images')
    .values({ ...image, state: 'Set', link_hash: null })
    .onConflict((conflict) =>
      conflict
        .column('service_id')
        .doUpdateSet({ image: value, account_id, changed_at })
        .where('device_images.state', '=', 'Set'),
    )
    .returning('service_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the image is no longer in the expected state. */
export async function deviceImageMove(
  queries: Queries,
  { service_id, account_id, state }: Pick<DeviceImage, 'service_id' | 'account_id' | 'state'>,
  change: Pick<DeviceImage, 'state' | 'link_hash' | 'changed_at'>,
): Promise<boolean> {
  if (!imageMayBecome(state, change.state)) throw new Error(`an image cannot change from ${state} to ${change.state}`);
  const unchanged = updateWhere(queries, 'device_images', { account_id, service_id, state });
  return affectsRows(unchanged.set(change).returning('service_id'));
}

export async function deviceImageRemove(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('device_images').where('service_id', '=', service).execute();
}
