// Version 2, our addition: plans. Who acts for a person, such as an assistant, says what it is going to do; the person agrees or
// not; what was agreed to is done once, to the letter.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { Plan } from '../shapes/plan.ts';

export const planV2 = {
  planGet: endpoint({
    method: 'GET',
    path: '/v2/plan',
    tag: 'plan',
    access: 'plan:read',
    addition: true,
    summary: 'The plans of the account, newest first; or the one with this id',
    params: { id: p.optional(p.Id), limit: p.optional(p.Whole(1, 100)), before: p.optional(p.Id) },
    result: Type.Array(Plan),
  }),
  planCreate: endpoint({
    method: 'POST',
    path: '/v2/plan',
    tag: 'plan',
    access: 'plan:write',
    effect: 'stored',
    addition: true,
    summary: 'Plan a call of another operation, to be decided on by a person within 15 minutes',
    description:
      'The parameters are checked as in the call itself. The key need not have the scope of that operation: who approves it must.',
    params: { operation: p.Text({ max: 64 }), params: p.Values },
    result: Plan,
    errors: ['state_conflict'],
  }),
  planDecide: endpoint({
    method: 'PUT',
    path: '/v2/plan',
    tag: 'plan',
    access: 'plan:approve',
    effect: 'stored',
    addition: true,
    summary: 'Approve or refuse a plan that was made with another key',
    description: 'An approved plan can be carried out for 15 minutes; until it is, it can still be refused.',
    params: { id: p.Id, decision: p.Choice('approve', 'refuse') },
    result: Plan,
    errors: ['state_conflict'],
  }),
  planRun: endpoint({
    method: 'POST',
    path: '/v2/plan/run',
    tag: 'plan',
    access: 'plan:write',
    // What it leaves behind is what the planned call leaves, under its own name. Repeated, it gives the first answer again.
    effect: 'none',
    addition: true,
    summary: 'Carry out an approved plan, with the key that made it; answers what the planned call answers',
    description: 'It is carried out once, however often this is called.',
    params: { id: p.Id },
    result: Type.Unknown(),
    errors: [
      'account_suspended',
      'already_exists',
      'state_conflict',
      'idempotency_in_progress',
      'idempotency_outcome_unknown',
      'not_in_catalogue',
      'capability_missing',
      'nothing_free',
      'computed_record',
      ...new Set(Object.values(equipmentErrors).flat()),
    ],
  }),
} as const;
