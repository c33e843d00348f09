// Links from which BMCs fetch images. Each has a secret, of which the database holds only the digest.
import { randomBase32 } from '#lib/random.ts';
import { sha256Hex } from '#lib/secrets.ts';

export const mediaPath = '/media';
const secretBits = 200;
const linkPattern = /\/media\/([a-z0-9]{1,64})\/[^/?]*$/;

export interface MediaLink {
  readonly url: string;
  readonly hash: string;
}

export function newMediaLink(base: string, image: string, secret = randomBase32(secretBits)): MediaLink {
  return { url: `${base.replace(/\/$/, '')}${mediaPath}/${secret}/${mediaFileName(image)}`, hash: linkHash(secret) };
}

/** Returns whether the URL that a BMC reports is the link with this digest. */
export function isMediaLink(url: string, hash: string): boolean {
  const secret = linkPattern.exec(url)?.[1];
  return secret !== undefined && linkHash(secret) === hash;
}

/** BMCs recognize the file type by its extension. */
export function mediaFileName(image: string): string {
  return image.toLowerCase().endsWith('.iso') ? image : `${image}.iso`;
}

export function linkHash(secret: string): string {
  return sha256Hex(secret);
}
