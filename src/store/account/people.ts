// People who can sign in: the account itself, or one of its sub-account contacts.
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../tables.ts';
import type { AccountId } from '../account-id.ts';

export interface Person {
  readonly account_id: AccountId;
  /** Null for the account itself. */
  readonly contact_id: number | null;
}

/** A person, or an operator, who belongs to the provider's own account. */
export interface SignInHolder extends Person {
  /** Null for a customer. */
  readonly operator_id: number | null;
}

export function customerHolder({ account_id, contact_id }: Person): SignInHolder {
  return { account_id, contact_id, operator_id: null };
}

/** Selects the rows of a customer or an operator. */
export function isHolder({ account_id, contact_id, operator_id }: SignInHolder) {
  return <T extends 'passkeys' | 'recoveries'>(row: ExpressionBuilder<Tables, T>): Expression<SqlBool> =>
    (row as unknown as ExpressionBuilder<Tables, 'passkeys'>).and({ account_id, contact_id, operator_id });
}

/** Selects the rows of this person, in a table that has these columns. */
export function isPerson({ account_id, contact_id }: Person) {
  return <T extends 'totps' | 'sign_ins' | 'keys' | 'recovery_codes' | 'preferences'>(
    row: ExpressionBuilder<Tables, T>,
  ): Expression<SqlBool> => {
    const column = row as unknown as ExpressionBuilder<Tables, 'totps'>;
    return column.and({ account_id, contact_id });
  };
}
