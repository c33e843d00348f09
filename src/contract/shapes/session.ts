// Sign-ins of customers: our additions, in the same envelope and with the same string-typed values.
import { Type } from 'typebox';
import { accountStatuses, Flag01, Moment } from './account.ts';

const text = Type.String();

export const Session = Type.Object({
  key: Type.String({ description: 'A key for this sign-in' }),
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
  contact: Type.String({ description: 'The sub-account contact whose key it is, empty for the account itself' }),
  subaccount: Flag01,
  name: Type.String({ description: 'Of the person; as the next two empty for a key that may not read the account' }),
  email: text,
  company: text,
  scopes: Type.Array(text),
  expires: Type.String({ description: 'Moment in UTC, empty: never' }),
  totp: Type.Enum(['None', 'Waiting', 'Confirmed'], {
    description: 'The codes of an app as a second factor; waiting: to be confirmed with the first one',
  }),
  passkeys: Type.String({ description: 'How many there are' }),
  currency: text,
  currencyprefix: text,
  currencysuffix: text,
});
