import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isoNames, licenceNames, pxeImages } from './catalogue.ts';

describe('the built-in catalogue', () => {
  it('has 39 image names, each once', () => {
    assert.equal(isoNames.length, 39);
    assert.equal(new Set(isoNames).size, 39);
  });

  it('has as many image names of each family as the specification counts', () => {
    const counts = Object.groupBy(isoNames, (name) => name.slice(0, 4));
    assert.deepEqual(Object.fromEntries(Object.entries(counts).map(([family, names]) => [family, names!.length])), {
      'OS-A': 4,
      'OS-B': 6,
      'OS-C': 1,
      'OS-D': 6,
      'OS-E': 2,
      'OS-F': 2,
      'OS-G': 12,
      'OS-H': 6,
    });
  });

  it('spells the image names as the specification does', () => {
    for (const name of [
      'OS-A_5.10_x86_64_bin-1of9.iso',
      'OS-D_16_x86_64.iso',
      'OS-F526.iso',
      'OS-H-6.2.0-install-cd.iso',
    ])
      assert.ok(isoNames.includes(name), name);
  });

  it('has 28 network-boot ids, each once', () => {
    assert.equal(new Set(pxeImages.map(({ id }) => id)).size, 28);
    assert.equal(new Set(pxeImages.map(({ label }) => label)).size, 28);
  });

  it('has 18 licence names, nine for each kind of service', () => {
    assert.equal(new Set(licenceNames).size, 18);
    assert.equal(licenceNames.filter((name) => name.startsWith('DEDICATED_')).length, 9);
    assert.equal(licenceNames.filter((name) => name.startsWith('VPS_')).length, 9);
  });
});
