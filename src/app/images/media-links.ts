// Links under which controllers fetch images: one for each mount, with a secret that nobody else has, good until the image is
// unmounted. The database knows only the secret's digest.
import { randomBase32 } from '#kernel/random.ts';
import { sha256 } from '#kernel/secrets.ts';
import { deviceImageOfLink } from '#store/devices/device-images.ts';
import { FileUnusable, type LocalFile } from '../reload/file-cache.ts';
import { catalogueImages } from './catalogue.ts';
import type { Yard } from '../yard.ts';

export const mediaPath = '/media';
const secretBits = 200;
const linkPattern = /\/media\/([a-z2-7]{1,64})\/[^/?]*$/;

export interface MediaLink {
  readonly url: string;
  readonly hash: string;
}

export function newMediaLink(base: string, image: string): MediaLink {
  const secret = randomBase32(secretBits);
  return { url: `${base.replace(/\/$/, '')}${mediaPath}/${secret}/${fileName(image)}`, hash: hashOf(secret) };
}

/** Whether the link of that digest is the one that a controller shows. */
export function isMediaLink(url: string, hash: string): boolean {
  const secret = linkPattern.exec(url)?.[1];
  return secret !== undefined && hashOf(secret) === hash;
}

/** What a link leads to; undefined where it leads nowhere. */
export async function mediaFile(yard: Yard, secret: string, name: string): Promise<LocalFile | undefined> {
  const { queries } = yard.store;
  const row = await deviceImageOfLink(queries, hashOf(secret));
  if (row === undefined || name !== fileName(row.image)) return undefined;
  const image = (await catalogueImages(queries)).find(({ value }) => value === row.image);
  if (image?.source === undefined) return undefined;
  return yard.files.find(image.source).catch((error: unknown) => {
    if (!(error instanceof FileUnusable)) throw error;
    yard.log.error({ err: error, image: image.value }, 'the file of an image is not usable');
    return undefined;
  });
}

/** Controllers tell what it is by its ending. */
function fileName(image: string): string {
  return image.toLowerCase().endsWith('.iso') ? image : `${image}.iso`;
}

function hashOf(secret: string): string {
  return sha256(secret).toString('hex');
}
