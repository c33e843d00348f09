// What the doctor is told of the machine that it stands on, as values: a full disk or an old Node can then be shown to it.
import { statfsSync } from 'node:fs';
import type { Config } from '#kernel/config.ts';

export interface Machine {
  readonly nodeVersion: string;
  readonly userId: number;
  /** Bytes that are free where this path lies, for who is not root. */
  roomAt(path: string): number;
}

export interface Patient {
  readonly config: Config;
  readonly machine: Machine;
}

export const thisMachine: Machine = {
  nodeVersion: process.versions.node,
  userId: process.getuid?.() ?? 0,
  roomAt(path) {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
};
