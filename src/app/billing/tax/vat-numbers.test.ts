// Formats of VAT numbers: published examples of every country, and changed digits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { hasVatFormat, isInVies, normalizeVatNumber } from './vat-numbers.ts';

const genuine =
  'ATU13585627 BE0428759497 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 ' +
  'ESB58378431 ES54362315K ESX2482300W FI20774740 FR40303265045 FR23334175221 HR33392005961 HU12892312 IE6433435F ' +
  'IE6433435OA IE8D79739I IT00743110157 LT119511515 LU15027442 LV40003521600 MT11679112 NL004495445B01 PL8567346215 ' +
  'PT501964843 RO18547290 SE123456789701 SI50223054 SK2022749619 GB980780684 XI980780684 CHE100155212TVA NO988077917MVA';
/** Their check digit catches every change of one digit. */
const strict = 'AT BE DE DK EE FI FR HR HU IT LU MT PL SE CH NO'.split(' ');

describe('a VAT number', () => {
  it('is accepted if it is a published example', () => {
    for (const number of genuine.split(' ')) assert.equal(hasVatFormat(number), true, number);
  });

  it('is rejected if one digit is wrong', () => {
    const numbers = genuine.split(' ').filter((number) => strict.includes(number.slice(0, 2)));
    assert.ok(new Set(numbers.map((number) => number.slice(0, 2))).size === strict.length);
    for (const number of numbers)
      for (const [index, character] of [...number].entries()) {
        // The last two digits of a Swedish number are not part of the check.
        if (!/[0-9]/.test(character) || (number.startsWith('SE') && index >= 12)) continue;
        const wrong = `${number.slice(0, index)}${(Number(character) + 1) % 10}${number.slice(index + 1)}`;
        assert.equal(hasVatFormat(wrong), false, wrong);
      }
  });

  it('is rejected for other lengths, and whatever else is not one', () => {
    for (const text of ['', 'DE', 'DE12345678', 'DE1366959760', 'ATU1358562', 'NL004495445', 'U13585627', '136695976'])
      assert.equal(hasVatFormat(text), false, text);
    fc.assert(
      fc.property(fc.string(), (text) => assert.equal(typeof hasVatFormat(normalizeVatNumber(text)), 'boolean')),
    );
  });

  it('is the same with blanks, dots and small letters', () => {
    assert.equal(normalizeVatNumber(' be 0428.759.497 '), 'BE0428759497');
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = normalizeVatNumber(text);
        assert.equal(normalizeVatNumber(once), once);
      }),
    );
  });

  it('is in VIES if it is one of the EU or Northern Ireland', () => {
    assert.deepEqual(['DE1', 'XI1', 'EL1', 'GB1', 'CHE1', 'NO1', 'US1'].map(isInVies), [
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
