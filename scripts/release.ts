// Builds a release of the current commit in out/release: the Debian package, the container image, npm packages of the SDK and the
// command line, bills of materials, checksums and their signature. It works in a clone of its own, so that nothing else gets into it.
//
//   npm run release -- --key FILE [--out FOLDER]     signs with this SSH key
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rewriteArchive } from './container-archive.ts';
import { packFolder } from './npm-pack.ts';
import { createSbom, type DebianPackage } from './sbom.ts';
import { sourceDate } from './source-date.ts';

const root = join(import.meta.dirname, '..');
/** What a signature is for, so that nobody can present it as one of something else. */
const namespace = 'hostyard-release';
/** The only folder that is emptied first: it contains nothing but an earlier release. */
const defaultFolder = join(root, 'out', 'release');

const { values } = parseArgs({ options: { key: { type: 'string' }, out: { type: 'string' } } });
if (values.key === undefined)
  throw new Error('Name the SSH key that signs the checksums: npm run release -- --key FILE');
if (run('git', ['status', '--porcelain'], { cwd: root }) !== '')
  throw new Error(
    'The checkout has changes that are not committed. A release contains the last commit: commit them first.',
  );

// The same modes for everybody.
process.umask(0o022);
const out = resolve(values.out ?? defaultFolder);
if (values.out !== undefined && existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty.`);
const work = mkdtempSync(join(tmpdir(), 'hostyard-release-'));
try {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const checkout = clone();
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
  const seconds = sourceDate(checkout);
  buildPackages(checkout);
  const debianFile = readdirSync(out).find((file) => file.endsWith('.deb'));
  const depends = run('dpkg-deb', ['--field', join(out, debianFile!), 'Depends']).split(', ');
  writeSbom(
    `hostyard-${version}.cdx.json`,
    checkout,
    seconds,
    depends.map((name) => ({ name })),
  );
  const image = buildImage(checkout, version, seconds);
  writeSbom(`hostyard-${version}-container.cdx.json`, checkout, seconds, packagesOf(image));
  sign(resolve(values.key));
  for (const file of readdirSync(out)) console.log(relative(process.cwd(), join(out, file)));
} finally {
  rmSync(work, { recursive: true, force: true });
}

function run(program: string, args: readonly string[], options: ExecFileSyncOptions = {}): string {
  return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26, ...options })
    .toString()
    .trim();
}

function clone(): string {
  const checkout = join(work, 'checkout');
  const commit = run('git', ['rev-parse', 'HEAD'], { cwd: root });
  run('git', ['clone', '--quiet', '--no-checkout', root, checkout]);
  run('git', ['checkout', '--quiet', '--detach', commit], { cwd: checkout });
  run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: checkout });
  return checkout;
}

function buildPackages(checkout: string): void {
  const node = join(checkout, 'node_modules/.bin/node');
  run(node, ['scripts/deb.ts', '--out', out], { cwd: checkout });
  for (const [script, folder] of [
    ['scripts/sdk-package.ts', 'out/sdk'],
    ['scripts/cli-package.ts', 'out/cli-package'],
  ] as const) {
    run(node, [script], { cwd: checkout });
    packFolder(join(checkout, folder), out);
  }
}

/** In Docker's format, because OCI's has no health check. */
function buildImage(checkout: string, version: string, seconds: number): string {
  const image = `localhost/hostyard:${version}`;
  const labels = { version, revision: run('git', ['rev-parse', 'HEAD'], { cwd: checkout }) };
  run(
    'podman',
    [
      'build',
      '--format=docker',
      '--no-cache',
      `--timestamp=${seconds}`,
      `--build-arg=SOURCE_DATE_EPOCH=${seconds}`,
      ...Object.entries(labels).map(([name, value]) => `--label=org.opencontainers.image.${name}=${value}`),
      '--file=packaging/Containerfile',
      `--tag=${image}`,
      '.',
    ],
    { cwd: checkout },
  );
  const file = join(out, `hostyard-${version}-${process.arch}.container.tar`);
  run('podman', ['save', '--quiet', '--format=docker-archive', `--output=${file}`, image]);
  rewriteArchive(file, work);
  return image;
}

function packagesOf(image: string): DebianPackage[] {
  const list = ['--network=none', '--entrypoint=dpkg-query', image, '--show', '--showformat=${Package} ${Version}\\n'];
  return run('podman', ['run', '--rm', ...list])
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name, version]) => ({ name: name!, version }));
}

function writeSbom(file: string, checkout: string, seconds: number, debian: readonly DebianPackage[]): void {
  writeFileSync(join(out, file), `${JSON.stringify(createSbom(checkout, seconds, debian), null, 2)}\n`);
}

function sign(key: string): void {
  const lines = readdirSync(out)
    .toSorted()
    .map((file) => `${hash('sha256', readFileSync(join(out, file)), 'hex')}  ${file}\n`);
  const sums = join(out, 'SHA256SUMS');
  writeFileSync(sums, lines.join(''));
  // With the terminal, because it may ask for the key's passphrase.
  execFileSync('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', namespace, sums], { stdio: 'inherit' });
}
