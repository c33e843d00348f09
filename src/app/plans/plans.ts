// Plans: created by an assistant on behalf of a person, decided by the person, executed once. The key that creates a
// plan need not be able to do what it plans; whoever approves it must be, and must be someone else. So an assistant can
// work with a key that cannot destroy anything without approval.
import type { Static } from 'typebox';
import { v2 } from '#contract/contract.ts';
import { isDestructive } from '#contract/destructive-operations.ts';
import { dnsOperations } from '#contract/dns-operations.ts';
import { serviceOperations } from '#contract/service-operations.ts';
import type { Endpoint, InputOf } from '#contract/endpoint.ts';
import type { Scope } from '#contract/scopes.ts';
import type { Plan, PlanStatus } from '#contract/shapes/plan.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import * as store from '#store/account/plans.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import type { Context } from '../app.ts';
import { isServiceVisible } from '../services/limits.ts';
import { describeTargets } from './plan-targets.ts';

const decideMs = 15 * 60_000;
const executeMs = 15 * 60_000;
const retentionMs = 90 * 86_400_000;
/** Each can be as large as a zone file. */
const maxKept = 1000;
/** Limits that keep the list readable for the person who decides. */
const maxPending = 50;
const maxInputLength = 65_536;
/** Until the call has ended. */
const runningOutcome = 'idempotency_in_progress';

/** A key that is limited to DNS records neither sees nor decides plans of other keys for these. */
const dnsOperationNames = plannedNames(dnsOperations);
/** The same for someone who is limited to services, except for plans for these. */
const serviceOperationNames = plannedNames(serviceOperations);

function plannedNames(operations: ReadonlySet<string>): string[] {
  return [...operations].filter((name) => name.startsWith('v2.')).map((name) => name.slice(3));
}

type Input = Readonly<Record<string, unknown>>;
type PlanShape = Static<typeof Plan>;

export async function planCreate(context: Context, operation: string, input: Input): Promise<PlanShape> {
  const { queries, caller, app } = context;
  const now = app.clock.now();
  const text = store.planInput.encode(input);
  if (text.length > maxInputLength) throw invalid({ params: `must be at most ${maxInputLength} characters in a plan` });
  // A plan shows what it affects, so its creator must be allowed to read that.
  const readScope = `${accessOf(operation).split(':')[0]}:read` as Scope;
  if (!caller.scopes.has(accessOf(operation)) && !caller.scopes.has(readScope))
    throw new ApiError('scope_missing', { message: `Planning this needs the scope ${readScope}.` });
  const { texts: hits, service } = await describeTargets(context, operation, input);
  await store.plansRemove(queries, caller.account, { before: now - retentionMs, kept: maxKept, now });
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  if ((await store.plansPendingCount(queries, caller.account, now)) >= maxPending)
    throw conflict(`${maxPending} plans are already waiting for a decision. Approve or reject some first.`);
  const plan = await store.planInsert(queries, {
    account_id: caller.account,
    service_id: service,
    key_id: caller.key,
    operation,
    input: text,
    hits: store.planTargets.encode(hits),
    status: 'Pending',
    decided_key_id: null,
    outcome: '',
    created_at: now,
    expires_at: now + decideMs,
  });
  context.emit('plan.created', { id: String(plan.id), operation, hits }, service ?? undefined);
  return planShape(plan, now);
}

export async function planGet(
  context: Context,
  { id, limit = 100, before }: InputOf<typeof v2.planGet>,
): Promise<PlanShape[]> {
  const { queries, caller, app } = context;
  const hidden = caller.dnsLimits && { operations: dnsOperationNames, unlessBy: caller.key };
  const services = caller.services && {
    operations: serviceOperationNames,
    services: [...caller.services],
    unlessBy: caller.key,
  };
  const plans =
    id === undefined
      ? await store.planList(queries, caller.account, { limit, before, hidden, services })
      : [await getPlan(context, id)];
  return plans.map((plan) => planShape(plan, app.clock.now()));
}

export async function planDecide(context: Context, id: number, decision: 'approve' | 'refuse'): Promise<PlanShape> {
  const { queries, caller, app } = context;
  const now = app.clock.now();
  const plan = await getPlan(context, id);
  if (plan.key_id === caller.key && decision === 'approve')
    throw new ApiError('scope_missing', { message: 'A plan cannot be approved with the key that created it.' });
  requireStatus(plan, now, decision === 'approve' ? ['Pending'] : ['Pending', 'Approved']);
  if (decision === 'approve' && !caller.scopes.has(accessOf(plan.operation)))
    throw new ApiError('scope_missing', {
      message: `Approving this plan needs the scope ${accessOf(plan.operation)}.`,
    });
  // Whoever is limited to services approves nothing that they could not do.
  if (decision === 'approve') await describeTargets(context, plan.operation, store.planInput.decode(plan.input));
  const updated = await store.planStatusChange(queries, caller.account, id, [plan.status], {
    status: decision === 'approve' ? 'Approved' : 'Refused',
    decided_key_id: caller.key,
    ...(decision === 'approve' ? { expires_at: now + executeMs } : {}),
  });
  if (updated === undefined) throw new ApiError('state_conflict');
  const { operation, service_id } = plan;
  context.emit('plan.decided', { id: String(id), operation, decision }, service_id ?? undefined);
  return planShape(updated, now);
}

/**
 * Returns the plan that this caller may execute now. An executed plan returns its saved response again until it
 * expires.
 */
export async function getExecutablePlan(
  context: Context,
  id: number,
): Promise<{ operation: string; input: Input; access: Scope }> {
  const plan = await getPlan(context, id);
  if (plan.key_id !== context.caller.key) throw conflict('Execute the plan with the key that created it.');
  requireStatus(plan, context.app.clock.now(), ['Approved', 'Done', 'Failed']);
  return { operation: plan.operation, input: store.planInput.decode(plan.input), access: accessOf(plan.operation) };
}

/**
 * Marks the plan, so that from here on it can neither be rejected nor run again. Throws if it was rejected, or has failed, since the
 * caller read it.
 */
export async function startPlan({ queries, caller }: Context, id: number): Promise<void> {
  const started = { status: 'Done', outcome: runningOutcome } as const;
  if ((await store.planStatusChange(queries, caller.account, id, ['Approved'], started)) === undefined)
    throw conflict('The plan was rejected, or has failed.');
}

/** Lets the plan run again: its call was refused before it did anything. */
export async function undoPlanStart({ app, caller }: Context, id: number): Promise<void> {
  const approved = { status: 'Approved', outcome: '' } as const;
  await store.planStatusChange(app.store.queries, caller.account, id, ['Done'], approved);
}

export async function recordPlanOutcome({ app, caller }: Context, id: number, outcome: string): Promise<void> {
  const status = outcome === 'success' ? 'Done' : 'Failed';
  await store.planStatusChange(app.store.queries, caller.account, id, ['Approved', 'Done'], { status, outcome });
}

async function getPlan({ queries, caller }: Context, id: number): Promise<store.StoredPlan> {
  const plan = requireFound(await store.planFind(queries, caller.account, id));
  const isWithinDns = caller.dnsLimits === undefined || !dnsOperationNames.includes(plan.operation);
  const isWithinServices =
    plan.service_id === null
      ? caller.services === undefined || !serviceOperationNames.includes(plan.operation)
      : isServiceVisible(caller.services, plan.service_id);
  return requireFound(plan.key_id === caller.key || (isWithinDns && isWithinServices) ? plan : undefined);
}

function requireStatus(plan: store.StoredPlan, now: number, allowed: readonly PlanStatus[]): void {
  const status = statusOf(plan, now);
  if (!allowed.includes(status)) throw conflict(`The plan is ${status}.`);
  if (plan.expires_at <= now) throw conflict('The plan is Expired.');
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

function planShape(plan: store.StoredPlan, now: number): PlanShape {
  const params = store.planInput.decode(plan.input);
  return {
    id: String(plan.id),
    operation: plan.operation,
    params,
    summary: declarationOf(plan.operation).summary,
    hits: store.planTargets.decode(plan.hits),
    destroys: isDestructive(plan.operation, params),
    status: statusOf(plan, now),
    key: String(plan.key_id),
    decidedby: plan.decided_key_id === null ? '' : String(plan.decided_key_id),
    created: timeText(plan.created_at),
    expires: timeText(plan.expires_at),
    outcome: plan.outcome,
  };
}
