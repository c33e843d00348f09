// An action: longer work that was started for an account and goes on after its request was answered. Our addition.
import { Type } from 'typebox';

const text = Type.String();
export const actionStatuses = ['Queued', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
export type ActionStatus = (typeof actionStatuses)[number];

export const Action = Type.Object({
  id: text,
  operation: Type.String({ description: 'What was asked for, as the audit log names it' }),
  service: Type.String({ description: 'Service id, empty where it concerns none' }),
  status: Type.Enum(actionStatuses),
  progress: Type.String({ description: 'Percent' }),
  step: Type.String({ description: 'The step under way, empty when ended' }),
  started: text,
  ended: Type.String({ description: 'Moment in UTC, empty while it runs' }),
  code: Type.String({ description: 'Error code, empty where all is well' }),
  error: Type.String({ description: 'Why it failed, empty where it did not' }),
});
