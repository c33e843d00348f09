import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { dayNumber, dayNumberText } from '#lib/time.ts';
import { addBusinessDays, easterSunday, isBusinessDay, nextBusinessDay } from './business-days.ts';
import { toSepaText } from './characters.ts';
import { customerReference, maskIban, parseBic, parseCreditorId, parseIban, referencedAccounts } from './iban.ts';

describe('identifiers of SEPA', () => {
  const ibans = [
    'DE89370400440532013000',
    'NL91ABNA0417164300',
    'FR1420041010050500013M02606',
    'MT84MALT011000012345MTLCAST001S',
  ];

  it('are read with spaces and in small letters', () => {
    for (const iban of ibans) assert.equal(parseIban(iban.toLowerCase().replaceAll(/(.{4})/g, '$1 ')), iban);
    assert.equal(parseBic('deutdeff500'), 'DEUTDEFF500');
    assert.equal(parseCreditorId('DE98 ZZZ 0999 9999 999'), 'DE98ZZZ09999999999');
    // The business code is not part of the check.
    assert.equal(parseCreditorId('DE98ABC09999999999'), 'DE98ABC09999999999');
  });

  it('are rejected if they have the wrong length, country, letters or check digits', () => {
    const wrong = [
      '',
      'DE8937040044053201300',
      'DE88370400440532013000',
      'US64SVBKUS6S3300958879',
      'DE8937040044053201300Ä',
    ];
    for (const iban of wrong) assert.equal(parseIban(iban), undefined, iban);
    assert.equal(parseBic('DEUTDEF'), undefined);
    assert.equal(parseCreditorId('DE97ZZZ09999999999'), undefined);
  });

  it('detect every wrong digit and every swap of two digits', () => {
    const changed = fc.tuple(fc.constantFrom(...ibans), fc.nat(), fc.nat(), fc.constantFrom(...'0123456789'));
    fc.assert(
      fc.property(changed, ([iban, left, right, digit]) => {
        const digits = [...iban.matchAll(/[0-9]/g)].map(({ index }) => index);
        const [one, two] = [digits[left % digits.length]!, digits[right % digits.length]!];
        const wrong = [...iban].with(one, digit).join('');
        if (wrong !== iban) assert.equal(parseIban(wrong), undefined);
        const swapped = [...iban].with(one, iban[two]!).with(two, iban[one]!).join('');
        if (swapped !== iban) assert.equal(parseIban(swapped), undefined);
      }),
    );
  });

  it('show four characters of an IBAN', () => {
    assert.equal(maskIban('DE89370400440532013000'), 'DE•• •••• 3000');
  });

  it('recognise the reference of an account in a text, and no other number', () => {
    fc.assert(
      fc.property(fc.nat(9_999_999), (account) => {
        const reference = customerReference(account);
        assert.deepEqual(referencedAccounts(`payment ${reference.toLowerCase()}, thanks ${reference}`), [account]);
        const wrong = `RF${reference[2] === '9' ? '0' : '9'}${reference.slice(3)}`;
        assert.deepEqual(referencedAccounts(`payment ${wrong} X${reference}`), []);
      }),
    );
  });
});

describe('the SEPA character set', () => {
  it('replaces letters of other alphabets', () => {
    assert.equal(toSepaText('Jürgen Weiß & Søn', 70), 'Juergen Weiss + Son');
    assert.equal(toSepaText('Łukasz Żółć', 70), 'Lukasz Zolc');
    assert.equal(toSepaText('Ελλάδα Σ', 70), 'Ellada S');
    assert.equal(toSepaText('Юлия\tЩ', 70), 'Yuliya Sht');
    assert.equal(toSepaText('//a@b_c//', 70), 'a(at)b-c');
  });

  it('contains whatever is converted, within the length, and converts nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 140 }), (text, max) => {
        const converted = toSepaText(text, max);
        assert.ok(/^[A-Za-z0-9/?:().,'+ -]*$/.test(converted) && converted.length <= max);
        assert.doesNotMatch(converted, /^[ /]|[ /]$|\/\/|  /);
        assert.equal(toSepaText(converted, max), converted);
      }),
    );
  });
});

describe('business days', () => {
  const day = (text: string): number => dayNumber(text)!;

  it('leave out weekends and the six holidays of T2', () => {
    const closed = ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2027-03-26', '2026-11-15'];
    for (const text of closed) assert.equal(isBusinessDay(day(text)), false, text);
    for (const text of ['2026-04-07', '2026-05-14', '2026-12-24', '2026-12-31'])
      assert.ok(isBusinessDay(day(text)), text);
    assert.equal(dayNumberText(nextBusinessDay(day('2026-04-03'))), '2026-04-07');
    assert.equal(dayNumberText(addBusinessDays(day('2026-12-24'), 1)), '2026-12-28');
    assert.equal(dayNumberText(addBusinessDays(day('2026-04-07'), -1)), '2026-04-02');
  });

  it('know Easter', () => {
    const sundays = ['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2038-04-25', '2285-03-22'];
    for (const text of sundays) assert.equal(dayNumberText(easterSunday(Number(text.slice(0, 4)))), text);
  });

  it('are counted the same forwards and backwards', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20_000, max: 60_000 }), fc.integer({ min: 0, max: 30 }), (start, count) => {
        const from = nextBusinessDay(start);
        assert.equal(addBusinessDays(addBusinessDays(from, count), -count), from);
      }),
    );
  });
});
