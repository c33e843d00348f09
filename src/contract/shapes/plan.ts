// A plan as callers see it: a call that is to be made once a person has agreed to it.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();

export const planStatuses = ['Pending', 'Approved', 'Refused', 'Expired', 'Done', 'Failed'] as const;
export type PlanStatus = (typeof planStatuses)[number];

export const Plan = Type.Object({
  id: text,
  operation: Type.String({ description: 'The operation of version 2 that it is to call' }),
  params: Type.Record(text, Type.Unknown(), { description: 'With these parameters' }),
  summary: Type.String({ description: 'What the operation does, in a sentence' }),
  hits: Type.Array(text, { description: 'What it is done to, each in words' }),
  destroys: Type.Boolean({ description: 'True where it cannot be brought back' }),
  status: Type.Enum(planStatuses),
  key: Type.String({ description: 'Id of the key that made it' }),
  decidedby: Type.String({ description: 'Id of the key that approved or refused it; empty where none did' }),
  created: Moment,
  expires: Type.String({ description: 'Until when it can be decided, and once approved be carried out' }),
  outcome: Type.String({ description: 'success or an error code, once it was carried out' }),
});
