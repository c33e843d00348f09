// How a call is carried out so that repeating it is safe and nothing done goes unrecorded. The endpoint's effect decides:
// `none` just runs, in the context of a read. `stored` runs in one transaction together with its audit entry and its kept
// answer, so that after a crash either all three are there or none. `equipment` cannot be undone by a rollback, so its
// Idempotency-Key is claimed before anything moves, the audit log says `begun`, and the answer is kept after.
import { Fault } from '#kernel/fault.ts';
import * as kept from '#store/account/idempotency.ts';
import { isUnavailable } from '#store/engine/unavailable.ts';
import { publishAhead, type Publication } from '../dns/publishing.ts';
import type { Yard } from '../yard.ts';
import type { Answer, Call } from './call.ts';
import { claimMs, claimOf, repeat, sealContext, take, TakenBefore, type Claim } from './claims.ts';
import { contextOf, nothingYet } from './context.ts';
import { record, recordBegun } from './record.ts';

/** Refusals from before the work began: the caller may correct the request and use the key again. */
const notKept = new Set([400, 401, 403, 404, 429]);

/** Requests of this process whose claim is not in the database yet. A repetition waits for them here: waiting in a loop of
 * reads would starve the event loop, because SQLite answers without ever leaving it. */
const claiming = new Map<string, Promise<void>>();

export async function carryOut(call: Call): Promise<Answer> {
  const { yard } = call;
  const claim = claimOf(call);
  if (claim === undefined) return prepareAndCarryOut(call);
  const name = `${yard.node} ${sealContext(claim.scope)}`;
  do {
    await claiming.get(name);
    const earlier = await kept.idempotencyFind(yard.store.queries, claim.scope);
    if (earlier !== undefined) return repeat(yard, claim, earlier);
  } while (claiming.has(name));
  const { promise, resolve } = Promise.withResolvers<void>();
  claiming.set(name, promise);
  const claimed = () => {
    if (claiming.get(name) === promise) claiming.delete(name);
    resolve();
  };
  try {
    return await prepareAndCarryOut(call, claim, claimed);
  } finally {
    claimed();
  }
}

async function prepareAndCarryOut(call: Call, claim?: Claim, claimed?: () => void): Promise<Answer> {
  try {
    await call.work.prepare();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return recordRefusal(call, claim, error);
  }
  return call.operation.effect === 'stored' ? carryOutStored(call, claim) : carryOutOnEquipment(call, claim, claimed);
}

async function carryOutStored(call: Call, claim: Claim | undefined): Promise<Answer> {
  const { yard, caller, operation, work } = call;
  let aftermath = nothingYet();
  let published: PublishedAhead | undefined;
  try {
    published = await publishedAhead(call);
    const answer = await yard.store.transaction(async (queries) => {
      aftermath = nothingYet();
      await take(queries, claim);
      const context = contextOf(published?.yard ?? yard, caller, operation, queries, aftermath);
      const done = await work.run(context);
      await published?.settle(queries, context.zonesTouched!);
      await record(call, queries, { outcome: 'success', answer: done, claim, aftermath });
      return done;
    });
    for (const act of aftermath.afterCommit) act();
    return answer;
  } catch (error) {
    await published?.abandon();
    if (error instanceof TakenBefore) return repeat(yard, claim!, error.answer);
    if (!(error instanceof Fault)) throw error;
    return recordRefusal(call, claim, error);
  }
}

interface PublishedAhead extends Publication {
  /** With the clock standing still: the change that is made is to the letter the one that was rehearsed. */
  readonly yard: Yard;
}
async function publishedAhead({ yard, caller, operation, work }: Call): Promise<PublishedAhead | undefined> {
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
async function recordRefusal(call: Call, claim: Claim | undefined, fault: Fault): Promise<Answer> {
  const { yard, work } = call;
  const answer = work.refuse(fault);
  const keeping = notKept.has(fault.status) ? undefined : claim;
  try {
    await yard.store.transaction(async (queries) => {
      await take(queries, keeping);
      await record(call, queries, { outcome: fault.code, answer, claim: keeping });
    });
  } catch (error) {
    if (error instanceof TakenBefore) return repeat(yard, claim!, error.answer);
    throw error;
  }
  return answer;
}

async function carryOutOnEquipment(call: Call, claim?: Claim, claimed?: () => void): Promise<Answer> {
  const { yard, caller, operation, work } = call;
  try {
    await yard.store.transaction(async (queries) => {
      await take(queries, claim);
      await recordBegun(call, queries);
    });
  } catch (error) {
    if (error instanceof TakenBefore) return repeat(yard, claim!, error.answer);
    throw error;
  }
  claimed?.();
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
    // The database went away in the middle: as after a crash nobody knows how far it went, and who repeats the call is told that.
    if (isUnavailable(error)) throw error;
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
      await record(call, queries, { outcome, answer, claim: undefined });
    } else {
      await record(call, queries, { outcome, answer, claim, aftermath });
    }
  });
  return answer;
}
