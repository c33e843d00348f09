// Site file: erasure of accounts.
import { Type } from 'typebox';
import * as p from '../parameters.ts';

export const SitePrivacy = p.StrictObject({
  /** How long a request to erase an account can be cancelled; 14 days if omitted. */
  erasureWaitDays: Type.Optional(p.Whole(0, 90)),
  /** How long tax law requires invoices, in full calendar years after the last one; 10 if omitted. */
  keepInvoicesYears: Type.Optional(p.Whole(0, 30)),
});
