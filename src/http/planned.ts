// A planned call, carried out in the same way as one that comes over the wire: checked, authorised, idempotent and audited under
// its own name. The plan's id is its Idempotency-Key, so it happens once however often it is asked for.
import { v2 } from '#contract/contract.ts';
import { isPlannable } from '#contract/destroys.ts';
import { effectOf, isReading, type Endpoint } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { carryOut } from '#app/operation/carry-out.ts';
import { planEnded, planToRun } from '#app/plans/plans.ts';
import type { Context } from '#app/yard.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { faultAnswer, successAnswer } from './answers.ts';
import { parameterReader, type Input } from './parameters.ts';
import { authorise, type AnyHandler } from './request.ts';

/** Refusals from before the work began: the plan can be carried out still. */
const notBegun = new Set([400, 401, 403, 404, 429]);

/** The parameters of a call that is to be planned, checked as that call would. */
export function plannedInput(operation: string, given: Readonly<Record<string, unknown>>): Input {
  const declaration = Object.hasOwn(v2, operation) ? (v2[operation as keyof typeof v2] as Endpoint) : undefined;
  if (declaration === undefined || !isPlannable(declaration))
    throw invalid({ operation: 'must be an operation of version 2 that changes something and can be planned' });
  const input = parameterReader('v2', declaration)([Object.entries(given)]);
  if (isReading(declaration, input)) throw invalid({ operation: 'changes nothing with these parameters' });
  return input;
}

export async function carryOutPlanned(
  context: Context,
  id: number,
  handlerOf: (operation: string) => AnyHandler,
): Promise<unknown> {
  const { yard } = context;
  const { operation, input, access } = await planToRun(context, id);
  const declaration: Endpoint = v2[operation as keyof typeof v2];
  // Who approved it had the scope; all else that stands in the way of the caller still does.
  const caller = { ...context.caller, scopes: new Set([...context.caller.scopes, access]) };
  const effect = effectOf(declaration) as 'stored' | 'equipment';
  authorise(caller, access, effect);
  const call = {
    name: `v2.${operation}`,
    effect,
    method: 'POST',
    path: '/v2/plan/run',
    access,
    input,
    idempotencyKey: `plan ${id}`,
    publishes: declaration.publishes === true,
  };
  const handler = handlerOf(operation);
  const answer = await carryOut({
    yard,
    caller,
    operation: call,
    work: {
      prepare: async () => {},
      run: async (inner) => successAnswer(declaration.resultsAs, await handler(inner as never, { ...input })),
      refuse: (fault) => faultAnswer('v2', false, fault),
    },
  });
  const { result } = JSON.parse(answer.body) as { result: unknown };
  if (answer.status !== 200) {
    const fault = faultOf(result as Refusal);
    if (!notBegun.has(answer.status)) await planEnded(context, id, fault.code);
    throw fault;
  }
  await planEnded(context, id, 'success');
  return result;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
}
function faultOf({ code, message, fields }: Refusal): Fault {
  return new Fault(code, { message, ...(fields === undefined ? {} : { fields }) });
}
