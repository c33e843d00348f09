// Why a booking of a bank statement is not matched, as a code that the panel has texts for, with the amount that was expected.
import type { Migration } from './migration.ts';

export const bankProblems: Migration = {
  name: '0084-bank-problems',
  statements: ({ integer }) => [
    "alter table sepa_entries add column problem_code text not null default ''",
    `alter table sepa_entries add column expected_cents ${integer}`,
  ],
};
