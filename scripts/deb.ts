// Builds the Debian package: npm run deb. It contains the working tree, Node, and the production
// dependencies according to package-lock.json. It needs no network, only dpkg-deb. A commit always gives the same file: times,
// modes and owners do not depend on the machine.
//
//   node scripts/deb.ts [--compression none|gzip|xz|zstd] [--out FOLDER]
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { currentBundle } from '#lib/performance/program-bundle.ts';
import { version } from '#lib/version.ts';
import { sourceDate } from './source-date.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { compression: { type: 'string', default: 'xz' }, out: { type: 'string', default: join(root, 'out') } },
});

/** Node's files for compiling C, thousands of them. */
const isHeader = /node_modules\/node-linux-[^/]*\/include/;
const maintainer = 'Hostyard <hostyard@localhost>';
const date = sourceDate();
const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const stage = mkdtempSync(join(out, 'deb-'));
chmodSync(stage, 0o755);
try {
  placeProgram('usr/lib/hostyard');
  placeSystemFiles();
  writeControlFiles();
  const file = join(out, `hostyard_${version}_${architecture}.deb`);
  // It sets the time of all files that are newer.
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${values.compression}`, '--build', stage, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(date) },
  });
  console.log(relative(process.cwd(), file) || file);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function place(source: string, target: string, mode = 0o644): void {
  const to = join(stage, target);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join(root, source), to);
  chmodSync(to, mode);
}

function write(target: string, content: string | Uint8Array): void {
  const to = join(stage, target);
  writeFileSync(to, content);
  chmodSync(to, 0o644);
}

function placeProgram(home: string): void {
  for (const file of ['package.json', 'LICENSE', 'bin/hostyard.js']) place(file, join(home, file));
  // The built panel, not its sources, and the bundles of packages and of the server, of which there may be older versions.
  execFileSync(process.execPath, [join(root, 'scripts', 'bundle-sources.ts')]);
  const server = `out/program/{bundle.json,${currentBundle(pathToFileURL(`${root}/`))?.folder}/*}`;
  for (const file of globSync(['{assets,out/packages,out/panel,out/reference}/**/*.*', server], { cwd: root }))
    place(file, join(home, file));
  for (const file of globSync('src/**/*.*', { cwd: root }))
    if (!/^src\/panel\/|\.(?:test|d)\.ts$|tsconfig|tsbuildinfo/.test(file) && lstatSync(join(root, file)).isFile())
      place(file, join(home, file));
  for (const folder of productionPackages())
    for (const file of globSync('**/*', { cwd: join(root, folder), withFileTypes: true }))
      if (file.isFile() && !isWithin(folder, file.parentPath) && !isHeader.test(file.parentPath))
        linkFile(relative(root, join(file.parentPath, file.name)), home);
  const node = 'node_modules/.bin/node';
  mkdirSync(dirname(join(stage, home, node)));
  symlinkSync(readlinkSync(join(root, node)), join(stage, home, node));
}

/** Nested packages are in the list themselves. */
function isWithin(folder: string, path: string): boolean {
  return relative(join(root, folder), path).split('/').includes('node_modules');
}

/** Links the file instead of copying it if that is possible: there are two hundred megabytes. */
function linkFile(path: string, home: string): void {
  const mode = statSync(join(root, path)).mode & 0o777;
  const wanted = (mode & 0o111) === 0 ? 0o644 : 0o755;
  const to = join(stage, home, path);
  mkdirSync(dirname(to), { recursive: true });
  try {
    if (mode === wanted) return linkSync(join(root, path), to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
  }
  place(path, join(home, path), wanted);
}

function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && dev !== true && devOptional !== true)
    .map(([folder]) => folder)
    .filter((folder) => existsSync(join(root, folder)));
}

function placeSystemFiles(): void {
  place('packaging/debian/hostyard', 'usr/bin/hostyard', 0o755);
  place('packaging/debian/launch', 'usr/lib/hostyard/launch', 0o755);
  place('packaging/debian/hostyard.env', 'etc/hostyard/hostyard.env', 0o640);
  for (const unit of ['hostyard.service', 'hostyard-backup.service', 'hostyard-backup.timer'])
    place(`packaging/${unit}`, `lib/systemd/system/${unit}`);
  for (const file of ['alerts.yaml', 'grafana-dashboard.json'])
    place(`packaging/${file}`, `usr/share/hostyard/monitoring/${file}`);
  for (const page of globSync('docs/**/*.{md,png,svg}', { cwd: root }))
    place(page, `usr/share/doc/hostyard/${page.slice(5)}`);
  const configurations = globSync('packaging/{haproxy*.cfg,patroni.yml,hypervisor.nft}', { cwd: root });
  for (const example of [...globSync('examples/*', { cwd: root }), ...configurations])
    place(example, `usr/share/doc/hostyard/examples/${basename(example)}`);
  place('LICENSE', 'usr/share/doc/hostyard/copyright');
  place('CHANGELOG.md', 'usr/share/doc/hostyard/CHANGELOG.md');
  const time = new Date(date * 1000).toUTCString().replace('GMT', '+0000');
  const entry = `hostyard (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${maintainer}  ${time}\n`;
  write('usr/share/doc/hostyard/changelog.gz', gzipSync(entry, { level: 9 }));
}

/** Comes last, because it counts the files. */
function writeControlFiles(): void {
  for (const script of ['postinst', 'prerm', 'postrm']) place(`packaging/debian/${script}`, `DEBIAN/${script}`, 0o755);
  const files = readdirSync(stage, { recursive: true, encoding: 'utf8' });
  // As dpkg-gencontrol counts, because what a folder takes depends on the file system.
  const kilobytes = files
    .map((file) => lstatSync(join(stage, file)))
    .reduce((sum, item) => sum + (item.isFile() ? Math.ceil(item.size / 1024) : 1), 0);
  const fields = {
    Package: 'hostyard',
    Version: version,
    Architecture: architecture,
    Section: 'admin',
    Priority: 'optional',
    Maintainer: maintainer,
    'Installed-Size': kilobytes,
    Depends: 'libc6, libstdc++6, adduser, util-linux, python3-minimal',
    Recommends: 'postgresql-client',
    Suggests: 'ipxe, prometheus',
    Description: [
      'control plane of a hosting provider',
      ' The HTTP API that customers call, and the real equipment behind it: servers by',
      ' IPMI and Redfish, virtual machines, switches, DNS, null-routes, billing.',
    ].join('\n'),
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  write('DEBIAN/control', text.join(''));
  write('DEBIAN/conffiles', '/etc/hostyard/hostyard.env\n');
  for (const item of readdirSync(stage, { recursive: true, withFileTypes: true }))
    if (item.isDirectory()) chmodSync(join(item.parentPath, item.name), 0o755);
}
