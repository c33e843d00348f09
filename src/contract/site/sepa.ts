// The site file's part about SEPA: the account that collects and pays.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';

export const SiteSepa = p.StrictObject({
  /** The holder of the account. */
  name: p.Text({ max: 70 }),
  /** The creditor identifier, such as DE98ZZZ09999999999. */
  creditorId: p.Text({ max: 35 }),
  iban: p.Text({ max: 42 }),
  /** If your bank asks for it. */
  bic: Type.Optional(p.Text({ max: 11 })),
  /** CORE, the default, or B2B for customers that are all businesses. */
  scheme: Type.Optional(p.Choice('CORE', 'B2B')),
  /** Days from the announcement of a direct debit to its due date; 2 by default. The mandate states them. */
  noticeDays: Type.Optional(p.Whole(1, 30)),
  /** Business days from a file to the due date of its direct debits, as your bank demands; 1 by default. */
  leadDays: Type.Optional(p.Whole(1, 10)),
  /** When the files of a day are written, in UTC: before your bank's cut-off, with time to hand them in; 07:00 by default. */
  filesAt: Type.Optional(p.Matching('^(?:[01][0-9]|2[0-3]):[0-5][0-9]$', 'must be a time such as 07:00')),
});
export type SiteSepa = Static<typeof SiteSepa>;
