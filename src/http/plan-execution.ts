// Executes a planned call like one that comes over HTTP: validated, authorised, idempotent and audited under its own
// name. The plan's id is the Idempotency-Key, so it runs once however often it is requested.
import { v2 } from '#contract/contract.ts';
import { isPlannable } from '#contract/destructive-operations.ts';
import { effectOf, isReading, type Endpoint } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { execute } from '#app/operations/execute.ts';
import { getExecutablePlan, recordPlanOutcome, startPlan, undoPlanStart } from '#app/plans/plans.ts';
import type { Context } from '#app/app.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { createInputPreparer } from './input-preparation.ts';
import { errorResponse, successResponse } from './responses.ts';
import { parameterReaderOf, type Input } from './parameters.ts';
import { authorise, authoriseDnsLimits, type AnyHandler } from './request.ts';
import { zonePublishing } from '#app/dns/publishing.ts';

/** Statuses of errors before the work starts: the plan can still be executed. */
const statusesBeforeStart = new Set([400, 401, 403, 404, 429]);

/** Validates the parameters of a planned call as that call would. */
export function validatePlannedInput(operation: string, params: Readonly<Record<string, unknown>>): Input {
  const declaration = Object.hasOwn(v2, operation) ? (v2[operation as keyof typeof v2] as Endpoint) : undefined;
  if (declaration === undefined || !isPlannable(declaration))
    throw invalid({ operation: 'must be a v2 operation that changes something and can be planned' });
  const input = parameterReaderOf('v2', declaration)([Object.entries(params)]);
  if (isReading(declaration, input) || input['dry_run'] === true)
    throw invalid({ operation: 'changes nothing with these parameters' });
  return input;
}

export async function executePlan(
  context: Context,
  id: number,
  handlerOf: (operation: string) => AnyHandler,
): Promise<unknown> {
  const { app } = context;
  const { operation, input, access } = await getExecutablePlan(context, id);
  const declaration: Endpoint = v2[operation as keyof typeof v2];
  // The approver had the scope; every other restriction of the caller still applies.
  const caller = { ...context.caller, scopes: new Set([...context.caller.scopes, access]) };
  const effect = effectOf(declaration) as 'stored' | 'equipment';
  authorise(caller, access, effect);
  authoriseDnsLimits(caller, declaration);
  const call = {
    name: `v2.${operation}`,
    effect,
    method: 'POST',
    path: '/v2/plan/run',
    access,
    ignoresHold: declaration.ignoresHold === true,
    input,
    target: declaration.target ?? [],
    idempotencyKey: `plan ${id}`,
    ...(declaration.publishes === true && app.nameService.external !== undefined && { beforeCommit: zonePublishing }),
  };
  const handler = handlerOf(operation);
  let prepared = input;
  let hasStarted = false;
  const response = await execute({
    app,
    caller,
    operation: call,
    work: {
      async prepare() {
        prepared = (await createInputPreparer(declaration)?.(app, caller, { ...input })) ?? input;
      },
      async run(inner) {
        await startPlan(inner, id);
        hasStarted = true;
        return successResponse(declaration, await handler(inner as never, { ...prepared }));
      },
      reject: (error) => errorResponse('v2', error),
    },
  }).catch(async (error: unknown) => {
    // The process that ran it has ended, and nobody knows how far it got.
    if (error instanceof ApiError && error.code === 'idempotency_outcome_unknown')
      await recordPlanOutcome(context, id, error.code);
    throw error;
  });
  const { result } = JSON.parse(response.body) as { result: unknown };
  if (response.status !== 200) {
    const error = toApiError(result as ErrorResult);
    if (!statusesBeforeStart.has(response.status)) await recordPlanOutcome(context, id, error.code);
    else if (hasStarted) await undoPlanStart(context, id);
    throw error;
  }
  await recordPlanOutcome(context, id, 'success');
  return result;
}

interface ErrorResult {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
}
function toApiError({ code, message, fields }: ErrorResult): ApiError {
  return new ApiError(code, { message, ...(fields === undefined ? {} : { fields }) });
}
