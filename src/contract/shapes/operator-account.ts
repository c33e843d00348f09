// Accounts in responses to operators.
import { Type } from 'typebox';
import { accountStatuses, Money, Moment, postalAddress } from './account.ts';

const text = Type.String();

export const OperatorAccountListItem = Type.Object({
  id: text,
  firstname: text,
  lastname: text,
  companyname: text,
  email: text,
  country: text,
  currency: text,
  status: Type.Enum(accountStatuses),
  created: Moment,
});

export const OperatorAccount = Type.Object({
  ...OperatorAccountListItem.properties,
  ...postalAddress,
  phonenumber: text,
  balance: Money,
  lastlogin: Type.String({ description: 'Time in UTC; empty for never' }),
  lastaddress: text,
  contacts: Type.String({ description: 'Number of contacts' }),
  keys: Type.String({ description: 'Number of valid keys' }),
  services: Type.String({ description: 'Number of services that are not terminated' }),
});
