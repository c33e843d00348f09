// Whether a hypervisor or switch responds, as the last check found it.
import { Type } from 'typebox';

export const lastCheck = {
  state: Type.Enum(['answers', 'silent', 'unseen'], {
    description: 'silent: it did not respond to the last check; unseen: not checked yet',
  }),
  error: Type.String({ description: 'Code of the last check’s error; empty if it succeeded' }),
  errortext: Type.String({ description: 'The message of the driver' }),
  seen: Type.String({ description: 'When it last responded; empty if never' }),
  lag: Type.String({ description: 'How many seconds its next check is overdue' }),
} as const;
