// Images of accounts: templates that were made from snapshots of machines. Each is on the hypervisor of its machine.
import { sql, type Insertable, type Selectable } from 'kysely';
import { countRows, deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { MachineImageTable } from './machine-snapshot-tables.ts';
import { templateFind, type Template } from './templates.ts';

export type MachineImage = Selectable<MachineImageTable>;

/** A literal, so that databases find its index. */
const isDeleting = sql<boolean>`state = 'deleting'`;

/** Returns the image's name on the hypervisor, which is also its value as a system. */
export function imageValue(id: number): string {
  return `image-${id}`;
}

function imageId(value: string): number | undefined {
  const [, digits] = /^image-([1-9][0-9]{0,14})$/.exec(value) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export async function machineImageList(queries: Queries, account: AccountId): Promise<MachineImage[]> {
  return selectWhere(queries, 'machine_images', { account_id: account }).selectAll().orderBy('id').execute();
}

export async function machineImageFind(
  queries: Queries,
  account: AccountId,
  id: number,
): Promise<MachineImage | undefined> {
  return selectWhere(queries, 'machine_images', { account_id: account, id }).selectAll().executeTakeFirst();
}

export interface AccountTemplate extends Template {
  /** The provider's template that it goes back to, the hypervisor that has it, and the smallest disk that it fits on. */
  readonly image: Pick<MachineImage, 'template' | 'node' | 'disk_gb'>;
}

/** Returns the images that a machine of the account can be installed with, as templates. */
export async function accountTemplates(queries: Queries, account: AccountId): Promise<AccountTemplate[]> {
  const images = (await machineImageList(queries, account)).filter(({ state }) => state === 'ready');
  const templates = await Promise.all(images.map((image) => toTemplate(queries, image)));
  return templates.filter((template) => template !== undefined);
}

/** Returns the template of the provider or the image of the account with this value. */
export async function systemFind(
  queries: Queries,
  account: AccountId,
  value: string,
): Promise<Template | AccountTemplate | undefined> {
  const id = imageId(value);
  if (id === undefined) return templateFind(queries, value);
  const image = await machineImageFind(queries, account, id);
  return image?.state === 'ready' ? toTemplate(queries, image) : undefined;
}

/** Returns the provider's template behind a system, which a machine has once it is installed with that system. */
export function baseTemplate(template: Template | AccountTemplate): string {
  return 'image' in template ? template.image.template : template.value;
}

/** Everything but its name and source is as of the provider's template. */
async function toTemplate(queries: Queries, image: MachineImage): Promise<AccountTemplate | undefined> {
  const base = await templateFind(queries, image.template);
  if (base === undefined) return undefined;
  const value = imageValue(image.id);
  return { ...base, value, name: image.name, source: value, image };
}

export async function machineImageInsert(
  queries: Queries,
  image: Omit<Insertable<MachineImageTable>, 'state' | 'size_bytes'>,
): Promise<MachineImage> {
  return queries
    .insertInto('machine_images')
    .values({ ...image, state: 'creating', size_bytes: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function machineImageChange(
  queries: Queries,
  id: number,
  change: Partial<Pick<MachineImage, 'state' | 'reason' | 'size_bytes'>>,
): Promise<void> {
  await updateWhere(queries, 'machine_images', { id }).set(change).execute();
}

/** Those that count towards the quota of the account. */
export async function machineImageCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'machine_images', { account_id: account }).where('state', '!=', 'failed'));
}

/** Failed images do not exist on the hypervisor. */
export async function machineImagesRemoveFailed(queries: Queries, account: AccountId): Promise<void> {
  await deleteWhere(queries, 'machine_images', { account_id: account, state: 'failed' }).execute();
}

export async function machineImageRemove(queries: Queries, id: number): Promise<void> {
  await deleteWhere(queries, 'machine_images', { id }).execute();
}

/** Returns images that are to be removed, those first that have waited longest. */
export async function machineImagesToDelete(queries: Queries): Promise<MachineImage[]> {
  return queries.selectFrom('machine_images').selectAll().where(isDeleting).orderBy('id').execute();
}
