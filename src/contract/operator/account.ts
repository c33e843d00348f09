// The operator's side: accounts of customers.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { accountStatuses } from '../shapes/account.ts';
import { OperatorAccount, OperatorAccountListItem } from '../shapes/operator-account.ts';

export const accountOperator = {
  accountList: endpoint({
    method: 'GET',
    path: '/operator/account',
    tag: 'account',
    access: 'operator:read',
    command: 'account list',
    addition: true,
    summary: 'Accounts in the order of their numbers, a page at a time',
    description:
      '`search` finds a number, or a part of a name, a company or an e-mail address. `after` is the last id of the page before.',
    params: {
      search: p.optional(p.Text({ max: 100 })),
      status: p.optional(p.Choice(...accountStatuses)),
      limit: p.optional(p.Whole(1, 1000)),
      after: p.optional(p.Id),
    },
    result: Type.Array(OperatorAccountListItem),
  }),
  accountGet: endpoint({
    method: 'GET',
    path: '/operator/account/{id}',
    tag: 'account',
    access: 'operator:read',
    command: 'account get',
    addition: true,
    summary: 'An account, what it owes and how much it has',
    params: { id: p.Id },
    result: OperatorAccount,
  }),
} as const;
