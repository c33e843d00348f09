// Version 2, our addition: plans. A client that acts for a person, such as an assistant, plans a call; the person
// approves or rejects it; an approved plan runs exactly once, as planned.
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
    summary: 'List or get plans',
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
    summary: 'Create a plan',
    description:
      'Plans a call of another operation, which a person must approve or reject within 15 minutes. The parameters are checked as in the call itself. The key does not need the scope of that operation, but the approver does.',
    params: { operation: p.Text({ max: 64 }), params: p.Values },
    // As much as the import of a zone file, which is the dearest of the calls that can be planned.
    costPerKilobyte: 1.2,
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
    summary: 'Approve or reject a plan',
    description:
      'The plan must have been created with another key. An approved plan can be run for 15 minutes; until it runs, it can still be rejected.',
    params: { id: p.Id, decision: p.Choice('approve', 'refuse') },
    target: ['id'],
    result: Plan,
    errors: ['state_conflict'],
  }),
  planRun: endpoint({
    method: 'POST',
    path: '/v2/plan/run',
    tag: 'plan',
    access: 'plan:write',
    // Its effect is that of the planned call, recorded under that call's name. A repetition returns the first response.
    effect: 'none',
    addition: true,
    // As much as the dearest of the calls that can be planned.
    cost: 50,
    summary: 'Run an approved plan',
    description:
      "Uses the key that created the plan and returns the planned call's result. It runs once, however often this is called.",
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
