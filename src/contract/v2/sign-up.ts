// Version 2, our addition: people create their account themselves, if the provider allows it.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import {
  ProofChallenge,
  ProofSolution,
  SignUpChallenge,
  SignUpOutcome,
  SignUpSettings,
  TermsVersion,
} from '../shapes/sign-up.ts';

const publicEndpoint = { tag: 'session', access: 'public', effect: 'none', addition: true } as const;
export const signUpV2 = {
  signUpGet: endpoint({
    method: 'GET',
    path: '/v2/account/sign-up',
    tag: 'session',
    access: 'public',
    addition: true,
    summary: 'Get who can sign up, and the terms to accept',
    result: SignUpSettings,
  }),
  signUpChallenge: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/v2/account/challenge',
    summary: 'Get a challenge to sign up',
    description:
      'A proof of work that prevents mass sign-ups. The solution is a whole number: the SHA-256 digest of the challenge, a colon and the number begins with `difficulty` zero bits. A challenge works once and expires after ten minutes. Networks that request many get harder ones.',
    result: SignUpChallenge,
    errors: ['not_found'],
  }),
  signUpRequest: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/v2/account',
    summary: 'Sign up',
    description:
      'Sends a link to the address; choosing a password there creates the account. The link works once and expires after 24 hours. The response is the same for every address: people who already have an account get a message that says so. `terms` is the version that the person has accepted. `invitation` is the token of a link from staff.',
    params: {
      firstname: p.HumanName,
      lastname: p.HumanName,
      company: p.optional(p.PersonLine),
      email: p.Email,
      phone: p.optional(p.digitsToo(p.PersonLine)),
      address1: p.optional(p.PersonLine),
      address2: p.optional(p.PersonLine),
      city: p.optional(p.PersonLine),
      state: p.optional(p.PersonLine),
      postcode: p.optional(p.digitsToo(p.PersonLine)),
      country: p.CountryCode,
      language: p.optional(p.LanguageCode),
      terms: TermsVersion,
      invitation: p.optional(p.LinkToken),
      challenge: ProofChallenge,
      solution: p.digitsToo(ProofSolution),
    },
    result: Type.Literal('Link Sent'),
    errors: ['not_found', 'state_conflict'],
  }),
  signUpComplete: endpoint({
    ...publicEndpoint,
    method: 'PUT',
    path: '/v2/account/sign-up',
    summary: 'Choose the password of a new account with the token of the link',
    description:
      'Creates the account, so that the person can sign in immediately, or asks staff for approval if sign-ups require it.',
    params: { token: p.LinkToken, newpassword: p.ChosenPassword },
    result: SignUpOutcome,
    errors: ['not_found', 'already_exists'],
  }),
} as const;
