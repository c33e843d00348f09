// The file for DATEV: its shape, characters and amounts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { fc } from '#test/support/fast-check.ts';
import { datevBooking, datevColumns, datevHeader, documentNumber, encodeWindows1252 } from './datev-file.ts';

const decode = (bytes: Buffer): string => new TextDecoder('windows-1252').decode(bytes);
const read = (bytes: Buffer): string[][] =>
  parse(decode(bytes), { delimiter: ';', record_delimiter: '\r\n', relax_quotes: false });

describe('a file for DATEV', () => {
  it('begins with the header and the columns of format version 13', () => {
    const header = datevHeader({
      consultant: 29_098,
      client: 55_003,
      chart: '03',
      accountLength: 4,
      yearStart: '2026-01-01',
      from: '2026-11-01',
      until: '2026-11-30',
      currency: 'EUR',
      createdAt: Date.UTC(2026, 10, 17, 8, 5, 9, 7),
    });
    const [first, second] = decode(header).split('\r\n');
    assert.equal(
      first,
      '"EXTF";700;21;"Buchungsstapel";13;20261117080509007;;"RE";"";"";29098;55003;20260101;4;20261101;20261130;"Hostyard";"";1;0;0;"EUR";;"";;;"03";;;"";""',
    );
    assert.equal(first!.split(';').length, 31);
    assert.equal(second!.split(';').length, 125);
    assert.equal(new Set(datevColumns).size, 125);
  });

  it('has a line of 125 fields for each booking, whatever its texts are', () => {
    fc.assert(
      fc.property(
        fc.record({
          cents: fc.integer({ min: 1, max: 999_999_999_999 }),
          account: fc.integer({ min: 1, max: 699_999_999 }),
          offset: fc.integer({ min: 1, max: 99_999_999 }),
          day: fc.constantFrom('2026-01-31', '2026-12-01'),
          document: fc.string({ unit: 'grapheme' }),
          text: fc.string({ unit: 'grapheme' }),
        }),
        (booking) => {
          const lines = read(datevBooking(booking));
          assert.equal(lines.length, 1);
          const [fields] = lines;
          assert.equal(fields!.length, 125);
          assert.match(fields![0]!, /^\d{1,10},\d\d$/);
          assert.equal(BigInt(fields![0]!.replace(',', '')), BigInt(booking.cents));
          assert.equal(fields![1], 'S');
          assert.deepEqual([fields![6], fields![7]], [String(booking.account), String(booking.offset)]);
          assert.equal(fields![9], booking.day === '2026-01-31' ? '3101' : '0112');
          assert.match(fields![10]!, /^[A-Za-z0-9$&%*+\-/]{0,36}$/);
          assert.ok(fields![13]!.length <= 60);
          assert.equal(fields![113], '0');
        },
      ),
    );
  });

  it('is in Windows-1252, and characters that it lacks lose their accent', () => {
    assert.equal(decode(encodeWindows1252('Müller & Söhne, 5 € – „Żółć“ 東')), 'Müller & Söhne, 5 € – „Zó?c“ ?');
    const known = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => decode(Buffer.from([code]))) });
    fc.assert(fc.property(known, (text) => assert.equal(decode(encodeWindows1252(text)), text)));
  });

  it('keeps the characters of document numbers that DATEV allows', () => {
    assert.equal(documentNumber('INV 2026_00042/1'), 'INV202600042/1');
  });
});
