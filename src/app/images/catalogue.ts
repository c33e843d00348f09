// The ISO images that customers can choose: the built-in names, which are always listed, and the provider's own. They stand in
// the database, so that every node goes by the same.
import { isoNames } from '#contract/catalogue.ts';
import type { ServiceType } from '#contract/shapes/device.ts';
import type { SiteImage } from '#contract/site-images.ts';
import type { Site } from '#contract/site.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { ProvidedFile } from '../reload/file-cache.ts';
import { fileFaults } from '../site/systems.ts';
import type { PlacedFault } from '../site/placed-fault.ts';

export interface CatalogueImage {
  readonly name: string;
  readonly value: string;
  /** What controllers fetch; undefined where the provider has no file for it. */
  readonly source: ProvidedFile | undefined;
  /** Where nodes of virtual machines have it; undefined where they do not. */
  readonly onNodes: string | undefined;
  readonly devices: readonly ServiceType[] | undefined;
}

const metaName = 'images';

export async function imagesPut(queries: Queries, { images = [] }: Site): Promise<void> {
  await metaPut(queries, metaName, JSON.stringify(images));
}

/** The built-in ones in their order, then the provider's own in the order of the site file. */
export async function catalogueImages(queries: Queries, type?: ServiceType): Promise<readonly CatalogueImage[]> {
  const own = JSON.parse((await metaFind(queries, metaName)) ?? '[]') as SiteImage[];
  const provided = new Map(own.map((image) => [image.value, image]));
  const values = [...isoNames, ...own.map(({ value }) => value).filter((value) => !isoNames.includes(value))];
  return values
    .map((value) => catalogueImage(provided.get(value) ?? { value }))
    .filter(({ devices }) => type === undefined || devices === undefined || devices.includes(type));
}

function catalogueImage({ name, value, file, url, sha256, onNodes, devices }: SiteImage): CatalogueImage {
  const isProvided = file !== undefined || url !== undefined;
  return {
    name: name ?? value.replace(/\.iso$/, '').replaceAll('_', ' '),
    value,
    source: isProvided ? { ...(file && { file }), ...(url && { url }), ...(sha256 && { sha256 }) } : undefined,
    onNodes,
    devices,
  };
}

export function* imageFaults({ images: given = [], media }: Site): Iterable<PlacedFault> {
  const values = new Set<string>();
  for (const [index, image] of given.entries()) {
    const path = ['images', index];
    if (values.has(image.value)) yield [[...path, 'value'], `${image.value} is there twice`];
    values.add(image.value);
    const isOnNodesOnly = image.onNodes !== undefined && image.file === undefined && image.url === undefined;
    if (!isOnNodesOnly) yield* fileFaults(path, image);
  }
  if (media === undefined) return;
  const { protocol, certificate, key } = media;
  if ((certificate === undefined) !== (key === undefined)) yield [['media'], 'certificate and key go together'];
  if (protocol === 'http' && certificate !== undefined) yield [['media'], 'http needs no certificate'];
}
