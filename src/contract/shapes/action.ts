// An action: work for an account that continues after its request was answered. Our addition.
import { Type } from 'typebox';
import { described, text } from './text.ts';

export const actionStatuses = ['Queued', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
export type ActionStatus = (typeof actionStatuses)[number];

export const Action = Type.Object({
  id: text,
  operation: described('The operation, as in the audit log'),
  service: described('Service id; empty if none'),
  status: Type.Enum(actionStatuses),
  progress: described('Percent'),
  step: described('The current step; empty once it has ended'),
  started: text,
  ended: described('Time in UTC; empty while it is running'),
  code: described('Error code; empty if there is none'),
  error: described('Why it failed; otherwise empty'),
});
