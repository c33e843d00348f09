// Row types of the tables for sign-up.
import type { GeneratedAlways } from 'kysely';
import type { SignUpStatus } from '#contract/shapes/sign-up.ts';
import type { AccountId } from '../account-id.ts';
import type { PersonColumns } from './tables.ts';

/** A proof of work that was used, until it expires. */
export interface SignUpProofTable {
  /** SHA-256 of the challenge, in hex. */
  digest: string;
  expires_at: number;
}

/** Somebody whom staff invited to sign up. The row is deleted when the account is created. */
export interface SignUpInvitationTable {
  id: GeneratedAlways<number>;
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  /** The only address that can use it; empty for any. */
  email: string;
  /** The name of the operator. */
  invited_by: string;
  created_at: number;
  expires_at: number;
}

/** A person who has no account yet. The row is deleted when the account is created. */
export interface SignUpTable extends PersonColumns {
  id: GeneratedAlways<number>;
  status: SignUpStatus;
  /** SHA-256 of the link's token, in hex; null before the link is sent, and after it was used. */
  token_hash: string | null;
  invitation_id: number | null;
  /** The email address in lower case. */
  sign_in: string;
  /** Empty for the provider's default. */
  language: string;
  terms_version: string;
  terms_url: string;
  /** The visitor's. */
  address: string;
  /** Also when the person accepted the terms. */
  created_at: number;
  verified_at: number | null;
  expires_at: number;
  /** Why it was rejected. */
  reason: string;
}

/** The terms that an account accepted. */
export interface AccountTermsTable {
  account_id: AccountId;
  version: string;
  url: string;
  accepted_at: number;
  /** The visitor's. */
  address: string;
}
