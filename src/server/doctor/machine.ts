// The machine that the doctor examines, as values, so that tests can simulate a full disk or an old Node.
import { statfsSync } from 'node:fs';
import type { Config } from '#lib/config.ts';

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
