// The ISO image of a device, and how far it is into the drive. Of two who change it at once only one does: every change names
// the state that it comes from.
import type { Selectable } from 'kysely';
import { imageMayBecome, type ImageState } from '#contract/image-states.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface DeviceImageTable {
  service_id: number;
  account_id: AccountId;
  /** Its value in the catalogue. */
  image: string;
  state: ImageState;
  /** SHA-256 of the secret in its link, in hex; null while there is none. */
  link_hash: string | null;
  changed_at: number;
}
export type DeviceImage = Selectable<DeviceImageTable>;

export async function deviceImageFind(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<DeviceImage | undefined> {
  return queries
    .selectFrom('device_images')
    .selectAll()
    .where('account_id', '=', account)
    .where('service_id', '=', service)
    .executeTakeFirst();
}

/** For who has nothing but a link. */
export async function deviceImageOfLink(queries: Queries, linkHash: string): Promise<DeviceImage | undefined> {
  return queries.selectFrom('device_images').selectAll().where('link_hash', '=', linkHash).executeTakeFirst();
}

/** False where one is in the drive, or on its way. */
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

/** False where it is no longer in the state that it should come from. */
export async function deviceImageMove(
  queries: Queries,
  row: Pick<DeviceImage, 'service_id' | 'account_id' | 'state'>,
  change: Pick<DeviceImage, 'state' | 'link_hash' | 'changed_at'>,
): Promise<boolean> {
  if (!imageMayBecome(row.state, change.state)) throw new Error(`no image goes from ${row.state} to ${change.state}`);
  const moved = await queries
    .updateTable('device_images')
    .set(change)
    .where('account_id', '=', row.account_id)
    .where('service_id', '=', row.service_id)
    .where('state', '=', row.state)
    .returning('service_id')
    .executeTakeFirst();
  return moved !== undefined;
}
