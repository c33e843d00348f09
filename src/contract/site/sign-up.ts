// Site file: whether people can create accounts themselves.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { signUpModes, TermsVersion } from '../shapes/sign-up.ts';
import { HttpUrl } from './systems.ts';

export const SiteSignUp = p.StrictObject({
  /**
   * `open` for everyone, `invited` for those whom staff invite, `approved` for those whom staff approve; `off` by default.
   */
  mode: p.Choice(...signUpModes),
  /** What people accept when they sign up. Required, unless the mode is off. */
  terms: Type.Optional(
    p.StrictObject({
      /** Stored with each account, such as 2026-11. */
      version: TermsVersion,
      url: HttpUrl,
    }),
  ),
  /** Who gets a message when a sign-up waits for approval. */
  notify: Type.Optional(p.Email),
  /** Zero bits of the proof of work; 18 by default, which takes about a second. Each more doubles the work. */
  difficulty: Type.Optional(p.Whole(8, 24)),
});

export type SiteSignUp = Static<typeof SiteSignUp>;
