// Fetches the packages of the small guest that tests boot in QEMU (test/support/tiny-template.ts). They are unpacked
// instead of installed, because the guest is always x86_64 and its kernel must not replace the developer's. apt uses
// separate lists and a separate status, so that the machine is not affected.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findBinary } from '../test/support/needs.ts';
import { guestFolder } from '../test/support/guest-initrd.ts';

const packages = [
  'busybox-static',
  'grub-pc-bin',
  'libc6',
  'libglib2.0-0',
  'libnuma1',
  'libpcre2-8-0',
  'libudev1',
  'liburing2',
  'qemu-guest-agent',
];
/** A package that only depends on the newest kernel. */
const newestKernel = 'linux-image-cloud-amd64';

export async function fetchGuestPackages(): Promise<void> {
  if (existsSync(guestFolder) || process.getuid?.() !== 0 || findBinary('apt-get') === undefined) return;
  console.log('fetching the packages of the test guest');
  mkdirSync(dirname(guestFolder), { recursive: true });
  const scratch = mkdtempSync(`${guestFolder}-`);
  try {
    for (const folder of ['state/lists/partial', 'cache/archives/partial', 'debs', 'files'])
      mkdirSync(join(scratch, folder), { recursive: true });
    writeFileSync(join(scratch, 'status'), '');
    await run('apt-get', [...options(scratch), 'update'], scratch);
    const depends = await run('apt-cache', [...options(scratch), 'depends', newestKernel], scratch);
    const kernel = /Depends: (linux-image-\S+)/.exec(depends)?.[1] ?? newestKernel;
    await run('apt-get', [...options(scratch), 'download', kernel, ...packages], join(scratch, 'debs'));
    for (const deb of globSync(join(scratch, 'debs', '*.deb')))
      await run('dpkg-deb', ['-x', deb, join(scratch, 'files')], scratch);
    // Renamed at the end, so that an incomplete folder is never used.
    renameSync(join(scratch, 'files'), guestFolder);
  } catch (error) {
    // Not fatal: the suites that need the packages report it.
    console.error(error instanceof Error ? error.message : error);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function options(scratch: string): string[] {
  const settings = {
    'Dir::State': join(scratch, 'state'),
    'Dir::State::status': join(scratch, 'status'),
    'Dir::Cache': join(scratch, 'cache'),
    'APT::Architecture': 'amd64',
    'APT::Architectures': 'amd64',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  };
  return ['--quiet', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
}

async function run(program: string, args: string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd, maxBuffer: Infinity })).stdout;
}
