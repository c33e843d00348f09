import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { moneyText } from '#lib/money.ts';
import { needs } from '#test/support/needs.ts';
import { schemaProblems } from '#test/support/xml-schemas.ts';
import { debitBlockId, writeDebitFile, writeTransferFile, type Debit } from './payment-file.ts';

const head = {
  messageId: 'HY-D-20261117-1',
  createdAt: Date.UTC(2026, 10, 17, 8, 30),
  creditor: { name: 'Example Hosting B.V.', id: 'NL41ZZZ123456780000', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
};
const iban = 'DE89370400440532013000';
const debit: Debit = {
  endToEndId: 'E2E-1',
  cents: 12_345,
  sequence: 'FRST',
  day: 20_777,
  mandate: { reference: 'HY-1', signedDay: 20_700, name: 'Jürgen Groß', iban, scheme: 'CORE' },
  text: 'Invoice 2026-00001',
};
const transfer = { endToEndId: 'R-1', cents: 500, name: 'Ada', iban, text: 'Refund' };

describe('payment files', needs('xmllint'), () => {
  it('are valid for any names, texts and amounts', () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });
    const debits = fc.array(
      fc.record({
        endToEndId: fc.stringMatching(/^[A-Za-z0-9]{1,35}$/),
        cents: fc.integer({ min: 1, max: 99_999_999_999 }),
        sequence: fc.constantFrom('FRST', 'RCUR', 'OOFF', 'FNAL'),
        day: fc.integer({ min: 20_000, max: 20_003 }),
        mandate: fc.record({
          reference: fc.stringMatching(/^HY-[0-9]{1,20}$/),
          signedDay: fc.integer({ min: 15_000, max: 20_000 }),
          name: anyText,
          iban: fc.constant(iban),
          scheme: fc.constantFrom('CORE', 'B2B'),
        }),
        text: anyText,
      }),
      { minLength: 1, maxLength: 30 },
    );
    // Each run starts xmllint.
    fc.assert(
      fc.property(debits, (list) => {
        assert.equal(schemaProblems('pain.008.001.08', writeDebitFile(head, list as Debit[])), '');
        const transfers = list.map(({ mandate, ...rest }) => ({ ...rest, name: mandate.name, iban }));
        assert.equal(schemaProblems('pain.001.001.09', writeTransferFile(head, 20_777, transfers)), '');
      }),
      { numRuns: 15 },
    );
  });

  it('that are wrong fail the check', () => {
    const file = writeDebitFile(head, [debit]);
    const wrongs = [
      file.replace('Juergen', 'Jürgen'),
      file.replace('123.45', '123.456'),
      file.replace('Ccy="EUR"', 'Ccy="USD"'),
      file.replace('>FRST<', '>LAST<'),
      file.replace(/<ReqdColltnDt>.*<\/ReqdColltnDt>/, ''),
      file.replace(/(<PmtMtd>DD<\/PmtMtd>)(<NbOfTxs>1<\/NbOfTxs>)/, '$2$1'),
      file.replace('E2E-1', 'E'.repeat(36)),
    ];
    for (const wrong of wrongs) assert.notEqual(schemaProblems('pain.008.001.08', wrong), '', wrong);
    assert.notEqual(schemaProblems('pain.001.001.09', file), '');
    const refunds = writeTransferFile(head, 20_777, [transfer]);
    assert.notEqual(schemaProblems('pain.001.001.09', refunds.replace('>5.00</InstdAmt>', '>0.00</InstdAmt>')), '');
  });
});

describe('direct debits', () => {
  it('are grouped by scheme, sequence and day, with totals of file and group', () => {
    const recurring = { ...debit, endToEndId: 'E2E-2', sequence: 'RCUR', cents: 5 } as const;
    const later = { ...recurring, endToEndId: 'E2E-3', day: 20_778 };
    const file = writeDebitFile(head, [debit, recurring, later, { ...recurring, endToEndId: 'E2E-4' }]);
    assert.equal(file.match(/<PmtInf>/g)?.length, 3);
    assert.match(file, new RegExp(`<MsgId>.*<NbOfTxs>4</NbOfTxs><CtrlSum>${moneyText(12_360)}</CtrlSum>`));
    assert.match(
      file,
      new RegExp(
        `<PmtInfId>${debitBlockId(head.messageId, { scheme: 'CORE', sequence: 'RCUR', day: 20_777 })}</PmtInfId>.*<NbOfTxs>2</NbOfTxs><CtrlSum>0.10<`,
      ),
    );
  });
});
