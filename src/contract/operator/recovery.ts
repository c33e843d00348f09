// Operator API: staff's own email address, and links to it for a forgotten password.
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { staffProof } from '../proof.ts';

const publicEndpoint = { tag: 'operator', access: 'public', effect: 'none' } as const;

export const recoveryOperator = {
  emailSet: endpoint({
    method: 'PUT',
    path: '/operator/email',
    tag: 'operator',
    access: 'any',
    effect: 'stored',
    command: 'email set',
    proof: 'caller',
    summary: 'Change your email address',
    description:
      'Security notices and links for a forgotten password are sent to it; without an address, you get neither. Requires the password, a code or a passkey. The old address gets a notice.',
    params: { email: p.clearable(p.Email), ...staffProof },
    errors: ['state_conflict'],
  }),
  recoveryRequest: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/operator/session/recovery',
    command: 'session recovery',
    summary: 'Request a link to choose a new password',
    description:
      'Sends a link to the address if it belongs to a member of staff who may sign in with a password. The response is the same for every address. The link works once and expires after 30 minutes.',
    params: { email: p.Email },
    errors: ['state_conflict'],
  }),
  recoveryComplete: endpoint({
    ...publicEndpoint,
    method: 'PUT',
    path: '/operator/session/recovery',
    command: 'session recover',
    summary: 'Choose a new password with the token of the link',
    description: "Ends all of the person's sessions. Signing in still requires the second factor.",
    params: { token: p.LinkToken, newpassword: p.ChosenStaffPassword },
    errors: ['not_found'],
  }),
} as const;
