// Those who sign in: an account itself, or one of its sub-account contacts.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { AccountId, Tables } from '../tables.ts';

export interface Person {
  readonly account_id: AccountId;
  /** Null for the account itself. */
  readonly contact_id: number | null;
}

/** The rows of this person, in a table that has such columns. */
export function ofPerson({ account_id, contact_id }: Person) {
  return <T extends 'totps' | 'passkeys' | 'sign_ins' | 'keys'>(
    row: ExpressionBuilder<Tables, T>,
  ): Expression<SqlBool> => {
    const column = row as unknown as ExpressionBuilder<Tables, 'totps'>;
    return column.and([
      column('account_id', '=', account_id),
      contact_id === null ? column('contact_id', 'is', null) : column('contact_id', '=', contact_id),
    ]);
  };
}
