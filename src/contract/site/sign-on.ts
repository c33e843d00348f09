// The site file's part about single sign-on of staff, through an OpenID Connect provider.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { roleNames } from '../roles.ts';
import { Secret } from './secrets.ts';
import { HttpUrl } from './systems.ts';

export const SiteSignOn = p.StrictObject({
  /** The issuer of the provider; its configuration is below this URL. HTTPS, unless it is on the same machine. */
  issuer: HttpUrl,
  clientId: p.Text({ max: 255 }),
  clientSecret: Secret,
  /** The name on the button; Single sign-on by default. */
  label: Type.Optional(p.Text({ max: 64 })),
  /** openid, profile and email by default. Many providers need another one for groups. */
  scopes: Type.Optional(Type.Array(p.Text({ max: 64 }), { maxItems: 20, 'x-reason': 'must be at most 20 scopes' })),
  /** The claim that decides about the role: a text or a list of texts; groups by default. */
  claim: Type.Optional(p.Text({ max: 255 })),
  /** The first that the person has counts. Without any, they are refused. */
  roles: Type.Array(p.StrictObject({ value: p.Text({ max: 255 }), role: p.Choice(...roleNames) }), {
    minItems: 1,
    maxItems: 100,
    'x-reason': 'must be 1 to 100 values of the claim, each with a role',
  }),
  /** Only people with an address of these domains may sign in; existing staff members are recognized by it. */
  emailDomains: Type.Optional(Type.Array(p.DomainName, { maxItems: 20, 'x-reason': 'must be at most 20 domains' })),
  /** Whether staff can only sign in this way; false by default. */
  required: Type.Optional(Type.Boolean()),
  /** Names of operators who can nevertheless use a password, for the day when the provider is down. */
  breakGlass: Type.Optional(Type.Array(p.OperatorName, { maxItems: 10, 'x-reason': 'must be at most 10 names' })),
  /** Certificates of the authority that signed the provider's, in PEM; by default the usual authorities. */
  certificateAuthority: Type.Optional(Type.String({ maxLength: 65_536, 'x-reason': 'must be certificates in PEM' })),
});

export type SiteSignOn = Static<typeof SiteSignOn>;
