// Uploads of ISO images to BMCs, by the workflow that runs them. Rows are deleted when it ends.
import type { Selectable, Updateable } from 'kysely';
import { deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ImageUploadTable } from './tables.ts';

export type ImageUpload = Selectable<ImageUploadTable>;

export async function imageUploadInsert(
  queries: Queries,
  upload: Omit<ImageUpload, 'answered' | 'copy' | 'sent_bytes' | 'sent_at'>,
): Promise<void> {
  const nothingSent = { answered: 0, copy: 'None', sent_bytes: 0, sent_at: 0 } as const;
  await queries
    .insertInto('image_uploads')
    .values({ ...upload, ...nothingSent })
    .execute();
}

export async function imageUploadLoad(queries: Queries, workflow: string): Promise<ImageUpload | undefined> {
  return selectWhere(queries, 'image_uploads', { workflow_id: workflow }).selectAll().executeTakeFirst();
}

/** Finds an upload by its link alone. */
export async function imageUploadOfLink(queries: Queries, linkHash: string): Promise<ImageUpload | undefined> {
  return selectWhere(queries, 'image_uploads', { link_hash: linkHash }).selectAll().executeTakeFirst();
}

export async function imageUploadFind(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<ImageUpload | undefined> {
  const ofService = selectWhere(queries, 'image_uploads', { account_id: account, service_id: service });
  return ofService.selectAll().orderBy('workflow_id').executeTakeFirst();
}

export async function imageUploadUpdate(
  queries: Queries,
  workflow: string,
  change: Pick<Updateable<ImageUploadTable>, 'answered' | 'copy' | 'sent_bytes' | 'sent_at'>,
): Promise<void> {
  await updateWhere(queries, 'image_uploads', { workflow_id: workflow }).set(change).execute();
}

export async function imageUploadRemove(queries: Queries, workflow: string): Promise<void> {
  await deleteWhere(queries, 'image_uploads', { workflow_id: workflow }).execute();
}
