// The site file's part about email: the relays, the sender, and how messages look.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { Secret } from './secrets.ts';
import { HttpUrl } from './systems.ts';

const Relay = p.StrictObject({
  host: p.Text({ max: 253 }),
  /** 465 with `security: tls`, and otherwise 587. */
  port: Type.Optional(p.Whole(1, 65_535)),
  /** `starttls`, which is required, by default; `tls` from the first byte; `none` only for a relay on the same machine. */
  security: Type.Optional(p.Choice('starttls', 'tls', 'none')),
  username: Type.Optional(p.Text({ max: 255 })),
  password: Type.Optional(Secret),
  /** How long a connection, or a response, may take; 30 by default. */
  timeoutSeconds: Type.Optional(p.Whole(1, 300)),
  /** Certificates of the authority that signed the relay's, in PEM; by default the usual authorities. */
  certificateAuthority: Type.Optional(Type.String({ maxLength: 65_536, 'x-reason': 'must be certificates in PEM' })),
});

export const SiteMail = p.StrictObject({
  /** The sender's address. Its name is the provider's. */
  from: p.Email,
  replyTo: Type.Optional(p.Email),
  /**
   * Where mail servers report what they could not deliver, such as bounces@example.net. Each message has its own address
   * there, bounces+….@example.net. `hostyard mail bounce` reads the reports.
   */
  bounceAddress: Type.Optional(p.Email),
  /** Tried in this order. */
  relays: Type.Array(Relay, { minItems: 1, maxItems: 8, 'x-reason': 'must be 1 to 8 relays' }),
  dkim: Type.Optional(
    p.StrictObject({
      domain: p.DomainName,
      selector: p.Matching('^[A-Za-z0-9._-]{1,63}$', 'must be the selector of the key'),
      /** RSA, in PEM. */
      privateKey: Secret,
    }),
  ),
  /** Where customers reach Hostyard, such as https://panel.example.net, for links. Without it, messages have none. */
  url: Type.Optional(HttpUrl),
  /** The language of accounts that have not chosen one; en by default. */
  language: Type.Optional(p.LanguageCode),
  /** A folder with the provider's own texts: en.yaml, de.yaml, or files of other languages. */
  texts: Type.Optional(p.Text({ max: 4096 })),
  /** A PNG or JPEG file, which is attached and shown at the top. */
  logo: Type.Optional(p.Text({ max: 4096 })),
  /** The colour of headings and buttons. */
  colour: Type.Optional(p.Matching('^#[0-9a-fA-F]{6}$', 'must be a colour such as #0a7cff')),
  /** At the end of every message, above the address of the seller. */
  footer: Type.Optional(p.Text({ max: 1000 })),
});

export type SiteMail = Static<typeof SiteMail>;
export type SiteRelay = Static<typeof Relay>;
