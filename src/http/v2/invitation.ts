// v2: invitations of contacts.
import type { invitationV2 } from '#contract/v2/invitation.ts';
import {
  invitationAccept,
  invitationCreate,
  invitationDelete,
  invitationGet,
  invitationResend,
} from '#app/account/invitations.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const invitationHandlers: HandlersOf<typeof invitationV2> = {
  invitationGet: (context) => invitationGet(context),
  invitationCreate,
  invitationResend: respondWith('Invitation Sent', (context, { id }) => invitationResend(context, id)),
  invitationDelete: respondWith('Invitation Revoked', (context, { id }) => invitationDelete(context, id)),
  invitationAccept: respondWith('Invitation Accepted', invitationAccept),
};
