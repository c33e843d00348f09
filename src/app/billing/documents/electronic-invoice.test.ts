// E-invoices by the official rules of EN 16931 and Peppol, and documents that are wrong on purpose, which must fail.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { needsRules, openRules, type BrokenRule } from '#test/support/schematron.ts';
import { electronicDocument, electronicDocuments, germanDocument } from '#test/support/electronic-invoices.ts';
import { moneyShare } from '#lib/money.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { createUblInvoice } from './ubl-invoice.ts';

/** The arithmetic of BR-CO-10, 13, 14, 15, 16 and 17, and BR-S-08, from the amounts in the document. */
function assertAmounts(document: InvoiceDocument): void {
  const xml = createUblInvoice(document, 'peppol');
  const amounts = (name: string, within = xml): number[] =>
    [...within.matchAll(new RegExp(`<cbc:${name}[^>]*>(-?[0-9]+)\\.([0-9]{2})<`, 'g'))].map(
      ([, whole, cents]) => Number(`${whole}${cents}`) + 0,
    );
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const [body, totals] = [xml.slice(0, xml.indexOf('<cac:LegalMonetaryTotal>')), xml.slice(xml.indexOf('<cac:Legal'))];
  const [lineTotal, ...lineAmounts] = amounts('LineExtensionAmount', totals);
  const [tax, ...subtotalTaxes] = amounts('TaxAmount', body);
  const [exclusive] = amounts('TaxExclusiveAmount');
  const [inclusive] = amounts('TaxInclusiveAmount');
  const bases = amounts('TaxableAmount');
  assert.equal(lineTotal, sum(lineAmounts), 'BR-CO-10');
  assert.equal(exclusive, lineTotal, 'BR-CO-13');
  assert.equal(tax, sum(subtotalTaxes), 'BR-CO-14');
  assert.equal(inclusive, exclusive! + tax!, 'BR-CO-15');
  assert.equal(amounts('PayableAmount')[0], inclusive! - sum(amounts('PrepaidAmount')), 'BR-CO-16');
  assert.equal(sum(bases), exclusive, 'BR-S-08');
  const rates = amounts('Percent', body);
  for (const [index, base] of bases.entries())
    assert.equal(subtotalTaxes[index], moneyShare(base, rates[index]!), 'BR-CO-17');
}

describe('an e-invoice in UBL', needsRules('EN16931-UBL', 'PEPPOL-EN16931-UBL'), () => {
  let standard: (document: string) => BrokenRule[];
  let peppol: (document: string) => BrokenRule[];
  before(async () => {
    standard = await openRules('EN16931-UBL', 'without syntax rules');
    peppol = await openRules('PEPPOL-EN16931-UBL', 'with syntax rules');
  });
  const brokenIn = (xml: string): string[] => [...standard(xml), ...peppol(xml)].map(({ id }) => id);

  it('breaks no rule, for every category, rate and kind', () => {
    for (const [name, document] of Object.entries(electronicDocuments))
      assert.deepEqual(brokenIn(createUblInvoice(document, 'peppol')), [], name);
  });

  it('breaks no rule, whatever the lines cost and are called', () => {
    const amounts = fc.array(fc.tuple(fc.integer({ min: -100_000, max: 10_000_000 }), fc.string({ unit: 'binary' })), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(amounts, (lines) => {
        const document = electronicDocument(lines.map(([cents, text]) => ({ cents, description: `x${text}` })));
        assert.deepEqual(brokenIn(createUblInvoice(document, 'peppol')), []);
      }),
      { numRuns: 5 },
    );
  });

  it('adds up by the rules of EN 16931 for amounts, whatever the lines, rates and credit', () => {
    const amount = fc.integer({ min: -10_000_000, max: 100_000_000 });
    const line = fc.record({ cents: amount, description: fc.constant('x'), ago: fc.constantFrom(0, 3) });
    const estonian = { country: 'EE', postcode: '10111', vatNumber: '', endpoint: '9931:EE100931558' };
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
        const { buyer } = germanDocument;
        const day = Date.UTC(2025, 6, 2) / 86_400_000;
        assertAmounts(electronicDocument(lines, { buyer: { ...buyer, ...estonian }, day }));
      }),
    );
  });

  it('is an XRechnung with all that German rules demand', () => {
    const xml = createUblInvoice(germanDocument, 'xrechnung');
    assert.match(xml, /<cbc:CustomizationID>urn:cen\.eu:en16931:2017#compliant#urn:xeinkauf\.de:kosit:xrechnung_3\.0</);
    assert.deepEqual(standard(xml), []);
    // The rules of Peppol include those of XRechnung between two German parties, but not its identifier and addresses.
    assert.deepEqual(
      peppol(xml).map(({ id }) => id),
      ['PEPPOL-EN16931-R004', 'PEPPOL-EN16931-CL008', 'PEPPOL-EN16931-CL008'],
    );
    assert.throws(
      () => createUblInvoice({ ...germanDocument, seller: { ...germanDocument.seller, phone: '' } }, 'xrechnung'),
      /phone/,
    );
  });

  it('is refused for Peppol if a party has no address there', () => {
    const { buyer } = germanDocument;
    const document = { ...germanDocument, buyer: { ...buyer, vatNumber: '', endpoint: '' } };
    assert.throws(() => createUblInvoice(document, 'peppol'), /electronic address of the customer/);
  });

  it('fails by the rules if anything about it is wrong', () => {
    const xml = createUblInvoice(electronicDocuments['a domestic invoice']!, 'peppol');
    const reverse = createUblInvoice(electronicDocuments['a reverse charge']!, 'peppol');
    const wrong: [string, string, string | RegExp, string][] = [
      [
        'BR-CO-15',
        xml,
        /<cbc:TaxInclusiveAmount currencyID="EUR">[^<]*/,
        '<cbc:TaxInclusiveAmount currencyID="EUR">1.00',
      ],
      [
        'BR-CO-10',
        xml,
        /<cbc:LineExtensionAmount currencyID="EUR">[^<]*/,
        '<cbc:LineExtensionAmount currencyID="EUR">1.00',
      ],
      ['BR-S-08', xml, /<cbc:TaxableAmount currencyID="EUR">[^<]*/, '<cbc:TaxableAmount currencyID="EUR">1.00'],
      ['BR-CO-14', xml, /<cbc:TaxAmount currencyID="EUR">[^<]*/, '<cbc:TaxAmount currencyID="EUR">1.00'],
      ['BR-S-09', xml, '<cbc:Percent>21.00</cbc:Percent>', '<cbc:Percent>7.00</cbc:Percent>'],
      ['BR-E-01', xml, '<cac:ClassifiedTaxCategory><cbc:ID>S<', '<cac:ClassifiedTaxCategory><cbc:ID>E<'],
      ['PEPPOL-EN16931-R003', xml, /<cbc:BuyerReference>.*<\/cbc:BuyerReference>/, ''],
      [
        'PEPPOL-EN16931-R120',
        xml,
        /<cbc:PriceAmount currencyID="EUR">[^<]*/,
        '<cbc:PriceAmount currencyID="EUR">999.00',
      ],
      ['BR-02', xml, /<cbc:ID>INV-1<\/cbc:ID>/, ''],
      ['BR-CL-23', xml, 'unitCode="C62"', 'unitCode="WRONG"'],
      ['BR-AE-10', reverse, /<cbc:TaxExemptionReasonCode>.*<\/cbc:TaxExemptionReason>/, ''],
      ['BR-AE-02', reverse, /<cac:PartyTaxScheme><cbc:CompanyID>DE[^/]*<\/cbc:CompanyID>.*?<\/cac:PartyTaxScheme>/, ''],
      ['BR-CL-17', reverse, '<cbc:ID>AE</cbc:ID>', '<cbc:ID>XX</cbc:ID>'],
    ];
    for (const [rule, correct, from, to] of wrong) {
      const changed = correct.replace(from, to);
      assert.notEqual(changed, correct, rule);
      const broken = brokenIn(changed);
      assert.ok(broken.includes(rule), `${rule} is not among ${broken.join(' ')}`);
    }
  });
});
