import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '#test/support/folder.ts';
import { bundledPackages, importQuickly } from './quick-imports.ts';

importQuickly();

const importModule = (specifier: string): Promise<unknown> => import(specifier);

test('all specifiers of a module resolve to the same module', async () => {
  const clock = await importModule('../clock.ts');
  assert.equal(await importModule('#lib/clock.ts'), clock);
  assert.equal(await importModule('../../lib/clock.ts'), clock);
  assert.equal(await importModule(new URL('../clock.ts', import.meta.url).href), clock);
  assert.equal(await importModule('kysely'), await importModule(import.meta.resolve('kysely')));
});

test('the error for a missing module names it', async () => {
  await assert.rejects(importModule('./missing.ts'), /missing\.ts/);
  await assert.rejects(importModule('#lib/missing.ts'), /missing\.ts/);
  await assert.rejects(importModule('no-such-package'), /no-such-package/);
});

test('a bundle exports what its package exports', async () => {
  const root = new URL('../../../', import.meta.url);
  const bundled = bundledPackages(root);
  // A process without the hook loads the packages themselves.
  const program = `const packages = await Promise.all(process.argv.slice(1).map((specifier) => import(specifier)));
    console.log(JSON.stringify(packages.map((all) => Object.keys(all).filter((name) => name !== 'module.exports'))));`;
  const args = ['--input-type=module', '--eval', program, ...bundled.map(([specifier]) => specifier)];
  const names = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as string[][];
  const bundles = await Promise.all(bundled.map(([, { url }]) => importModule(url)));
  assert.deepEqual(
    bundles.map((bundle) => Object.keys(bundle as object).toSorted()),
    names.map((list) => list.toSorted()),
  );
});

test('bundles of another version than the installed one are not loaded', async () => {
  await using folder = await temporaryFolder('bundles');
  const root = pathToFileURL(`${folder.path}/`);
  assert.deepEqual(bundledPackages(root), []);
  const write = async (path: string, content: unknown) => {
    const file = join(folder.path, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, JSON.stringify(content));
  };
  await write('node_modules/a/package.json', { version: '1.0.0' });
  const bundled = { specifier: 'a/b', name: 'a', file: 'a-b.js' };
  await write('out/packages/packages.json', [{ ...bundled, version: '1.0.0' }]);
  assert.deepEqual(
    bundledPackages(root).map(([specifier, { url }]) => [specifier, url]),
    [['a/b', new URL('out/packages/a-b.js', root).href]],
  );
  await write('out/packages/packages.json', [{ ...bundled, version: '1.0.1' }]);
  assert.deepEqual(bundledPackages(root), []);
});
