// Invitations of contacts.
import { Type } from 'typebox';
import { serviceLimitFields } from './account.ts';
import { described, text } from './text.ts';

export const Invitation = Type.Object({
  id: text,
  contact: described('The id of the contact'),
  firstname: text,
  lastname: text,
  email: text,
  permissions: described('Scopes, comma-separated'),
  ...serviceLimitFields,
  invitedby: described('The name of the person who invited'),
  sent: text,
  expires: text,
  status: Type.Enum(['Pending', 'Expired']),
});

export const NewInvitation = Type.Object({ id: text, contact: text });
