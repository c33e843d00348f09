// The operator's side: billing runs.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';

const text = Type.String();

export const BillingDifference = Type.Object({
  account: text,
  period: Type.String({ description: 'The first day of the period' }),
  before: Type.String({ description: 'What the run before billed, without tax' }),
  now: Type.String({ description: 'What this one would bill, without tax' }),
  differences: Type.Array(text, { description: 'What is new, gone, or costs something else' }),
});

export const billingOperator = {
  billingDryRun: endpoint({
    method: 'GET',
    path: '/operator/billing/run',
    tag: 'billing',
    access: 'operator:read',
    command: 'billing dry-run',
    addition: true,
    summary: 'What the runs that are due would bill, beside the run before; nothing is issued',
    description: 'In the order of the accounts. `after` is the last account of the page before.',
    params: { limit: p.optional(p.Whole(1, 1000)), after: p.optional(p.Id) },
    result: Type.Array(BillingDifference),
  }),
  billingRunStart: endpoint({
    method: 'POST',
    path: '/operator/billing/run',
    tag: 'billing',
    access: 'operator:money',
    effect: 'equipment',
    command: 'billing run',
    addition: true,
    summary: 'Start a run for every account whose period has begun; an account that has one under way gets no second',
    description: 'Each is a workflow of the name `billing-run`; how they go is seen among the workflows.',
    params: {},
    result: Type.Object({ started: Type.String({ description: 'For how many accounts' }) }),
  }),
} as const;
