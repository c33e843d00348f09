// hostyard backup and restore: on the server's machine, beside a running server (backup) or without one (restore). Neither
// migrates the database: before an upgrade it is the old version's.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { backupUnpack } from '#app/backup/check.ts';
import { backupCreate, backupNote } from '#app/backup/create.ts';
import type { Manifest } from '#app/backup/manifest.ts';
import { backupRestore } from '#app/backup/restore.ts';
import { readConfig, type Config } from '#kernel/config.ts';
import { connectStore } from '#store/open.ts';
import { say } from '../command-line.ts';
import { openDataFolder } from '../data-folder.ts';

export function backup(command: Command): void {
  command
    .option('--with-key', 'put the sealing key into it too; guard such a file as you guard the passwords')
    .option('--check', 'only check a backup that is there')
    .action(async (file: string, options: { withKey?: boolean; check?: boolean }) => {
      if (options.check === true) return say(`${await check(file)} The backup is good.`);
      const config = readConfig(process.env);
      const manifest = await backupCreate(config, file, options.withKey === true ? 'with the key' : 'without the key');
      await note(config, manifest);
      say(
        `${sentence(manifest)} ${options.withKey === true ? '' : 'The sealing key is not in it: keep it elsewhere.'}`,
      );
    });
}

export function restore(command: Command): void {
  command
    .option('--replace', 'also where there is a database already, which is kept beside the new one')
    .action(async (file: string, options: { replace?: boolean }) => {
      const config = readConfig(process.env);
      openDataFolder(config.dataFolder);
      const occupied = options.replace === true ? 'replaced' : 'refused';
      const { manifest, aside } = await backupRestore(config, file, occupied);
      say(`Restored. ${sentence(manifest)}`);
      if (aside !== undefined) say(`What was there before is in ${aside}.`);
      say('Start the server, then run hostyard doctor.');
    });
}

async function check(file: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'hostyard-check-'));
  try {
    return sentence(await backupUnpack(file, scratch));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function note(config: Config, manifest: Manifest): Promise<void> {
  const store = await connectStore(config);
  try {
    await backupNote(store.queries, manifest);
  } finally {
    await store.close();
  }
}

function sentence({ takenAt, engine, hostyard, files }: Manifest): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = bytes < 10_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${Math.round(bytes / 1_000_000)} MB`;
  return `Backup of ${takenAt} (${engine}, Hostyard ${hostyard}, ${size}).`;
}
