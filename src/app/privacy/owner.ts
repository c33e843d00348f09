// Archives and erasure are for the owner in person: not for keys, contacts, or staff who view the account.
import { conflict } from '#lib/api-error.ts';
import type { Context } from '../app.ts';
import { notASession } from '../account/signed-in.ts';

export function requireOwner({ caller }: Pick<Context, 'caller'>): void {
  if (caller.keyKind !== 'session' || caller.supportOperator !== undefined) throw notASession();
  if (caller.contact !== undefined) throw conflict('Only the owner of the account can do this.');
}
