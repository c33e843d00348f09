// The command line as its users get it: packed, installed alone, and called with the machine's oldest Node.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { version } from '#lib/version.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { oldestNode } from '#test/support/oldest-node.ts';
import { root } from '#test/support/pages.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { packFolder } from '../../scripts/npm-pack.ts';

const run = promisify(execFile);

describe('the package @hostyard/cli', () => {
  const owned = suiteResources();
  let app: TestApp;
  let home: string;
  let installed: string;
  before(async () => {
    const folder = owned.use(await temporaryFolder('cli-package')).path;
    await run(process.execPath, ['scripts/cli-package.ts', join(folder, 'built')], { cwd: root });
    const file = packFolder(join(folder, 'built'), folder);
    home = join(folder, 'home');
    mkdirSync(home);
    const options = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
    await run('npm', ['install', ...options, file], { cwd: home });
    installed = join(home, 'node_modules/@hostyard/cli');
    app = owned.use(await openTestApp({}));
  });

  const hostyard = async (...words: string[]): Promise<string> => {
    const env = { PATH: '/nowhere', HOME: home, HOSTYARD_URL: app.url, HOSTYARD_KEY: app.lab.customer.key };
    return (await run(oldestNode(), [join(home, 'node_modules/.bin/hostyard'), ...words], { env })).stdout;
  };

  test('installs no other package, and names the licences of those in it', () => {
    assert.deepEqual(globSync(['*', '@*/*'], { cwd: join(home, 'node_modules') }).toSorted(), [
      '@hostyard',
      '@hostyard/cli',
    ]);
    const licences = readFileSync(join(installed, 'LICENSES-OF-PACKAGES'), 'utf8');
    for (const name of ['commander', 'ws', 'yaml']) assert.match(licences, new RegExp(`^${name} [0-9.]+$`, 'm'));
  });

  test('calls the API', async () => {
    assert.equal(await hostyard('--version'), `${version}\n`);
    assert.match(await hostyard('server', 'list'), /^1001 .* web1\.example\.net /m);
    assert.match(await hostyard('server', 'list', '-o', 'yaml'), /^- /);
    assert.match(await hostyard('operator', '--help'), /backup/);
    assert.doesNotMatch(await hostyard('--help'), /doctor/, 'only the server has commands for itself');
  });

  test('loads the code of every command', async () => {
    const files = globSync('dist/*-*.js', { cwd: installed }).map((file) => join(installed, file));
    assert.ok(files.length > 30);
    await run(oldestNode(), ['--input-type=module', '--eval', files.map((file) => `import '${file}';`).join('\n')]);
  });
});
