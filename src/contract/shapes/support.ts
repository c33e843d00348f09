// Support accesses: times during which a member of staff could view an account as its owner does.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

export const supportEndings = ['Staff', 'Customer'] as const;
export type SupportEnding = (typeof supportEndings)[number];

const access = {
  id: text,
  operator: described('The member of staff'),
  reason: text,
  status: Type.Enum(['Active', 'Ended']),
  started: Moment,
  expires: Moment,
  ended: described('Time in UTC; empty while it is active'),
  endedby: Type.Enum([...supportEndings, ''], {
    description: 'Who ended it; empty while it is active, or if it ended otherwise, for example by expiring',
  }),
};
export const SupportAccess = Type.Object(access);
export const Impersonation = Type.Object({ account: text, ...access });
export const NewImpersonation = Type.Object({
  id: text,
  key: described('A key for the customer APIs, returned only once'),
  expires: Moment,
});
