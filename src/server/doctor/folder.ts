// Checks the foundation of an installation: the runtime, the data folder and its permissions, the sealing key, disk space.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import { databaseName, keyName } from '#app/backup/manifest.ts';
import { findSealingKey, type Target } from './machine.ts';

const oldestNode = 24;
const others = 0o077;
const sticky = 0o1000;
const megabyte = 1_000_000;
const lowSpaceBytes = 1000 * megabyte;
const noSpaceBytes = 100 * megabyte;

export const folderChecks: readonly Check<Target>[] = [
  {
    name: 'runtime',
    okMessage: 'Node is recent enough.',
    run({ machine: { nodeVersion } }) {
      if (Number.parseInt(nodeVersion, 10) >= oldestNode) return [];
      const fix = 'Use node_modules/.bin/node, which npm ci installs.';
      return [fault(`Node ${nodeVersion} is too old: Hostyard needs ${oldestNode}.`, fix)];
    },
  },
  { name: 'data folder', okMessage: 'Private to the server’s user.', run: folderProblems },
  {
    name: 'sealing key',
    okMessage: 'Present.',
    run({ config }) {
      if (findSealingKey(config) !== undefined) return [];
      const file = join(config.dataFolder, keyName);
      const fix = 'Restore the key from your copy, or set HOSTYARD_SEALING_KEY_FILE to it.';
      if (existsSync(file)) return [fault(`${file} does not contain 32 bytes in base64.`, fix)];
      // Without a database either, this is simply a new installation.
      const database = config.database !== undefined || existsSync(join(config.dataFolder, databaseName.sqlite));
      return [database ? fault(`${file} does not exist.`, fix) : warning(`${file} does not exist.`, create)];
    },
  },
  {
    name: 'disk',
    okMessage: 'Enough free space.',
    run({ config: { dataFolder }, machine }) {
      if (!existsSync(dataFolder)) return [];
      const free = machine.freeBytesAt(dataFolder);
      const message = `${Math.floor(free / megabyte)} MB are free on the disk of ${dataFolder}.`;
      const fix = 'Delete old backups and cached files in `files`, or use a larger disk.';
      return free < noSpaceBytes ? [fault(message, fix)] : free < lowSpaceBytes ? [warning(message, fix)] : [];
    },
  },
];

const create = 'It is created at the first start. If yours is elsewhere, set HOSTYARD_DATA.';

function folderProblems({ config: { dataFolder }, machine: { userId } }: Target): Problem[] {
  if (!existsSync(dataFolder)) return [warning(`${dataFolder} does not exist.`, create)];
  const { uid, mode } = statSync(dataFolder);
  if (uid !== userId && userId !== 0) {
    const message = `${dataFolder} belongs to user ${uid}, but this is user ${userId}.`;
    return [fault(message, `Run as the owner, or chown the folder.`)];
  }
  const readable = [
    ...((mode & others) !== 0 && (mode & sticky) === 0 ? [dataFolder] : []),
    ...readdirSync(dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & others) !== 0),
  ];
  if (readable.length === 0) return [];
  const rest = readable.length > 1 ? ` and ${readable.length - 1} more` : '';
  return [fault(`Other users can read ${readable[0]}${rest}.`, `Run chmod -R go= ${dataFolder}.`)];
}
