// Invoices of every VAT category, for tests of e-invoices.
import type { InvoiceDocument } from '#app/billing/documents/invoice-document.ts';
import { decideTax, type TaxDecision, type TaxCustomer, type TaxSeller } from '#app/billing/tax/rules.ts';
import { taxSubtotals } from '#app/billing/tax/totals.ts';

const day = 20_772;
const seller = {
  name: 'App & Sons <B.V.>',
  street: ['Gasthuisring 5', 'Second floor'],
  city: 'Tilburg',
  postcode: '5041 DT',
  state: '',
  country: 'NL',
  email: 'billing@example.net',
  vatNumber: 'NL004495445B01',
  registration: 'KvK 12345678',
  iban: 'NL91 ABNA 0417 1643 00',
  taxNumber: '',
  contact: 'Accounts',
  phone: '+31 13 1234567',
  endpoint: '0106:12345678',
};
const dutchBuyer = {
  name: 'Bakker & Zn.',
  street: ['Ada Bakker', 'Markt 1', 'Achterhuis'],
  city: 'Breda',
  postcode: '4811 XZ',
  state: 'Noord-Brabant',
  country: 'NL',
  email: 'ada@example.org',
  vatNumber: '',
  reference: 'PO-7',
  endpoint: '0106:87654321',
};
const germanBuyer = {
  ...dutchBuyer,
  name: 'Beispiel GmbH',
  city: 'Berlin',
  postcode: '10115',
  state: '',
  country: 'DE',
  vatNumber: 'DE136695976',
  endpoint: '',
};

interface Line {
  readonly description: string;
  readonly cents: number;
  /** Days before the invoice. */
  readonly ago?: number;
  /** Decided by the rules by default. */
  readonly tax?: TaxDecision;
}
interface Parties {
  readonly seller?: InvoiceDocument['seller'];
  readonly buyer?: InvoiceDocument['buyer'];
  readonly rules?: Partial<TaxSeller>;
  readonly customer?: Partial<TaxCustomer>;
  readonly day?: number;
}

/** Returns a document whose taxes the rules decide. A negative sum makes it a credit note. */
export function electronicDocument(lines: readonly Line[], parties: Parties = {}): InvoiceDocument {
  const { seller: from = seller, buyer = dutchBuyer, rules = {}, customer = {}, day: issued = day } = parties;
  const taxSeller = { registrations: [], hasOss: true, isSmallBusiness: false, ...from, ...rules };
  const taxCustomer = { kind: 'business', validation: 'valid', exemption: '', ...buyer, ...customer } as const;
  const documentLines = lines.map(({ description, cents, ago = 0, tax }) => ({
    type: 'Hosting' as const,
    service: 1101,
    description,
    cents,
    isTaxed: true,
    tax: tax ?? decideTax(taxSeller, taxCustomer, { day: issued - ago, kind: 'service' }),
  }));
  const subtotals = taxSubtotals(documentLines);
  const subtotal = documentLines.reduce((sum, { cents }) => sum + cents, 0);
  const tax = subtotals.reduce((sum, { taxCents }) => sum + taxCents, 0);
  const isCreditNote = subtotal + tax < 0;
  const credit = isCreditNote ? 0 : Math.min(500, subtotal + tax);
  return {
    kind: isCreditNote ? 'credit note' : 'invoice',
    number: 'INV-1',
    corrects: isCreditNote ? 'INV-0' : undefined,
    day: issued,
    dueDay: issued + 14,
    account: 2,
    seller: from,
    buyer,
    currency: { code: 'EUR', prefix: '€', suffix: ' EUR' },
    lines: documentLines,
    subtotalCents: subtotal,
    taxes: [
      { rate: subtotals[0]?.rate ?? 0, cents: tax },
      { rate: 0, cents: 0 },
    ],
    subtotals,
    creditCents: credit,
    totalCents: subtotal + tax - credit,
    notes: 'Thank you',
  };
}

const hosting = [
  { description: 'Dedicated E3, 12 of 30 days at 89.00', cents: 3560 },
  { description: 'Goodwill', cents: -400 },
  { description: 'Traffic', cents: 333 },
];
const taxIn = (country: string) => ({ category: 'S', rate: 2100, country, reason: '', reasonCode: '' }) as const;
const creditedDays = [
  { description: 'Dedicated E3, not used', cents: -1000, tax: taxIn('BE') },
  { description: 'Dedicated E5, not used', cents: -700, tax: taxIn('ES') },
];
const estonian = {
  ...germanBuyer,
  country: 'EE',
  city: 'Tallinn',
  postcode: '10111',
  vatNumber: '',
  endpoint: '9931:EE100931558',
};
const american = {
  ...germanBuyer,
  country: 'US',
  city: 'Austin',
  postcode: '78701',
  vatNumber: '',
  endpoint: '0060:123456789',
};
const germanSeller = {
  ...seller,
  name: 'Hosting GmbH',
  country: 'DE',
  city: 'Bonn',
  postcode: '53111',
  vatNumber: 'DE136695976',
  registration: 'HRB 1234',
  iban: 'DE89370400440532013000',
  endpoint: '',
};

export const germanDocument = electronicDocument(hosting, {
  seller: germanSeller,
  buyer: { ...germanBuyer, reference: '04011000-1234512345-06' },
});

export const electronicDocuments: Readonly<Record<string, InvoiceDocument>> = {
  'a domestic invoice': electronicDocument(hosting),
  'a reverse charge': electronicDocument(hosting, { buyer: germanBuyer }),
  'an export': electronicDocument(hosting, { buyer: american }),
  'the One Stop Shop': electronicDocument(hosting, { buyer: estonian }),
  'two rates, because one changed': electronicDocument(
    [...hosting, { description: 'Traffic of June', cents: 1999, ago: 3 }],
    { buyer: estonian, day: Date.UTC(2025, 6, 2) / 86_400_000 },
  ),
  'an exempt customer': electronicDocument(hosting, { customer: { exemption: 'Embassy, certificate 7' } }),
  'a small business without a VAT number': electronicDocument(hosting, {
    seller: { ...germanSeller, vatNumber: '', taxNumber: '133/815/08150', endpoint: '9930:DE136695976' },
    rules: { isSmallBusiness: true, hasOss: false },
    buyer: { ...germanBuyer, reference: '' },
  }),
  'between two Germans': germanDocument,
  'a credit note': electronicDocument([{ description: 'Ordered twice', cents: -1500 }], { buyer: germanBuyer }),
  'a domestic credit note': electronicDocument([{ description: 'Ordered twice', cents: -1500 }]),
  'another currency, with the tax in that of the seller': {
    ...electronicDocument(hosting, { buyer: estonian }),
    currency: { code: 'USD', prefix: '', suffix: '' },
    exchange: { currency: 'EUR', tax_cents: 775, rate: '1.0832', rate_day: 20_771 },
  },
  'a credit note in another currency': {
    ...electronicDocument([{ description: 'Ordered twice', cents: -1500 }]),
    currency: { code: 'USD', prefix: '', suffix: '' },
    exchange: { currency: 'EUR', tax_cents: -291, rate: '1.0832', rate_day: 20_771 },
  },
  'a reverse charge that credits days with the tax of two countries': electronicDocument(
    [...hosting, ...creditedDays],
    { buyer: germanBuyer },
  ),
  'a credit note for days with the tax of two countries': electronicDocument(
    [{ description: 'Dedicated E3', cents: 1000 }, ...creditedDays],
    { buyer: germanBuyer },
  ),
  'nothing to pay': electronicDocument([{ description: 'Small', cents: 100 }]),
};
