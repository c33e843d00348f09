// Opens a session after a successful sign-in of any kind: a key that expires.
import type { Static } from 'typebox';
import { grantedScopes } from '#contract/scopes.ts';
import type { Session } from '#contract/shapes/session.ts';
import { appendEvent } from '#events/append.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { accountFind, accountRecordLogin } from '#store/account/accounts.ts';
import { auditAppend } from '#store/account/audit.ts';
import { contactFind } from '#store/account/contacts.ts';
import { keyInsert, keyRemoveEndedSessions } from '#store/account/keys.ts';
import { isUnfamiliarNetwork, knownNetworkPut } from '#store/account/known-networks.ts';
import type { Person } from '#store/account/people.ts';
import type { Queries } from '#store/store.ts';
import type { Visitor } from '../app.ts';
import { recordLoginHost } from './login-host.ts';
import { createSessionKey } from './session-key.ts';
import { requireSignOnOptional } from '../sign-on/domains.ts';

const maxUserAgent = 500;

export interface SignInProof {
  readonly operation: `v2.${string}`;
  /** Not through an identity provider, if it is omitted. */
  readonly method?: 'sign-on';
  /** Uses up the one-time part of the proof in the same transaction; throws if it has been used before. */
  spend(queries: Queries): Promise<void>;
}

export async function openSession(
  { app, address, requestId, userAgent }: Visitor,
  { account_id, contact_id }: Person,
  { operation, method, spend }: SignInProof,
): Promise<Static<typeof Session>> {
  const now = app.clock.now();
  const login = { at: now, address };
  const { text, row } = createSessionKey(
    { account_id, contact_id, operator_role: null, session_method: method ?? null },
    now,
    address,
  );
  const scopes = await app.store.transaction(async (queries) => {
    await spend(queries);
    if (method === undefined) await requireSignOnOptional(queries, { account_id, contact_id });
    const account = await accountFind(queries, account_id);
    if (account?.status === 'Closed') throw new ApiError('account_closed');
    await keyRemoveEndedSessions(queries, now);
    const key = await keyInsert(queries, {
      ...row,
      user_agent: userAgent?.slice(0, maxUserAgent) ?? null,
      previous_login_at: account?.last_login_at ?? null,
      previous_login_address: account?.last_login_address ?? null,
      previous_login_host: account?.last_login_host ?? null,
    });
    const holder = { account_id, contact_id, operator_id: null };
    const network = budgetNetwork(address);
    const isUnfamiliar = await isUnfamiliarNetwork(queries, holder, network);
    await knownNetworkPut(queries, holder, network, now);
    await accountRecordLogin(queries, account_id, login);
    await auditAppend(queries, {
      account_id,
      contact_id,
      key_id: key,
      at: now,
      address,
      operation,
      target: '',
      outcome: 'success',
      request_id: requestId,
    });
    if (isUnfamiliar) {
      const data = { contactid: String(contact_id ?? ''), session: String(key), address };
      await appendEvent(app, queries, { account: account_id, type: 'account.signin.unfamiliar', data });
    }
    const contact = contact_id === null ? undefined : await contactFind(queries, account_id, contact_id);
    return grantedScopes(contact === undefined ? ['all'] : contact.permissions.split(','));
  });
  void recordLoginHost(app, account_id, login);
  return {
    key: text,
    expires: timeText(row.expires_at!),
    account: String(account_id),
    contact: contact_id === null ? '' : String(contact_id),
    subaccount: contact_id === null ? '0' : '1',
    scopes: [...scopes],
  };
}
