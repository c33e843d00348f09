// What a suite needs from the machine: the programs of real daemons and their clients. A developer without them can still run
// the rest, so a suite names its programs and is left out where they are absent; in CI (CI=true) nothing may be left out,
// so there the same absence is a failure.
//
//   describe('the IPMI client against OpenIPMI', needs('ipmi_sim'), () => { … })

import { accessSync, constants, globSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Debian keeps daemons outside the PATH of ordinary users, and PostgreSQL's programs outside everyone's.
const daemonFolders = ['/usr/sbin', '/sbin', '/usr/lib/postgresql/*/bin'];

export interface SuiteOptions {
  skip?: string;
}

export function needs(...binaries: string[]): SuiteOptions {
  const missing = binaries.filter((binary) => findBinary(binary) === undefined);
  return missing.length === 0 ? {} : leftOut(`needs ${missing.join(', ')}`);
}

export function leftOut(reason: string): SuiteOptions {
  if (process.env['CI'] === 'true') throw new Error(`CI leaves nothing out, but this suite: ${reason}`);
  return { skip: `left out: ${reason}` };
}

/** For suites that make namespaces, which only root can. */
export function needsRoot(...binaries: string[]): SuiteOptions {
  const options = needs(...binaries);
  return options.skip !== undefined || process.getuid?.() === 0 ? options : leftOut('only root can make namespaces');
}

/** The full path of a program; of several PostgreSQL versions the newest one. */
export function findBinary(name: string): string | undefined {
  return searchFolders()
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function searchFolders(): string[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const newestFirst = globSync(daemonFolders).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return [...onPath, ...newestFirst];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
