// SSH keys that an account keeps for installations, our addition.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

export const maxSshKeys = 100;

export const SshKey = Type.Object({
  id: text,
  name: text,
  key: described('The public key'),
  fingerprint: described('SHA-256, as ssh-keygen prints it'),
  created: Moment,
});
