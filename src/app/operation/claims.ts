// Idempotency-Keys: claimed by the first request that brings one, answered for it, and the answer kept for those that repeat it.
import { Fault } from '#kernel/fault.ts';
import * as kept from '#store/account/idempotency.ts';
import type { Queries } from '#store/store.ts';
import type { Caller } from '../caller.ts';
import type { Yard } from '../yard.ts';
import type { Answer, Call, Operation } from './call.ts';

const keptMs = 7 * 86_400_000;
export const claimMs = 60_000;

export interface Claim {
  readonly scope: kept.IdempotencyScope;
  readonly row: Parameters<typeof kept.idempotencyClaim>[1];
}

export function claimOf({ yard, caller, operation }: Call): Claim | undefined {
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

/** The same parameters give the same text, in whatever order their members were sent. */
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

export class TakenBefore extends Error {
  readonly answer: kept.KeptAnswer;
  constructor(answer: kept.KeptAnswer) {
    super('the Idempotency-Key was used before');
    this.answer = answer;
  }
}

export async function take(queries: Queries, claim: Claim | undefined): Promise<void> {
  if (claim === undefined || (await kept.idempotencyClaim(queries, claim.row))) return;
  const earlier = await kept.idempotencyFind(queries, claim.scope);
  // Gone again in between: the first caller was refused before its work began.
  if (earlier === undefined) return take(queries, claim);
  throw new TakenBefore(earlier);
}

export function repeat(yard: Yard, claim: Claim, earlier: kept.KeptAnswer): Answer {
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

export async function keepAnswer(yard: Yard, queries: Queries, { scope }: Claim, answer: Answer): Promise<void> {
  const sealed = yard.secrets.seal(JSON.stringify({ type: answer.type, body: answer.body }), sealContext(scope));
  await kept.idempotencyKeep(queries, scope, answer.status, sealed);
}

export function sealContext(scope: kept.IdempotencyScope): string {
  return `idempotency ${scope.account} ${scope.method} ${scope.path} ${scope.key}`;
}
