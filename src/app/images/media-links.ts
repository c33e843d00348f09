// Links from which BMCs fetch images: one per mount, with a secret, valid until the image is unmounted. The database
// holds only the secret's digest.
import { randomBase32 } from '#lib/random.ts';
import { sha256 } from '#lib/secrets.ts';
import { deviceImageOfLink } from '#store/devices/device-images.ts';
import { FileUnusable, type LocalFile } from '../reload/file-cache.ts';
import { catalogueImages } from './catalogue.ts';
import type { App } from '../app.ts';

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

/** Returns whether the URL that a BMC reports is the link with this digest. */
export function isMediaLink(url: string, hash: string): boolean {
  const secret = linkPattern.exec(url)?.[1];
  return secret !== undefined && hashOf(secret) === hash;
}

/** Returns the file behind a link, or undefined if the link is not valid. */
export async function mediaFile(app: App, secret: string, name: string): Promise<LocalFile | undefined> {
  const { queries } = app.store;
  const row = await deviceImageOfLink(queries, hashOf(secret));
  if (row === undefined || name !== fileName(row.image)) return undefined;
  const image = (await catalogueImages(queries)).find(({ value }) => value === row.image);
  if (image?.source === undefined) return undefined;
  return app.files.find(image.source).catch((error: unknown) => {
    if (!(error instanceof FileUnusable)) throw error;
    app.log.error({ err: error, image: image.value }, "an image's file is unusable");
    return undefined;
  });
}

/** BMCs recognize the file type by its extension. */
function fileName(image: string): string {
  return image.toLowerCase().endsWith('.iso') ? image : `${image}.iso`;
}

function hashOf(secret: string): string {
  return sha256(secret).toString('hex');
}
