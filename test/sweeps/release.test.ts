// What a release says about itself: its version, and the bill of materials.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { version } from '#lib/version.ts';
import { root } from '#test/support/pages.ts';
import { createSbom } from '../../scripts/sbom.ts';

interface Lock {
  readonly version: string;
  readonly packages: Record<string, { readonly version: string; readonly integrity?: string; readonly dev?: boolean }>;
}
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;

const seconds = 1_800_000_000;
const debian = [{ name: 'libstdc++6' }, { name: 'libc6', version: '2.36-9+deb12u9' }];

describe('a release', () => {
  it('has the same version in package-lock.json and as the newest one of CHANGELOG.md', () => {
    assert.deepEqual([lock.version, lock.packages['']!.version], [version, version]);
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    assert.equal(/^## \[([0-9][^\]]*)\]/m.exec(changelog)?.[1], version);
  });

  it('lists every package that it contains, with the version and digest of package-lock.json', () => {
    const sbom = createSbom(root, seconds, debian);
    const listed = new Map(sbom.components.map((component) => [component.purl, component]));
    const expected = Object.entries(lock.packages).filter(
      ([folder, { dev }]) => folder !== '' && dev !== true && existsSync(join(root, folder)),
    );
    assert.ok(expected.length > 100);
    for (const [folder, { version: locked, integrity }] of expected) {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const component = listed.get(`pkg:npm/${name.replace('@', '%40')}@${locked}`);
      assert.ok(component, `${name} ${locked}`);
      const digest = Buffer.from(integrity!.replace('sha512-', ''), 'base64').toString('hex');
      assert.deepEqual(component.hashes, [{ alg: 'SHA-512', content: digest }], name);
    }
    const names = new Set(sbom.components.map(({ name }) => name));
    for (const name of ['react', '@mantine/core', '@novnc/novnc', '@fontsource-variable/inter'])
      assert.ok(names.has(name), name);
    for (const name of ['typescript', 'vite', 'playwright-core', 'oxlint']) assert.ok(!names.has(name), name);
    assert.deepEqual(createSbom(root, seconds, debian), sbom, 'it depends on nothing but the source');
    assert.ok(!JSON.stringify(sbom).includes(root));
    assert.equal(sbom.metadata.component.name, 'hostyard');
    assert.ok(listed.has('pkg:deb/debian/libstdc%2B%2B6') && listed.has('pkg:deb/debian/libc6@2.36-9%2Bdeb12u9'));
  });
});
