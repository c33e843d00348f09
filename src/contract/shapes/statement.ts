// The account statement of a period.
import { Type } from 'typebox';

const day = Type.String({ description: 'YYYY-MM-DD' });
const amount = Type.String({ description: 'Decimal with two places' });

export const Statement = Type.Object({
  account: Type.String(),
  currency: Type.String(),
  from: day,
  until: Type.String({ description: 'The last day, YYYY-MM-DD' }),
  opening: Type.String({ description: 'Balance at the start of the first day; negative for credit' }),
  lines: Type.Array(
    Type.Object({
      date: day,
      kind: Type.String({ description: '`invoice`, `payment`, `credit`, `refund`, or another kind of booking' }),
      reference: Type.String({ description: 'The number of the invoice, or the reference of the payment' }),
      amount: Type.String({ description: 'Positive if owed, negative if paid or credited' }),
      balance: Type.String({ description: 'Balance after this entry' }),
    }),
  ),
  charged: amount,
  settled: Type.String({ description: 'Payments and credits, as a positive amount' }),
  closing: Type.String({ description: 'Balance at the end of the last day; negative for credit' }),
});
