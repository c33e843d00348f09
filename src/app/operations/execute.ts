// Executes a call so that repeating it is safe and everything done is recorded, depending on the endpoint's effect:
// `none` is not executed here; it only reads.
// `stored` runs in one transaction with its audit entry and its stored response, so that after a crash all three exist or none.
// `equipment` cannot be undone by a rollback, so the Idempotency-Key is claimed and `begun` written to the audit log before
// anything happens, and the response is stored after.
import { ApiError } from '#lib/api-error.ts';
import * as idempotency from '#store/account/idempotency.ts';
import { isUnavailable } from '#store/engine/unavailable.ts';
import type { PreparedChange } from './before-commit.ts';
import type { ApiResponse, Call } from './call.ts';
import { claimMs, claimOf, replay, sealContext, claimKey, AlreadyClaimed, type Claim } from './claims.ts';
import { createContext, noEffects } from './context.ts';
import { logFailure } from './log-failure.ts';
import { recordOutcome, recordStart } from './record.ts';

/** A request that was refused did nothing, so the same Idempotency-Key may be tried again. Failures of equipment are kept. */
const isRefusal = (status: number): boolean => status < 500;

/**
 * Requests of this process whose claim is not in the database yet. A repetition waits for them here: polling the database
 * would starve the event loop, because SQLite answers without ever leaving it.
 */
const claiming = new Map<string, Promise<void>>();

export async function execute(call: Call): Promise<ApiResponse> {
  const { app } = call;
  const claim = claimOf(call);
  if (claim === undefined) return prepareAndExecute(call);
  const name = `${app.instanceId} ${sealContext(claim.scope)}`;
  do {
    await claiming.get(name);
    const earlier = await idempotency.idempotencyFind(app.store.queries, claim.scope);
    if (earlier !== undefined) return replay(app, claim, earlier);
  } while (claiming.has(name));
  const { promise, resolve } = Promise.withResolvers<void>();
  claiming.set(name, promise);
  const onClaimed = () => {
    if (claiming.get(name) === promise) claiming.delete(name);
    resolve();
  };
  try {
    return await prepareAndExecute(call, claim, onClaimed);
  } catch (error) {
    if (error instanceof AlreadyClaimed) return replay(app, claim, error.response);
    throw error;
  } finally {
    onClaimed();
  }
}

async function prepareAndExecute(call: Call, claim?: Claim, onClaimed?: () => void): Promise<ApiResponse> {
  try {
    await call.work.prepare();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return recordRejection(call, claim, error);
  }
  return call.operation.effect === 'stored' ? executeStored(call, claim) : executeOnEquipment(call, claim, onClaimed);
}

async function executeStored(call: Call, claim: Claim | undefined): Promise<ApiResponse> {
  const { app, caller, operation, work } = call;
  let effects = noEffects();
  let prepared: PreparedChange | undefined;
  try {
    prepared = await operation.beforeCommit?.prepare(app, async (stoppedApp, queries) => {
      const context = createContext(stoppedApp, caller, operation, queries, noEffects());
      await work.run(context);
      return context;
    });
    const response = await app.store.transaction(async (queries) => {
      effects = noEffects();
      await claimKey(queries, claim);
      const context = createContext(prepared?.app ?? app, caller, operation, queries, effects);
      const result = await work.run(context);
      await prepared?.settle(context);
      await recordOutcome(call, queries, { outcome: 'success', response: result, claim, effects });
      return result;
    });
    for (const act of effects.afterCommit) act();
    return response;
  } catch (error) {
    await prepared?.abandon();
    if (!(error instanceof ApiError)) throw error;
    return recordRejection(call, claim, error);
  }
}

/** The transaction of the work was rolled back, and with it the claim, so the error is recorded in a separate transaction. */
async function recordRejection(call: Call, claim: Claim | undefined, error: ApiError): Promise<ApiResponse> {
  const { app, operation } = call;
  const response = reject(call, error);
  const claimToStore = isRefusal(error.status) && operation.replayWindowMs === undefined ? undefined : claim;
  await app.store.transaction(async (queries) => {
    await claimKey(queries, claimToStore);
    await recordOutcome(call, queries, { outcome: error.code, response, claim: claimToStore });
  });
  return response;
}

function reject({ app, caller, work }: Call, error: ApiError): ApiResponse {
  logFailure(app.log, caller.requestId, error);
  return work.reject(error);
}

async function executeOnEquipment(call: Call, claim?: Claim, onClaimed?: () => void): Promise<ApiResponse> {
  const { app, caller, operation, work } = call;
  await app.store.transaction(async (queries) => {
    await claimKey(queries, claim);
    await recordStart(call, queries);
  });
  onClaimed?.();
  const heartbeat = setInterval(() => {
    if (claim === undefined) return;
    idempotency
      .idempotencyExtend(app.store.queries, claim.scope, app.clock.now() + claimMs)
      .catch((error: unknown) => app.log.warn({ err: error }, 'cannot extend the claim of an Idempotency-Key'));
  }, claimMs / 3);
  let response: ApiResponse;
  let outcome = 'success';
  const effects = noEffects();
  try {
    response = await work.run(createContext(app, caller, operation, app.store.queries, effects));
    for (const act of effects.afterCommit) act();
  } catch (error) {
    // The database became unavailable half-way. As after a crash, nobody knows how far the work got, and a repetition says so.
    if (isUnavailable(error)) throw error;
    const apiError = error instanceof ApiError ? error : new ApiError('internal_error', { cause: error });
    response = reject(call, apiError);
    outcome = apiError.code;
    effects.events.length = 0;
  } finally {
    clearInterval(heartbeat);
  }
  await app.store.transaction(async (queries) => {
    if (claim !== undefined && response.status >= 400 && isRefusal(response.status)) {
      await idempotency.idempotencyRemove(queries, claim.scope);
      await recordOutcome(call, queries, { outcome, response, claim: undefined });
    } else {
      await recordOutcome(call, queries, { outcome, response, claim, effects });
    }
  });
  return response;
}
