import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PresentationError, WireError } from './errors.ts';
import { recordFormats, canonicalContent, contentToWire, isComputedType, wireToContent } from './rdata.ts';
import { rrTypes } from './types.ts';

type Name = keyof typeof recordFormats;

const key = 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';
const sha256 = '1f987cc6583e92df0890718c42a2b3b9e6d2a0b7ffe4bd2d1a6f3c9b5a9b7c11';

/** Content as written by customers, and as stored. */
const accepted: [Name, string, string][] = [
  ['A', ' 192.0.2.10 ', '192.0.2.10'],
  ['AAAA', '2001:DB8:0:0:0:0:0:10', '2001:db8::10'],
  ['AAAA', '::ffff:192.0.2.1', '::ffff:c000:201'],
  ['AAAA', '2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['AAAA', '::', '::'],
  ['NS', 'NS1.Example.test.', 'ns1.example.test'],
  ['CNAME', 'www.example.test', 'www.example.test'],
  ['PTR', 'host.example.test.', 'host.example.test'],
  ['MX', '10  mail.example.test.', '10 mail.example.test'],
  ['MX', '0 .', '0 .'],
  [
    'SOA',
    'ns1.test. hostmaster.test. 2024010101 3h 1h 1w 3600',
    'ns1.test hostmaster.test 2024010101 10800 3600 604800 3600',
  ],
  ['TXT', 'v=DKIM1; k=rsa; p=abc', '"v=DKIM1; k=rsa; p=abc"'],
  ['TXT', '"one" "two"', '"one" "two"'],
  ['TXT', 'say \\"hi\\" ü', '"say \\"hi\\" \\195\\188"'],
  ['TXT', `"${'a'.repeat(300)}"`, `"${'a'.repeat(255)}" "${'a'.repeat(45)}"`],
  ['TXT', '""', '""'],
  ['SPF', 'v=spf1 -all', '"v=spf1 -all"'],
  ['SRV', '10 20 5060 sip.example.test', '10 20 5060 sip.example.test'],
  ['RP', 'admin.example.test. .', 'admin.example.test .'],
  ['NAPTR', '100 10 U E2U+sip !^.*$!sip:info@example.test! .', '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.test!" .'],
  ['NAPTR', '100 10 "" "" "" _sip._udp.example.test.', '100 10 "" "" "" _sip._udp.example.test'],
  ['LOC', '52 22 23 N 4 53 32 E -2m', '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m'],
  ['LOC', '52 N 4 W 0 0 10000m 10', '52 0 0.000 N 4 0 0.000 W 0.00m 0.00m 10000.00m 10.00m'],
  ['CERT', 'PKIX 12345 RSASHA256 MIIB IjAN', '1 12345 8 MIIBIjAN'],
  ['DNSKEY', `257 3 ECDSAP256SHA256 ${key.slice(0, 40)} ${key.slice(40)}`, `257 3 13 ${key}`],
  ['KEY', '256 3 8 AwEAAa+dpdDFyYQBDqXCwT2x', '256 3 8 AwEAAa+dpdDFyYQBDqXCwT2x'],
  ['DS', `2371 13 2 ${sha256.slice(0, 32).toUpperCase()} ${sha256.slice(32)}`, `2371 13 2 ${sha256}`],
  ['SSHFP', `4 2 ${sha256}`, `4 2 ${sha256}`],
  ['NSEC', 'b.example.test. NSEC A MX TYPE1234 RRSIG', 'b.example.test A MX RRSIG NSEC TYPE1234'],
  [
    'RRSIG',
    `A 13 3 300 20300101000000 1704067200 2371 example.test. ${key}`,
    `A 13 3 300 20300101000000 20240101000000 2371 example.test ${key}`,
  ],
];

const rejected: [Name, string, RegExp][] = [
  ['A', '1.2.3.400', /address must be an IPv4 address/],
  ['A', '', /address is missing/],
  ['A', '1.2.3.4 5', /unexpected "5"/],
  ['AAAA', '192.0.2.1', /IPv6/],
  ['AAAA', 'fe80::1%eth0', /IPv6/],
  ['CNAME', '192.0.2.1', /must be a name, not the address/],
  ['CNAME', '2001:db8::1', /must be a name, not the address/],
  ['MX', 'mail.example.test', /priority must be a number/],
  ['MX', '10', /host is missing/],
  ['MX', '10 a_b.test', /must be a host name/],
  ['NS', '.', /must be a host name/],
  ['SRV', '1 2 3 -a.test', /must be a host name/],
  ['MX', '70000 a.test', /0 to 65535/],
  ['TXT', '"open', /quote is not closed/],
  ['TXT', 'half"', /does not start with a quote/],
  ['TXT', '', /empty/],
  ['SRV', '1 2 sip.test', /port must be a number/],
  ['SOA', 'ns1.test. host.test. 1 2 3 4', /minimum is missing/],
  ['SOA', 'ns1.test. host.test. 4294967296 2 3 4 5', /serial must be a number/],
  ['DS', '1 13 2 abcd', /64 hexadecimal digits, not 4/],
  ['DS', '1 13 2 xyz', /digest is not hex/],
  ['SSHFP', '4 2 1234', /64 hexadecimal/],
  ['DNSKEY', `257 2 13 ${key}`, /protocol must be 3/],
  ['DNSKEY', '257 3 13 AAAA', /64 bytes/],
  ['CERT', '1 1 8 a$b=', /not base64/],
  ['LOC', '91 N 4 E 0m', /latitude/],
  ['LOC', '52 N 4 E', /altitude is missing/],
  ['LOC', '52 60 N 4 E 0m', /latitude/],
  ['NAPTR', '1 1 "u" "x" "!a!b" .', /form !pattern/],
  ['NAPTR', '1 1 "u" "x" "!a!b!" a.test.', /replacement must be/],
];

describe('record content', () => {
  it('is stored in one canonical form, however it was written', () => {
    for (const [type, written, stored] of accepted) {
      assert.equal(canonicalContent(rrTypes[type], written), stored);
      assert.equal(canonicalContent(rrTypes[type], stored), stored, 'canonical content is its own canonical form');
      const rdata = contentToWire(rrTypes[type], written);
      assert.deepEqual(contentToWire(rrTypes[type], wireToContent(rrTypes[type], rdata, 'dotted')), rdata);
    }
  });

  it('is tested for every type', () => {
    assert.deepEqual([...new Set(accepted.map(([type]) => type))].sort(), Object.keys(recordFormats).sort());
  });

  it('that is invalid for its type is rejected with a reason', () => {
    for (const [type, content, reason] of rejected) {
      const rightReason = (error: unknown) => error instanceof PresentationError && reason.test(error.message);
      assert.throws(() => contentToWire(rrTypes[type], content), rightReason, `${type} ${content}`);
    }
  });

  it('of RRSIG and NSEC is generated by the name server', () => {
    assert.deepEqual(
      Object.keys(recordFormats).filter((type) => isComputedType(rrTypes[type as Name])),
      ['NSEC', 'RRSIG'],
    );
  });

  const anyType = fc.constantFrom(...(Object.keys(recordFormats) as Name[]));

  it('from any text is rejected with a reason, or canonical', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789 .\\"-;()amNE:='.split('')) }));
    fc.assert(
      fc.property(anyType, texts, (type, text) => {
        try {
          const canonical = canonicalContent(rrTypes[type], text);
          assert.equal(canonicalContent(rrTypes[type], canonical), canonical);
        } catch (error) {
          if (!(error instanceof PresentationError)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('from any bytes is rejected, or survives conversion to text and back', () => {
    fc.assert(
      fc.property(anyType, fc.uint8Array({ maxLength: 60 }), (type, bytes) => {
        let text: string;
        try {
          text = wireToContent(rrTypes[type], bytes, 'dotted');
        } catch (error) {
          if (error instanceof WireError) return;
          throw error;
        }
        let back: Buffer;
        try {
          back = contentToWire(rrTypes[type], text);
        } catch (error) {
          // Bytes may be well-formed and still violate a rule between fields, such as a digest's length.
          if (error instanceof PresentationError) return;
          throw error;
        }
        assert.equal(wireToContent(rrTypes[type], back, 'dotted'), text);
      }),
      { numRuns: 3000 },
    );
  });
});
