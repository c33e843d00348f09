import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { ApiError } from '#lib/api-error.ts';
import {
  canChooseBoot,
  describeDomain,
  findDisk,
  diskFile,
  firstBootTarget,
  setBootOrder,
  setDiskFile,
  setSystemFiles,
} from './domain.ts';
import { findPath, element, parseXml, writeXml, type Element } from './xml.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9:_-]{0,8}$/);
const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((candidate) => candidate.trim() === candidate);
const tree: fc.Memo<Element> = fc.memo((depth) =>
  fc
    .tuple(name, fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }), content(depth))
    .map(([tag, attributes, parts]) => element(tag, attributes, ...parts)),
);
const content = (depth: number): fc.Arbitrary<(Element | string)[]> => {
  const words: fc.Arbitrary<(Element | string)[]> = fc.array(text, { maxLength: 1 });
  return depth <= 1 ? words : fc.oneof(words, fc.array(tree(depth - 1), { maxLength: 3 }));
};

const shape = { vcpus: 2, memoryMb: 1024, diskGb: 10, mac: '52:54:00:00:00:01', networks: [] };
const settings = { socket: '/run/libvirt/libvirt-sock', pool: 'machines', accelerator: 'kvm' as const, bridge: 'br0' };
const files = { disk: '/pool/vm-1.a.qcow2', seed: '/pool/vm-1.a.seed' };

describe('XML descriptions', () => {
  it('are read back as written', () => {
    fc.assert(fc.property(tree(3), (value) => assert.deepEqual(parseXml(writeXml(value)), value)));
  });

  it('are not read if they are longer than any: that would take seconds', () => {
    const long = `<domain>${'<a/>'.repeat(300_000)}</domain>`;
    assert.throws(() => parseXml(long), { code: 'node_error', internal: 'libvirt sent more than 1 MB of XML' });
  });

  it('are read as libvirt writes them', () => {
    const parsed = parseXml(`<?xml version='1.0'?><!-- by hand: <b> --><domain type='kvm' id="3">
      <name>a &amp; b &#x41;&#66;</name>
      <m:app xmlns:m='urn:x &lt;y&gt;'/>
    </domain>`);
    assert.deepEqual(
      parsed,
      element(
        'domain',
        { type: 'kvm', id: '3' },
        element('name', {}, 'a & b AB'),
        element('m:app', { 'xmlns:m': 'urn:x <y>' }),
      ),
    );
  });

  it('are parsed or rejected, whatever the input', () => {
    const pieces = fc.array(
      fc.constantFrom('<', '>', '/', '<a', '<a>', '</a>', '<!--', '-->', '&', ';', '#x110000', '"', '=', 'b', ' '),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          parseXml(parts.join(''));
        } catch (error) {
          assert.ok(error instanceof ApiError && error.code === 'node_error', String(error));
        }
      }),
    );
  });
});

describe('a domain description', () => {
  const machine = (): Element => parseXml(writeXml(describeDomain('vm-1', shape, files, settings)));

  it('boots from disk unless another device is chosen, and gives each device its own position', () => {
    const domain = machine();
    assert.equal(firstBootTarget(domain), 'disk');
    for (const target of ['pxe', 'cdrom', 'disk'] as const) {
      setBootOrder(domain, target);
      assert.equal(firstBootTarget(domain), target);
      const orders = Array.from(writeXml(domain).matchAll(/<boot order="(\d)"/g), ([, order]) => order);
      assert.deepEqual(orders.toSorted(), ['1', '2', '3']);
    }
  });

  it('changes only its system files', () => {
    const domain = machine();
    const original = writeXml(domain);
    setSystemFiles(domain, { disk: '/pool/vm-1.b.qcow2', seed: '/pool/vm-1.b.seed' });
    assert.equal(writeXml(domain).replaceAll('vm-1.b', 'vm-1.a'), original);
    assert.deepEqual(
      [diskFile(findDisk(domain, 'disk')), diskFile(findDisk(domain, 'seed'))],
      ['/pool/vm-1.b.qcow2', '/pool/vm-1.b.seed'],
    );
  });

  it('has an empty drive that an image can be inserted into and ejected from', () => {
    const drive = findDisk(machine(), 'image')!;
    const empty = writeXml(drive);
    assert.equal(diskFile(drive), undefined);
    setDiskFile(drive, '/images/a & b.iso');
    assert.equal(diskFile(parseXml(writeXml(drive))), '/images/a & b.iso');
    setDiskFile(drive, undefined);
    assert.equal(writeXml(drive), empty);
  });

  it('finds the drives of a machine that the provider defined', () => {
    const foreign = parseXml(`<domain><os><type>hvm</type><boot dev='hd'/></os><devices>
      <disk type='file' device='cdrom'><source file='/a.iso'/><target dev='sdb' bus='sata'/></disk>
      <disk type='block'><source dev='/dev/vg/old'/><target dev='hda' bus='ide'/></disk></devices></domain>`);
    assert.equal(diskFile(findDisk(foreign, 'image')), '/a.iso');
    assert.equal(findPath(findDisk(foreign, 'disk')!, 'source')?.attributes['dev'], '/dev/vg/old');
    assert.equal(findDisk(foreign, 'seed'), undefined);
    assert.equal(canChooseBoot(foreign, 'disk'), false);
    assert.equal(canChooseBoot(machine(), 'disk'), true);
  });

  it('has a random, expired VNC password', () => {
    const graphics = findPath(machine(), 'devices', 'graphics')!.attributes;
    assert.equal(graphics['passwd']?.length, 8);
    assert.notEqual(graphics['passwd'], findPath(machine(), 'devices', 'graphics')!.attributes['passwd']);
    assert.ok(Date.parse(graphics['passwdValidTo']!) < Date.now());
  });
});
