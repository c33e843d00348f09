// Sign-up, our addition: accounts that people create themselves.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import * as p from '../parameters.ts';
import { described, text } from './text.ts';

export const signUpModes = ['off', 'open', 'invited', 'approved'] as const;
export const signUpStatuses = ['Unverified', 'Waiting', 'Rejected'] as const;
export type SignUpStatus = (typeof signUpStatuses)[number];

export const TermsVersion = p.Matching(
  '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$',
  'must be 1 to 32 letters, digits, dots, hyphens and underscores',
);

export const ProofChallenge = Type.String({
  pattern: '^[0-9]{1,2}\\.[0-9a-z]{1,11}\\.[A-Za-z0-9_-]{11}\\.[A-Za-z0-9_-]{22}$',
  maxLength: 64,
  'x-reason': 'must be a challenge of POST /v2/account/challenge',
});
export const ProofSolution = Type.String({
  pattern: '^[0-9]{1,15}$',
  maxLength: 15,
  'x-reason': 'must be the number that solves the challenge',
});

export const SignUpSettings = Type.Object({
  mode: Type.Enum(signUpModes, {
    description: 'Who can sign up: nobody, everyone, invited people, or people whom staff approve',
  }),
  provider: described('The name of the provider'),
  termsversion: described('The version of the terms to accept; empty if the mode is off'),
  termsurl: described('Where to read the terms; empty if the mode is off'),
});

export const SignUpChallenge = Type.Object({
  challenge: text,
  difficulty: described('Number of leading zero bits in the SHA-256 digest of the challenge, a colon and the solution'),
  expires: Moment,
});

export const SignUpOutcome = Type.Object({
  status: Type.Enum(['Active', 'Waiting'], {
    description: 'Waiting: the account does not exist until staff approve it',
  }),
  account: described('The id of the new account; empty if it is waiting'),
  email: described('The address to sign in with'),
});

export const SignUp = Type.Object({
  id: text,
  status: Type.Enum(signUpStatuses, {
    description: 'Unverified until the person opens the link that was sent to them; Waiting for approval',
  }),
  firstname: text,
  lastname: text,
  companyname: text,
  email: text,
  address1: text,
  address2: text,
  city: text,
  state: text,
  postcode: text,
  country: text,
  phonenumber: text,
  language: described('The language of messages; empty for the default'),
  termsversion: described('The version of the terms that the person accepted'),
  address: described('The IP address of the request'),
  created: Moment,
  verified: described('Time in UTC; empty if the address is not verified'),
  expires: described('When it is deleted'),
  reason: described('Why it was rejected'),
});

export const SignUpInvitation = Type.Object({
  id: text,
  email: described('The only address that can use it; empty for any'),
  invitedby: described('The name of the operator'),
  created: Moment,
  expires: Moment,
});

export const NewSignUpInvitation = Type.Object({
  id: text,
  link: described('The link; returned only once'),
  expires: Moment,
});
