// Conversions between currencies, and the published rates that they use.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { parseRate, parseRates } from '#drivers/exchange-rates/ecb.ts';
import { hasTwoDecimals } from '#lib/currency.ts';
import { convertCents, euroMicros, rateText } from './convert.ts';

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
const micros = fc.integer({ min: 10_000, max: 50_000_000_000 });

describe('a conversion', () => {
  it('rounds once, half away from zero', () => {
    assert.equal(convertCents(10_000, 1_083_200, euroMicros), 9232);
    assert.equal(convertCents(-10_000, 1_083_200, euroMicros), -9232);
    assert.equal(convertCents(1, 2_000_000, euroMicros), 1);
    assert.equal(convertCents(-1, 2_000_000, euroMicros), -1);
    assert.equal(convertCents(2100, euroMicros, 11_042_500), 23_189);
  });

  it('is within half a cent of the exact amount, keeps the sign, and changes nothing in one currency', () => {
    fc.assert(
      fc.property(cents, micros, micros, (amount, from, to) => {
        const converted = convertCents(amount, from, to);
        const doubled = 2n * (BigInt(converted) * BigInt(from) - BigInt(amount) * BigInt(to));
        assert.ok((doubled < 0n ? -doubled : doubled) <= BigInt(from));
        assert.equal(convertCents(-amount, from, to) + converted, 0);
        assert.equal(convertCents(amount, from, from), amount);
      }),
    );
  });

  it('has a rate that people can read', () => {
    assert.equal(rateText(1_083_200, euroMicros), '1.0832');
    assert.equal(rateText(euroMicros, euroMicros), '1.00');
    assert.equal(rateText(1_083_200, 11_042_500), '0.098094');
    assert.equal(rateText(17_000_120_000, euroMicros), '17000.12');
  });
});

describe('published rates', () => {
  const file = (body: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01">
<gesmes:subject>Reference rates</gesmes:subject><Cube>${body}</Cube></gesmes:Envelope>`;

  it('are read for each day', () => {
    const text =
      file(`<Cube time='2026-11-16'><Cube currency='USD' rate='1.0832'/><Cube currency='GBP' rate='0.87'/></Cube>
<Cube time="2026-11-13"><Cube currency="USD" rate="1.08"/></Cube>`);
    assert.deepEqual(parseRates(text), [
      { day: '2026-11-16', currency: 'USD', micros: 1_083_200 },
      { day: '2026-11-16', currency: 'GBP', micros: 870_000 },
      { day: '2026-11-13', currency: 'USD', micros: 1_080_000 },
    ]);
  });

  it('are rejected without a day, without any rate, or with a rate of zero', () => {
    for (const text of [
      '',
      'Service unavailable',
      file("<Cube currency='USD' rate='1.08'/>"),
      file("<Cube time='2026-11-16'><Cube currency='USD' rate='0.0000'/></Cube>"),
    ])
      assert.throws(() => parseRates(text), { name: 'RateSourceError' }, text);
  });

  it('never make the reader fail in another way, and are exact', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          parseRates(text);
        } catch (error) {
          assert.equal((error as Error).name, 'RateSourceError');
        }
      }),
    );
    fc.assert(fc.property(micros, (value) => assert.equal(parseRate(rateText(value, euroMicros)), value)));
  });
});

describe('a currency', () => {
  it('can be used if it has two decimals', () => {
    assert.deepEqual(['EUR', 'USD', 'CHF', 'JPY', 'KWD', 'ISK'].filter(hasTwoDecimals), ['EUR', 'USD', 'CHF']);
  });
});
