// What stays of a call that was carried out or refused: its entries in the audit log, with the events that it told, and the answer
// kept for its Idempotency-Key.
import { auditAppend } from '#store/account/audit.ts';
import type { Queries } from '#store/store.ts';
import { eventsDeliver } from '#jobs/event-append.ts';
import { keepAnswer, type Claim } from './claims.ts';
import type { Answer, Call } from './call.ts';
import { nothingYet, type Aftermath } from './context.ts';

export interface Outcome {
  /** `success`, or the code of the refusal. */
  readonly outcome: string;
  readonly answer: Answer;
  /** Under which the answer is kept. */
  readonly claim: Claim | undefined;
  readonly aftermath?: Pick<Aftermath, 'told' | 'actedFor'>;
}

export async function record(
  call: Call,
  queries: Queries,
  { outcome, answer, claim, aftermath = nothingYet() }: Outcome,
): Promise<void> {
  const { yard } = call;
  const entry = auditEntry(call, outcome);
  // The customers' rows in one order and the provider's, which all operators share, last: nobody waits in a circle.
  const ofCustomers = [...aftermath.actedFor]
    .toSorted((left, right) => left - right)
    .map((account) => ({ ...entry, account_id: account, address: '', key_id: null }));
  for (const one of [...ofCustomers, entry]) {
    const told = aftermath.told.filter((event) => event.account_id === one.account_id);
    const { events, webhooks } = await auditAppend(queries, one, told);
    if (webhooks > 0) await eventsDeliver(yard, queries, events);
  }
  if (claim !== undefined) await keepAnswer(yard, queries, claim, answer);
}

export async function recordBegun(call: Call, queries: Queries): Promise<void> {
  await auditAppend(queries, auditEntry(call, 'begun'));
}

/** Parameters that say what a call was done to. Never one that could carry a secret. */
const targetNames = [
  'service',
  'server',
  'vmid',
  'domain',
  'domain_id',
  'record',
  'id',
  'name',
  'ip',
  'type',
  'account',
  'reason',
  'license',
  'image',
  'value',
  'template',
  'username',
  'action',
  'request',
];

function auditEntry({ yard, caller, operation }: Call, outcome: string) {
  const target = targetNames
    .filter((name) => operation.input[name] !== undefined)
    .map((name) => `${name}=${String(operation.input[name])}`)
    .join(' ');
  return {
    account_id: caller.account,
    at: yard.clock.now(),
    address: caller.address,
    key_id: caller.key,
    contact_id: caller.contact ?? null,
    operation: operation.name,
    target: target.slice(0, 255),
    outcome,
    request_id: caller.requestId,
    operator: caller.operator?.name ?? null,
  };
}
