// An action: work for an account that continues after its request was answered. Our addition.
import { Type } from 'typebox';

const text = Type.String();
export const actionStatuses = ['Queued', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
export type ActionStatus = (typeof actionStatuses)[number];

export const Action = Type.Object({
  id: text,
  operation: Type.String({ description: 'The operation, as in the audit log' }),
  service: Type.String({ description: 'Service id; empty if none' }),
  status: Type.Enum(actionStatuses),
  progress: Type.String({ description: 'Percent' }),
  step: Type.String({ description: 'The current step; empty once it has ended' }),
  started: text,
  ended: Type.String({ description: 'Time in UTC; empty while it is running' }),
  code: Type.String({ description: 'Error code; empty if there is none' }),
  error: Type.String({ description: 'Why it failed; otherwise empty' }),
});
