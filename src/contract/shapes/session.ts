// Sessions of customers, our additions, in the same envelope and with values as strings.
import { Type } from 'typebox';
import { accountStatuses, Flag01, Moment } from './account.ts';
import { described, text } from './text.ts';

/** Of customers and of operators. */
export const sessionSecrets = {
  key: described('A key for this sign-in; empty if it is in a cookie'),
  csrf: Type.Optional(described('Only with a cookie: the token to send as X-CSRF-Token in every request')),
};

export const Session = Type.Object({
  ...sessionSecrets,
  expires: Moment,
  account: text,
  contact: text,
  subaccount: Flag01,
  scopes: Type.Array(text),
});

export const SessionSelf = Type.Object({
  kind: Type.Enum(['session', 'key']),
  account: text,
  status: Type.Enum(accountStatuses),
  contact: described('The sub-account contact that owns the key; empty for the account itself'),
  subaccount: Flag01,
  name: described('The person’s name; like the next two, empty for a key that may not read the account'),
  email: text,
  company: text,
  scopes: Type.Array(text),
  expires: described('Time in UTC; empty for never'),
  totp: Type.Enum(['None', 'Waiting', 'Confirmed'], {
    description: 'Authenticator app as a second factor; Waiting: not confirmed with a first code yet',
  }),
  recoverycodes: described('Number of recovery codes left'),
  passkeys: described('Number of passkeys'),
  passwordchange: Type.Enum(['0', '1'], {
    description: 'Whether staff chose the password; until you change it, you can only do that or sign out',
  }),
  operator: described('The member of staff who is viewing the account with this key; otherwise empty'),
  currency: text,
  currencyprefix: text,
  currencysuffix: text,
});
