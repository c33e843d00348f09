import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { parseMasterFile } from './masterfile-parse.ts';
import { printMasterFile } from '../../../test/support/zone-file.ts';
import { Reader } from './reader.ts';
import { wireToContent } from './rdata.ts';
import { type Rrset, groupRecords } from './rrset.ts';
import { rrTypes, typeName } from './types.ts';

const settings = { zone: 'example.test', defaultTtl: 3600 };

function parse(text: string): string[] {
  const { records, problems } = parseMasterFile(text, settings);
  assert.deepEqual(problems, []);
  return records.map(
    ({ name, ttl, type, rdata }) => `${name} ${ttl} ${typeName(type)} ${wireToContent(type, rdata[0]!, 'plain')}`,
  );
}

function problemsOf(text: string): string[] {
  return parseMasterFile(text, settings).problems.map(({ line, column, reason }) => `${line}:${column} ${reason}`);
}

describe('a zone file', () => {
  it('is parsed with origins, TTLs, relative names, parentheses, comments and classes in any order', () => {
    const text = `
$TTL 1h ; the default
@ IN SOA ns1 hostmaster (
      2024010101 ; serial
      3h 1h
      1w 1h30m )
      IN NS ns1
      NS    ns2.other.test.
ns1   300 IN A 192.0.2.1
      IN 300 AAAA 2001:db8::1
$ORIGIN sub.example.test.
$TTL 60
www   CNAME @
txt   TXT ( "a;b"
            "c (d)" ) ; two strings
*.x   in mx 10 mail
a     A 192.0.2.2`;
    assert.deepEqual(parse(text), [
      'example.test 3600 SOA ns1.example.test hostmaster.example.test 2024010101 10800 3600 604800 5400',
      'example.test 3600 NS ns1.example.test',
      'example.test 3600 NS ns2.other.test',
      'ns1.example.test 300 A 192.0.2.1',
      'ns1.example.test 300 AAAA 2001:db8::1',
      'www.sub.example.test 60 CNAME sub.example.test',
      'txt.sub.example.test 60 TXT "a;b" "c (d)"',
      '*.x.sub.example.test 60 MX 10 mail.sub.example.test',
      'a.sub.example.test 60 A 192.0.2.2',
    ]);
  });

  it('with problems reports each by line and column, and parses the rest', () => {
    const text = [
      'www A 192.0.2.1',
      'bad A 192.0.2.400',
      'mx  MX mail',
      'out.other. A 192.0.2.1',
      '    A 192.0.2.3',
      'x FOO bar',
      'y CH A 1.2.3.4',
      '$INCLUDE other',
      'z 99999999999 A 1.2.3.4',
    ].join('\n');
    assert.deepEqual(problemsOf(text), [
      '2:7 the address must be an IPv4 address, not "192.0.2.400"',
      '3:8 the priority must be a number from 0 to 65535, not "mail"',
      '4:1 "out.other." is outside the zone example.test',
      '5:5 the record has no owner name',
      '6:3 "FOO" is not a record type',
      '7:3 the class CH is not supported',
      '8:1 $INCLUDE is not supported',
      '9:3 "99999999999" is not a TTL',
    ]);
    assert.equal(parseMasterFile(text, settings).records.length, 1);
    assert.deepEqual(problemsOf('a TXT "open\nb A 1.2.3.4'), ['1:7 a quote is not closed']);
    assert.deepEqual(problemsOf('a TXT ( "x"\nb A 1.2.3.4'), ['1:7 a parenthesis is not closed']);
    assert.deepEqual(problemsOf('a A'), ['1:3 the address is missing']);
    assert.deepEqual(problemsOf('a'), ['1:1 the record has no type']);
  });

  it('never fails otherwise, whatever the text', () => {
    const scraps = fc.constantFrom(
      '@',
      ' ',
      '\n',
      '"',
      '(',
      ')',
      ';',
      '\\',
      '$TTL',
      '$ORIGIN ',
      'A',
      'TXT ',
      'IN ',
      '1h ',
      'www',
      '.',
      '\t',
      '\r',
      '192.0.2.1',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(scraps).map((parts) => parts.join('')),
        ),
        (text) => void parseMasterFile(text, settings),
      ),
      { numRuns: 2000 },
    );
  });

  const names = fc.array(fc.uint8Array({ minLength: 1, maxLength: 5 }), { maxLength: 3 }).map((labels) => {
    const wire = Buffer.concat([
      ...labels.flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]),
      Buffer.of(0),
    ]);
    const name = new Reader(wire).name();
    return name === '' ? 'example.test' : `${name}.example.test`;
  });
  const strings = fc
    .array(fc.uint8Array({ maxLength: 10 }), { minLength: 1, maxLength: 3 })
    .map((parts) => Buffer.concat(parts.flatMap((part) => [Buffer.of(part.length), Buffer.from(part)])));
  const sets: fc.Arbitrary<Rrset> = fc.record({
    name: names,
    type: fc.constantFrom(rrTypes.TXT, rrTypes.SPF),
    ttl: fc.integer({ min: 0, max: 604800 }),
    rdata: fc.uniqueArray(strings, { minLength: 1, maxLength: 3, selector: (rdata) => rdata.toString('hex') }),
  });

  it('that is exported, imported and exported again is unchanged', () => {
    fc.assert(
      fc.property(fc.uniqueArray(sets, { selector: ({ name, type }) => `${name} ${type}` }), (rrsets) => {
        const exported = printMasterFile('example.test', rrsets);
        const { records, problems } = parseMasterFile(exported, { zone: 'example.test', defaultTtl: 1 });
        assert.deepEqual(problems, []);
        const imported = groupRecords(records);
        assert.equal(printMasterFile('example.test', imported), exported);
      }),
    );
  });
});
