// The audit log, as its account reads it and as `hostyard audit verify` checks it.
import type { Static } from 'typebox';
import { dnsOperations } from '#contract/dns-operations.ts';
import { serviceOperations } from '#contract/service-operations.ts';
import type { AuditEntry } from '#contract/shapes/key.ts';
import { pickDefined } from '#lib/defined.ts';
import { timeText } from '#lib/time.ts';
import { accountIds } from '#store/account/accounts.ts';
import { auditList, auditVerify, type AuditEntry as StoredEntry, type ServicesFilter } from '#store/account/audit.ts';
import type { Context, App } from '../app.ts';
import { visibleServices } from '../services/visible-services.ts';
import { deviceName } from '../services/services.ts';

export async function auditGet(
  context: Context,
  page: { limit?: number; before?: number },
): Promise<Static<typeof AuditEntry>[]> {
  const { queries, caller } = context;
  const { account, key, dnsLimits } = caller;
  // A key that is limited to DNS records sees what it did itself, but not which other records there are.
  const hidden = dnsLimits && { operations: [...dnsOperations], unlessBy: key };
  const services = caller.services && (await servicesFilter(context));
  const filters = pickDefined({ hidden, services });
  const entries = await auditList(queries, account, { ...page, limit: page.limit ?? 100, ...filters });
  return entries.map(auditEntryShape);
}

/** Someone who is limited to services sees what they did themselves, and what others did with these. */
async function servicesFilter(context: Context): Promise<ServicesFilter> {
  const names = (await visibleServices(context)).flatMap((service) => [
    `service=${service.id}`,
    ...(service.server === null ? [] : [`server=${service.server}`]),
    ...(service.vmid === null ? [] : [`vmid=${service.vmid}`]),
    `device=${deviceName(service)}`,
  ]);
  const { key, contact = null } = context.caller;
  return { operations: [...serviceOperations], targets: names, unlessBy: contact === null ? { key } : { contact } };
}

export function auditEntryShape(entry: StoredEntry): Static<typeof AuditEntry> {
  return {
    id: String(entry.id),
    time: timeText(entry.at),
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

/** Returns one sentence per account whose log has been tampered with. */
export async function findAuditProblems(app: App): Promise<string[]> {
  const problems: string[] = [];
  for (const account of await accountIds(app.store.queries)) {
    const broken = await auditVerify(app.store.queries, account);
    if (broken === 'end') problems.push(`account ${account}: entries are missing at the end`);
    else if (broken !== undefined)
      problems.push(`account ${account}: entry ${broken} was altered, or the previous entry was removed`);
  }
  return problems;
}
