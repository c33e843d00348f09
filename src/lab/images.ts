// The lab's images: every name of the built-in list has a small disc behind it, in its own words.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoNames } from '#contract/catalogue.ts';
import type { Site } from '#contract/site.ts';
import { labDisc } from './disc.ts';

/** Answers where it is. */
export function writeLabDisc(dataFolder: string): string {
  const file = join(dataFolder, 'lab.iso');
  writeFileSync(file, labDisc('This disc came out of the catalogue of the Hostyard lab.\n'), { mode: 0o600 });
  return file;
}

export function labImages(disc: string, mediaPort: number): Pick<Site, 'images' | 'media'> {
  return {
    images: isoNames.map((value) => ({ value, file: disc, onNodes: disc })),
    media: { listen: `127.0.0.1:${mediaPort}` },
  };
}
