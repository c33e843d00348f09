// The account statement of a period.
import { Type } from 'typebox';
import { described, text } from './text.ts';

const day = described('YYYY-MM-DD');
const amount = described('Decimal with two places');

export const Statement = Type.Object({
  account: text,
  currency: text,
  from: day,
  until: described('The last day, YYYY-MM-DD'),
  opening: described('Balance at the start of the first day; negative for credit'),
  lines: Type.Array(
    Type.Object({
      date: day,
      kind: described('`invoice`, `payment`, `credit`, `refund`, or another kind of booking'),
      reference: described('The number of the invoice, or the reference of the payment'),
      amount: described('Positive if owed, negative if paid or credited'),
      balance: described('Balance after this entry'),
    }),
  ),
  charged: amount,
  settled: described('Payments and credits, as a positive amount'),
  closing: described('Balance at the end of the last day; negative for credit'),
});
