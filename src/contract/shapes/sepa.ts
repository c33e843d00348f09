// Direct debit mandates, files for the bank, and bank statements, as customers and staff see them. IBANs of customers are
// masked.
import { Type } from 'typebox';
import { Money } from './account.ts';
import { described, text } from './text.ts';

const moment = described('YYYY-MM-DD HH:MM:SS, in UTC');
const day = described('YYYY-MM-DD');

const fileKinds = ['debit', 'refund'] as const;
const fileStates = ['created', 'handed_in', 'rejected'] as const;
/** Why a booking is not matched. */
const matchProblems = [
  'no_reference',
  'several_customers',
  'outgoing',
  'currency',
  'debit_amount',
  'refund_amount',
  'batch_amount',
  'unknown_batch',
  'rejected',
] as const;
export type MatchProblem = (typeof matchProblems)[number];
export const entryStates = ['new', 'matched', 'unmatched', 'ignored'] as const;
const matchKinds = ['', 'charge', 'batch', 'chargeback', 'refund', 'returned refund', 'transfer'] as const;

export const SepaInformation = Type.Object({
  debits: Type.Boolean({ description: 'False if the account is not in euro, or the provider does not use SEPA' }),
  creditor: text,
  creditorid: text,
  consent: described('The version of the text, to pass when you create a mandate'),
  text: described('The text to which the customer agrees'),
  transfer: Type.Object({
    name: text,
    iban: text,
    bic: described('Empty if it is not needed'),
    reference: described('A transfer with this reference or an invoice number is credited automatically'),
  }),
});

export const MandateItem = Type.Object({
  id: described('Of the payment method'),
  reference: text,
  name: text,
  label: described('Such as `SEPA DE•• •••• 3000`'),
  scheme: Type.Enum(['CORE', 'B2B']),
  state: Type.Enum(['active', 'ended']),
  signed: moment,
  text: described('The text to which the customer agreed'),
});

export const BankFileItem = Type.Object({
  id: text,
  kind: Type.Enum(fileKinds),
  messageid: text,
  created: moment,
  payments: described('The number of direct debits or transfers'),
  amount: Money,
  state: Type.Enum(fileStates),
  operator: described('Who handed it in, or recorded its rejection; otherwise empty'),
});

export const BankStatementItem = Type.Object({
  id: text,
  kind: Type.Enum(['statement', 'notification'], { description: 'camt.053 or camt.054' }),
  bankid: described('The bank’s number for it'),
  iban: text,
  imported: moment,
  operator: text,
  entries: described('The number of bookings that were not in an earlier statement'),
  total: described('The sum of the new bookings; negative if more money left the account'),
  booked: described('The part of this sum that is recorded in the ledger'),
  unmatched: described('The number of bookings that staff have to assign'),
  waiting: described('The number of bookings that are still to be matched'),
  ignored: described('The sum of bookings that do not concern customers'),
});

export const BankEntryItem = Type.Object({
  id: text,
  statement: text,
  date: day,
  amount: described('Negative if money left the account'),
  booked: described('The amount in the ledger, which differs by bank fees'),
  counterparty: text,
  iban: described('Masked'),
  text: text,
  returncode: described('Why the bank returned a direct debit, such as MD01; otherwise empty'),
  state: Type.Enum(entryStates),
  matchedas: Type.Enum(matchKinds),
  account: described('Empty if there is none'),
  problem: described('Why it is not matched, or why staff ignore it'),
  problemcode: Type.Enum(['', ...matchProblems], { description: 'A code for why it is not matched' }),
  expected: described('The expected amount; empty if the amount is not the problem'),
  operator: described('Who assigned or ignored it; otherwise empty'),
});

export const ImportedStatements = Type.Object({
  statements: described('The number of new statements'),
  entries: described('The number of new bookings'),
  known: described('The number of statements and bookings that were imported before'),
});
