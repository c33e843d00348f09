// Version 2, our additions: SSH keys that an account keeps for installations.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { PublicKey } from '../installation-parameters.ts';
import * as p from '../parameters.ts';
import { maxSshKeys, SshKey } from '../shapes/ssh-key.ts';

const sshKeyEndpoint = { path: '/v2/account/sshkey', tag: 'account', addition: true } as const;

export const sshKeyV2 = {
  sshKeyList: endpoint({
    ...sshKeyEndpoint,
    method: 'GET',
    access: 'device:read',
    summary: 'List the SSH keys of the account',
    result: Type.Array(SshKey),
  }),
  sshKeyCreate: endpoint({
    ...sshKeyEndpoint,
    method: 'POST',
    access: 'device:write',
    effect: 'stored',
    summary: 'Save an SSH key',
    description: `For later installations; existing servers do not change. An account can have ${maxSshKeys} keys, each only once.`,
    params: { name: p.Text({ max: 64 }), key: PublicKey },
    target: ['name'],
    result: SshKey,
    errors: ['state_conflict', 'already_exists'],
  }),
  sshKeyDelete: endpoint({
    ...sshKeyEndpoint,
    method: 'DELETE',
    access: 'device:write',
    effect: 'stored',
    summary: 'Delete a saved SSH key',
    description: 'Servers that were installed with the key keep it.',
    params: { id: p.Id },
    target: ['id'],
    result: Type.Literal('SSH Key Deleted'),
  }),
} as const;
