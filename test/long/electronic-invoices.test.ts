// E-invoices by all official rules, those of their syntax included, in both syntaxes. Compiling the rules takes a minute.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCrossIndustryInvoice } from '#app/billing/documents/cross-industry-invoice.ts';
import { createUblInvoice } from '#app/billing/documents/ubl-invoice.ts';
import { electronicDocuments } from '#test/support/electronic-invoices.ts';
import { needsRules, openRules } from '#test/support/schematron.ts';

describe('e-invoices by all rules', needsRules('EN16931-UBL', 'EN16931-CII'), () => {
  it('are valid in UBL', async () => {
    const check = await openRules('EN16931-UBL', 'with syntax rules');
    for (const [name, document] of Object.entries(electronicDocuments))
      assert.deepEqual(check(createUblInvoice(document, 'peppol')), [], name);
  });

  it('are valid as Cross Industry Invoices, and fail with a wrong sum', async () => {
    const check = await openRules('EN16931-CII', 'with syntax rules');
    for (const [name, document] of Object.entries(electronicDocuments)) {
      const xml = createCrossIndustryInvoice(document);
      assert.deepEqual(check(xml), [], name);
      const wrong = xml.replace(/<ram:GrandTotalAmount>[^<]*/, '<ram:GrandTotalAmount>999.00');
      assert.ok(
        check(wrong).some(({ id }) => id === 'BR-CO-15'),
        name,
      );
    }
  });
});
