// hostyard backup (while the server runs) and restore (while it is stopped). Neither migrates the database, because a backup
// before an upgrade must keep the schema of the old version.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { unpackBackup } from '#app/backup/unpack.ts';
import { createBackup, recordBackup } from '#app/backup/create.ts';
import type { Manifest } from '#app/backup/manifest.ts';
import { restoreBackup } from '#app/backup/restore.ts';
import { readConfig, type Config } from '#lib/config.ts';
import { connectStore } from '#store/open.ts';
import { printLine, requireDatabase } from '../command-line.ts';
import { openDataFolder } from '../data-folder.ts';

export function backup(command: Command): void {
  command
    .option('--with-key', 'Include the sealing key; protect such a file like a password')
    .option('--check', 'Only check an existing backup')
    .action(async (file: string, options: { withKey?: boolean; check?: boolean }) => {
      if (options.check === true) return printLine(`${await checkBackup(file)} The backup is intact.`);
      const config = readConfig(process.env);
      requireDatabase(config);
      const manifest = await createBackup(config, file, options.withKey === true ? 'with the key' : 'without the key');
      await saveBackupRecord(config, manifest);
      printLine(
        `${describeBackup(manifest)}${options.withKey === true ? '' : ' It does not contain the sealing key; store the key separately.'}`,
      );
    });
}

export function restore(command: Command): void {
  command
    .option('--replace', 'Replace an existing database; the old one is kept next to it')
    .action(async (file: string, options: { replace?: boolean }) => {
      const config = readConfig(process.env);
      openDataFolder(config.dataFolder);
      const occupied = options.replace === true ? 'replace' : 'reject';
      const { manifest, aside } = await restoreBackup(config, file, occupied);
      printLine(`Restored. ${describeBackup(manifest)}`);
      if (aside !== undefined) printLine(`The previous data is in ${aside}.`);
      printLine('Start the server, then run hostyard doctor.');
    });
}

async function checkBackup(file: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'hostyard-check-'));
  try {
    return describeBackup(await unpackBackup(file, scratch));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function saveBackupRecord(config: Config, manifest: Manifest): Promise<void> {
  const store = await connectStore(config);
  try {
    await recordBackup(store.queries, manifest);
  } finally {
    await store.close();
  }
}

function describeBackup({ takenAt, engine, hostyard, files }: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = bytes < 10_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${Math.round(bytes / 1_000_000)} MB`;
  return `Backup of ${takenAt} (${engine}, Hostyard ${hostyard}, ${size}).`;
}
