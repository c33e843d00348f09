// Exchange rates.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

export const ExchangeRateList = Type.Object({
  currency: described('The currency of the provider’s tax accounting'),
  source: described('Source of the rates; empty if staff enter them'),
  maxagedays: described('Days after which a rate is too old for an invoice'),
  missing: Type.Array(text, {
    description: 'Currencies without a recent rate, in which no invoice with tax is issued',
  }),
  rates: Type.Array(
    Type.Object({
      currency: text,
      date: described('YYYY-MM-DD'),
      rate: described('Units of the currency per euro'),
      source: described('`ecb`, or who entered it'),
      entered: Moment,
      used: Type.Boolean({ description: 'Customers are billed in this currency' }),
    }),
    { description: 'The latest rate of each currency' },
  ),
});
