// Version 2, our addition: contacts who choose their password themselves, with a link that they receive by email.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { scopeNames } from '../scopes.ts';
import { Invitation, NewInvitation } from '../shapes/invitation.ts';

const path = '/v2/account/invitation';
const writeEndpoint = {
  path,
  tag: 'account',
  access: 'account:keys',
  effect: 'stored',
  proof: 'authority',
  addition: true,
} as const;

export const invitationV2 = {
  invitationGet: endpoint({
    path,
    method: 'GET',
    tag: 'account',
    access: 'account:read',
    addition: true,
    summary: 'List invitations that have not been accepted yet',
    result: Type.Array(Invitation),
  }),
  invitationCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    summary: 'Invite a contact to sign in',
    description:
      'Sends a link to choose a password; the person can then sign in with these permissions. Pass `contact` for an existing contact, or the name and email address of a new one. With `services`, the person can see only those services. The link works once and expires after seven days.',
    cost: 5,
    params: {
      contact: p.optional(p.Id),
      firstname: p.optional(p.HumanName),
      lastname: p.optional(p.HumanName),
      email: p.optional(p.Email),
      permissions: p.List(p.Choice(...scopeNames), { max: scopeNames.length }),
      services: p.optional(p.ServiceLimits),
    },
    result: NewInvitation,
    errors: ['state_conflict'],
  }),
  invitationResend: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    summary: 'Send an invitation again',
    description: 'Sends a new link, for another seven days. The previous one stops working.',
    cost: 5,
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  invitationDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    summary: 'Revoke an invitation',
    description: 'The link stops working. The contact stays.',
    params: { id: p.Id },
    target: ['id'],
  }),
  invitationAccept: endpoint({
    method: 'PUT',
    path: '/v2/session/invitation',
    tag: 'session',
    access: 'public',
    effect: 'none',
    addition: true,
    summary: 'Accept an invitation',
    description: 'Sets the password, using the token of the link. After that, the person can sign in.',
    params: { token: p.LinkToken, newpassword: p.ChosenPassword },
    errors: ['not_found', 'already_exists'],
  }),
} as const;
