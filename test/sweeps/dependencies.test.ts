// What others wrote and we install: exact versions, each package known by its digest, no script of one at an install but those that
// package.json lets run, and nothing that is not used.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

interface Manifest {
  readonly dependencies: Record<string, string>;
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
const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides };

/** Programs, and types for what is used: nobody imports them. */
const unimported = /^(?:node|typescript|oxlint|oxfmt|rolldown|@types\/.*)$/;

describe('the packages of others', () => {
  test('have exact versions', () => {
    for (const [name, version] of Object.entries(wanted)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
  });

  test('are known by their digests', () => {
    for (const [name, { integrity, link }] of Object.entries(packages))
      if (name !== '' && link !== true) assert.match(integrity ?? '', /^sha512-/, name);
  });

  test('run no script at an install that was not looked at', () => {
    const running = Object.entries(packages)
      .filter(([name, { hasInstallScript }]) => name !== '' && hasInstallScript === true)
      .map(([name]) => name.slice(name.lastIndexOf('node_modules/') + 'node_modules/'.length));
    for (const name of running) assert.ok(name in manifest.allowScripts, `${name}: say in allowScripts whether it may`);
  });

  test('are all used', () => {
    const texts = ['src', 'scripts', 'test', 'bench'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|tsx|css)$/.test(name))
        .map((name) => read(join(folder, name))),
    );
    const all = texts.join('\n');
    for (const name of Object.keys(wanted))
      assert.ok(unimported.test(name) || all.includes(`'${name}`) || all.includes(`/${name}/`), `${name} is not used`);
  });
});
