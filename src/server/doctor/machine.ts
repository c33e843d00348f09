// The target of the doctor: settings, sealing key, and the machine as values, so that tests can simulate a full disk or an
// old Node.
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#lib/config.ts';

const keyBytes = 32;

export interface Machine {
  readonly nodeVersion: string;
  readonly userId: number;
  /** Returns the free space on the disk of a path, for users other than root. */
  freeBytesAt(path: string): number;
}

export interface Target {
  readonly config: Config;
  readonly machine: Machine;
}

export const thisMachine: Machine = {
  nodeVersion: process.versions.node,
  userId: process.getuid?.() ?? 0,
  freeBytesAt(path) {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
};

/** Unlike the server, the doctor must not create the key. */
export function findSealingKey({ dataFolder, sealingKey }: Config): Buffer | undefined {
  if (sealingKey !== undefined) return sealingKey;
  const file = join(dataFolder, 'secret.key');
  const key = existsSync(file) ? Buffer.from(readFileSync(file, 'utf8').trim(), 'base64') : undefined;
  return key?.length === keyBytes ? key : undefined;
}
