// What a backup says of itself: the last entry of the archive, so that one which was cut off has none.
import type { FileHandle } from 'node:fs/promises';
import { archiveEntries, archiveText, ArchiveError, type ArchivedFile, type ArchiveEntry } from '#kernel/archive.ts';
import type { Config } from '#kernel/config.ts';
import type { Engine } from '#store/store.ts';

/** As much of the settings as says where an installation keeps what it knows. */
export type Installation = Pick<Config, 'dataFolder' | 'database' | 'sealingKey'>;

export interface Manifest {
  readonly format: 1;
  /** The Hostyard that wrote it. */
  readonly hostyard: string;
  readonly engine: Engine;
  /** Everything that was acknowledged before this moment is in it. */
  readonly takenAt: string;
  readonly migrations: readonly string[];
  /** Fingerprint of the key under which its secrets are sealed. */
  readonly sealingKey: string | undefined;
  readonly files: readonly ArchivedFile[];
}

export const manifestName = 'manifest.json';
/** The database's name in the archive, by engine. */
export const databaseName: Readonly<Record<Engine, string>> = {
  sqlite: 'hostyard.sqlite',
  postgres: 'hostyard.pgdump',
};
export const keyName = 'secret.key';
/** Of the lab only: without them a restored lab would draw new keys, and its simulators would have forgotten everything. */
export const labNames: readonly string[] = ['lab.json', 'lab-equipment.json'];

export interface OpenedBackup {
  readonly manifest: Manifest;
  readonly entries: ReadonlyMap<string, ArchiveEntry>;
}

export async function openBackup(archive: FileHandle): Promise<OpenedBackup> {
  const entries = new Map((await archiveEntries(archive)).map((entry) => [entry.name, entry]));
  const entry = entries.get(manifestName);
  if (entry === undefined) throw new ArchiveError('it has no manifest, so it is no backup of Hostyard');
  return { manifest: manifestOf(await archiveText(archive, entry)), entries };
}

function manifestOf(text: string): Manifest {
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(text) as Partial<Manifest>;
  } catch {
    throw new ArchiveError('its manifest is damaged');
  }
  if (manifest.format !== 1) throw new ArchiveError('it was written by a newer Hostyard: restore it with that one');
  return manifest as Manifest;
}
