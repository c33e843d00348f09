import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoNames, licenceNames, pxeImages } from '#contract/catalogue.ts';
import { imageName, kernelVersion, licenceProduct, systemName, systemTitle } from './products.ts';

const placeholder = /OS-|PANEL|_bin|\.iso|undefined/;

test('every system, image and licence of the catalogue has a name of its kind, each another', () => {
  const names = [
    pxeImages.map(({ label }) => systemName(label)),
    isoNames.map(imageName),
    licenceNames.filter((name) => name.startsWith('VPS_')).map(licenceProduct),
  ];
  for (const group of names) {
    assert.deepEqual(
      group.filter((name) => placeholder.test(name)),
      [],
    );
    assert.equal(new Set(group).size, group.length);
  }
});

test('names are those of the products', () => {
  assert.equal(systemName('OS-G 12.04, 64-bit'), 'Ubuntu 12.04 (64-bit)');
  assert.equal(systemName('Rescue system, 32-bit'), 'Rescue system (32-bit)');
  assert.equal(systemName('OS-C hypervisor'), 'VMware ESXi 5.1');
  assert.equal(imageName('OS-A_5.10_i386_bin-1of8.iso'), 'CentOS 5.10 i386 (disc 1 of 8)');
  assert.equal(imageName('OS-A_6.5_x86_64_minimal.iso'), 'CentOS 6.5 x86_64 minimal');
  assert.equal(imageName('OS-D_16_x86_64.iso'), 'Fedora 16 x86_64');
  assert.equal(imageName('OS-F526.iso'), 'MikroTik RouterOS 5.26');
  assert.equal(imageName('OS-H-5.6.100-SP2-install-cd.iso'), 'XenServer 5.6.100 SP2 install cd');
  assert.equal(licenceProduct('DEDICATED_PANEL1'), 'cPanel & WHM');
  assert.equal(licenceProduct('VPS_PANEL4_100_POWERPACK'), 'Plesk, 100 domains, with Power Pack');
});

test('a system calls itself by its name, and has its own kernel', () => {
  assert.equal(systemTitle('Debian 12'), 'Debian GNU/Linux 12');
  assert.equal(systemTitle('Ubuntu 24.04 LTS'), 'Ubuntu 24.04 LTS');
  assert.equal(systemTitle('text that somebody wrote to the disk'), 'Debian GNU/Linux 12');
  assert.notEqual(kernelVersion('Ubuntu 24.04 LTS'), kernelVersion('Debian GNU/Linux 12'));
});
