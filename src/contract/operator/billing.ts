// Operator API: billing runs, and the pause after the clock has jumped.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';

const text = Type.String();

export const BillingDifference = Type.Object({
  account: text,
  period: Type.String({ description: 'The first day of the period' }),
  before: Type.String({ description: 'Amount billed by the previous run, without tax' }),
  now: Type.String({ description: 'Amount that this run would bill, without tax' }),
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
      'Compares each run with the previous one; nothing is issued. Ordered by account. Pass the last account as `after` for the next page.',
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
    summary: 'Start the billing runs that are due',
    description:
      'One run for every account whose period has started; an account with a running one does not get a second. Each is a workflow named `billing-run`; follow it among the workflows.',
    params: {},
    result: Type.Object({ started: Type.String({ description: 'Number of accounts' }) }),
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
      'Billing, suspensions and the deletion of old data are paused when the clock is more than a day ahead of the last time that a server recorded. State the current date in UTC: if it is not what the clock says, nothing is resumed.',
    params: { date: p.CalendarDate },
    result: text,
    errors: ['state_conflict'],
  }),
} as const;
