// The lab's image catalogue: every name of the built-in list refers to the same small ISO image. As at a real provider,
// some are for dedicated servers only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoNames } from '#contract/catalogue.ts';
import type { Site } from '#contract/site/site.ts';
import { labDisc } from './iso-image.ts';
import { imageName } from './products.ts';

/** Returns the path of the image. */
export function writeLabDisc(dataFolder: string): string {
  const file = join(dataFolder, 'lab.iso');
  writeFileSync(file, labDisc('This disc is from the image catalogue of the Hostyard lab.\n'), { mode: 0o600 });
  return file;
}

export function labImages(disc: string, mediaPort: number): Pick<Site, 'images' | 'media'> {
  return {
    images: isoNames.map((value) => ({
      name: imageName(value),
      value,
      file: disc,
      ...(value.startsWith('OS-H') ? {} : { onNodes: disc }),
    })),
    media: { listen: `127.0.0.1:${mediaPort}` },
  };
}
