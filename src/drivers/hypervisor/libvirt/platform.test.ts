// With libvirt itself: test/peers/virtual-libvirt-node.test.ts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { plainPlatform, type Platform } from '../driver.ts';
import { describeDomain, findDisk } from './domain.ts';
import { describePlatform, hasPlatforms, keepPlatformOnly, recordPlatforms, usePlatform } from './platform.ts';
import { childrenNamed, findPath, parseXml, writeXml, type Element } from './xml.ts';

const shape = { vcpus: 2, memoryMb: 1024, diskGb: 10, mac: '52:54:00:00:00:01', networks: [] };
const settings = { socket: '/run/libvirt/libvirt-sock', pool: 'machines', accelerator: 'kvm' as const };
const diskOf = (system: string): string => `/pool/vm-1.${system}.qcow2`;
const secure: Platform = { firmware: 'uefi', secureBoot: true, tpm: true };
const uefi: Platform = { firmware: 'uefi', secureBoot: false, tpm: false };

function machine(platform: Platform): Element {
  const files = { disk: diskOf('first'), seed: '/pool/vm-1.first.seed' };
  const domain = describeDomain('vm-1', shape, files, settings, platform);
  describePlatform(domain, 'first', platform, files.disk);
  return domain;
}

/** What libvirt would start. */
function platformOf(domain: Element): Platform & { variables: string | undefined } {
  const features = childrenNamed(findPath(domain, 'os', 'firmware'), 'feature');
  return {
    firmware: findPath(domain, 'os')?.attributes['firmware'] === 'efi' ? 'uefi' : 'bios',
    secureBoot: features.some(({ attributes: { name, enabled } }) => name === 'secure-boot' && enabled === 'yes'),
    tpm: findPath(domain, 'devices', 'tpm') !== undefined,
    variables: findPath(domain, 'os', 'nvram')?.text,
  };
}

describe('the platform of a machine', () => {
  it('is BIOS on the chipset that machines always had, unless its first system needs more', () => {
    const plain = machine(plainPlatform);
    assert.equal(findPath(plain, 'os', 'type')?.attributes['machine'], 'pc');
    assert.equal(findPath(findDisk(plain, 'image')!, 'target')?.attributes['dev'], 'hda');
    assert.equal(hasPlatforms(plain), false);
    const modern = machine(secure);
    assert.equal(findPath(modern, 'os', 'type')?.attributes['machine'], 'q35');
    assert.equal(findPath(findDisk(modern, 'seed')!, 'target')?.attributes['dev'], 'sdb');
    assert.deepEqual(platformOf(modern), { ...secure, variables: '/pool/vm-1.first.nvram' });
  });

  it('follows the system that is booted, and a TPM stays', () => {
    const systems = fc.array(fc.constantFrom(plainPlatform, uefi, secure), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(plainPlatform, uefi, secure), systems, (first, others) => {
        let domain = machine(first);
        let current = { id: 'first', platform: first };
        let hadTpm = first.tpm;
        for (const [index, platform] of others.entries()) {
          const next = { id: `s-${index}`, platform };
          recordPlatforms(domain, current.id, next.id, platform);
          hadTpm ||= platform.tpm;
          // Forward, back, and forward again, as after a rollback.
          for (const [from, to] of [
            [current, next],
            [next, current],
            [current, next],
          ] as const) {
            usePlatform(domain, from.id, to.id, diskOf(to.id));
            domain = parseXml(writeXml(domain));
            const variables = to.platform.firmware === 'uefi' ? `/pool/vm-1.${to.id}.nvram` : undefined;
            assert.deepEqual(platformOf(domain), { ...to.platform, tpm: hadTpm, variables });
          }
          keepPlatformOnly(domain, next.id);
          current = next;
        }
      }),
      { numRuns: 25 },
    );
  });

  it('of a copy is that of the system before it, with its own variables', () => {
    const domain = machine(uefi);
    usePlatform(domain, 'first', 'copy', diskOf('copy'));
    assert.deepEqual(platformOf(domain), { ...uefi, variables: '/pool/vm-1.copy.nvram' });
    keepPlatformOnly(domain, 'copy');
    assert.equal(recordPlatforms(domain, 'copy', 'next', plainPlatform), true);
  });

  it('stays unchanged if the provider edited it by hand', () => {
    const domain = machine(plainPlatform);
    findPath(domain, 'os')!.attributes['firmware'] = 'efi';
    const before = writeXml(domain);
    assert.equal(recordPlatforms(domain, 'first', 'second', plainPlatform), false);
    usePlatform(domain, 'first', 'second', diskOf('second'));
    assert.equal(writeXml(domain), before);
  });
});
