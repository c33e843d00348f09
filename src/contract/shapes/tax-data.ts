// Tax data of an account.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { customerKinds, invoiceAttachments, taxCategories, taxOverrides, validationStates } from './tax.ts';

const text = Type.String();

const taxData = {
  kind: Type.Enum(customerKinds),
  vatnumber: Type.String({ description: 'With its country prefix; empty if there is none' }),
  validation: Type.Enum(validationStates, {
    description:
      'Only `valid` lets a reverse charge apply. `unreachable` means that the register has not answered: the number is not validated yet, and tax is charged as for consumers until it is.',
  }),
  checked: Type.Union([Moment, Type.Null()], { description: 'When the register last answered about this number' }),
  reference: Type.String({ description: 'Your reference on every invoice, such as a Leitweg-ID' }),
  endpoint: Type.String({ description: 'Your electronic address for e-invoices, such as 0208:0428759497' }),
  attachment: Type.Enum(invoiceAttachments, { description: 'The e-invoice attached to emails beside the PDF' }),
  category: Type.Enum(['', ...taxCategories], {
    description: 'The VAT category of the next invoice; empty if the provider does not compute VAT',
  }),
  rate: Type.String({ description: 'Percentage of the next invoice' }),
  reason: Type.String({ description: 'Why no VAT is charged; empty if it is' }),
};

export const TaxData = Type.Object(taxData);

export const VatCheck = Type.Object({
  checked: Moment,
  vatnumber: text,
  validation: Type.Enum(validationStates),
  consultation: Type.String({ description: 'The consultation number of the register; empty if it gave none' }),
  name: Type.String({ description: 'As the register has it; empty if it does not say' }),
  address: text,
});

export const OperatorTaxData = Type.Object({
  account: text,
  ...taxData,
  override: Type.Enum(taxOverrides),
  overridereason: text,
  country: Type.String({ description: 'The country of the billing address' }),
  ordercountry: Type.String({ description: 'The country that an order came from; empty if unknown' }),
  checks: Type.Array(VatCheck, { description: 'The latest answers of the register, newest first' }),
});
