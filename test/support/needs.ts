// Lets a suite name the programs it needs: real daemons and their clients. It is left out if they are missing, so that
// developers without them can run the rest; with CI=true a missing program is a failure.
//
//   describe('the IPMI client against OpenIPMI', needs('ipmi_sim'), () => { … })

import { accessSync, constants, existsSync, globSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Debian keeps daemons out of ordinary users' PATH, and the programs of PostgreSQL and FRR out of everyone's.
const daemonFolders = ['/usr/sbin', '/sbin', '/usr/lib/postgresql/*/bin', '/usr/lib/frr'];

/** The kernel and the initial file system of Debian's installer. */
export const debianInstaller = '/usr/lib/debian-installer/images/12/amd64/text/debian-installer/amd64';

/** Set by `npm test` while it installs packages: a file that exists until then. */
const installing = (): string | undefined => process.env['HOSTYARD_TEST_INSTALLING'];
/** How much longer a test file may take because of that. */
export const installationMs = installing() === undefined ? 0 : 900_000;

export interface SuiteOptions {
  skip?: string;
}

export function needs(...programs: string[]): SuiteOptions {
  if (process.env['HOSTYARD_TEST_QUICK'] === '1') return { skip: 'left out: npm test -- --quick starts no daemons' };
  waitForInstallation();
  const missing = programs.filter((program) => findBinary(program) === undefined);
  return missing.length === 0 ? {} : leaveOut(`needs ${missing.join(', ')}`);
}

/** Blocks the process, because a suite must know at once whether it is left out. */
export function waitForInstallation(): void {
  while (existsSync(installing() ?? '')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

export function leaveOut(reason: string): SuiteOptions {
  if (process.env['CI'] === 'true') throw new Error(`CI leaves nothing out, but this suite: ${reason}`);
  return { skip: `left out: ${reason}` };
}

/** For suites that create namespaces, which requires root. */
export function needsRoot(...binaries: string[]): SuiteOptions {
  const options = needs(...binaries);
  return options.skip !== undefined || process.getuid?.() === 0 ? options : leaveOut('only root can make namespaces');
}

/** Returns the full path of a program; the newest if several PostgreSQL versions are installed. */
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
