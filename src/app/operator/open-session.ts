// Opens a session of an operator after a successful sign-in of any kind.
import type { Static } from 'typebox';
import type { OperatorSession } from '#contract/shapes/operator.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditAppend } from '#store/account/audit.ts';
import { keyInsert, keyRemoveEndedSessions } from '#store/account/keys.ts';
import { isUnfamiliarNetwork, knownNetworkPut } from '#store/account/known-networks.ts';
import type { SessionMethod } from '#store/account/tables.ts';
import type { Operator } from '#store/operator/operators.ts';
import type { Queries } from '#store/store.ts';
import { createSessionKey } from '../account/session-key.ts';
import type { Visitor } from '../app.ts';
import { findStaffSignOn } from '../sign-on/staff-settings.ts';
import { notifyStaff } from './notices.ts';

export interface OperatorSignIn {
  readonly operation: `operator.${string}`;
  /** Null for a password. */
  readonly method: SessionMethod | null;
  /** Uses up the one-time part of the proof in the same transaction; throws if it has been used before. */
  spend(queries: Queries): Promise<void>;
}

export async function openOperatorSession(
  { app, address, requestId }: Visitor,
  operator: Operator,
  { operation, method, spend }: OperatorSignIn,
): Promise<Static<typeof OperatorSession>> {
  const { id, name, role, totp_since } = operator;
  const now = app.clock.now();
  const { text, row } = createSessionKey(
    { account_id: null, contact_id: null, operator_role: null, operator_id: id, session_method: method },
    now,
    address,
  );
  await app.store.transaction(async (queries) => {
    await spend(queries);
    const signOn = method === 'sign-on' ? undefined : await findStaffSignOn(app, queries);
    if (signOn?.required === true && !signOn.breakGlass.has(name)) throw new ApiError('sign_on_required');
    const holder = { account_id: null, contact_id: null, operator_id: id };
    const network = budgetNetwork(address);
    const isUnfamiliar = await isUnfamiliarNetwork(queries, holder, network);
    await knownNetworkPut(queries, holder, network, now);
    if (isUnfamiliar) await notifyStaff(app, queries, operator, { change: 'sign-in', address });
    await keyRemoveEndedSessions(queries, now);
    const key = await keyInsert(queries, row);
    await auditAppend(queries, {
      account_id: providerAccount,
      contact_id: null,
      key_id: key,
      at: now,
      address,
      operation,
      target: '',
      outcome: 'success',
      request_id: requestId,
      operator: name,
    });
  });
  const secondfactor = method === null && totp_since === null ? ('Missing' as const) : ('Confirmed' as const);
  return { key: text, expires: timeText(row.expires_at!), name, role, secondfactor };
}
