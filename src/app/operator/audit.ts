// The audit logs of all accounts in one list.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { keyOperator, OperatorAuditEntry } from '#contract/operator/key.ts';
import { auditSearch } from '#store/account/audit.ts';
import { auditEntryShape } from '../account/audit.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';

export async function auditList(
  { queries }: Context,
  { limit = pageLength, ...filter }: InputOf<typeof keyOperator.auditList>,
): Promise<Static<typeof OperatorAuditEntry>[]> {
  const entries = await auditSearch(queries, { ...filter, limit });
  return entries.map((entry) => ({ account: String(entry.account_id), ...auditEntryShape(entry) }));
}
