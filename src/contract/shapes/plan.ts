// A plan in responses: a call to make once a person has approved it.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();

const planStatuses = ['Pending', 'Approved', 'Refused', 'Expired', 'Done', 'Failed'] as const;
export type PlanStatus = (typeof planStatuses)[number];

export const Plan = Type.Object({
  id: text,
  operation: Type.String({ description: 'The version 2 operation to call' }),
  params: Type.Record(text, Type.Unknown(), { description: 'The parameters of the call' }),
  summary: Type.String({ description: 'Describes the operation in a sentence' }),
  hits: Type.Array(text, { description: 'The affected resources, each described in words' }),
  destroys: Type.Boolean({ description: 'True if it cannot be undone' }),
  status: Type.Enum(planStatuses),
  key: Type.String({ description: 'Id of the key that created it' }),
  decidedby: Type.String({ description: 'Id of the key that approved or rejected it; empty if none' }),
  created: Moment,
  expires: Type.String({ description: 'The deadline for the decision and, once approved, for running it' }),
  outcome: Type.String({ description: 'success or an error code, once it has run' }),
});
