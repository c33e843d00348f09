// Stores the operating systems and boot settings of a site file in the database, so that all instances use the same.
// The legacy API's built-in list is always available; an operator's system with the same id replaces an entry.
import { Type } from 'typebox';
import { pxeImages } from '#contract/catalogue.ts';
import type { Site } from '#contract/site/site.ts';
import type { SiteBoot, SiteInstallFile, SiteSystem, System } from '#contract/site/systems.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { createDuplicateCheck, type SitePath, type SiteProblem } from './site-problem.ts';

const systemsEntry = metaEntry(
  'systems',
  Type.Array(Type.Unsafe<SiteSystem>(Type.Object({ name: Type.String(), value: Type.String() }))),
);
const bootEntry = metaEntry('boot', Type.Union([Type.Unsafe<SiteBoot>(Type.Object({})), Type.Null()]));

export async function storeSystems(queries: Queries, { systems = [], boot }: Site): Promise<void> {
  await systemsEntry.put(queries, systems);
  await bootEntry.put(queries, boot ?? null);
}

/** Returns all systems that can be installed by name, the operator's own first. */
export async function listSystems(queries: Queries): Promise<readonly System[]> {
  const siteSystems = (await systemsEntry.find(queries)) ?? [];
  const replaced = new Set(siteSystems.map(({ pxe }) => pxe));
  return [
    ...siteSystems.map(({ name, value, pxe, ...source }) => ({ name, value, pxe, source })),
    ...pxeImages
      .filter(({ id }) => !replaced.has(id))
      .map(({ id, label }) => ({ name: label, value: `pxe-${id}`, pxe: id, source: undefined })),
  ];
}

/** Returns how servers boot from the network, or undefined if they do not. */
export async function bootSettings(queries: Queries): Promise<SiteBoot | undefined> {
  return (await bootEntry.find(queries)) ?? undefined;
}

export function* checkSystems({ systems = [], boot }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  if (systems.length > 0 && boot === undefined)
    yield [['systems'], 'systems need boot: add the address from which servers fetch them'];
  for (const [index, system] of systems.entries()) {
    const path = ['systems', index];
    const { value, pxe, kind, rootPartition, mirror, release, image } = system;
    if (isDuplicate('value', value) || value.startsWith('pxe-'))
      yield [[...path, 'value'], `${value} is used twice or starts with pxe-; choose another value`];
    if (isDuplicate('pxe', pxe)) yield [[...path, 'pxe'], `pxe ${pxe} is used twice; give each system its own number`];
    for (const name of ['kernel', 'initrd', 'image'] as const) {
      const file = system[name];
      if (file !== undefined) yield* checkInstallFile([...path, name], file);
    }
    if ((kind === 'image' || kind === 'autoinstall') && image === undefined) yield [path, `${kind} needs image`];
    if (kind === 'image' && rootPartition === undefined) yield [path, 'image needs rootPartition'];
    if ((kind === 'preseed' || kind === 'kickstart') && mirror === undefined) yield [path, `${kind} needs mirror`];
    if (kind === 'preseed' && release === undefined) yield [path, 'preseed needs release'];
  }
}

export function* checkInstallFile(path: SitePath, { file, url, sha256 }: SiteInstallFile): Iterable<SiteProblem> {
  if ((file === undefined) === (url === undefined)) yield [path, 'needs either file or url'];
  if (file !== undefined && !file.startsWith('/')) yield [[...path, 'file'], 'file must be an absolute path'];
  if (url !== undefined && sha256 === undefined) yield [path, 'url needs sha256'];
}
