// Row types of the tables for single sign-on.
import type { AccountId } from '../account-id.ts';

/** A sign-in that has begun at an identity provider. */
export interface SignOnFlowTable {
  /** SHA-256 of the secret that the browser keeps, in hex. */
  hash: string;
  /** Whose provider it is; the provider's own account for staff. */
  account_id: AccountId;
  issuer: string;
  redirect_uri: string;
  expires_at: number;
}

/** The person that an identity provider calls by this subject. It counts within this account only. */
export interface SignOnIdentityTable {
  account_id: AccountId;
  issuer: string;
  subject: string;
  contact_id: number | null;
  operator_id: number | null;
  created_at: number;
}

/** The identity provider of an account. That of staff is in the site file. */
export interface SignOnProviderTable {
  account_id: AccountId;
  issuer: string;
  client_id: string;
  /** Sealed. */
  client_secret: string;
  /** JSON. */
  scopes: string;
  /** The name of the claim that decides about permissions. */
  claim: string;
  /** JSON: values of the claim, each with the permissions that it grants. */
  grants: string;
  updated_at: number;
}

/** A domain whose people sign in through the account's provider, once it is verified. */
export interface SignOnDomainTable {
  account_id: AccountId;
  domain: string;
  /** Published in the DNS, it proves control. */
  token: string;
  /** 1 if contacts with an address of this domain cannot sign in otherwise. */
  required: number;
  verified_at: number | null;
  created_at: number;
}
