// Operator API: sign-ups that wait for approval, and invitations to sign up.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { NewSignUpInvitation, SignUp, SignUpInvitation, signUpStatuses } from '../shapes/sign-up.ts';

const readEndpoint = { method: 'GET', tag: 'sign-up', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'sign-up', access: 'operator:customers', effect: 'stored' } as const;
const invitationPath = '/operator/sign-up/invitation';

export const signUpOperator = {
  signUpList: endpoint({
    ...readEndpoint,
    path: '/operator/sign-up',
    command: 'sign-up list',
    summary: 'List sign-ups, newest first',
    description: 'Does not include accounts that already exist.',
    params: {
      status: p.optional(p.Choice(...signUpStatuses)),
      ...p.pageBefore(p.Id),
    },
    result: Type.Array(SignUp),
  }),
  signUpApprove: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/sign-up/approve',
    proof: 'authority',
    command: 'sign-up approve',
    summary: 'Approve a sign-up',
    description: "Creates the account, notifies the person by email, and returns the account's id.",
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict', 'already_exists'],
  }),
  signUpReject: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/sign-up/reject',
    command: 'sign-up reject',
    summary: 'Reject a sign-up',
    description: 'The person gets a message with the reason.',
    params: { id: p.Id, reason: p.Text({ max: 200 }) },
    target: ['id', 'reason'],
    errors: ['state_conflict'],
  }),
  signUpInvitationList: endpoint({
    ...readEndpoint,
    path: invitationPath,
    command: 'sign-up invitations',
    summary: 'List invitations to sign up that have not been used yet',
    result: Type.Array(SignUpInvitation),
  }),
  signUpInvitationCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: invitationPath,
    command: 'sign-up invite',
    summary: 'Invite a person to sign up',
    description:
      'Returns a link that creates one account, without approval, and expires after `days`, 14 by default. With `email`, the link is sent to that address, and only that address can use it.',
    params: {
      email: p.optional(p.Email),
      language: p.optional(p.LanguageCode),
      days: p.optional(p.Whole(1, 90)),
    },
    result: NewSignUpInvitation,
    errors: ['state_conflict'],
  }),
  signUpInvitationDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: invitationPath,
    command: 'sign-up uninvite',
    summary: 'Revoke an invitation to sign up',
    description: 'The link stops working.',
    params: { id: p.Id },
    target: ['id'],
  }),
} as const;
