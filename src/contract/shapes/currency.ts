// Exchange rates.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();

export const ExchangeRateList = Type.Object({
  currency: Type.String({ description: 'The currency that the provider accounts for tax in' }),
  source: Type.String({ description: 'Where rates are read from; empty if staff enter them' }),
  maxagedays: Type.String({ description: 'Days after which a rate is too old to issue an invoice with' }),
  missing: Type.Array(text, {
    description: 'Currencies without a recent rate: no invoice with tax is issued in them',
  }),
  rates: Type.Array(
    Type.Object({
      currency: text,
      date: Type.String({ description: 'YYYY-MM-DD' }),
      rate: Type.String({ description: 'Units of the currency for one euro' }),
      source: Type.String({ description: '`ecb`, or who entered it' }),
      entered: Moment,
      used: Type.Boolean({ description: 'Customers are billed in this currency' }),
    }),
    { description: 'The latest rate of each currency' },
  ),
});
