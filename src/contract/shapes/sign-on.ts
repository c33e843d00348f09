// Single sign-on: sign-ins in progress, and the identity provider of an account.
import { Type } from 'typebox';
import * as p from '../parameters.ts';
import { Flag01 } from './account.ts';
import { described, text } from './text.ts';

/** Parameters: the response of a provider, for customers and for staff. */
export const signOnResponse = {
  flow: Type.Unsafe<p.Secret>(p.Text({ max: 64 })),
  response: Type.Unsafe<p.Secret>({
    ...p.Text({ max: 8192 }),
    description: 'The address to which the identity provider sent the browser, with its query string',
  }),
  cookie: p.optional(p.Flag),
} as const;

export const SignOnFlow = Type.Object({
  url: described('The page of the identity provider to open'),
  flow: described('Keep it in the browser and send it with the response, within ten minutes'),
});

export const StaffSignOn = Type.Object({
  available: Flag01,
  label: described('The text of the button'),
  required: Type.Enum(['0', '1'], { description: 'Whether only break-glass operators can use a password' }),
});

export const signOnChanges = [
  'provider set',
  'provider removed',
  'domain added',
  'domain verified',
  'domain required',
  'domain removed',
] as const;

export const SignOnDomain = Type.Object({
  domain: text,
  verified: described('Time in UTC; empty until it is verified'),
  required: Type.Enum(['0', '1'], { description: 'Whether its contacts must sign in through the provider' }),
  record: described('The name of the TXT record that proves control'),
  content: described('Its content'),
});

export const SignOnSettings = Type.Object({
  configured: Flag01,
  issuer: text,
  clientid: text,
  scopes: Type.Array(text),
  claim: text,
  grants: Type.Array(Type.Object({ value: text, permissions: Type.Array(text) })),
  updated: described('Time in UTC; empty if there is no provider'),
  redirecturi: described('The path of the redirect URI on this host, to register at the provider'),
  domains: Type.Array(SignOnDomain),
});
