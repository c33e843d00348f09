// Accounts as the provider's staff see them.
import { Type } from 'typebox';
import { accountStatuses, Money, Moment } from './account.ts';

const text = Type.String();

export const OperatorAccountListItem = Type.Object({
  id: text,
  firstname: text,
  lastname: text,
  companyname: text,
  email: text,
  country: text,
  status: Type.Enum(accountStatuses),
  created: Moment,
});

export const OperatorAccount = Type.Object({
  ...OperatorAccountListItem.properties,
  address1: text,
  address2: text,
  city: text,
  state: text,
  postcode: text,
  phonenumber: text,
  currency: text,
  balance: Money,
  lastlogin: Type.String({ description: 'Moment in UTC, empty: never' }),
  lastaddress: text,
  contacts: Type.String({ description: 'How many contacts the account has' }),
  keys: Type.String({ description: 'How many keys can be used at present' }),
  services: Type.String({ description: 'How many services it has that are not terminated' }),
});
