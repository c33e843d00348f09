// The ground that an installation stands on: the runtime, the data folder and who may read it, room on the disk.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import { databaseName, keyName } from '#app/backup/manifest.ts';
import { presentKey } from './key.ts';
import type { Patient } from './machine.ts';

const oldestNode = 24;
const others = 0o077;
const sticky = 0o1000;
const megabyte = 1_000_000;
const littleRoom = 1000 * megabyte;
const noRoom = 100 * megabyte;

export const folderChecks: readonly Check<Patient>[] = [
  {
    name: 'runtime',
    fine: 'This Node runs Hostyard.',
    look: ({ machine: { nodeVersion } }) =>
      Number.parseInt(nodeVersion, 10) >= oldestNode
        ? []
        : [
            fault(
              `Node ${nodeVersion} is too old: ${oldestNode} is needed.`,
              'Start node_modules/.bin/node, which npm ci brings.',
            ),
          ],
  },
  { name: 'data folder', fine: 'It is the server’s alone.', look: folderProblems },
  {
    name: 'sealing key',
    fine: 'It is there.',
    look({ config }) {
      if (presentKey(config) !== undefined) return [];
      const file = join(config.dataFolder, keyName);
      const mend = 'Put the copy of the key there, or name it with HOSTYARD_SEALING_KEY_FILE.';
      if (existsSync(file)) return [fault(`${file} does not hold 32 bytes in base64.`, mend)];
      // A database without its key has lost its secrets; without either there is simply nothing yet.
      const database = config.database !== undefined || existsSync(join(config.dataFolder, databaseName.sqlite));
      return database ? [fault(`${file} is not there.`, mend)] : [];
    },
  },
  {
    name: 'disk',
    fine: 'There is room.',
    look({ config: { dataFolder }, machine }) {
      if (!existsSync(dataFolder)) return [];
      const free = machine.roomAt(dataFolder);
      const says = `${Math.floor(free / megabyte)} MB are free where ${dataFolder} lies.`;
      const mend = 'Remove old backups and what is kept in `files`, or give it a larger disk.';
      return free < noRoom ? [fault(says, mend)] : free < littleRoom ? [warning(says, mend)] : [];
    },
  },
];

function folderProblems({ config: { dataFolder }, machine: { userId } }: Patient): Problem[] {
  if (!existsSync(dataFolder))
    return [warning(`${dataFolder} is not there.`, 'The first start makes it; or set HOSTYARD_DATA.')];
  const { uid, mode } = statSync(dataFolder);
  if (uid !== userId && userId !== 0)
    return [
      fault(`${dataFolder} belongs to user ${uid}, and this is user ${userId}.`, `Run as its owner, or chown it.`),
    ];
  const open = [
    ...((mode & others) !== 0 && (mode & sticky) === 0 ? [dataFolder] : []),
    ...readdirSync(dataFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & others) !== 0),
  ];
  if (open.length === 0) return [];
  const more = open.length > 1 ? ` and ${open.length - 1} more` : '';
  return [fault(`Others can read ${open[0]}${more}.`, `chmod -R go= ${dataFolder}`)];
}
