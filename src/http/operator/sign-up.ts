// Operator API: sign-ups that wait for approval, and invitations to sign up.
import type { signUpOperator } from '#contract/operator/sign-up.ts';
import * as staff from '#app/sign-up/staff.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const signUpOperatorHandlers: HandlersOf<typeof signUpOperator> = {
  signUpList: staff.signUpList,
  signUpApprove: (context, { id }) => staff.signUpApprove(context, id),
  signUpReject: respondWith('Sign-up Rejected', (context, { id, reason }) => staff.signUpReject(context, id, reason)),
  signUpInvitationList: (context) => staff.invitationList(context),
  signUpInvitationCreate: staff.invitationCreate,
  signUpInvitationDelete: respondWith('Invitation Revoked', (context, { id }) => staff.invitationDelete(context, id)),
};
