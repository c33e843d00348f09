// The account reads its own audit log.
import type { Static } from 'typebox';
import type { AuditEntry } from '#contract/shapes/key.ts';
import { momentText } from '#kernel/moments.ts';
import { auditList } from '#store/audit.ts';
import type { Context } from './yard.ts';

export async function auditGet(
  context: Context,
  page: { limit?: number; before?: number },
): Promise<Static<typeof AuditEntry>[]> {
  const entries = await auditList(context.queries, context.caller.account, page.limit ?? 100, page.before);
  return entries.map((entry) => ({
    id: String(entry.id),
    time: momentText(entry.at),
    address: entry.address,
    key: entry.key_id === null ? '' : String(entry.key_id),
    contact: entry.contact_id === null ? '' : String(entry.contact_id),
    operation: entry.operation,
    target: entry.target,
    outcome: entry.outcome,
    requestid: entry.request_id,
    previous: entry.previous,
    hash: entry.hash,
  }));
}
