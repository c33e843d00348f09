// Replaces the key of a signed zone (RFC 6781 section 4.1.3): publishes the new key, signs with it once all resolvers
// can know it, waits until the parent zone has its DS record, and removes the old key when no resolver needs it any
// more. Both keys sign the DNSKEY set throughout, so that either DS record leads to every signature.
import type { AccountId } from '#store/account-id.ts';
import type { Queries } from '#store/store.ts';
import { done, failed, wait, workflow, type AfterCommit, type Ending, type StepContext } from '../engine/workflow.ts';

interface Target {
  readonly account: AccountId;
  readonly zone: number;
}
interface RolloverKey {
  readonly state: 'Published' | 'Active' | 'Retired';
  readonly createdAt: number;
  readonly changedAt: number;
  /** The longest TTL in the zone. */
  readonly maxTtlMs: number;
}

/** Supplied by the app, which knows zones. A key belongs to the rollover with this id; without one, nothing happens. */
export interface ZoneSigning {
  addKey(target: Target, workflow: string): Promise<RolloverKey | undefined>;
  activateKey(target: Target, workflow: string): Promise<RolloverKey | undefined>;
  /** Signs with the old key again. */
  deactivateKey(target: Target, workflow: string): Promise<void>;
  /** Only if the zone is not signed with it. */
  removeKey(target: Target, workflow: string): Promise<void>;
  findKey(target: Target, workflow: string): Promise<RolloverKey | undefined>;
  /** Returns whether the parent has the DS record of the key, or undefined if that is not known. */
  findsDs(target: Target, name: string, workflow: string): Promise<boolean | undefined>;
  /** Ends the rollover in this transaction; if it is completed, without the old key. */
  finish(queries: Queries, target: Target, workflow: string, isCompleted: boolean): Promise<AfterCommit>;
}
export interface KeyRolloverDeps {
  readonly zoneSigning: ZoneSigning;
}
export interface KeyRolloverInput {
  readonly zone: number;
  readonly name: string;
}
type RolloverContext = StepContext<KeyRolloverDeps>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The TTL of DNSKEY sets, which the name server uses. */
const dnskeyTtlMs = hourMs;
/** Secondaries that missed a NOTIFY ask again within this time: refresh and retry of new zones. */
const propagationMs = 4 * hourMs;
/** Longer than the DS records of any registry live. */
const dsTtlMs = 2 * dayMs;
const pollMs = 10 * 60_000;
const parentLimitMs = 90 * dayMs;
/** The longest TTL of a record, with all other delays. */
const expiryLimitMs = 60 * dayMs;

const gone = failed('state_conflict', 'The zone is no longer signed.');

function targetOf({ account }: RolloverContext, { zone }: KeyRolloverInput): Target {
  return { account, zone };
}

export const keyRollover = workflow<KeyRolloverDeps, KeyRolloverInput>('key-rollover', 1)
  .step('publish', {
    async do(context, input) {
      const { deps, workflow: id, now } = context;
      const key = await deps.zoneSigning.addKey(targetOf(context, input), id);
      return key === undefined ? gone : waitUntil(now, key.createdAt + dnskeyTtlMs + propagationMs, undefined);
    },
    async undo(context, input) {
      const { deps, workflow: id, now } = context;
      const key = await deps.zoneSigning.findKey(targetOf(context, input), id);
      if (key === undefined) return done();
      if (key.changedAt !== key.createdAt) {
        // It signed the zone, and the parent may have its DS record: resolvers may still need it.
        const detail = 'waiting until no resolver needs the new key';
        const expiresAt = key.changedAt + expiryOf(key);
        if (now < expiresAt) return wait(expiresAt - now, detail);
        if ((await deps.zoneSigning.findsDs(targetOf(context, input), input.name, id)) !== false)
          return wait(pollMs, detail);
      }
      await deps.zoneSigning.removeKey(targetOf(context, input), id);
      return done();
    },
    limit: {
      ms: dnskeyTtlMs + propagationMs + dayMs,
      code: 'overloaded',
      reason: 'The new key was not published in time.',
    },
  })
  .step('activate', {
    async do(context, input) {
      const { deps, workflow: id, now } = context;
      const key = await deps.zoneSigning.activateKey(targetOf(context, input), id);
      if (key === undefined) return gone;
      const isAtParent = await deps.zoneSigning.findsDs(targetOf(context, input), input.name, id);
      if (isAtParent !== true) return wait(pollMs, 'waiting for the new DS record in the parent zone');
      return done({ expiresAt: Math.max(now + dsTtlMs, key.changedAt + expiryOf(key)) });
    },
    async undo(context, input) {
      await context.deps.zoneSigning.deactivateKey(targetOf(context, input), context.workflow);
      return done();
    },
    limit: {
      ms: parentLimitMs,
      code: 'state_conflict',
      reason: 'The new DS record did not appear in the parent zone within 90 days.',
    },
  })
  .step('expire', {
    do: async ({ now }, _input, { activate }) => waitUntil(now, activate.expiresAt, undefined),
    undo: 'nothing',
    limit: { ms: expiryLimitMs, code: 'overloaded', reason: 'The old key did not expire in time.' },
  })
  .onEnd(endRollover);

function expiryOf({ maxTtlMs }: RolloverKey): number {
  return Math.max(maxTtlMs, dsTtlMs) + propagationMs;
}

function waitUntil<Output>(now: number, at: number, output: Output) {
  return now < at ? wait(at - now) : done(output);
}

async function endRollover(
  queries: Queries,
  { account, workflow: id, input: { zone }, outcome }: Ending<KeyRolloverInput, object>,
  { zoneSigning }: KeyRolloverDeps,
): Promise<AfterCommit> {
  return zoneSigning.finish(queries, { account, zone }, id, outcome === 'Completed');
}
