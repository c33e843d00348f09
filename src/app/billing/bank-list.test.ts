import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { dayNumber } from '#lib/time.ts';
import { createInvoiceFinder, mentionsInvoice } from './bank-matching.ts';
import { BankListUnreadable, readBankList, readCsv } from './bank-list.ts';

describe('a bank list', () => {
  it('is read whatever separator, quoting, number and date format the bank uses', () => {
    const expected = [
      { line: 2, day: dayNumber('2026-11-05')!, cents: 123_456, reference: 'R1', text: 'INV 1; thanks' },
    ];
    const lists = [
      'date,amount,reference,text\n2026-11-05,1234.56,R1,INV 1; thanks\n',
      '\uFEFFText;Betrag;Datum;Referenz\r\n"INV 1; thanks";1.234,56;05.11.2026;R1\r\n',
      'Reference\tDescription\tDate\tAmount\tBalance\nR1\tINV 1; thanks\t2026-11-05\t1,234.56\t0\n\n',
    ];
    for (const list of lists) assert.deepEqual(readBankList(list), { rows: expected, problems: [] }, list);
  });

  it('reports the lines that cannot be read, and reads the others', () => {
    const { rows, problems } = readBankList(
      'date,amount,text\n2026-11-31,1,a\n2026-11-01,1.001,b\n2026-11-01,"1.000",c\n2026-11-01,7,d\n2026-11-01,,e\n',
    );
    assert.deepEqual(
      problems.map(({ line }) => line),
      [2, 3, 4, 6],
    );
    assert.deepEqual(
      rows.map(({ line, cents }) => [line, cents]),
      [[5, 700]],
    );
  });

  it('reports lines with more fields than columns, because the amount may be one of two', () => {
    const { rows, problems } = readBankList(
      'date,text,amount\n2026-11-01,a,107,69\n2026-11-01,b,"107,69"\n2026-11-01,c,7,\n',
    );
    assert.deepEqual(problems, [{ line: 2, reason: 'it has 4 fields, but the first line names 3' }]);
    assert.deepEqual(
      rows.map(({ line, cents }) => [line, cents]),
      [
        [3, 10_769],
        [4, 700],
      ],
    );
  });

  it('without a column for day, amount or text is rejected as a whole', () => {
    assert.throws(() => readBankList('day,money\n'), /no column for date and amount and text/);
    assert.throws(() => readBankList(''), /no column/);
    assert.throws(() => readBankList('date,amount,text\n2026-11-05,1,"never closed\n'), BankListUnreadable);
  });

  it('round-trips through CSV whatever its fields contain', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', ' ') });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (records) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const text = records.map((fields) => `${fields.map(quoted).join(',')}\n`).join('');
        assert.deepEqual(
          readCsv(text, ',').map(({ fields }) => fields),
          records,
        );
      }),
    );
  });
});

describe('a payment text', () => {
  it('mentions an invoice with any punctuation between its parts, or none', () => {
    for (const text of ['INV-2026-00012', 'inv 2026 00012 thanks', 'for INV202600012.', '(Inv/2026/00012)'])
      assert.ok(mentionsInvoice(text, 'INV-2026-00012'), text);
  });

  it('does not mention an invoice whose number it only begins or ends with', () => {
    for (const text of ['INV-2026-000123', 'XINV-2026-00012', 'INV-2026-0001 2', 'INV-2026', '', 'INV-2026-0001'])
      assert.ok(!mentionsInvoice(text, 'INV-2026-00012'), text);
    assert.ok(!mentionsInvoice('anything', '---'));
  });

  it('is looked up with the same result as if it were compared with every invoice', () => {
    const pieces = fc.constantFrom('INV', '2026', '001', '01', '1', 'ß');
    const joined = (separators: readonly string[]) =>
      fc
        .array(fc.tuple(pieces, fc.constantFrom(...separators)), { maxLength: 6 })
        .map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(fc.array(joined(['', '-', '/']), { maxLength: 8 }), joined(['', ' ', '-', '. ']), (numbers, text) => {
        const invoices = numbers.map((number) => ({ number }));
        assert.deepEqual(
          new Set(createInvoiceFinder(invoices)(text)),
          new Set(invoices.filter(({ number }) => mentionsInvoice(text, number))),
        );
      }),
    );
  });
});
