// The operator's side: the provider's staff themselves.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { roleNames } from '../roles.ts';
import { NewOperator, Operator } from '../shapes/operator.ts';

const Role = p.Choice(...roleNames);

export const operatorOperator = {
  operatorList: endpoint({
    method: 'GET',
    path: '/operator/operator',
    tag: 'operator',
    access: 'operator:read',
    command: 'operator list',
    addition: true,
    summary: 'Who can sign in by name, and who could',
    params: {},
    result: Type.Array(Operator),
  }),
  operatorCreate: endpoint({
    method: 'POST',
    path: '/operator/operator',
    tag: 'operator',
    access: 'operator:owner',
    effect: 'stored',
    command: 'operator create',
    addition: true,
    summary: 'Let somebody sign in; the first password is shown this once',
    params: { name: p.OperatorName, role: Role },
    result: NewOperator,
    errors: ['already_exists'],
  }),
  operatorUpdate: endpoint({
    method: 'PUT',
    path: '/operator/operator',
    tag: 'operator',
    access: 'operator:owner',
    effect: 'stored',
    command: 'operator update',
    addition: true,
    summary: 'Change a role, let somebody come back, draw a new password, or forget a lost second factor',
    description: 'A new password and a forgotten second factor end the sessions of that person.',
    params: {
      id: p.Id,
      role: p.optional(Role),
      status: p.optional(p.Choice('Active')),
      newpassword: p.optional(p.Flag),
      forgettotp: p.optional(p.Flag),
    },
    result: NewOperator,
    errors: ['state_conflict'],
  }),
  operatorDelete: endpoint({
    method: 'DELETE',
    path: '/operator/operator',
    tag: 'operator',
    access: 'operator:owner',
    effect: 'stored',
    command: 'operator delete',
    addition: true,
    summary: 'End an operator: his sessions end at once, his name stays in the logs and stays taken',
    params: { id: p.Id },
    result: Type.String(),
    errors: ['state_conflict'],
  }),
} as const;
