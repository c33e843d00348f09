// People who can sign in: the account itself, or one of its sub-account contacts.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../tables.ts';
import type { AccountId } from '../account-id.ts';

export interface Person {
  readonly account_id: AccountId;
  /** Null for the account itself. */
  readonly contact_id: number | null;
}

/** Selects the rows of this person, in a table that has these columns. */
export function isPerson({ account_id, contact_id }: Person) {
  return <T extends 'totps' | 'passkeys' | 'sign_ins' | 'keys' | 'recoveries' | 'recovery_codes' | 'preferences'>(
    row: ExpressionBuilder<Tables, T>,
  ): Expression<SqlBool> => {
    const column = row as unknown as ExpressionBuilder<Tables, 'totps'>;
    return column.and({ account_id, contact_id });
  };
}
