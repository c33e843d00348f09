// Whether a hypervisor or switch responds, as the last check found it.
import { Type } from 'typebox';
import { described } from './text.ts';

export const lastCheck = {
  state: Type.Enum(['answers', 'silent', 'unseen'], {
    description: 'silent: it did not respond to the last check; unseen: not checked yet',
  }),
  error: described('Code of the last check’s error; empty if it succeeded'),
  errortext: described('The message of the driver'),
  seen: described('When it last responded; empty if never'),
  lag: described('How many seconds its next check is overdue'),
} as const;
