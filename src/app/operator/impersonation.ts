// Impersonation: a member of staff views a customer's account as its owner does, in a session that only reads, for at
// most an hour. The customer sees who it is and why, and can end it.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { impersonationOperator } from '#contract/operator/impersonation.ts';
import { supportScopes } from '#contract/scopes.ts';
import type {
  Impersonation as Shape,
  NewImpersonation,
  SupportAccess,
  SupportEnding,
} from '#contract/shapes/support.ts';
import type { supportV2 } from '#contract/v2/support.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { keyInsert, keyScopes, sessionEnd } from '#store/account/keys.ts';
import * as store from '#store/operator/impersonations.ts';
import type { AccountId } from '#store/account-id.ts';
import { createSessionKey } from '../account/session-key.ts';
import { notASession } from '../account/signed-in.ts';
import type { Context } from '../app.ts';
import { getCustomer, pageLength } from './accounts.ts';

const defaultMinutes = 30;

export async function impersonationStart(
  context: Context,
  { account, reason, minutes = defaultMinutes }: InputOf<typeof impersonationOperator.impersonationStart>,
): Promise<Static<typeof NewImpersonation>> {
  const { queries, app, caller } = context;
  const { id: operator_id, name: operator } = caller.operator!;
  const owner = await getCustomer(queries, account);
  if (owner.status === 'Closed') throw new ApiError('account_closed');
  // A key of the site file belongs to a program; the customer must see a person.
  if (operator_id === null) throw notASession();
  const now = app.clock.now();
  const expires_at = now + minutes * 60_000;
  const holder = { account_id: owner.id, contact_id: null, operator_role: null, operator_id };
  const { text, row } = createSessionKey(holder, now, caller.address);
  const key_id = await keyInsert(queries, {
    ...row,
    name: 'support',
    scopes: keyScopes.encode(supportScopes),
    expires_at,
  });
  const id = await store.impersonationInsert(queries, {
    account_id: owner.id,
    operator_id,
    operator,
    reason,
    key_id,
    created_at: now,
    expires_at,
  });
  const until = new Date(expires_at).toISOString();
  context.onBehalfOf(owner.id).emit('support.access.started', { accessid: String(id), operator, reason, until });
  return { id: String(id), key: text, expires: timeText(expires_at) };
}

export async function impersonationList(
  { queries, app }: Context,
  { account, limit = pageLength, before }: InputOf<typeof impersonationOperator.impersonationList>,
): Promise<Static<typeof Shape>[]> {
  const rows = await store.impersonationList(queries, { account: account as AccountId | undefined, limit, before });
  return rows.map((row) => ({ account: String(row.account_id), ...accessShape(row, app.clock.now()) }));
}

export async function supportAccessList(
  { queries, app, caller }: Context,
  { limit = pageLength, before }: InputOf<typeof supportV2.supportAccessList>,
): Promise<Static<typeof SupportAccess>[]> {
  const rows = await store.impersonationList(queries, { account: caller.account, limit, before });
  return rows.map((row) => accessShape(row, app.clock.now()));
}

function accessShape(row: store.Impersonation, now: number): Static<typeof SupportAccess> {
  const ended = row.ended_at ?? (row.expires_at <= now ? row.expires_at : undefined);
  return {
    id: String(row.id),
    operator: row.operator,
    reason: row.reason,
    status: ended === undefined ? 'Active' : 'Ended',
    started: timeText(row.created_at),
    expires: timeText(row.expires_at),
    ended: ended === undefined ? '' : timeText(ended),
    endedby: row.ended_by ?? '',
  };
}

export async function impersonationEnd(context: Context, id: number): Promise<void> {
  const [row] = await findActive(context, { id });
  const { account_id } = requireFound(row, 'Impersonation not found, or it has ended.');
  await endImpersonation(context.onBehalfOf(account_id), row!, 'Staff');
}

/** Ends one on behalf of the customer. */
export async function supportAccessEnd(context: Context, id: number): Promise<void> {
  const [row] = await findActive(context, { id, account_id: context.caller.account });
  await endImpersonation(context, requireFound(row, 'Support access not found, or it has ended.'), 'Customer');
}

/** Ends the support session that makes this call. */
export async function endOwnImpersonation(context: Context): Promise<void> {
  const [row] = await findActive(context, { key_id: context.caller.key });
  await endImpersonation(context, requireFound(row), 'Staff');
}

/** Ends all impersonations by an operator who lost the role, the password or the job. */
export async function endImpersonationsOf(context: Context, operator_id: number): Promise<void> {
  for (const row of await findActive(context, { operator_id }))
    await endImpersonation(context.onBehalfOf(row.account_id), row, 'Staff');
}

function findActive({ queries, app }: Context, match: Parameters<typeof store.impersonationsActive>[1]) {
  return store.impersonationsActive(queries, match, app.clock.now());
}

async function endImpersonation(context: Context, row: store.Impersonation, by: SupportEnding): Promise<void> {
  const { queries, app } = context;
  const now = app.clock.now();
  if (!(await store.impersonationEnd(queries, row.id, { at: now, by }))) throw conflict('It has already ended.');
  await sessionEnd(queries, row.account_id, row.key_id, now);
  context.emit('support.access.ended', { accessid: String(row.id), operator: row.operator, endedby: by });
  context.afterCommit(() => app.authentication.forget());
}
