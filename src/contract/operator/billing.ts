// Operator API: billing runs, and the pause after the clock has jumped.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { described, text } from '../shapes/text.ts';

export const BillingDifference = Type.Object({
  account: text,
  period: described('The first day of the period'),
  before: described('Amount billed by the previous run, without tax'),
  now: described('Amount that this run would bill, without tax'),
  differences: Type.Array(text, { description: 'New, removed and changed charges' }),
});

export const billingOperator = {
  billingDryRun: endpoint({
    method: 'GET',
    path: '/operator/billing/run',
    tag: 'billing',
    access: 'operator:read',
    command: 'billing dry-run',
    summary: 'Preview the billing runs that are due',
    description:
      'Compares each run with the previous one, without issuing anything. Ordered by account. Pass the last account as `after` for the next page.',
    params: p.pageAfter(p.Id),
    result: Type.Array(BillingDifference),
  }),
  billingRunStart: endpoint({
    method: 'POST',
    path: '/operator/billing/run',
    tag: 'billing',
    access: 'operator:money',
    effect: 'equipment',
    command: 'billing run',
    summary: 'Start the billing runs that are due',
    description:
      'Starts one run for each account whose period has started, unless one is already running. Each run is a workflow named `billing-run`.',
    result: Type.Object({ started: described('Number of accounts') }),
    errors: ['state_conflict'],
  }),
  billingResume: endpoint({
    method: 'POST',
    path: '/operator/billing/resume',
    tag: 'billing',
    access: 'operator:money',
    effect: 'stored',
    command: 'billing resume',
    summary: 'Confirm the date after the clock has jumped',
    description:
      'Billing, suspensions and the deletion of old data pause when the clock is more than a day ahead of the last recorded time. Pass the current date in UTC; if the clock shows another date, nothing is resumed.',
    params: { date: p.CalendarDate },
    errors: ['state_conflict'],
  }),
} as const;
