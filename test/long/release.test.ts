// A release, made twice from two clones at different times: the same bytes. Its parts are what their users get, and its signature
// holds.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { version } from '#lib/version.ts';
import { blocksOf, root } from '#test/support/pages.ts';
import { needsRoot } from '#test/support/needs.ts';
import { openPodman, podmanPrograms, type Podman } from '#test/support/podman.ts';

const run = promisify(execFile);
const programs = ['git', 'dpkg-deb', 'ssh-keygen', 'sha256sum'];

describe('a release', needsRoot(...podmanPrograms, ...programs), () => {
  const owned = new AsyncDisposableStack();
  let podman: Podman;
  const at = (...names: string[]): string => join(podman.folder, ...names);
  const releases = ['first', 'second'] as const;
  before(async () => {
    podman = owned.use(await openPodman());
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'releases', '-f', at('key')]);
    await commitSources(at('repository'));
    for (const name of releases) {
      await run('git', ['clone', '--quiet', at('repository'), at(name, 'clone')]);
      await podman.shell(`cd ${at(name, 'clone')}
        ${process.execPath} scripts/release.ts --key ${at('key')} --out ${at(name, 'release')}
        podman rmi --force localhost/hostyard:${version}`);
    }
  });
  after(() => owned.disposeAsync());

  test('has the documented files', () => {
    assert.deepEqual(
      readdirSync(at('first', 'release'))
        .map((file) => file.replace(version, 'VERSION').replace(/(?<=[_-])(?:amd|arm|x)64/, 'ARCH'))
        .toSorted(),
      [
        'SHA256SUMS',
        'SHA256SUMS.sig',
        'hostyard-VERSION-ARCH.container.tar',
        'hostyard-VERSION-container.cdx.json',
        'hostyard-VERSION.cdx.json',
        'hostyard-cli-VERSION.tgz',
        'hostyard-sdk-VERSION.tgz',
        'hostyard_VERSION_ARCH.deb',
      ],
    );
  });

  test('has the same bytes each time', () => {
    const [first, second] = releases.map((name) => readFileSync(at(name, 'release', 'SHA256SUMS'), 'utf8').split('\n'));
    assert.deepEqual(first, second);
  });

  test('is verified as documented, and a changed file is not', async () => {
    const verify = blocksOf('docs/guides/installing.md').find(({ text }) =>
      text.includes('ssh-keygen -Y verify'),
    )!.text;
    const folder = at('first', 'release');
    const publicKey = readFileSync(at('key.pub'), 'utf8');
    writeFileSync(join(folder, 'hostyard-signers'), `releases@hostyard.example ${publicKey}`);
    const check = (): Promise<unknown> => run('bash', ['-ec', verify], { cwd: folder });
    await check();
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    writeFileSync(
      join(folder, 'SHA256SUMS'),
      sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    );
    await assert.rejects(check(), /incorrect signature/);
    writeFileSync(join(folder, 'SHA256SUMS'), sums);
    writeFileSync(join(folder, `hostyard-${version}.cdx.json`), '{}');
    await assert.rejects(check(), { stdout: /hostyard-.*\.cdx\.json: FAILED/ });
  });

  test('lists the Debian packages of the image with their versions', () => {
    const text = readFileSync(at('second', 'release', `hostyard-${version}-container.cdx.json`), 'utf8');
    const { components } = JSON.parse(text) as { components: { purl: string }[] };
    const packages = components.map(({ purl }) => purl).filter((purl) => purl.startsWith('pkg:deb/'));
    assert.ok(packages.some((purl) => purl.startsWith('pkg:deb/debian/libc6@2.')));
    for (const name of ['openssh-client', 'postgresql-client', 'restic'])
      assert.ok(
        packages.some((purl) => purl.startsWith(`pkg:deb/debian/${name}@`)),
        name,
      );
    assert.ok(packages.every((purl) => purl.includes('@')));
  });

  test('has an image that says which version it is', async () => {
    const file = at(
      'second',
      'release',
      readdirSync(at('second', 'release')).find((name) => name.endsWith('.tar'))!,
    );
    await podman.shell(`podman load --quiet --input ${file}`);
    const format = '\'{{index .Labels "org.opencontainers.image.version"}}\'';
    assert.equal(await podman.shell(`podman image inspect --format ${format} hostyard:${version}`), `${version}\n`);
  });

  test('is refused with changes that are not committed', async () => {
    const clone = at('first', 'clone');
    writeFileSync(join(clone, 'README.md'), 'changed');
    await assert.rejects(
      run(process.execPath, ['scripts/release.ts', '--key', at('key')], { cwd: clone }),
      /commit them first/,
    );
  });
});

/** The working tree as a commit, because a release contains only what is committed. */
async function commitSources(folder: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  for (const file of stdout.split('\0').filter((name) => name !== '' && !name.startsWith('test/upgrade/'))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { verbatimSymlinks: true });
  }
  const git = (...args: string[]): Promise<unknown> =>
    run('git', ['-c', 'user.name=Release', '-c', 'user.email=release@hostyard.example', ...args], { cwd: folder });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'The sources');
}
