// The operating systems of a site file, and where its boot server is, kept in the database so that every node goes by the
// same. The built-in list of the legacy interface is always there: an operator's system with one of its ids takes that place.
import { pxeImages } from '#contract/catalogue.ts';
import type { Site } from '#contract/site.ts';
import type { SiteBoot, SiteInstallFile, SiteSystem } from '#contract/site-systems.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { System } from '../reload/install/input.ts';
import type { PlacedFault } from './placed-fault.ts';

const systemsName = 'systems';
const bootName = 'boot';

export async function systemsPut(queries: Queries, { systems = [], boot }: Site): Promise<void> {
  await metaPut(queries, systemsName, JSON.stringify(systems));
  await metaPut(queries, bootName, JSON.stringify(boot ?? null));
}

/** All that can be asked for by name, the operator's own first. */
export async function systems(queries: Queries): Promise<readonly System[]> {
  const own = JSON.parse((await metaFind(queries, systemsName)) ?? '[]') as SiteSystem[];
  const taken = new Set(own.map(({ pxe }) => pxe));
  return [
    ...own.map(({ name, value, pxe, ...source }) => ({ name, value, pxe, source })),
    ...pxeImages
      .filter(({ id }) => !taken.has(id))
      .map(({ id, label }) => ({ name: label, value: `pxe-${id}`, pxe: id, source: undefined })),
  ];
}

/** How the provider's servers boot from the network; undefined where they do not. */
export async function bootSettings(queries: Queries): Promise<SiteBoot | undefined> {
  const text = await metaFind(queries, bootName);
  return text === undefined ? undefined : ((JSON.parse(text) as SiteBoot | null) ?? undefined);
}

export function* systemFaults({ systems: given = [], boot }: Site): Iterable<PlacedFault> {
  const values = new Set<string>();
  const ids = new Set<number>();
  if (given.length > 0 && boot === undefined) yield [['systems'], 'systems need boot: where servers fetch them'];
  for (const [index, system] of given.entries()) {
    const path = ['systems', index];
    const { value, pxe, kind, rootPartition, mirror, release, image } = system;
    if (values.has(value) || value.startsWith('pxe-')) yield [[...path, 'value'], `${value} is taken`];
    values.add(value);
    if (pxe !== undefined && ids.has(pxe)) yield [[...path, 'pxe'], `${pxe} is there twice`];
    if (pxe !== undefined) ids.add(pxe);
    for (const name of ['kernel', 'initrd', 'image'] as const) {
      const file = system[name];
      if (file !== undefined) yield* fileFaults([...path, name], file);
    }
    if ((kind === 'image' || kind === 'autoinstall') && image === undefined) yield [path, `${kind} needs an image`];
    if (kind === 'image' && rootPartition === undefined) yield [path, 'image needs rootPartition'];
    if ((kind === 'preseed' || kind === 'kickstart') && mirror === undefined) yield [path, `${kind} needs a mirror`];
    if (kind === 'preseed' && release === undefined) yield [path, 'preseed needs a release'];
  }
}

export function* fileFaults(
  path: readonly (string | number)[],
  { file, url, sha256 }: SiteInstallFile,
): Iterable<PlacedFault> {
  if ((file === undefined) === (url === undefined)) yield [path, 'needs file, or url'];
  if (file !== undefined && !file.startsWith('/')) yield [[...path, 'file'], 'file must be a full path'];
  if (url !== undefined && sha256 === undefined) yield [path, 'a url needs sha256'];
}
