import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { Check } from 'typebox/schema';
import { Cidr, IpAddress } from '#contract/parameters.ts';
import { addressText, budgetNetwork, networkContains, parseAddress, parseNetwork } from './addresses.ts';

function contains(network: string, address: string): boolean {
  return networkContains(parseNetwork(network)!, parseAddress(address)!);
}

describe('addresses', () => {
  it('have one canonical form', () => {
    const cases = [
      ['192.0.2.1', '192.0.2.1'],
      ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['2001:db8::0001', '2001:db8::1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['::FFFF:C000:0201', '192.0.2.1'],
    ] as const;
    for (const [spelling, text] of cases) assert.equal(addressText(spelling), text);
  });

  it('share a budget within an IPv6 /64, in every form, and have their own in IPv4', () => {
    const cases = [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['::FFFF:C000:0201', '192.0.2.1'],
      ['2001:db8::1', '2001:db8::/64'],
      ['2001:DB8:0:0:ffff::', '2001:db8::/64'],
      ['2001:db8:0:0:0:0:192.0.2.1', '2001:db8::/64'],
      ['2001:db8:1::1', '2001:db8:1::/64'],
      ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
      ['::1', '::/64'],
      ['fe80::1%eth0', 'fe80::/64'],
      ['fe80::2%eth1', 'fe80::/64'],
      ['', ''],
      ['no address', 'no address'],
    ] as const;
    for (const [address, network] of cases) assert.equal(budgetNetwork(address), network, address);
  });

  it('are four plain numbers or colons and hex, and nothing that only some programs accept', () => {
    for (const text of [
      '',
      '10.1',
      '010.0.0.1',
      '0x7f.0.0.1',
      '2130706433',
      '256.0.0.1',
      '1.2.3.4.5',
      'fe80::1%eth0',
      ':::',
      'localhost',
      ' 1.2.3.4',
    ])
      assert.equal(parseAddress(text), undefined, text);
  });

  it('are accepted by the contract and by this module alike', () => {
    const part = fc.constantFrom(
      '0',
      '1',
      '10',
      '010',
      '255',
      '256',
      '0x1',
      '::',
      ':',
      'ffff',
      '.',
      '/',
      '8',
      '24',
      '33',
      '129',
      '%e',
      '',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        assert.equal(Check(IpAddress, text), parseAddress(text) !== undefined, text);
        if (parseNetwork(text) !== undefined) assert.ok(Check(Cidr, text), text);
      }),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.ipV4(), (text) => addressText(text) === text));
    fc.assert(fc.property(fc.ipV6(), (text) => Check(IpAddress, text) && parseAddress(text) !== undefined));
  });
});

describe('networks', () => {
  it('contain their addresses and no others', () => {
    assert.ok(contains('192.0.2.0/24', '192.0.2.255') && !contains('192.0.2.0/24', '192.0.3.0'));
    assert.ok(contains('192.0.2.7', '192.0.2.7') && !contains('192.0.2.7', '192.0.2.8'));
    assert.ok(contains('2001:db8::/32', '2001:db8:ffff::1') && !contains('2001:db8::/32', '2001:db9::'));
    assert.ok(contains('0.0.0.0/0', '203.0.113.1') && !contains('0.0.0.0/0', '2001:db8::1'));
    assert.ok(contains('192.0.2.0/24', '::ffff:192.0.2.1'));
  });

  it('are rejected if the prefix length is invalid', () => {
    for (const text of [
      '192.0.2.0/33',
      '2001:db8::/129',
      '192.0.2.0/',
      '192.0.2.0/-1',
      '192.0.2.0/a',
      '192.0.2.0/8/8',
      '/8',
      '',
    ])
      assert.equal(parseNetwork(text), undefined, text);
  });
});
