// The account reads its own audit log.
import type { Static } from 'typebox';
import type { AuditEntry } from '#contract/shapes/key.ts';
import { momentText } from '#kernel/moments.ts';
import { accountIds } from '#store/account/accounts.ts';
import { auditList, auditVerify, type AuditEntry as StoredEntry } from '#store/account/audit.ts';
import type { Context, Yard } from '../yard.ts';

export async function auditGet(
  context: Context,
  page: { limit?: number; before?: number },
): Promise<Static<typeof AuditEntry>[]> {
  const entries = await auditList(context.queries, context.caller.account, page.limit ?? 100, page.before);
  return entries.map(shownEntry);
}

export function shownEntry(entry: StoredEntry): Static<typeof AuditEntry> {
  return {
    id: String(entry.id),
    time: momentText(entry.at),
    address: entry.address,
    key: entry.key_id === null ? '' : String(entry.key_id),
    contact: entry.contact_id === null ? '' : String(entry.contact_id),
    operation: entry.operation,
    target: entry.target,
    outcome: entry.outcome,
    operator: entry.operator ?? '',
    requestid: entry.request_id,
    previous: entry.previous,
    hash: entry.hash,
  };
}

/** One sentence per account whose log does not hold. */
export async function verifyAudit(yard: Yard): Promise<string[]> {
  const faults: string[] = [];
  for (const account of await accountIds(yard.store.queries)) {
    const broken = await auditVerify(yard.store.queries, account);
    if (broken === 'end') faults.push(`account ${account}: entries are missing at the end`);
    else if (broken !== undefined)
      faults.push(`account ${account}: entry ${broken} was altered, or one before it removed`);
  }
  return faults;
}
