// The ISO images of the site: the built-in names, most of which have no file at most providers, and the provider's own.
// Stored in the database, so that all instances agree.
import { Type } from 'typebox';
import { isoNames } from '#contract/catalogue.ts';
import type { ServiceType } from '#contract/shapes/device.ts';
import type { SiteImage } from '#contract/site/images.ts';
import type { Site } from '#contract/site/site.ts';
import type { SiteInstallFile } from '#contract/site/systems.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { checkInstallFile } from '../site/systems.ts';
import type { SiteProblem } from '../site/site-problem.ts';

export interface CatalogueImage {
  readonly name: string;
  readonly value: string;
  /** The file that BMCs fetch; undefined if the provider has none. */
  readonly source: SiteInstallFile | undefined;
  /** Its path on the hypervisors; undefined if they do not have it. */
  readonly onNodes: string | undefined;
  readonly devices: readonly ServiceType[] | undefined;
}

const entry = metaEntry('images', Type.Array(Type.Unsafe<SiteImage>(Type.Object({ value: Type.String() }))));

export async function storeImages(queries: Queries, { images = [] }: Pick<Site, 'images'>): Promise<void> {
  await entry.put(queries, images);
}

/** Returns the built-in images in their order, then the provider's own in the order of the site file. */
export async function catalogueImages(queries: Queries, type?: ServiceType): Promise<readonly CatalogueImage[]> {
  const siteImages = (await entry.find(queries)) ?? [];
  const provided = new Map(siteImages.map((image) => [image.value, image]));
  const values = [...isoNames, ...siteImages.map(({ value }) => value).filter((value) => !isoNames.includes(value))];
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

export function* checkImages({ images = [], media }: Site): Iterable<SiteProblem> {
  const values = new Set<string>();
  for (const [index, image] of images.entries()) {
    const path = ['images', index];
    if (values.has(image.value))
      yield [[...path, 'value'], `image ${image.value} is defined twice; give each image its own value`];
    values.add(image.value);
    const isOnNodesOnly = image.onNodes !== undefined && image.file === undefined && image.url === undefined;
    if (!isOnNodesOnly) yield* checkInstallFile(path, image);
  }
  if (media === undefined) return;
  const { protocol, certificate, key } = media;
  if ((certificate === undefined) !== (key === undefined))
    yield [['media'], 'certificate and key go together; add the missing one'];
  if (protocol === 'http' && certificate !== undefined)
    yield [['media'], 'http needs no certificate; remove certificate and key, or set protocol to https'];
}
