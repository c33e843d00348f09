// Idempotency-Keys: the first request with a key claims it, and repetitions receive its stored response.
import { ApiError } from '#lib/api-error.ts';
import * as idempotency from '#store/account/idempotency.ts';
import type { Queries } from '#store/store.ts';
import type { Caller } from '../caller.ts';
import type { App } from '../app.ts';
import type { ApiResponse, Call } from './call.ts';

const storedMs = 7 * 86_400_000;
export const claimMs = 60_000;

export interface Claim {
  readonly scope: idempotency.IdempotencyScope;
  readonly row: Parameters<typeof idempotency.idempotencyClaim>[1];
}

export function claimOf({ app, caller, operation }: Call): Claim | undefined {
  const { idempotencyKey, method, path, replayWindowMs = storedMs } = operation;
  // A preview changes nothing, so that it can be repeated without a stored response, which may be large.
  if (idempotencyKey === undefined || operation.input['dry_run'] === true) return undefined;
  const key = scopedKey(caller, idempotencyKey);
  const now = app.clock.now();
  return {
    scope: { account: caller.account, method, path, key },
    row: {
      account_id: caller.account,
      method,
      path,
      key,
      fingerprint: app.secrets.digest(canonical(operation.input)),
      status: null,
      body: null,
      claimed_by: app.instanceId,
      claimed_until: now + claimMs,
      expires_at: now + replayWindowMs,
    },
  };
}

/**
 * A stored response may contain a secret, so it belongs to the key that got it, or to the person in every session. Operators
 * share the provider's account, and people that of their company.
 */
function scopedKey({ operator, keyKind, key: keyId, contact, limited }: Caller, key: string): string {
  if (operator !== undefined) return `${operator.id ?? 'site'} ${operator.name} ${key}`;
  return keyKind === 'session' && limited !== 'support' ? `person ${contact ?? 'owner'} ${key}` : `${keyId} ${key}`;
}

/** Returns the same text for the same parameters, in whatever order their members were sent. */
function canonical(input: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(sortedEntries(input), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(sortedEntries(value))
      : value,
  );
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
}

export class AlreadyClaimed extends Error {
  readonly response: idempotency.IdempotencyRow;
  constructor(response: idempotency.IdempotencyRow) {
    super('this Idempotency-Key has been used before');
    this.response = response;
  }
}

export async function claimKey(queries: Queries, claim: Claim | undefined): Promise<void> {
  if (claim === undefined || (await idempotency.idempotencyClaim(queries, claim.row))) return;
  const earlier = await idempotency.idempotencyFind(queries, claim.scope);
  // The first caller was rejected in between, before its work started, and has released the key.
  if (earlier === undefined) return claimKey(queries, claim);
  throw new AlreadyClaimed(earlier);
}

export function replay(app: App, claim: Claim, earlier: idempotency.IdempotencyRow): ApiResponse {
  if (earlier.fingerprint !== claim.row.fingerprint) throw new ApiError('idempotency_mismatch');
  if (earlier.status === null || earlier.body === null) {
    const isInterrupted = earlier.claimed_until < app.clock.now();
    throw new ApiError(isInterrupted ? 'idempotency_outcome_unknown' : 'idempotency_in_progress');
  }
  const { type, body } = idempotency.storedResponse.decode(app.secrets.open(earlier.body, sealContext(claim.scope)));
  return { status: earlier.status, type, body };
}

export async function saveResponse(app: App, queries: Queries, { scope }: Claim, response: ApiResponse): Promise<void> {
  const sealed = app.secrets.seal(
    idempotency.storedResponse.encode({ type: response.type, body: response.body }),
    sealContext(scope),
  );
  await idempotency.idempotencyStore(queries, scope, response.status, sealed);
}

export function sealContext(scope: idempotency.IdempotencyScope): string {
  return `idempotency ${scope.account} ${scope.method} ${scope.path} ${scope.key}`;
}
