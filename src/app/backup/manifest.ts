// The manifest of a backup. It is the last entry of the archive, so that a truncated backup has none.
import type { FileHandle } from 'node:fs/promises';
import { archiveEntries, archiveText, ArchiveError, type ArchivedFile, type ArchiveEntry } from '#lib/archive.ts';
import type { Config } from '#lib/config.ts';
import type { Engine } from '#store/store.ts';

/** The settings that say where an installation stores its data. */
export type Installation = Pick<Config, 'dataFolder' | 'database' | 'sealingKey'>;

export interface Manifest {
  readonly format: 1;
  /** The version that wrote it. */
  readonly hostyard: string;
  readonly engine: Engine;
  /** Everything acknowledged before this time is included. */
  readonly takenAt: string;
  readonly migrations: readonly string[];
  /** Fingerprint of the key that its secrets are sealed with. */
  readonly sealingKey: string | undefined;
  readonly files: readonly ArchivedFile[];
}

export const manifestName = 'manifest.json';
/** Name of the database in the archive, by engine. */
export const databaseName: Readonly<Record<Engine, string>> = {
  sqlite: 'hostyard.sqlite',
  postgres: 'hostyard.pgdump',
};
export const keyName = 'secret.key';
/** Lab only: without them a restored lab would create new keys, and its simulators would lose their state. */
export const labNames: readonly string[] = ['lab.json', 'lab-equipment.json'];

export interface OpenedBackup {
  readonly manifest: Manifest;
  readonly entries: ReadonlyMap<string, ArchiveEntry>;
}

export async function openBackup(archive: FileHandle): Promise<OpenedBackup> {
  const entries = new Map((await archiveEntries(archive)).map((entry) => [entry.name, entry]));
  const entry = entries.get(manifestName);
  if (entry === undefined) throw new ArchiveError('it has no manifest, so it is not a Hostyard backup');
  return { manifest: parseManifest(await archiveText(archive, entry)), entries };
}

function parseManifest(text: string): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw new ArchiveError('its manifest is damaged');
  }
  if (manifest.format !== 1) throw new ArchiveError('it was written by a newer Hostyard: restore it with that version');
  return manifest as Manifest;
}
