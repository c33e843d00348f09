// Tax data of an account.
import { Type } from 'typebox';
import { deliveryWays, evidenceSources, evidenceStates, pdfForms } from './invoice-delivery.ts';
import { Moment } from './account.ts';
import { customerKinds, invoiceAttachments, taxCategories, taxOverrides, validationStates } from './tax.ts';
import { described, text } from './text.ts';

const taxData = {
  kind: Type.Enum(customerKinds),
  vatnumber: described('With its country prefix; empty if you have none'),
  validation: Type.Enum(validationStates, {
    description:
      'Only `valid` allows a reverse charge. `unreachable` means that the register has not answered: until the number is validated, tax is charged as for consumers.',
  }),
  checked: Type.Union([Moment, Type.Null()], { description: 'When the register last answered about this number' }),
  reference: described('Your reference on every invoice, such as a Leitweg-ID'),
  endpoint: described('Your electronic address for e-invoices, such as 0208:0428759497'),
  attachment: Type.Enum(invoiceAttachments, { description: 'The e-invoice format attached to emails next to the PDF' }),
  pdf: Type.Enum(pdfForms, {
    description:
      '`facturx` embeds the e-invoice into the PDF, `plain` does not, and `automatic` embeds it in countries that the provider chose',
  }),
  delivery: Type.Enum(deliveryWays, {
    description: '`network` also sends invoices through the e-invoicing network, to `endpoint`',
  }),
  networkavailable: Type.Boolean({ description: 'The provider can send invoices through a network' }),
  category: Type.Enum(['', ...taxCategories], {
    description: 'The VAT category of the next invoice; empty if the provider does not compute VAT',
  }),
  rate: described('Percentage of the next invoice'),
  reason: described('Why no VAT is charged; empty if VAT is charged'),
};

export const TaxData = Type.Object(taxData);

export const VatCheck = Type.Object({
  checked: Moment,
  vatnumber: text,
  validation: Type.Enum(validationStates),
  consultation: described('The consultation number of the register; empty if it gave none'),
  name: described('According to the register; empty if it does not say'),
  address: text,
});

export const OperatorTaxData = Type.Object({
  account: text,
  ...taxData,
  override: Type.Enum(taxOverrides),
  overridereason: text,
  country: described('The country of the billing address'),
  ordercountry: described('The country that an order came from; empty if unknown'),
  evidence: Type.Array(Type.Object({ source: Type.Enum(evidenceSources), country: text, seen: Moment }), {
    description: 'Further evidence: IP addresses of orders, payment methods, and entries of staff',
  }),
  evidencestate: Type.Enum(evidenceStates, {
    description:
      'For a private customer in the EU: `sufficient` if other evidence names the billing country, `conflict` if all of it names other countries, `missing` if there is none',
  }),
  checks: Type.Array(VatCheck, { description: 'The latest answers of the register, newest first' }),
});

export const EvidenceConflict = Type.Object({
  account: text,
  name: text,
  country: described('The country of the billing address'),
  evidence: Type.Array(Type.Object({ source: Type.Enum(evidenceSources), country: text })),
});

export const TaxOverview = Type.Object({
  isactive: Type.Boolean({ description: 'False if the site file has rates by country instead of `provider.tax`' }),
  country: described('The country of the seller'),
  currency: described('The currency of the tax accounting'),
  oss: Type.Boolean(),
  smallbusiness: Type.Boolean(),
  registrations: Type.Array(text),
  register: described('The register that confirms VAT numbers; empty if none'),
  countryheader: described('The header with the caller’s country; empty if none'),
  network: Type.Boolean({ description: 'An access point for e-invoices is configured' }),
  numbers: Type.Array(Type.Object({ validation: Type.Enum(validationStates), count: text })),
  rejected: Type.Array(
    Type.Object({ account: text, name: text, vatnumber: text, checked: Type.Union([Moment, Type.Null()]) }),
    { description: 'At most 100 accounts whose VAT number the register does not know' },
  ),
  rates: Type.Array(
    Type.Object({
      territory: text,
      rate: described('Percentage'),
      since: described('YYYY-MM-DD'),
    }),
  ),
});
