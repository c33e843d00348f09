// Version 2, our addition: single sign-on of an account's people through an identity provider that the account chooses.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { ownProof } from '../proof.ts';
import { scopeNames } from '../scopes.ts';
import { Session } from '../shapes/session.ts';
import { SignOnDomain, SignOnFlow, signOnResponse, SignOnSettings } from '../shapes/sign-on.ts';

const publicEndpoint = { tag: 'session', access: 'public', effect: 'none', addition: true } as const;
const ownerEndpoint = { tag: 'session', access: 'account:write', effect: 'stored', addition: true } as const;

const Scope = p.Matching('^[A-Za-z0-9:._/-]{1,64}$', 'must be 1 to 64 characters of a scope of OpenID Connect');

export const signOnV2 = {
  signOnBegin: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/v2/session/sign-on',
    summary: 'Start signing in through the identity provider of an account',
    description:
      'The domain of the email address determines the account. If several accounts have verified the domain, `account` chooses one; without it, the first to verify it is used. For pages of this host, which open the URL and keep the flow.',
    params: { email: p.Email, account: p.optional(p.Id) },
    result: SignOnFlow,
    errors: ['state_conflict', 'not_found', 'sign_on_failed'],
  }),
  signOnComplete: endpoint({
    ...publicEndpoint,
    method: 'PUT',
    path: '/v2/session/sign-on',
    summary: 'Sign in with the response of the identity provider',
    description:
      'Returns a key for an hour, or keeps it in a cookie, like `POST /v2/session`. The provider’s claims determine the permissions. A person who signs in for the first time becomes a contact.',
    params: signOnResponse,
    result: Session,
    session: 'opens',
    errors: ['sign_on_failed'],
  }),
  signOnSettingsGet: endpoint({
    method: 'GET',
    path: '/v2/account/sign-on',
    tag: 'session',
    access: 'account:read',
    addition: true,
    summary: 'Get the identity provider of the account and its domains',
    description: 'The client secret is never returned.',
    result: SignOnSettings,
  }),
  signOnSettingsSet: endpoint({
    ...ownerEndpoint,
    method: 'PUT',
    path: '/v2/account/sign-on',
    proof: 'caller',
    summary: 'Set the identity provider of the account',
    description:
      'For the account itself, with its password, a code or a passkey. `grants` lists values of the claim, each with the permissions that it gives; a person gets the permissions of all their values, and cannot sign in without any. The client secret is required for a new issuer or client.',
    params: {
      issuer: p.CallbackUrl,
      clientid: p.Text({ max: 255 }),
      clientsecret: p.optional(Type.Unsafe<p.Secret>(p.Text({ max: 1024 }))),
      scopes: p.optional(p.List(Scope, { max: 20 })),
      claim: p.optional(p.Text({ max: 255 })),
      grants: p.ObjectList(
        { value: p.Text({ max: 255 }), permissions: p.List(p.Choice(...scopeNames), { max: scopeNames.length }) },
        { max: 50 },
      ),
      ...ownProof,
    },
    target: ['issuer'],
    result: SignOnSettings,
    errors: ['state_conflict', 'permission_missing'],
  }),
  signOnSettingsDelete: endpoint({
    ...ownerEndpoint,
    method: 'DELETE',
    path: '/v2/account/sign-on',
    proof: 'caller',
    summary: 'Remove the identity provider of the account',
    description:
      'Ends the sessions of everyone who signed in through it. Its domains stay verified but are no longer required.',
    params: ownProof,
    errors: ['state_conflict', 'permission_missing', 'not_found'],
  }),
  signOnDomainAdd: endpoint({
    ...ownerEndpoint,
    method: 'POST',
    path: '/v2/account/sign-on/domain',
    summary: 'Add a domain whose people sign in through the identity provider',
    description: 'Returns the TXT record that proves control of the domain. Publish it, then verify the domain.',
    params: { domain: p.DomainName },
    target: ['domain'],
    result: SignOnDomain,
    errors: ['state_conflict', 'permission_missing', 'already_exists'],
  }),
  signOnDomainVerify: endpoint({
    ...ownerEndpoint,
    method: 'PUT',
    path: '/v2/account/sign-on/domain',
    proof: 'caller',
    summary: 'Verify a domain, and set whether its people must use the identity provider',
    description:
      'Looks up the record each time. With `required`, contacts with an address of the domain can no longer sign in with a password or a passkey; the account itself always can, for which it needs a second factor.',
    params: { domain: p.SignOnDomainName, required: p.optional(p.Flag), ...ownProof },
    target: ['domain'],
    result: SignOnDomain,
    errors: [
      'state_conflict',
      'permission_missing',
      'not_found',
      'claim_unproven',
      'nameserver_error',
      'nameserver_unreachable',
    ],
  }),
  signOnDomainDelete: endpoint({
    ...ownerEndpoint,
    method: 'DELETE',
    path: '/v2/account/sign-on/domain',
    proof: 'caller',
    summary: 'Remove a domain',
    description: 'Its people can no longer sign in through the identity provider.',
    params: { domain: p.DomainName, ...ownProof },
    target: ['domain'],
    errors: ['state_conflict', 'permission_missing', 'not_found'],
  }),
} as const;
