import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSignedBy } from '#test/support/dns-signatures.ts';
import { randomFrom } from '#test/support/dns-zones.ts';
import { contentToWire, wireToContent } from '../rdata.ts';
import { rrTypes, typeNumber } from '../types.ts';
import { canonicalForm, compareNames, countLabels } from './canonical.ts';
import { dsData, generateZoneKey, keyTag, openPrivateKey, signWith } from './keys.ts';
import { nsecData } from './nsec.ts';
import { bytesToSign, rrsigHeader } from './rrsig.ts';

/** Compares label by label from the right, as RFC 4034 section 6.1 puts it. */
function compareByDefinition(left: number[][], right: number[][]): number {
  for (let index = 0; ; index++) {
    const [one, other] = [left.at(-1 - index), right.at(-1 - index)];
    if (one === undefined || other === undefined) return Math.sign(left.length - right.length);
    const order = Buffer.compare(Buffer.from(one), Buffer.from(other));
    if (order !== 0) return order;
  }
}

describe('the canonical order of names', () => {
  it('is that of the example in RFC 4034', () => {
    const sorted = [
      'example',
      'a.example',
      'yljkjljk.a.example',
      'z.a.example',
      'zabc.a.example',
      'z.example',
      '\\001.z.example',
      '*.z.example',
      '\\200.z.example',
    ];
    assert.deepEqual(sorted.toReversed().toSorted(compareNames), sorted);
  });

  it('compares labels as bytes from the right, whatever the bytes', () => {
    const random = randomFrom(5);
    const bytes = [0, 1, 2, 3, 0x2d, 0x2e, 0x30, 0x5c, 0x61, 0x7f, 0xff];
    const randomLabels = () =>
      Array.from({ length: 1 + random(3) }, () => Array.from({ length: 1 + random(3) }, () => bytes[random(11)]!));
    const textOf = (labels: number[][]) =>
      labels.map((label) => label.map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')).join('.');
    for (let count = 0; count < 3000; count++) {
      const [left, right] = [randomLabels(), randomLabels()];
      assert.equal(
        compareNames(textOf(left), textOf(right)),
        compareByDefinition(left, right),
        `${textOf(left)} and ${textOf(right)}`,
      );
    }
  });
});

describe('DNSSEC records', () => {
  it('type bitmaps contain exactly the given types', () => {
    const random = randomFrom(9);
    for (let count = 0; count < 300; count++) {
      const types = new Set(Array.from({ length: 1 + random(12) }, () => 1 + random([60, 300, 65_535][random(3)]!)));
      const [next, ...names] = wireToContent(rrTypes.NSEC, nsecData('n.example', types), 'plain').split(' ');
      assert.equal(next, 'n.example');
      assert.deepEqual(
        names.map(typeNumber),
        [...types].sort((left, right) => left - right),
      );
    }
  });

  it('the DS of the key in RFC 6605 section 6.1 has its tag and digest', () => {
    const dnskey = contentToWire(
      rrTypes.DNSKEY,
      '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
    );
    assert.equal(keyTag(dnskey), 55648);
    assert.equal(
      wireToContent(rrTypes.DS, dsData('example.net', dnskey), 'plain').toLowerCase(),
      '55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17',
    );
  });

  it('a signature covers the records in canonical form, and a wildcard under its own name', async () => {
    const { privateKey, dnskey } = await generateZoneKey();
    const terms = {
      algorithm: 13,
      keyTag: keyTag(dnskey),
      signer: 'example',
      inceptionSeconds: 1,
      expirationSeconds: 9,
    };
    const rdata = ['192.0.2.2', '192.0.2.1'].map((address) => contentToWire(rrTypes.A, address));
    const set = { name: '*.w.example', type: rrTypes.A, ttl: 300, rdata };
    const signed = bytesToSign(rrsigHeader(set, terms), set);
    const signature = await signWith(openPrivateKey(privateKey), signed);
    assert.equal(signature.length, 64);
    assert.ok(
      isSignedBy(dnskey, bytesToSign(rrsigHeader(set, terms), { ...set, rdata: rdata.toReversed() }), signature),
    );
    assert.ok(!isSignedBy(dnskey, bytesToSign(rrsigHeader(set, terms), { ...set, ttl: 301 }), signature));
    assert.equal(countLabels('*.w.example'), 2);
    assert.ok(canonicalForm(set).indexOf(rdata[1]!) < canonicalForm(set).indexOf(rdata[0]!));
  });
});
