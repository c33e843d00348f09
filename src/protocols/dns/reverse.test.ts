import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefixOfReverseName, reverseName, reverseNameWithin, reverseZones } from './reverse.ts';

const nibbles = '2.4.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa';

describe('the reverse name of an address', () => {
  it('consists of octets or nibbles', () => {
    assert.equal(reverseName('203.0.113.7'), '7.113.0.203.in-addr.arpa');
    assert.equal(reverseName('2001:DB8::42'), nibbles);
  });

  it('is in the zones of its block', () => {
    const zones = (address: string, length: number) => reverseZones({ address, length });
    assert.deepEqual(zones('203.0.113.0', 24), ['113.0.203.in-addr.arpa']);
    assert.deepEqual(
      zones('203.0.112.0', 22),
      ['112', '113', '114', '115'].map((octet) => `${octet}.0.203.in-addr.arpa`),
    );
    assert.deepEqual(zones('203.0.0.0', 16), ['0.203.in-addr.arpa']);
    assert.deepEqual(zones('192.0.2.64', 26), ['64/26.2.0.192.in-addr.arpa']);
    assert.deepEqual(zones('2001:db8::', 32), ['8.b.d.0.1.0.0.2.ip6.arpa']);
    assert.deepEqual(
      zones('2001:db8:e::', 47),
      ['e', 'f'].map((nibble) => `${nibble}.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa`),
    );
  });

  it('in a classless block is below the zone of that block', () => {
    assert.equal(
      reverseNameWithin({ address: '192.0.2.64', length: 26 }, '192.0.2.70'),
      '70.64/26.2.0.192.in-addr.arpa',
    );
    assert.equal(reverseNameWithin({ address: '203.0.113.0', length: 24 }, '203.0.113.7'), '7.113.0.203.in-addr.arpa');
    assert.equal(reverseNameWithin({ address: '2001:db8::', length: 64 }, '2001:db8::42'), nibbles);
  });
});

describe('the block of a reverse name', () => {
  it('is the one whose zone has that name', () => {
    const blocks = [
      { address: '203.0.113.0', length: 24 },
      { address: '203.0.0.0', length: 16 },
      { address: '203.0.113.9', length: 32 },
    ];
    for (const block of blocks) {
      const name = block.length === 32 ? reverseName(block.address) : reverseZones(block)[0]!;
      assert.deepEqual(prefixOfReverseName(name), block);
    }
    assert.deepEqual(prefixOfReverseName('8.b.d.0.1.0.0.2.ip6.arpa'), {
      address: '2001:0db8:0000:0000:0000:0000:0000:0000',
      length: 32,
    });
    assert.equal(prefixOfReverseName(nibbles)?.length, 128);
  });

  it('is none for any other name', () => {
    const others = ['in-addr.arpa', '256.in-addr.arpa', '01.in-addr.arpa', 'x.in-addr.arpa', '1.2.3.4.5.in-addr.arpa'];
    const more = [
      '64/26.2.0.192.in-addr.arpa',
      'g.ip6.arpa',
      '10.ip6.arpa',
      `0.${nibbles}`,
      'home.arpa',
      'example.com',
    ];
    for (const name of [...others, ...more]) assert.equal(prefixOfReverseName(name), undefined, name);
  });
});
