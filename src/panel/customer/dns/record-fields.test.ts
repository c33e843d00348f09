import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { typeNumber } from '#protocols/dns/types.ts';
import { composeContent, recordFields, splitContent } from './record-fields.ts';
import { newRecordTypes } from './record-types.ts';

const digest = '0123456789abcdef'.repeat(4);

test('the fields of every type make a content that the name server understands, and are read back from it', () => {
  for (const [type, fields] of Object.entries(recordFields)) {
    const values = fields.map(({ kind, placeholder }) => (kind === 'hex' ? digest : placeholder));
    const composed = composeContent(fields, values);
    assert.ok('content' in composed, type);
    if (type !== 'ALIAS') contentToWire(typeNumber(type), composed.content);
    assert.deepEqual(splitContent(fields, composed.content), values, type);
  }
});

test('the example of a type with fields fits them', () => {
  for (const [type, fields] of Object.entries(recordFields)) {
    const example = newRecordTypes[type as keyof typeof newRecordTypes].replace(/123456789abcdef…/, digest);
    assert.equal(splitContent(fields, example)?.length, fields.length, type);
  }
});

test('a field is checked before anything is sent', () => {
  const errors = (type: keyof typeof recordFields, ...values: string[]) => {
    const composed = composeContent(recordFields[type]!, values);
    return 'errors' in composed ? composed.errors : [];
  };
  assert.deepEqual(errors('MX', '65536', ''), ['Enter a number from 0 to 65535', 'Required']);
  assert.deepEqual(errors('A', '192.0.2.256'), ['Enter an IPv4 address']);
  assert.deepEqual(errors('AAAA', '192.0.2.1'), ['Enter an IPv6 address']);
  assert.deepEqual(errors('AAAA', '2001:db8::1::2'), ['Enter an IPv6 address']);
  assert.deepEqual(errors('CNAME', 'two words'), ['Enter a valid hostname']);
  assert.deepEqual(errors('SSHFP', '4', '2', 'abc'), [
    undefined,
    undefined,
    'Enter hexadecimal digits, two for each byte',
  ]);
  assert.deepEqual(errors('SSHFP', '', '', 'ab cd'), []);
});

test('quotes in a value are escaped, and a text that does not fit the fields stays text', () => {
  const composed = composeContent(recordFields.CAA!, ['0', 'iodef', 'mailto:"a"@b.net']);
  assert.deepEqual(composed, { content: String.raw`0 iodef "mailto:\"a\"@b.net"` });
  assert.equal(splitContent(recordFields.MX!, 'mail.example.net'), undefined);
});
