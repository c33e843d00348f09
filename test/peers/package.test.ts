// The Debian package has everything that it needs: it is built, unpacked and started where it was unpacked. test/long installs it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundlesFolder, currentBundle } from '#lib/performance/program-bundle.ts';
import { version } from '#lib/version.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { root } from '#test/support/pages.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const run = promisify(execFile);

describe('the unpacked Debian package', needs('dpkg-deb'), () => {
  const owned = suiteResources();
  let folder: string;
  let home: string;
  let node: string;
  before(async () => {
    folder = owned.use(await temporaryFolder('package')).path;
    await run(process.execPath, ['scripts/deb.ts', '--compression', 'none', '--out', folder], { cwd: root });
    const [file] = globSync('*.deb', { cwd: folder });
    await run('dpkg-deb', ['--extract', join(folder, file!), join(folder, 'system')]);
    home = join(folder, 'system/usr/lib/hostyard');
    node = join(home, 'node_modules/.bin/node');
  });

  test('has the version of the source', async () => {
    const { stdout } = await run(node, ['bin/hostyard.js', '--version'], { cwd: home });
    assert.equal(stdout, `${version}\n`);
    const changelog = join(folder, 'system/usr/share/doc/hostyard/changelog.gz');
    const { stdout: entry } = await run('zcat', [changelog]);
    assert.match(entry, new RegExp(`^hostyard \\(${version}\\) `));
  });

  test('starts from its bundle, and serves the API, the panel and the reference', async () => {
    assert.ok(currentBundle(pathToFileURL(`${home}/`)), 'the bundle is of these sources');
    const site = join(folder, 'hostyard.yaml');
    writeFileSync(site, 'provider: { name: Example, currency: { code: EUR } }\n');
    const data = join(folder, 'data');
    mkdirSync(data);
    await using server = await startDaemon(node, ['src/main.ts'], {
      cwd: home,
      env: { HOSTYARD_SITE: site, HOSTYARD_DATA: data, HOSTYARD_LISTEN: '127.0.0.1:0' },
    });
    await server.printed('Hostyard is running.');
    const [, url] = /API +(http:\S+)/.exec(server.output())!;
    for (const path of ['/readyz', '/panel/', '/docs']) {
      const response = await fetch(url + path);
      assert.equal(response.status, 200, path);
      await response.text();
    }
  });

  test('has every package that is imported later', async () => {
    const files = globSync(`${bundlesFolder}*/*.js`, { cwd: home });
    assert.ok(files.length > 10);
    const code = files.map((file) => readFileSync(join(home, file), 'utf8')).join('\n');
    const imported = [...code.matchAll(/^(?:import .*from|.*\bimport\() ?["']([^"'.][^"']*)["']/gm)].map(
      ([, name]) => name!,
    );
    const packages = [...new Set(imported)].filter((name) => !name.startsWith('node:'));
    assert.ok(packages.includes('stripe') && packages.includes('pg'));
    const script = packages.map((name) => `await import('${name}');`).join('\n');
    await run(node, ['--input-type=module', '--eval', script], { cwd: home });
  });
});
