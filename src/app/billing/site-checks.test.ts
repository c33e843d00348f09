import assert from 'node:assert/strict';
import { test } from 'node:test';
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
