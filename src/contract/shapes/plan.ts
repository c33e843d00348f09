// A plan in responses: a call to make once a person has approved it.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

const planStatuses = ['Pending', 'Approved', 'Refused', 'Expired', 'Done', 'Failed'] as const;
export type PlanStatus = (typeof planStatuses)[number];

export const Plan = Type.Object({
  id: text,
  operation: described('The version 2 operation to call'),
  params: Type.Record(text, Type.Unknown(), { description: 'The parameters of the call' }),
  summary: described('Describes the operation in a sentence'),
  hits: Type.Array(text, { description: 'The affected resources, each described in words' }),
  destroys: Type.Boolean({ description: 'True if it cannot be undone' }),
  status: Type.Enum(planStatuses),
  key: described('Id of the key that created it'),
  decidedby: described('Id of the key that approved or rejected it; empty if none'),
  created: Moment,
  expires: described('The deadline for the decision and, once approved, for running it'),
  outcome: described('success or an error code, once it has run'),
});
