import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { Check } from 'typebox/value';
import { Site } from '#contract/site/site.ts';
import { checkBilling } from './site-checks.ts';

const seller = { name: 'Seller', address1: 'Street 1', city: 'Town', postcode: '1', country: 'NL' };
const siteOf = (more: object, rate = '19.00'): Site => ({
  provider: { name: 'Provider', currency: { code: 'EUR' }, seller: { ...seller, ...more } },
  taxes: [{ country: 'DE', rate }],
});

test('electronic invoices with tax need the VAT number of the seller', () => {
  const problems = (site: Site): string[] => [...checkBilling(site)].map(([path]) => path.join('.'));
  assert.deepEqual(problems(siteOf({})), ['provider.seller']);
  assert.deepEqual(problems(siteOf({ vatNumber: '' })), ['provider.seller']);
  assert.deepEqual(problems(siteOf({ vatNumber: 'NL001234567B01' })), []);
  assert.deepEqual(problems(siteOf({ electronicInvoices: ['FR'] })), []);
  assert.deepEqual(problems(siteOf({}, '0.00')), []);
});

test('the country of the seller is in capitals', () => {
  assert.ok(Check(Site, siteOf({})));
  assert.ok(!Check(Site, siteOf({ country: 'nl' })));
});

describe('the tax section', () => {
  const registered = { ...seller, vatNumber: 'NL004495445B01' };
  const problemsOf = (provider: object, rest: object = {}): string[] => {
    const currency = { code: 'EUR' };
    const site = { provider: { name: 'X', currency, seller: registered, tax: {}, ...provider }, ...rest } as Site;
    return [...checkBilling(site)].map(([path, problem]) => `${path.join('.')}: ${problem}`);
  };

  it('is accepted with a seller and a VAT number', () => {
    assert.deepEqual(problemsOf({}), []);
    assert.deepEqual(problemsOf({ tax: { oss: true, registrations: ['CH', 'NO'] } }), []);
  });

  it('needs a seller whose VAT is known, with a number', () => {
    assert.match(problemsOf({ seller: undefined })[0]!, /^provider\.tax: tax needs seller/);
    assert.match(problemsOf({ seller: { ...registered, country: 'US' } })[0]!, /the VAT rate of US is unknown/);
    assert.match(problemsOf({ seller: { ...registered, vatNumber: '' } })[0]!, /tax needs vatNumber/);
    assert.match(problemsOf({ seller: { ...registered, vatNumber: 'NL004495446B01' } })[0]!, /format of a VAT number/);
    assert.match(problemsOf({ tax: { registrations: ['US'] } })[0]!, /registrations\.0: the VAT rate of US is unknown/);
  });

  it('lets a small business use a tax number instead', () => {
    const small = { ...seller };
    assert.match(problemsOf({ seller: small, tax: { smallBusiness: true } })[0]!, /vatNumber or taxNumber/);
    assert.deepEqual(problemsOf({ seller: { ...small, taxNumber: '133/1' }, tax: { smallBusiness: true } }), []);
  });

  it('cannot be combined with rates by country', () => {
    assert.match(problemsOf({}, { taxes: [{ country: 'NL', rate: '21' }] })[0]!, /^taxes: taxes cannot be combined/);
  });
});

test('currencies have two decimals, and plans are in the currency of their customers', () => {
  const problemsOf = (rest: object): string[] =>
    [...checkBilling({ ...siteOf({ vatNumber: 'NL004495445B01' }), ...rest } as Site)].map(
      ([path, problem]) => `${path.join('.')}: ${problem}`,
    );
  const plan = { name: 'A', price: '1', cycle: 'monthly', currency: 'USD' };
  const services = [{ id: 1, customer: 1, plan: 'A' }];
  assert.deepEqual(problemsOf({ plans: [plan], customers: [{ id: 1, currency: 'USD' }], services }), []);
  assert.match(
    problemsOf({ plans: [plan], customers: [{ id: 1 }], services })[0]!,
    /^services\.0\.plan: plan A has no prices in EUR/,
  );
  const prices = [{ currency: 'EUR', price: '2' }];
  assert.deepEqual(problemsOf({ plans: [{ ...plan, prices }], customers: [{ id: 1 }], services }), []);
  assert.match(
    problemsOf({ plans: [{ ...plan, setup: '1', prices }] })[0]!,
    /^plans\.0\.prices: must also have setup in EUR/,
  );
  assert.match(
    problemsOf({ customers: [{ id: 1, currency: 'KWD' }] })[0]!,
    /^customers\.0\.currency: KWD cannot be used/,
  );
  assert.match(problemsOf({ billing: { numbers: 'A{0}', creditNoteNumbers: 'A{0}' } })[0]!, /must differ from numbers/);
});
