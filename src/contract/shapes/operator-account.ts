// Accounts in responses to operators.
import { Type } from 'typebox';
import { accountStatuses, Money, Moment, postalAddress } from './account.ts';
import { described, text } from './text.ts';

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
  lastlogin: described('Time in UTC; empty for never'),
  lastaddress: text,
  contacts: described('Number of contacts'),
  keys: described('Number of valid keys'),
  services: described('Number of services that are not terminated'),
});
