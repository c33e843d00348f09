// Plans: made by whoever acts for a person, decided on by the person, carried out once. The maker's key need not be able to do what
// it plans; the one who approves must be, and is not the maker. So an assistant's key can be one that destroys nothing by itself.
import type { Static } from 'typebox';
import { v2 } from '#contract/contract.ts';
import { isDestroying } from '#contract/destroys.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Scope } from '#contract/scopes.ts';
import type { Plan, PlanStatus } from '#contract/shapes/plan.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import * as store from '#store/account/plans.ts';
import type { Context } from '../yard.ts';
import { hitsOf } from './hits.ts';

const decideMs = 15 * 60_000;
const carryOutMs = 15 * 60_000;
const keptMs = 90 * 86_400_000;
/** Nobody reads more questions than these, nor a longer one. */
const waitingAtMost = 50;
const longestInput = 65_536;

type Input = Readonly<Record<string, unknown>>;
type PlanShape = Static<typeof Plan>;

export async function planCreate(context: Context, operation: string, input: Input): Promise<PlanShape> {
  const { queries, caller, yard } = context;
  const now = yard.clock.now();
  const text = JSON.stringify(input);
  if (text.length > longestInput) throw invalid({ params: `must be at most ${longestInput} characters in a plan` });
  // The question names what it is about, so who asks it must be able to see that.
  const reading = `${accessOf(operation).split(':')[0]}:read` as Scope;
  if (!caller.scopes.has(accessOf(operation)) && !caller.scopes.has(reading))
    throw new Fault('scope_missing', { message: `Who plans this needs the scope ${reading}.` });
  const hits = await hitsOf(context, operation, input);
  await store.plansRemove(queries, caller.account, now - keptMs);
  if ((await store.plansWaiting(queries, caller.account, now)) >= waitingAtMost)
    throw new Fault('state_conflict', { message: `${waitingAtMost} plans wait to be decided on already.` });
  const plan = await store.planInsert(queries, {
    account_id: caller.account,
    key_id: caller.key,
    operation,
    input: text,
    hits: JSON.stringify(hits),
    status: 'Pending',
    decided_key_id: null,
    outcome: '',
    created_at: now,
    expires_at: now + decideMs,
  });
  context.tell('plan.created', { id: String(plan.id), operation, hits });
  return shown(plan, now);
}

export interface PlanQuery {
  readonly id?: number;
  readonly limit?: number;
  readonly before?: number;
}
export async function planGet(context: Context, { id, limit = 100, before }: PlanQuery): Promise<PlanShape[]> {
  const { queries, caller, yard } = context;
  const plans =
    id === undefined ? await store.planList(queries, caller.account, { limit, before }) : [await found(context, id)];
  return plans.map((plan) => shown(plan, yard.clock.now()));
}

export async function planDecide(context: Context, id: number, decision: 'approve' | 'refuse'): Promise<PlanShape> {
  const { queries, caller, yard } = context;
  const now = yard.clock.now();
  const plan = await found(context, id);
  if (plan.key_id === caller.key && decision === 'approve')
    throw new Fault('scope_missing', { message: 'The key that made a plan cannot approve it.' });
  checkStatus(plan, now, decision === 'approve' ? ['Pending'] : ['Pending', 'Approved']);
  if (decision === 'approve' && !caller.scopes.has(accessOf(plan.operation)))
    throw new Fault('scope_missing', {
      message: `Who approves this plan needs the scope ${accessOf(plan.operation)}.`,
    });
  const moved = await store.planMove(queries, caller.account, id, [plan.status], {
    status: decision === 'approve' ? 'Approved' : 'Refused',
    decided_key_id: caller.key,
    ...(decision === 'approve' ? { expires_at: now + carryOutMs } : {}),
  });
  if (moved === undefined) throw new Fault('state_conflict');
  context.tell('plan.decided', { id: String(id), operation: plan.operation, decision });
  return shown(moved, now);
}

/** The plan that this caller may carry out now. One that was carried out before gives its kept answer again for as long. */
export async function planToRun(
  context: Context,
  id: number,
): Promise<{ operation: string; input: Input; access: Scope }> {
  const plan = await found(context, id);
  if (plan.key_id !== context.caller.key)
    throw new Fault('state_conflict', { message: 'A plan is carried out with the key that made it.' });
  checkStatus(plan, context.yard.clock.now(), ['Approved', 'Done', 'Failed']);
  return { operation: plan.operation, input: JSON.parse(plan.input) as Input, access: accessOf(plan.operation) };
}

export async function planEnded({ yard, caller }: Context, id: number, outcome: string): Promise<void> {
  const status = outcome === 'success' ? 'Done' : 'Failed';
  await store.planMove(yard.store.queries, caller.account, id, ['Approved'], { status, outcome });
}

async function found({ queries, caller }: Context, id: number): Promise<store.StoredPlan> {
  const plan = await store.planFind(queries, caller.account, id);
  if (plan === undefined) throw new Fault('not_found');
  return plan;
}

function checkStatus(plan: store.StoredPlan, now: number, fitting: readonly PlanStatus[]): void {
  const status = statusOf(plan, now);
  if (!fitting.includes(status)) throw new Fault('state_conflict', { message: `The plan is ${status}.` });
  if (plan.expires_at <= now) throw new Fault('state_conflict', { message: 'The plan is Expired.' });
}

function statusOf({ status, expires_at }: store.StoredPlan, now: number): PlanStatus {
  return expires_at <= now && (status === 'Pending' || status === 'Approved') ? 'Expired' : status;
}

function declarationOf(operation: string): Endpoint {
  return v2[operation as keyof typeof v2];
}
function accessOf(operation: string): Scope {
  return declarationOf(operation).access as Scope;
}

function shown(plan: store.StoredPlan, now: number): PlanShape {
  const params = JSON.parse(plan.input) as Record<string, unknown>;
  return {
    id: String(plan.id),
    operation: plan.operation,
    params,
    summary: declarationOf(plan.operation).summary,
    hits: JSON.parse(plan.hits) as string[],
    destroys: isDestroying(plan.operation, params),
    status: statusOf(plan, now),
    key: String(plan.key_id),
    decidedby: plan.decided_key_id === null ? '' : String(plan.decided_key_id),
    created: momentText(plan.created_at),
    expires: momentText(plan.expires_at),
    outcome: plan.outcome,
  };
}
