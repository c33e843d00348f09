// Incus from Debian's backports, unpacked instead of installed, because Debian 12 has it nowhere else and the machine need not
// know that source. It uses the libraries that LXD brings. apt has separate lists, so that the machine is not affected.
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const folder = '/var/cache/hostyard-tests/incus';
const packages = ['incus-base', 'incus-client', 'libcowsql0', 'libraft0'];
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

export const incusBinaries = {
  daemon: join(folder, 'usr/libexec/incus/incusd'),
  client: join(folder, 'usr/bin/incus'),
  libraries: () => globSync(join(folder, 'usr/lib/*-linux-gnu')).join(':'),
};

export async function fetchIncus(): Promise<void> {
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const scratch = await mkdtemp(`${folder}-`);
  try {
    const at = (name: string): string => join(scratch, name);
    for (const name of ['state/lists/partial', 'cache/archives/partial', 'debs'])
      await mkdir(at(name), { recursive: true });
    await writeFile(at('status'), '');
    await writeFile(at('sources.list'), `deb [signed-by=${keyring}] ${await backports()} main\n`);
    const settings = {
      'Dir::State': at('state'),
      'Dir::State::status': at('status'),
      'Dir::Cache': at('cache'),
      'Dir::Etc::sourcelist': at('sources.list'),
      'Dir::Etc::sourceparts': '-',
      'APT::Sandbox::User': 'root',
      'Acquire::Languages': 'none',
      'Acquire::Retries': '3',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    await run('apt-get', ['--quiet', ...options, 'update'], scratch);
    await run('apt-get', ['--quiet', ...options, 'download', ...packages], at('debs'));
    for (const deb of globSync(at('debs/*.deb'))) await run('dpkg-deb', ['-x', deb, at('files')], scratch);
    // Renamed at the end, so that an incomplete folder is never used.
    await rename(at('files'), folder);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Returns address and suite of the backports on the mirror that the machine uses. */
async function backports(): Promise<string> {
  const [, release] = /^VERSION_CODENAME=(\S+)$/m.exec(await readFile('/etc/os-release', 'utf8')) ?? [];
  const targets = await run('apt-get', ['indextargets', '--format', '$(RELEASE) $(REPO_URI)'], '/');
  const [, mirror] = new RegExp(`^${release} (\\S+)$`, 'm').exec(targets) ?? [];
  if (mirror === undefined) throw new Error(`apt has no mirror of ${release}`);
  return `${mirror} ${release}-backports`;
}

async function run(program: string, args: string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 26 })).stdout;
}
