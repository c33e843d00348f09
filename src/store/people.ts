// Those who sign in: an account itself, or one of its sub-account contacts.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { AccountId, Tables } from './tables.ts';

export interface Person {
  readonly account: AccountId;
  /** Null for the account itself. */
  readonly contact: number | null;
}

/** The rows of this person, in a table that has such columns. */
export function ofPerson({ account, contact }: Person) {
  return <T extends 'totps' | 'passkeys' | 'sign_ins'>(row: ExpressionBuilder<Tables, T>): Expression<SqlBool> => {
    const column = row as unknown as ExpressionBuilder<Tables, 'totps'>;
    return column.and([
      column('account_id', '=', account),
      contact === null ? column('contact_id', 'is', null) : column('contact_id', '=', contact),
    ]);
  };
}
