// Third-party packages: exact versions with digests, no install scripts except those that package.json allows, and
// nothing unused.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly overrides: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
}
interface Locked {
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}
const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const { dependencies, optionalDependencies, devDependencies, overrides } = manifest;
const versions = { ...dependencies, ...optionalDependencies, ...devDependencies, ...overrides };

/** Programs, and types of what is used: nothing imports them. */
const unimported = /^(?:node-linux-.*|typescript|oxlint|oxfmt|rolldown|@types\/.*)$/;

describe('third-party packages', () => {
  test('have exact versions', () => {
    for (const [name, version] of Object.entries(versions)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
  });

  test('have digests', () => {
    for (const [name, { integrity, link }] of Object.entries(packages))
      if (name !== '' && link !== true) assert.match(integrity ?? '', /^sha512-/, name);
  });

  test('run no install script that was not reviewed', () => {
    const running = Object.entries(packages)
      .filter(([name, { hasInstallScript }]) => name !== '' && hasInstallScript === true)
      .map(([name]) => name.slice(name.lastIndexOf('node_modules/') + 'node_modules/'.length));
    for (const name of running)
      assert.ok(name in manifest.allowScripts, `${name}: declare in allowScripts whether it may`);
  });

  test('are all used', () => {
    const texts = ['src', 'scripts', 'test', 'bench'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|tsx|css)$/.test(name))
        .map((name) => read(join(folder, name))),
    );
    const all = texts.join('\n');
    for (const name of Object.keys(versions))
      assert.ok(unimported.test(name) || all.includes(`'${name}`) || all.includes(`/${name}/`), `${name} is not used`);
  });
});
