import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { bankIban, writeBankStatement, type BankBooking } from '#test/support/bank-statement.ts';
import { readStatements, StatementUnreadableError } from './statement.ts';

const day = 20_774;
const transfer: BankBooking = {
  cents: 10_769,
  reference: 'B1',
  endToEndId: 'E1',
  text: 'INV-2026-00001 & thanks',
  name: 'Ada <L>',
  iban: 'DE89370400440532013000',
};

function rejects(xml: string, message: RegExp): void {
  assert.throws(
    () => readStatements(xml),
    (error: unknown) => error instanceof StatementUnreadableError && message.test(error.message),
  );
}

describe('a bank statement', () => {
  for (const version of ['02', '08'] as const)
    for (const kind of ['camt.053', 'camt.054'] as const)
      it(`of ${kind}.001.${version} is read with its returns and details`, () => {
        const batch = [
          { cents: 100, endToEndId: 'E2' },
          { cents: 250, endToEndId: 'E3', reference: 'B2' },
        ];
        const returned = { cents: -5000, endToEndId: 'E4', returnCode: 'MD01', name: 'Bob', reference: 'B3' };
        const pending = { cents: 7, state: 'PDNG' } as const;
        const summary = { cents: 900, batchId: 'HY-D-20261117-1-COREFRST-20774', reference: 'B5' };
        const xml = writeBankStatement({
          version,
          kind,
          openingCents: -5,
          bookings: [transfer, batch, returned, pending, summary],
        });
        const [statement] = readStatements(xml);
        assert.equal(statement!.iban, bankIban);
        assert.equal(statement!.closingCents, kind === 'camt.053' ? -5 + 10_769 + 350 - 5000 + 900 : undefined);
        const blank = {
          day,
          batchId: '',
          returnCode: '',
          counterparty: '',
          counterpartyIban: '',
          text: '',
          bankReference: '',
          endToEndId: '',
        };
        assert.deepEqual(statement!.entries, [
          {
            ...blank,
            cents: 10_769,
            bankReference: 'B1',
            endToEndId: 'E1',
            counterparty: 'Ada <L>',
            counterpartyIban: 'DE89370400440532013000',
            text: 'INV-2026-00001 & thanks',
          },
          { ...blank, cents: 100, endToEndId: 'E2' },
          { ...blank, cents: 250, endToEndId: 'E3' },
          { ...blank, cents: -5000, bankReference: 'B3', endToEndId: 'E4', returnCode: 'MD01', counterparty: 'Bob' },
          { ...blank, cents: 900, bankReference: 'B5', batchId: summary.batchId },
        ]);
      });

  it('of several accounts is read as several statements', () => {
    const other = 'DE89370400440532013000';
    const statements = readStatements(
      writeBankStatement({ bookings: [transfer] }, { iban: other, id: 'S2', bookings: [] }),
    );
    assert.deepEqual(
      statements.map(({ iban, id, entries }) => [iban, id, entries.length]),
      [
        [bankIban, 'S1', 1],
        [other, 'S2', 0],
      ],
    );
  });

  it('is read with prefixed names and with more decimals than euro has', () => {
    const xml = writeBankStatement({ bookings: [transfer] }).replace('107.69', '107.69000');
    const prefixed = xml.replace('xmlns=', 'xmlns:n=').replaceAll(/<(\/?)(?=[A-Z])/g, '<$1n:');
    assert.deepEqual(readStatements(prefixed), readStatements(xml));
  });

  it('keeps every cent of any bookings', () => {
    const booking = fc.record({
      cents: fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).filter((cents) => cents !== 0),
    });
    const bookings = fc.array(fc.oneof(booking, fc.array(booking, { minLength: 2, maxLength: 4 })), { maxLength: 10 });
    fc.assert(
      fc.property(bookings, fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (list, openingCents) => {
        // A bank does not book a batch whose parts cancel out or differ in direction.
        const batches = list.map((entry) =>
          Array.isArray(entry) ? entry.map(({ cents }) => ({ cents: Math.abs(cents) })) : entry,
        );
        const [statement] = readStatements(writeBankStatement({ openingCents, bookings: batches }));
        const cents = statement!.entries.map((entry) => entry.cents);
        assert.deepEqual(
          cents,
          batches.flat().map((entry) => (entry as BankBooking).cents),
        );
        assert.equal(
          cents.reduce((sum, value) => sum + value, openingCents),
          statement!.closingCents,
        );
      }),
    );
  });

  const xml = writeBankStatement({ bookings: [transfer, [{ cents: 1 }, { cents: 2 }]] });
  const wrongs: Readonly<Record<string, readonly [string, RegExp]>> = {
    'in another currency': [xml.replace('Ccy="EUR"', 'Ccy="USD"'), /not in euro/],
    'with an amount that is none': [xml.replace('107.69', '1e9'), /not an amount/],
    'with a fraction of a cent': [xml.replace('107.69', '107.691'), /not an amount/],
    'whose entries do not add up': [xml.replace('107.69', '107.68'), /do not add up/],
    'whose batch does not add up': [xml.replace('>0.01<', '>0.03<'), /details .* do not add up/],
    'without a direction': [xml.replace('CRDT', 'BOTH'), /neither CRDT nor DBIT/],
    'without a day': [xml.replaceAll(/<BookgDt>.*<\/BookgDt>/g, ''), /no date/],
    'with a document type': [xml.replace('<Document', '<!DOCTYPE d [<!ENTITY a "b">]><Document'), /document type/],
    'with CDATA': [xml.replace('107.69', '<![CDATA[107.69]]>'), /CDATA/],
    'of another kind': [xml.replace('camt.053', 'camt.052'), /not a camt.053/],
    'of another version': [xml.replace('001.08', '001.13'), /not a camt.053/],
    'that is cut off': [xml.slice(0, -30), /not well-formed/],
    'that is too large': [`${xml}${' '.repeat(8 * 1024 * 1024)}`, /larger than 8 MB/],
    'that names no account': [xml.replace(/<IBAN>.*<\/IBAN>/, ''), /does not name its account/],
  };
  for (const [title, [wrong, message]] of Object.entries(wrongs))
    it(`${title} is rejected`, () => rejects(wrong, message));

  it('is read or rejected, whatever is changed in it', () => {
    fc.assert(
      fc.property(fc.nat(xml.length), fc.nat(40), fc.string({ maxLength: 10 }), (at, length, inserted) => {
        try {
          readStatements(xml.slice(0, at) + inserted + xml.slice(at + length));
        } catch (error) {
          assert.ok(error instanceof StatementUnreadableError, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});
