// The tax rules: 60 cases worked by hand, and what holds for all of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import type { TaxCategory } from '#contract/shapes/tax.ts';
import { dayMs } from '#lib/time.ts';
import { decideTax, type TaxCustomer, type TaxSeller } from './rules.ts';
import { territoryOf } from './territories.ts';

const plain = { postcode: '', registrations: [], hasOss: false, isSmallBusiness: false };
const sellers = {
  /** Dutch, registered for the One Stop Shop. */
  nl: { ...plain, country: 'NL', vatNumber: 'NL004495445B01', hasOss: true },
  /** German, below the threshold for consumers abroad. */
  de: { ...plain, country: 'DE', vatNumber: 'DE136695976' },
  /** German and registered in Austria and Switzerland. */
  deAt: { ...plain, country: 'DE', vatNumber: 'DE136695976', registrations: ['AT', 'CH'] },
  /** A German small enterprise with a VAT number, and one without. */
  small: { ...plain, country: 'DE', vatNumber: 'DE136695976', isSmallBusiness: true },
  tiny: { ...plain, country: 'DE', vatNumber: '', isSmallBusiness: true },
  /** A French small enterprise. */
  franchise: { ...plain, country: 'FR', vatNumber: 'FR40303265045', isSmallBusiness: true },
  /** Swiss, without and with the One Stop Shop of sellers outside of the EU. */
  ch: { ...plain, country: 'CH', vatNumber: 'CHE100155212MWST' },
  chOss: { ...plain, country: 'CH', vatNumber: 'CHE100155212MWST', hasOss: true },
} satisfies Record<string, TaxSeller>;

const today = '2026-11-17';
type Who = 'private' | 'business' | `${'valid' | 'invalid' | 'unchecked' | 'unreachable'} ${string}` | 'exempt';
type Case = readonly [
  seller: keyof typeof sellers,
  customer: string,
  who: Who,
  day: string,
  category: TaxCategory,
  rate: string,
  country: string,
];
/** A customer is a country, and a postcode after a space if it matters. */
const cases: readonly Case[] = [
  // At home: always the rate of the day.
  ['nl', 'NL', 'private', today, 'S', '21', 'NL'],
  ['nl', 'NL', 'business', today, 'S', '21', 'NL'],
  ['nl', 'NL', 'valid NL004495445B01', today, 'S', '21', 'NL'],
  ['de', 'DE', 'private', today, 'S', '19', 'DE'],
  ['de', 'DE', 'valid DE136695976', today, 'S', '19', 'DE'],
  ['ch', 'CH', 'private', today, 'S', '8.1', 'CH'],
  ['ch', 'CH', 'business', today, 'S', '8.1', 'CH'],
  // Businesses elsewhere in the EU: reverse charge with a validated number, and only then.
  ['nl', 'DE', 'valid DE136695976', today, 'AE', '0', 'NL'],
  ['nl', 'BE', 'valid BE0428759497', today, 'AE', '0', 'NL'],
  ['nl', 'GR', 'valid EL094259216', today, 'AE', '0', 'NL'],
  ['nl', 'MC', 'valid FR40303265045', today, 'AE', '0', 'NL'],
  ['de', 'FR', 'valid FR40303265045', today, 'AE', '0', 'DE'],
  ['de', 'AT 6991', 'valid ATU13585627', today, 'AE', '0', 'DE'],
  ['nl', 'DE', 'unchecked DE136695976', today, 'S', '19', 'DE'],
  ['nl', 'DE', 'unreachable DE136695976', today, 'S', '19', 'DE'],
  ['nl', 'DE', 'invalid DE136695976', today, 'S', '19', 'DE'],
  ['nl', 'DE', 'business', today, 'S', '19', 'DE'],
  ['de', 'FR', 'unreachable FR40303265045', today, 'S', '19', 'DE'],
  ['nl', 'DE', 'valid FR40303265045', today, 'S', '19', 'DE'],
  ['deAt', 'AT', 'valid ATU13585627', today, 'AE', '0', 'DE'],
  ['ch', 'DE', 'valid DE136695976', today, 'AE', '0', 'CH'],
  // Consumers elsewhere in the EU, with the One Stop Shop: the rate of their country.
  ['nl', 'FR', 'private', today, 'S', '20', 'FR'],
  ['nl', 'MC', 'private', today, 'S', '20', 'FR'],
  ['nl', 'HU', 'private', today, 'S', '27', 'HU'],
  ['nl', 'LU', 'private', today, 'S', '17', 'LU'],
  ['nl', 'IE', 'private', today, 'S', '23', 'IE'],
  ['nl', 'PT 1000-205', 'private', today, 'S', '23', 'PT'],
  ['nl', 'PT 9000-018', 'private', today, 'S', '22', 'PT'],
  ['nl', 'PT 9500-150', 'private', today, 'S', '16', 'PT'],
  ['nl', 'AT 6691', 'private', today, 'S', '19', 'AT'],
  ['nl', 'AT 1010', 'private', today, 'S', '20', 'AT'],
  ['chOss', 'ES 28001', 'private', today, 'S', '21', 'ES'],
  // Changed rates: the day of the supply decides.
  ['nl', 'EE', 'private', '2025-06-30', 'S', '22', 'EE'],
  ['nl', 'EE', 'private', '2025-07-01', 'S', '24', 'EE'],
  ['nl', 'FI', 'private', '2024-08-31', 'S', '24', 'FI'],
  ['nl', 'FI', 'private', '2024-09-01', 'S', '25.5', 'FI'],
  ['nl', 'RO', 'private', '2025-07-31', 'S', '19', 'RO'],
  ['nl', 'RO', 'private', '2025-08-01', 'S', '21', 'RO'],
  ['nl', 'SK', 'private', '2024-12-31', 'S', '20', 'SK'],
  ['nl', 'SK', 'private', '2025-01-01', 'S', '23', 'SK'],
  // Consumers elsewhere in the EU, without it: the rate at home, unless the seller is registered there.
  ['de', 'FR', 'private', today, 'S', '19', 'DE'],
  ['de', 'AT', 'private', today, 'S', '19', 'DE'],
  ['deAt', 'AT', 'private', today, 'S', '20', 'AT'],
  ['deAt', 'CH', 'private', today, 'S', '8.1', 'CH'],
  // Outside of the EU, and in the territories that VAT counts as outside.
  ['nl', 'US', 'private', today, 'G', '0', 'NL'],
  ['nl', 'US', 'business', today, 'G', '0', 'NL'],
  ['nl', 'GB', 'valid XI980780684', today, 'G', '0', 'NL'],
  ['nl', 'CH', 'private', today, 'G', '0', 'NL'],
  ['nl', 'ES 35001', 'private', today, 'G', '0', 'NL'],
  ['nl', 'AX', 'private', today, 'G', '0', 'NL'],
  ['nl', 'FI 22100', 'private', today, 'G', '0', 'NL'],
  ['de', 'DE 27498', 'private', today, 'G', '0', 'DE'],
  ['ch', 'DE', 'private', today, 'G', '0', 'CH'],
  // Exempt.
  ['small', 'DE', 'private', today, 'E', '0', 'DE'],
  ['small', 'FR', 'private', today, 'E', '0', 'DE'],
  ['small', 'FR', 'valid FR40303265045', today, 'AE', '0', 'DE'],
  ['small', 'US', 'private', today, 'G', '0', 'DE'],
  ['tiny', 'US', 'private', today, 'E', '0', 'DE'],
  ['franchise', 'MC', 'private', today, 'E', '0', 'FR'],
  ['nl', 'BE', 'exempt', today, 'E', '0', 'NL'],
];

function customerOf(text: string, who: Who): TaxCustomer {
  const [country = '', postcode = ''] = text.split(' ');
  const [validation, vatNumber = ''] = who.split(' ') as [TaxCustomer['validation'], string?];
  return {
    country,
    postcode,
    kind: who === 'private' ? 'private' : 'business',
    vatNumber,
    validation: vatNumber === '' ? 'unchecked' : validation,
    exemption: who === 'exempt' ? 'Embassy' : '',
  };
}
const dayNumber = (text: string): number => Date.parse(text) / dayMs;

describe('the tax of a line', () => {
  it('is what 60 cases worked by hand say', () => {
    assert.equal(cases.length, 60);
    for (const [seller, customer, who, day, category, rate, country] of cases) {
      const decision = decideTax(sellers[seller], customerOf(customer, who), { day: dayNumber(day), kind: 'service' });
      assert.deepEqual(
        [decision.category, decision.rate, decision.country],
        [category, Math.round(Number(rate) * 100), country],
        `${seller} to ${customer}, ${who}, ${day}`,
      );
    }
  });

  it('never depends on anything for compensation', () => {
    for (const [seller, customer, who, day] of cases) {
      const supply = { day: dayNumber(day), kind: 'compensation' } as const;
      const { category, reason } = decideTax(sellers[seller], customerOf(customer, who), supply);
      assert.deepEqual([category, reason], ['E', 'Not subject to value-added tax']);
    }
  });

  const country = fc.constantFrom(
    ...'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK MC CH GB NO US AX IM'.split(
      ' ',
    ),
  );
  const customer = fc.record({
    country,
    postcode: fc.constantFrom('', '35001', '22100', '9000-018', '6991', '27498', '1010'),
    kind: fc.constantFrom('business' as const, 'private' as const),
    vatNumber: fc.constantFrom('', 'DE136695976', 'FR40303265045', 'EL094259216', 'XI980780684'),
    validation: fc.constantFrom('unchecked' as const, 'valid' as const, 'invalid' as const, 'unreachable' as const),
    exemption: fc.constantFrom('', 'Embassy'),
  });
  const seller = fc.constantFrom(...Object.values(sellers));
  const day = fc.integer({ min: 10_000, max: 30_000 });
  const kind = fc.constantFrom('service' as const, 'compensation' as const);

  it('has a rate only in category S, and a reason in every other', () => {
    fc.assert(
      fc.property(seller, customer, day, kind, (from, to, on, what) => {
        const { category, rate, reason } = decideTax(from, to, { day: on, kind: what });
        assert.equal(rate > 0, category === 'S');
        assert.equal(reason !== '', category !== 'S');
      }),
      { numRuns: 2000 },
    );
  });

  it('is a reverse charge only for a validated number of a business in another country of the EU', () => {
    fc.assert(
      fc.property(seller, customer, day, (from, to, on) => {
        if (decideTax(from, to, { day: on, kind: 'service' }).category !== 'AE') return;
        const place = territoryOf(to.country, to.postcode);
        assert.deepEqual([to.kind, to.validation, place.isEu], ['business', 'valid', true]);
        assert.notEqual(place.country, from.country);
        assert.notEqual(from.vatNumber, '');
        assert.equal(to.vatNumber.slice(0, 2), place.country === 'GR' ? 'EL' : place.country);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for a number that is unchecked, invalid or cannot be validated', () => {
    fc.assert(
      fc.property(seller, customer, day, (from, to, on) => {
        const decide = (validation: TaxCustomer['validation']) =>
          decideTax(from, { ...to, validation }, { day: on, kind: 'service' });
        assert.deepEqual(decide('unreachable'), decide('unchecked'));
        assert.deepEqual(decide('invalid'), decide('unchecked'));
        assert.deepEqual(decide('unchecked'), decideTax(from, { ...to, vatNumber: '' }, { day: on, kind: 'service' }));
      }),
    );
  });
});
