// Invitations of contacts.
import { Type } from 'typebox';
import { serviceLimitFields } from './account.ts';

const text = Type.String();

export const Invitation = Type.Object({
  id: text,
  contact: Type.String({ description: 'The id of the contact' }),
  firstname: text,
  lastname: text,
  email: text,
  permissions: Type.String({ description: 'Scopes, comma-separated' }),
  ...serviceLimitFields,
  invitedby: Type.String({ description: 'The name of the person who invited' }),
  sent: text,
  expires: text,
  status: Type.Enum(['Pending', 'Expired']),
});

export const NewInvitation = Type.Object({ id: text, contact: text });
