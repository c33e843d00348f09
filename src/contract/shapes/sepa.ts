// Direct debit mandates, files for the bank, and bank statements, as customers and staff see them. IBANs of customers are
// masked.
import { Type } from 'typebox';
import { Money } from './account.ts';

const text = Type.String();
const moment = Type.String({ description: 'YYYY-MM-DD HH:MM:SS, in UTC' });
const day = Type.String({ description: 'YYYY-MM-DD' });

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
  consent: Type.String({ description: 'The version of the text, to pass when you create a mandate' }),
  text: Type.String({ description: 'The text to which the customer agrees' }),
  transfer: Type.Object({
    name: text,
    iban: text,
    bic: Type.String({ description: 'Empty if it is not needed' }),
    reference: Type.String({
      description: 'A transfer with this reference or an invoice number is credited automatically',
    }),
  }),
});

export const MandateItem = Type.Object({
  id: Type.String({ description: 'Of the payment method' }),
  reference: text,
  name: text,
  label: Type.String({ description: 'Such as `SEPA DE•• •••• 3000`' }),
  scheme: Type.Enum(['CORE', 'B2B']),
  state: Type.Enum(['active', 'ended']),
  signed: moment,
  text: Type.String({ description: 'The text to which the customer agreed' }),
});

export const BankFileItem = Type.Object({
  id: text,
  kind: Type.Enum(fileKinds),
  messageid: text,
  created: moment,
  payments: Type.String({ description: 'The number of direct debits or transfers' }),
  amount: Money,
  state: Type.Enum(fileStates),
  operator: Type.String({ description: 'Who handed it in, or recorded its rejection; otherwise empty' }),
});

export const BankStatementItem = Type.Object({
  id: text,
  kind: Type.Enum(['statement', 'notification'], { description: 'camt.053 or camt.054' }),
  bankid: Type.String({ description: 'The bank’s number for it' }),
  iban: text,
  imported: moment,
  operator: text,
  entries: Type.String({ description: 'The number of bookings that were not in an earlier statement' }),
  total: Type.String({ description: 'The sum of the new bookings; negative if more money left the account' }),
  booked: Type.String({ description: 'The part of this sum that is recorded in the ledger' }),
  unmatched: Type.String({ description: 'The number of bookings that staff have to assign' }),
  waiting: Type.String({ description: 'The number of bookings that are still to be matched' }),
  ignored: Type.String({ description: 'The sum of bookings that do not concern customers' }),
});

export const BankEntryItem = Type.Object({
  id: text,
  statement: text,
  date: day,
  amount: Type.String({ description: 'Negative if money left the account' }),
  booked: Type.String({ description: 'The amount in the ledger, which differs by bank fees' }),
  counterparty: text,
  iban: Type.String({ description: 'Masked' }),
  text: text,
  returncode: Type.String({ description: 'Why the bank returned a direct debit, such as MD01; otherwise empty' }),
  state: Type.Enum(entryStates),
  matchedas: Type.Enum(matchKinds),
  account: Type.String({ description: 'Empty if there is none' }),
  problem: Type.String({ description: 'Why it is not matched, or why staff ignore it' }),
  problemcode: Type.Enum(['', ...matchProblems], { description: 'A code for why it is not matched' }),
  expected: Type.String({ description: 'The expected amount; empty if the amount is not the problem' }),
  operator: Type.String({ description: 'Who assigned or ignored it; otherwise empty' }),
});

export const ImportedStatements = Type.Object({
  statements: Type.String({ description: 'The number of new statements' }),
  entries: Type.String({ description: 'The number of new bookings' }),
  known: Type.String({ description: 'The number of statements and bookings that were imported before' }),
});
