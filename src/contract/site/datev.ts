// The site file's part about the export to DATEV: whose books these are, and the accounts to book on.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';

const Account = p.Whole(1, 99_999_999);

const DatevAccounts = p.StrictObject({
  /** Revenue with the provider's own VAT. Automatic accounts do not fit: the tax is booked separately. */
  revenue: Type.Optional(Account),
  /** Revenue with the VAT of other countries of the EU. */
  oss: Type.Optional(Account),
  reverseCharge: Type.Optional(Account),
  export: Type.Optional(Account),
  exempt: Type.Optional(Account),
  tax: Type.Optional(Account),
  ossTax: Type.Optional(Account),
  /** The second tax, if there is one. */
  tax2: Type.Optional(Account),
  /** What customers have paid ahead. */
  credit: Type.Optional(Account),
  goodwill: Type.Optional(Account),
  writtenOff: Type.Optional(Account),
  opening: Type.Optional(Account),
  /** Money received and paid out, if its method has no account. */
  paid: Type.Optional(Account),
});

export const Datev = p.StrictObject({
  /** The numbers that the tax consultant gave you. */
  consultant: p.Whole(1001, 9_999_999),
  client: p.Whole(1, 99_999),
  /** The chart of accounts. */
  chart: p.Choice('skr03', 'skr04'),
  /** The first day of the business year; 01-01 by default. */
  yearStart: Type.Optional(p.Matching('^(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$', 'must be a day such as 01-01')),
  /** Digits of accounts; 4 by default. The account of a customer is 1, zeros and the customer's number. */
  accountLength: Type.Optional(p.Whole(4, 8)),
  /** Replaces accounts of the chart. */
  accounts: Type.Optional(DatevAccounts),
  /** Accounts of payment methods. */
  methods: Type.Optional(
    Type.Array(p.StrictObject({ method: p.Text({ max: 64 }), account: Account }), { maxItems: 50 }),
  ),
});
export type SiteDatev = Static<typeof Datev>;
