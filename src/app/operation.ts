// How a call is carried out so that repeating it is safe and nothing done goes unrecorded. The endpoint's effect decides:
// `none` just runs, in the context of a read. `stored` runs in one transaction together with its audit entry and its kept
// answer, so that after a crash either all three are there or none. `equipment` cannot be undone by a rollback, so its
// Idempotency-Key is claimed before anything moves, the audit log says `begun`, and the answer is kept after.
import type { Access, Effect } from '#contract/endpoint.ts';
import { Fault } from '#kernel/fault.ts';
import { eventRow, eventsDeliver } from '#jobs/event-append.ts';
import { auditAppend } from '#store/audit.ts';
import type { NewEvent } from '#store/events.ts';
import * as kept from '#store/idempotency.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { publishAhead, type Publication } from './dns/publishing.ts';
import type { Caller } from './caller.ts';
import type { Context, Yard } from './yard.ts';

export interface Operation {
  /** Interface and name, for example `v2.contactCreate`: what the audit log calls it. */
  readonly name: string;
  readonly effect: Exclude<Effect, 'none'>;
  readonly method: string;
  readonly path: string;
  /** The checked parameters. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  readonly access: Access;
  /** It changes zones, which a name server elsewhere has to show first. */
  readonly publishes?: boolean;
}
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The body as it is sent, where it has been encoded before. */
  readonly bytes?: Buffer;
}
/** What http hands in: the work itself, and how a refusal is worded on that interface. */
export interface Work {
  /** Slow work on the parameters alone, such as hashing a password: done before any transaction is open. */
  prepare(): Promise<void>;
  run(context: Context): Promise<Answer>;
  refuse(fault: Fault): Answer;
}

const keptMs = 7 * 86_400_000;
const claimMs = 60_000;
/** Refusals from before the work began: the caller may correct the request and use the key again. */
const notKept = new Set([400, 401, 403, 404, 429]);

export async function carryOut(yard: Yard, caller: Caller, operation: Operation, work: Work): Promise<Answer> {
  const claim = claimOf(yard, caller, operation);
  if (claim === undefined) return prepareAndCarryOut(yard, caller, operation, work, claim);
  const name = `${yard.node} ${sealContext(claim.scope)}`;
  const first = underWay.get(name);
  if (first !== undefined && operation.effect === 'stored') {
    await first;
    return carryOut(yard, caller, operation, work);
  }
  const earlier = await kept.idempotencyFind(yard.store.queries, claim.scope);
  if (earlier !== undefined) return repeat(yard, claim, earlier);
  if (underWay.has(name)) return carryOut(yard, caller, operation, work);
  const { promise, resolve } = Promise.withResolvers<void>();
  underWay.set(name, promise);
  try {
    return await prepareAndCarryOut(yard, caller, operation, work, claim);
  } finally {
    underWay.delete(name);
    resolve();
  }
}

async function prepareAndCarryOut(
  yard: Yard,
  caller: Caller,
  operation: Operation,
  work: Work,
  claim: Claim | undefined,
): Promise<Answer> {
  try {
    await work.prepare();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return recordRefusal(yard, caller, operation, work, claim, error);
  }
  const carry = operation.effect === 'stored' ? carryOutStored : carryOutOnEquipment;
  return carry(yard, caller, operation, work, claim);
}

/** Requests of this process that hold a claim. A repetition that arrives meanwhile waits here rather than in the database. */
const underWay = new Map<string, Promise<void>>();

async function carryOutStored(
  yard: Yard,
  caller: Caller,
  operation: Operation,
  work: Work,
  claim: Claim | undefined,
): Promise<Answer> {
  let aftermath = nothingYet();
  let published: PublishedAhead | undefined;
  try {
    published = await publishedAhead(yard, caller, operation, work);
    const answer = await yard.store.transaction(async (queries) => {
      aftermath = nothingYet();
      await take(queries, claim);
      const context = contextOf(published?.yard ?? yard, caller, operation, queries, aftermath);
      const done = await work.run(context);
      await published?.settle(queries, context.zonesTouched!);
      await settle(yard, queries, caller, operation, claim, 'success', done, aftermath);
      return done;
    });
    for (const act of aftermath.afterCommit) act();
    return answer;
  } catch (error) {
    await published?.abandon();
    if (error instanceof TakenBefore) return repeat(yard, claim!, error.answer);
    if (!(error instanceof Fault)) throw error;
    return recordRefusal(yard, caller, operation, work, claim, error);
  }
}

interface PublishedAhead extends Publication {
  /** With the clock standing still: the change that is made is to the letter the one that was rehearsed. */
  readonly yard: Yard;
}
async function publishedAhead(
  yard: Yard,
  caller: Caller,
  operation: Operation,
  work: Work,
): Promise<PublishedAhead | undefined> {
  const elsewhere = operation.publishes === true ? yard.nameService.elsewhere : undefined;
  if (elsewhere === undefined) return undefined;
  const now = yard.clock.now();
  const still = { ...yard, clock: { now: () => now } };
  const publication = await publishAhead(yard, elsewhere, async (queries) => {
    const context = contextOf(still, caller, operation, queries, nothingYet());
    await work.run(context);
    return context.zonesTouched!;
  });
  return { ...publication, yard: still };
}

/** The transaction of the work is gone, and with it its claim; the refusal is written on its own. */
async function recordRefusal(
  yard: Yard,
  caller: Caller,
  operation: Operation,
  work: Work,
  claim: Claim | undefined,
  fault: Fault,
): Promise<Answer> {
  const answer = work.refuse(fault);
  const keeping = notKept.has(fault.status) ? undefined : claim;
  try {
    await yard.store.transaction(async (queries) => {
      await take(queries, keeping);
      await settle(yard, queries, caller, operation, keeping, fault.code, answer);
    });
  } catch (error) {
    if (error instanceof TakenBefore) return repeat(yard, claim!, error.answer);
    throw error;
  }
  return answer;
}

async function carryOutOnEquipment(
  yard: Yard,
  caller: Caller,
  operation: Operation,
  work: Work,
  claim: Claim | undefined,
): Promise<Answer> {
  try {
    await yard.store.transaction(async (queries) => {
      await take(queries, claim);
      await auditAppend(queries, auditEntry(yard, caller, operation, 'begun'));
    });
  } catch (error) {
    if (error instanceof TakenBefore) return repeat(yard, claim!, error.answer);
    throw error;
  }
  const heartbeat = setInterval(() => {
    if (claim === undefined) return;
    kept
      .idempotencyExtend(yard.store.queries, claim.scope, yard.clock.now() + claimMs)
      .catch((error: unknown) => yard.log.warn({ err: error }, 'a claim could not be extended'));
  }, claimMs / 3);
  let answer: Answer;
  let outcome = 'success';
  const aftermath = nothingYet();
  try {
    answer = await work.run(contextOf(yard, caller, operation, yard.store.queries, aftermath));
    for (const act of aftermath.afterCommit) act();
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault('internal_error', { cause: error });
    if (!(error instanceof Fault)) yard.log.error({ err: error, requestId: caller.requestId }, 'unexpected');
    answer = work.refuse(fault);
    outcome = fault.code;
    aftermath.told.length = 0;
  } finally {
    clearInterval(heartbeat);
  }
  await yard.store.transaction(async (queries) => {
    if (claim !== undefined && notKept.has(answer.status)) {
      await kept.idempotencyRemove(queries, claim.scope);
      await settle(yard, queries, caller, operation, undefined, outcome, answer);
    } else {
      await settle(yard, queries, caller, operation, claim, outcome, answer, aftermath);
    }
  });
  return answer;
}

/** What a call leaves to be done after its work. */
interface Aftermath {
  readonly afterCommit: (() => void)[];
  readonly told: NewEvent[];
  /** Customers for whom an operator acted: it stands in their logs too. */
  readonly actedFor: Set<AccountId>;
}
function nothingYet(): Aftermath {
  return { afterCommit: [], told: [], actedFor: new Set() };
}

/** For what leaves nothing behind, and so has no commit to wait for and nothing to tell. */
export function readContext(yard: Yard, caller: Caller, operation: string): Context {
  return {
    yard,
    caller,
    operation,
    queries: yard.store.queries,
    actFor: (account) => readContext(yard, { ...caller, account }, operation),
    afterCommit: () => {},
    tell: () => {},
  };
}

function contextOf(yard: Yard, caller: Caller, operation: Operation, queries: Queries, aftermath: Aftermath): Context {
  return {
    yard,
    caller,
    operation: operation.name,
    queries,
    changing: operation.access,
    ...(operation.publishes === true && { zonesTouched: new Map() }),
    actFor: (account) => {
      aftermath.actedFor.add(account);
      return contextOf(yard, { ...caller, account }, operation, queries, aftermath);
    },
    afterCommit: (act) => void aftermath.afterCommit.push(act),
    tell: (type, data, service) =>
      void aftermath.told.push(
        eventRow(yard.clock, { account: caller.account, type, data, ...(service === undefined ? {} : { service }) }),
      ),
  };
}

interface Claim {
  readonly scope: kept.IdempotencyScope;
  readonly row: Parameters<typeof kept.idempotencyClaim>[1];
}

function claimOf(yard: Yard, caller: Caller, operation: Operation): Claim | undefined {
  const { idempotencyKey, method, path } = operation;
  if (idempotencyKey === undefined) return undefined;
  const key = ownKey(caller, operation, idempotencyKey);
  const now = yard.clock.now();
  return {
    scope: { account: caller.account, method, path, key },
    row: {
      account_id: caller.account,
      method,
      path,
      key,
      fingerprint: yard.secrets.digest(canonical(operation.input)),
      status: null,
      body: null,
      claimed_by: yard.node,
      claimed_until: now + claimMs,
      expires_at: now + keptMs,
    },
  };
}

/** Operators share the provider's account, and people that of their company, but not the answers to what is about themselves:
 * one may hold the secret of a second factor. */
function ownKey({ operator, key: keyId }: Caller, { access }: Operation, key: string): string {
  if (operator !== undefined) return `${operator.id ?? 'site'} ${operator.name} ${key}`;
  return access === 'any' ? `${keyId} ${key}` : key;
}

/** The same parameters in any order and any encoding give the same text. */
function canonical(input: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(input).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

class TakenBefore extends Error {
  readonly answer: kept.KeptAnswer;
  constructor(answer: kept.KeptAnswer) {
    super('the Idempotency-Key was used before');
    this.answer = answer;
  }
}

async function take(queries: Queries, claim: Claim | undefined): Promise<void> {
  if (claim === undefined || (await kept.idempotencyClaim(queries, claim.row))) return;
  const earlier = await kept.idempotencyFind(queries, claim.scope);
  // Gone again in between: the first caller was refused before its work began.
  if (earlier === undefined) return take(queries, claim);
  throw new TakenBefore(earlier);
}

function repeat(yard: Yard, claim: Claim, earlier: kept.KeptAnswer): Answer {
  if (earlier.fingerprint !== claim.row.fingerprint) throw new Fault('idempotency_mismatch');
  if (earlier.status === null || earlier.body === null) {
    const interrupted = earlier.claimed_until < yard.clock.now();
    throw new Fault(interrupted ? 'idempotency_outcome_unknown' : 'idempotency_in_progress');
  }
  const { type, body } = JSON.parse(yard.secrets.open(earlier.body, sealContext(claim.scope))) as Pick<
    Answer,
    'type' | 'body'
  >;
  return { status: earlier.status, type, body };
}

async function settle(
  yard: Yard,
  queries: Queries,
  caller: Caller,
  operation: Operation,
  claim: Claim | undefined,
  outcome: string,
  answer: Answer,
  aftermath: Pick<Aftermath, 'told' | 'actedFor'> = nothingYet(),
): Promise<void> {
  const entry = auditEntry(yard, caller, operation, outcome);
  // The customers' rows in one order and the provider's, which all operators share, last: nobody waits in a circle.
  const ofCustomers = [...aftermath.actedFor]
    .toSorted((left, right) => left - right)
    .map((account) => ({ ...entry, account_id: account, address: '', key_id: null }));
  for (const one of [...ofCustomers, entry]) {
    const told = aftermath.told.filter((event) => event.account_id === one.account_id);
    const { events, webhooks } = await auditAppend(queries, one, told);
    if (webhooks > 0) await eventsDeliver(yard, queries, events);
  }
  if (claim === undefined) return;
  const sealed = yard.secrets.seal(JSON.stringify({ type: answer.type, body: answer.body }), sealContext(claim.scope));
  await kept.idempotencyKeep(queries, claim.scope, answer.status, sealed);
}

function sealContext(scope: kept.IdempotencyScope): string {
  return `idempotency ${scope.account} ${scope.method} ${scope.path} ${scope.key}`;
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

function auditEntry(yard: Yard, caller: Caller, operation: Operation, outcome: string) {
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
