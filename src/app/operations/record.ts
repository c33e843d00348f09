// Writes down how a call ended: its audit entries, the events it emitted, and the response stored for its Idempotency-Key.
import { auditAppend } from '#store/account/audit.ts';
import type { Queries } from '#store/store.ts';
import { notifyOf } from '#events/append.ts';
import { saveResponse, type Claim } from './claims.ts';
import type { ApiResponse, Call } from './call.ts';
import { noEffects, type Effects } from './context.ts';

export interface Outcome {
  /** `success` or an error code. */
  readonly outcome: string;
  readonly response: ApiResponse;
  /** The claim to store the response under. */
  readonly claim: Claim | undefined;
  readonly effects?: Pick<Effects, 'events' | 'affectedAccounts'>;
}

export async function recordOutcome(
  call: Call,
  queries: Queries,
  { outcome, response, claim, effects = noEffects() }: Outcome,
): Promise<void> {
  const { app } = call;
  if (claim !== undefined) await saveResponse(app, queries, claim, response);
  // A preview changes nothing, so that the log does not mention it.
  if (call.operation.input['dry_run'] === true) return;
  const callerEntry = auditEntry(call, outcome);
  // Each entry locks its account's row. Customers come in order of id, and the provider's account, which all operators share,
  // comes last, so that no two calls wait for each other.
  const customerEntries = [...effects.affectedAccounts]
    .toSorted((left, right) => left - right)
    .map((account) => ({ ...callerEntry, account_id: account, address: '', key_id: null }));
  for (const entry of [...customerEntries, callerEntry]) {
    const emitted = effects.events.filter((event) => event.account_id === entry.account_id);
    const { events, channels } = await auditAppend(queries, entry, emitted);
    await notifyOf(app, queries, events, channels);
  }
}

export async function recordStart(call: Call, queries: Queries): Promise<void> {
  await auditAppend(queries, auditEntry(call, 'begun'));
}

const maxTargetLength = 255;

function auditEntry({ app, caller, operation }: Call, outcome: string) {
  const target = operation.target
    .filter((name) => operation.input[name] !== undefined)
    .map((name) => `${name}=${String(operation.input[name])}`)
    .join(' ');
  return {
    account_id: caller.account,
    at: app.clock.now(),
    // A customer sees who of the staff acted, but not from where.
    address: caller.supportOperator === undefined ? caller.address : '',
    key_id: caller.key,
    contact_id: caller.contact ?? null,
    operation: operation.name,
    target: target.slice(0, maxTargetLength),
    outcome,
    request_id: caller.requestId,
    operator: caller.operator?.name ?? caller.supportOperator ?? null,
  };
}
