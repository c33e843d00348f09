import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import dnsPacket from 'dns-packet';
import { PresentationError, WireError } from './errors.ts';
import { parseMasterFile } from './masterfile-parse.ts';
import { encodeMessage } from './message.ts';
import { recordFormats, contentToWire, isComputedType, wireToContent } from './rdata.ts';
import { headerFlags, opcodes, rcodes, rrTypes } from './types.ts';

type Name = keyof typeof recordFormats;

/** Returns the form in which content is stored and returned. */
const canonicalContent = (type: number, content: string): string =>
  wireToContent(type, contentToWire(type, content), 'plain');

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
  ['ALIAS', 'Target.Example.test.', 'target.example.test'],
  ['DNAME', 'Other.Example.test.', 'other.example.test'],
  ['HINFO', 'Intel "Debian 12"', '"Intel" "Debian 12"'],
  ['CAA', '0 issue "letsencrypt.org"', '0 issue "letsencrypt.org"'],
  [
    'CAA',
    '128 issue "ca.test; validationmethods=dns-01; accounturi=https://ca.test/1"',
    '128 issue "ca.test; validationmethods=dns-01; accounturi=https://ca.test/1"',
  ],
  ['CAA', '0 issue ca.test; policy=ev', '0 issue "ca.test; policy=ev"'],
  ['CAA', '0 issuewild ";"', '0 issuewild ";"'],
  ['CAA', '0 iodef "mailto:a\\"b@ca.test"', '0 iodef "mailto:a\\"b@ca.test"'],
  ['CAA', '0 issue ""', '0 issue ""'],
  ['URI', '10 1 "https://example.test/a;b?c d"', '10 1 "https://example.test/a;b?c d"'],
  ['URI', '10 1 https://example.test/a;b', '10 1 "https://example.test/a;b"'],
  ['TLSA', `3 1 1 ${sha256.slice(0, 32).toUpperCase()} ${sha256.slice(32)}`, `3 1 1 ${sha256}`],
  ['SMIMEA', `3 0 1 ${sha256}`, `3 0 1 ${sha256}`],
  ['OPENPGPKEY', 'mQEN BFhX', 'mQENBFhX'],
  ['CDS', '0 0 0 00', '0 0 0 00'],
  ['CDS', `2371 13 2 ${sha256}`, `2371 13 2 ${sha256}`],
  ['CDNSKEY', '0 3 0 AA==', '0 3 0 AA=='],
  ['CDNSKEY', `257 3 13 ${key}`, `257 3 13 ${key}`],
  ['HTTPS', '0 pool.example.test.', '0 pool.example.test'],
  ['HTTPS', '1 . alpn="h2,h3"', '1 . alpn=h2,h3'],
  [
    'HTTPS',
    '1 . ipv6hint=2001:DB8::1,::2 port=8443 ipv4hint="192.0.2.1,192.0.2.2" alpn=h3,h2 no-default-alpn mandatory=port,alpn',
    '1 . mandatory=alpn,port alpn=h3,h2 no-default-alpn port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1,::2',
  ],
  ['SVCB', '16 Foo.example.test. key667=hello', '16 foo.example.test key667="hello"'],
  ['SVCB', '1 foo.test. key667="hello\\210qoo; (x)"', '1 foo.test key667="hello\\210qoo; (x)"'],
  ['SVCB', '16 foo.test. alpn="f\\\\\\\\oo\\\\,bar,h2"', '16 foo.test alpn=f\\\\\\\\oo\\\\,bar,h2'],
  ['SVCB', '16 foo.test. alpn=f\\\\\\092oo\\092,bar,h2', '16 foo.test alpn=f\\\\\\\\oo\\\\,bar,h2'],
  [
    'SVCB',
    '1 foo.test. dohpath=/dns-query{?dns} ech="AAAA" ohttp key65534',
    '1 foo.test ech="AAAA" key7="/dns-query{?dns}" key8="" key65534=""',
  ],
  ['SVCB', '1 foo.test. key3="\\001\\187" key2 alpn=h2', '1 foo.test alpn=h2 no-default-alpn port=443'],
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
  ['CAA', '0 issue', /value is missing/],
  ['CAA', '256 issue "x"', /flags must be a number/],
  ['CAA', '0 is_sue "x"', /tag must be 1 to 255 letters and digits/],
  ['TLSA', `3 1 1 ${sha256}00`, /64 hexadecimal digits/],
  ['TLSA', '3 1 2 abcd', /128 hexadecimal digits/],
  ['DNAME', '192.0.2.1', /must be a name, not the address/],
  ['ALIAS', '192.0.2.1', /must be a name, not the address/],
  ['URI', '10 1 ""', /target is empty/],
  ['HINFO', 'Intel', /operating system is missing/],
  ['CDS', '0 0 0 0000', /CDS that removes/],
  ['HTTPS', '1', /target is missing/],
  ['HTTPS', '0 a.test. alpn=h2', /priority 0 .* no parameters/],
  ['HTTPS', '1 . alpn=h2 alpn=h3', /alpn twice/],
  ['HTTPS', '1 . alpn', /alpn has no value/],
  ['HTTPS', '1 . alpn=""', /alpn has no value/],
  ['HTTPS', '1 . alpn=h2,,h3', /empty entry/],
  ['HTTPS', '1 . no-default-alpn', /no-default-alpn needs alpn/],
  ['HTTPS', '1 . no-default-alpn=1 alpn=h2', /no-default-alpn takes no value/],
  ['HTTPS', '1 . mandatory=port', /mandatory .*port, which is missing/],
  ['HTTPS', '1 . mandatory=mandatory', /mandatory .*itself/],
  ['HTTPS', '1 . mandatory=alpn,alpn alpn=h2', /mandatory .*twice/],
  ['HTTPS', '1 . port=70000', /port must be a number/],
  ['HTTPS', '1 . ipv4hint=2001:db8::1', /ipv4hint must be an IPv4 address/],
  ['HTTPS', '1 . ech=a$b', /ech is not base64/],
  ['HTTPS', '1 . color=red', /"color" is not a service parameter/],
  ['HTTPS', '1 . key65535=x', /"key65535" is not a service parameter/],
  ['HTTPS', '1 . key3="x"', /port has a malformed value/],
  ['HTTPS', '1 . key007=x', /"key007" is not a service parameter/],
  ['HTTPS', '1 . "alpn=h2"', /is not a service parameter/],
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

  it('of a type without a format is written as bytes, and that notation works for all types', () => {
    const unknown = 65280;
    assert.equal(canonicalContent(unknown, '\\# 3 AB cdef'), '\\# 3 abcdef');
    assert.equal(canonicalContent(unknown, '\\# 0'), '\\# 0');
    assert.equal(canonicalContent(rrTypes.A, '\\# 4 c0000201'), '192.0.2.1');
    assert.equal(canonicalContent(rrTypes.CAA, '\\# 9 000569737375653b20'), '0 issue "; "');
    assert.equal(canonicalContent(rrTypes.MX, '\\# 7 000A 0341424300'), '10 abc');
    const reject = (type: number, content: string, reason: RegExp) =>
      assert.throws(() => contentToWire(type, content), { name: 'PresentationError', message: reason }, content);
    reject(unknown, 'text', /must be written as \\# /);
    reject(unknown, '\\# 2 abcdef', /has 3 bytes, not 2/);
    reject(unknown, '\\# 65536 ab', /length must be a number/);
    reject(unknown, '\\# 1 xy', /not hex/);
    reject(rrTypes.A, '\\# 3 c00002', /not valid for type A/);
    reject(rrTypes.MX, '\\# 6 000a 0161 c002', /not valid for type MX/);
  });

  it('of queries, transfers and the wire protocol is no record', () => {
    for (const type of [0, rrTypes.OPT, rrTypes.TSIG, rrTypes.AXFR, rrTypes.ANY, 128, 249, 65535])
      assert.throws(() => contentToWire(type, '\\# 1 ab'), { name: 'PresentationError', message: /not supported/ });
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

  const bytes = fc.uint8Array({ maxLength: 12 }).map((value) => Buffer.from(value));
  const someBytes = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((value) => Buffer.from(value));
  const target = Buffer.from('\x03foo\x04test\0', 'latin1');
  const prefixed = (value: Buffer) => Buffer.concat([Buffer.of(value.length), value]);
  const wire: fc.Arbitrary<[Name, Buffer]> = fc.oneof(
    fc.tuple(
      fc.constant('CAA' as const),
      bytes.map((value) => Buffer.concat([Buffer.from('\0\x05issue'), value])),
    ),
    fc.tuple(
      fc.constant('URI' as const),
      someBytes.map((value) => Buffer.concat([Buffer.alloc(4), value])),
    ),
    fc.tuple(
      fc.constant('HINFO' as const),
      fc.tuple(bytes, bytes).map((pair) => Buffer.concat(pair.map(prefixed))),
    ),
    fc.tuple(
      fc.constantFrom('SVCB' as const, 'HTTPS' as const),
      fc
        .record(
          {
            1: fc.array(someBytes, { minLength: 1, maxLength: 3 }).map((ids) => Buffer.concat(ids.map(prefixed))),
            3: fc.uint8Array({ minLength: 2, maxLength: 2 }).map((port) => Buffer.from(port)),
            4: fc.uint8Array({ minLength: 4, maxLength: 4 }).map((address) => Buffer.from(address)),
            5: someBytes,
            6: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((address) => Buffer.from(address)),
            7: bytes,
            667: bytes,
          },
          { requiredKeys: [] },
        )
        .map((values) => {
          const parameters = Object.entries(values).map(([key, value]) => {
            const head = Buffer.alloc(4);
            head.writeUInt16BE(Number(key));
            head.writeUInt16BE(value.length, 2);
            return Buffer.concat([head, value]);
          });
          return Buffer.concat([Buffer.of(0, 1), target, ...parameters]);
        }),
    ),
  );

  it('with texts and parameters of any bytes survives conversion to text and back, exactly', () => {
    fc.assert(
      fc.property(wire, ([type, rdata]) => {
        const content = wireToContent(rrTypes[type], rdata, 'dotted');
        assert.deepEqual(contentToWire(rrTypes[type], content), rdata, content);
        const quoted = content.replaceAll(/ (alpn|port|ipv[46]hint)=(\S+)/g, ' $1="$2"');
        assert.deepEqual(contentToWire(rrTypes[type], quoted), rdata, quoted);
        const { records } = parseMasterFile(`@ ${type} ${content}`, { zone: 'a.test', defaultTtl: 1 });
        assert.deepEqual(records[0]?.rdata, [rdata], 'in a zone file');
      }),
    );
  });

  it('is encoded as dns-packet decodes it', () => {
    const decode = (type: Name, content: string): unknown => {
      const set = { name: 'a.test', type: rrTypes[type], ttl: 1, rdata: [contentToWire(rrTypes[type], content)] };
      const flags = headerFlags.RESPONSE;
      const sections = { questions: [], answers: [set], authorities: [], additionals: [], edns: undefined };
      const message = encodeMessage({ id: 1, flags, opcode: opcodes.QUERY, rcode: rcodes.NOERROR, ...sections });
      return (dnsPacket.decode(message).answers![0] as { data: unknown }).data;
    };
    assert.deepEqual(decode('CAA', '128 issue "ca.test; a=b"'), {
      flags: 128,
      tag: 'issue',
      value: 'ca.test; a=b',
      issuerCritical: true,
    });
    const data = { certificate: Buffer.from(sha256, 'hex') };
    assert.deepEqual(decode('TLSA', `3 1 1 ${sha256}`), { usage: 3, selector: 1, matchingType: 1, ...data });
    assert.deepEqual(decode('HINFO', 'Intel "Debian 12"'), { cpu: 'Intel', os: 'Debian 12' });
    assert.equal(decode('DNAME', 'b.test'), 'b.test');
    assert.deepEqual(decode('SSHFP', `4 2 ${sha256}`), { algorithm: 4, hash: 2, fingerprint: sha256.toUpperCase() });
    assert.deepEqual(decode('NAPTR', '1 2 S SIP "" b.test'), {
      order: 1,
      preference: 2,
      flags: 'S',
      services: 'SIP',
      regexp: '',
      replacement: 'b.test',
    });
  });
});
