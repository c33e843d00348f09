// Exchange rates.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();

export const ExchangeRateList = Type.Object({
  currency: Type.String({ description: 'The currency of the provider’s tax accounting' }),
  source: Type.String({ description: 'Source of the rates; empty if staff enter them' }),
  maxagedays: Type.String({ description: 'Days after which a rate is too old for an invoice' }),
  missing: Type.Array(text, {
    description: 'Currencies without a recent rate, in which no invoice with tax is issued',
  }),
  rates: Type.Array(
    Type.Object({
      currency: text,
      date: Type.String({ description: 'YYYY-MM-DD' }),
      rate: Type.String({ description: 'Units of the currency per euro' }),
      source: Type.String({ description: '`ecb`, or who entered it' }),
      entered: Moment,
      used: Type.Boolean({ description: 'Customers are billed in this currency' }),
    }),
    { description: 'The latest rate of each currency' },
  ),
});
