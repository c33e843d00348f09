// Events of plans.
import { Type } from 'typebox';

const text = Type.String();

export const planEvents = {
  'plan.created': {
    version: 1,
    summary: 'A plan waits for approval',
    data: Type.Object({ id: text, operation: text, hits: Type.Array(text) }),
  },
  'plan.decided': {
    version: 1,
    summary: 'A plan was approved or rejected',
    data: Type.Object({ id: text, operation: text, decision: Type.Enum(['approve', 'refuse']) }),
  },
} as const;
