// Operator API: operators themselves.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { roleNames } from '../roles.ts';
import { NewOperator, Operator } from '../shapes/operator.ts';

const Role = p.Choice(...roleNames);

const writeEndpoint = { tag: 'operator', access: 'operator:owner', effect: 'stored' } as const;

export const operatorOperator = {
  operatorList: endpoint({
    method: 'GET',
    path: '/operator/operator',
    tag: 'operator',
    access: 'operator:read',
    command: 'operator list',
    summary: 'List operators',
    description: 'Includes those whose access was removed.',
    result: Type.Array(Operator),
  }),
  operatorCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/operator',
    proof: 'authority',
    command: 'operator create',
    summary: 'Create an operator',
    description: 'The initial password is returned only once.',
    params: { name: p.OperatorName, role: Role, email: p.optional(p.Email) },
    target: ['name'],
    generatesPassword: 'always',
    result: NewOperator,
    errors: ['already_exists'],
  }),
  operatorUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/operator',
    proof: 'authority',
    command: 'operator update',
    summary: 'Update an operator',
    description:
      "Changes the role or the email address, restores access, generates a new password or removes lost second factors and passkeys. A new password and removed factors end the operator's sessions; you cannot do this to yourself. Links for a forgotten password go to the new email address.",
    params: {
      id: p.Id,
      role: p.optional(Role),
      email: p.clearable(p.Email),
      status: p.optional(p.Choice('Active')),
      newpassword: p.optional(p.Flag),
      forgettotp: p.optional(p.Flag),
    },
    target: ['id'],
    generatesPassword: 'newpassword',
    result: NewOperator,
    errors: ['state_conflict'],
  }),
  operatorDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/operator',
    proof: 'authority',
    command: 'operator delete',
    summary: 'Remove an operator',
    description: 'Ends their sessions immediately. The name stays in the logs and cannot be reused.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
