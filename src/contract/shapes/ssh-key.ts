// SSH keys that an account keeps for installations, our addition.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();

export const maxSshKeys = 100;

export const SshKey = Type.Object({
  id: text,
  name: text,
  key: Type.String({ description: 'The public key' }),
  fingerprint: Type.String({ description: 'SHA-256, as ssh-keygen prints it' }),
  created: Moment,
});
