// Descriptions are read and written back without loss, and what is no XML is the node's fault and nobody else's.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Fault } from '#kernel/fault.ts';
import { describeDomain, device, fileIn, firstInOrder, putBootOrder, putFile, putSystem } from './domain.ts';
import { at, element, parseXml, writeXml, type Element } from './xml.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9:_-]{0,8}$/);
const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => each.trim() === each);
const tree: fc.Memo<Element> = fc.memo((depth) =>
  fc
    .tuple(name, fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }), content(depth))
    .map(([tag, attributes, parts]) => element(tag, attributes, ...parts)),
);
const content = (depth: number): fc.Arbitrary<(Element | string)[]> => {
  const words: fc.Arbitrary<(Element | string)[]> = fc.array(text, { maxLength: 1 });
  return depth <= 1 ? words : fc.oneof(words, fc.array(tree(depth - 1), { maxLength: 3 }));
};

const shape = { vcpus: 2, memoryMb: 1024, diskGb: 10, mac: '52:54:00:00:00:01' };
const settings = { socket: '/run/libvirt/libvirt-sock', pool: 'machines', accelerator: 'kvm' as const, bridge: 'br0' };
const files = { disk: '/pool/vm-1.a.qcow2', seed: '/pool/vm-1.a.seed' };

describe('descriptions in XML', () => {
  it('are read back as they were written', () => {
    fc.assert(fc.property(tree(3), (value) => assert.deepEqual(parseXml(writeXml(value)), value)));
  });

  it('are read as libvirt writes them', () => {
    const read = parseXml(`<?xml version='1.0'?><!-- by hand: <b> --><domain type='kvm' id="3">
      <name>a &amp; b &#x41;&#66;</name>
      <m:app xmlns:m='urn:x &lt;y&gt;'/>
    </domain>`);
    assert.deepEqual(
      read,
      element(
        'domain',
        { type: 'kvm', id: '3' },
        element('name', {}, 'a & b AB'),
        element('m:app', { 'xmlns:m': 'urn:x <y>' }),
      ),
    );
  });

  it('end well, whatever they are', () => {
    const pieces = fc.array(
      fc.constantFrom('<', '>', '/', '<a', '<a>', '</a>', '<!--', '-->', '&', ';', '#x110000', '"', '=', 'b', ' '),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          parseXml(parts.join(''));
        } catch (error) {
          assert.ok(error instanceof Fault && error.code === 'node_error', String(error));
        }
      }),
    );
  });
});

describe('the description of a machine', () => {
  const machine = (): Element => parseXml(writeXml(describeDomain('vm-1', shape, files, settings)));

  it('boots the disk unless another is chosen, and each device has a place of its own', () => {
    const domain = machine();
    assert.equal(firstInOrder(domain), 'disk');
    for (const target of ['pxe', 'cdrom', 'disk'] as const) {
      putBootOrder(domain, target);
      assert.equal(firstInOrder(domain), target);
      const orders = Array.from(writeXml(domain).matchAll(/<boot order="(\d)"/g), ([, order]) => order);
      assert.deepEqual(orders.toSorted(), ['1', '2', '3']);
    }
  });

  it('changes its system and nothing else', () => {
    const domain = machine();
    const before = writeXml(domain);
    putSystem(domain, { disk: '/pool/vm-1.b.qcow2', seed: '/pool/vm-1.b.seed' });
    assert.equal(writeXml(domain).replaceAll('vm-1.b', 'vm-1.a'), before);
    assert.deepEqual(
      [fileIn(device(domain, 'disk')), fileIn(device(domain, 'seed'))],
      ['/pool/vm-1.b.qcow2', '/pool/vm-1.b.seed'],
    );
  });

  it('has an empty drive, which takes an image and lets it go', () => {
    const drive = device(machine(), 'image')!;
    const empty = writeXml(drive);
    assert.equal(fileIn(drive), undefined);
    putFile(drive, '/images/a & b.iso');
    assert.equal(fileIn(parseXml(writeXml(drive))), '/images/a & b.iso');
    putFile(drive, undefined);
    assert.equal(writeXml(drive), empty);
  });

  it('shows its screen to nobody without a new password', () => {
    const graphics = at(machine(), 'devices', 'graphics')!.attributes;
    assert.equal(graphics['passwd']?.length, 8);
    assert.notEqual(graphics['passwd'], at(machine(), 'devices', 'graphics')!.attributes['passwd']);
    assert.ok(Date.parse(graphics['passwdValidTo']!) < Date.now());
  });
});
