import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { addressesOf, networkRange, networkText, readSortable, sortableAddress } from './address-ranges.ts';
import { networkContains, parseAddress, parseNetwork } from './addresses.ts';

test('an address survives the round trip through its sortable text, in canonical form', () => {
  for (const [written, spelled] of [
    ['203.0.113.10', '203.0.113.10'],
    ['2001:DB8:0:0::10', '2001:db8::10'],
    ['::ffff:203.0.113.10', '203.0.113.10'],
  ]) {
    assert.equal(readSortable(sortableAddress(parseAddress(written!)!)), spelled);
  }
});

test('a network is the range of its addresses and starts at its first', () => {
  assert.equal(networkText(parseNetwork('203.0.113.77/26')!), '203.0.113.64/26');
  assert.equal(networkText(parseNetwork('2001:db8:1:ffff::1/47')!), '2001:db8::/47');
  const range = networkRange(parseNetwork('203.0.113.8/30')!);
  const addresses = ['203.0.113.8', '203.0.113.9', '203.0.113.10', '203.0.113.11'];
  assert.deepEqual([...addressesOf(range)].map(readSortable), addresses);
});

test('an address is in the range exactly if it is in the network', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6()).map((text) => parseAddress(text)!);
  fc.assert(
    fc.property(address, address, fc.nat(128), (base, other, length) => {
      const bits = base.kind() === 'ipv4' ? 32 : 128;
      const network = { base, prefixLength: Math.min(length, bits) };
      const { first, last } = networkRange(network);
      const text = sortableAddress(other);
      assert.equal(first <= text && text <= last, networkContains(network, other));
    }),
  );
});
