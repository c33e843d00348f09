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
    params: {},
    result: SignUpSettings,
  }),
  signUpChallenge: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/v2/account/challenge',
    summary: 'Get a challenge to sign up',
    description:
      'A proof of work keeps programs from signing up in masses. The solution is a whole number: the SHA-256 digest of the challenge, a colon and the number begins with as many zero bits as `difficulty`. It works once, for ten minutes. Networks that ask for many get harder ones.',
    params: {},
    result: SignUpChallenge,
    errors: ['not_found'],
  }),
  signUpRequest: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/v2/account',
    summary: 'Sign up',
    description:
      'Sends a link to the address, with which the person chooses a password and so creates the account. The link works once, for 24 hours. The response is the same for every address: whoever has an account already gets a message that says so. `terms` is the version that the person has accepted. `invitation` is the token of a link from staff.',
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
      'Creates the account, with which the person can sign in at once; or, if staff approve sign-ups, asks them to.',
    params: { token: p.LinkToken, newpassword: p.ChosenPassword },
    result: SignUpOutcome,
    errors: ['not_found', 'already_exists'],
  }),
} as const;
