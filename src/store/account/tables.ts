// Row types of the tables for accounts, contacts, keys, sign-in and audit.
import type { GeneratedAlways, Generated } from 'kysely';
import type { AccountStatus } from '#contract/shapes/account.ts';
import type { OperatorRole } from '#contract/roles.ts';
import type { PlanStatus } from '#contract/shapes/plan.ts';
import type { AccountId } from '../account-id.ts';

export interface PersonColumns {
  firstname: string;
  lastname: string;
  companyname: string;
  email: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  postcode: string;
  country: string;
  phonenumber: string;
  password_hash: string | null;
}

export interface AccountTable extends PersonColumns {
  id: AccountId;
  status: AccountStatus;
  currency: string;
  currency_prefix: string;
  currency_suffix: string;
  created_at: number;
  /** When a person last signed in. */
  last_login_at: number | null;
  last_login_address: string | null;
  last_login_host: string | null;
  /** When a password that staff chose stops working; null once the customer has replaced it. */
  password_temporary_until: number | null;
}

export interface ContactTable extends PersonColumns {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  subaccount: number;
  permissions: string;
  /** JSON; null for a contact without limits, like that of an invitation and a key. */
  services: string | null;
  domainemails: number;
  generalemails: number;
  invoiceemails: number;
  productemails: number;
  supportemails: number;
  affiliateemails: number;
  status: string;
  created_at: number;
}

export interface SignInTable {
  /** In lower case, once per account. */
  email: string;
  account_id: AccountId;
  contact_id: number | null;
  /** Since when the person signs in with this address; 0 for those from before it was recorded. */
  since: Generated<number>;
}

/** A network from which a person or an operator has signed in. */
export interface KnownNetworkTable {
  account_id: AccountId | null;
  contact_id: number | null;
  operator_id: number | null;
  /** As `budgetNetwork` writes it. */
  network: string;
  seen_at: number;
}

export type SessionMethod = 'passkey' | 'sign-on';

export interface KeyTable {
  id: GeneratedAlways<number>;
  /** Null for an operator's key. */
  account_id: AccountId | null;
  /** For keys of the site file, which belong to no named operator. */
  operator_role: OperatorRole | null;
  /** Together with an account: a session in which the operator views the account. */
  operator_id: number | null;
  contact_id: number | null;
  kind: 'key' | 'session' | 'tsig';
  printable_id: string;
  /** SHA-256 of the secret, in hex. */
  secret_hash: string;
  previous_hash: string | null;
  previous_until: number | null;
  /** The hash that the site file last set; null for a key that never came from it. */
  site_hash: string | null;
  name: string;
  scopes: string;
  allow: string;
  /** JSON; null for a key without limits. */
  dns_limits: string | null;
  services: string | null;
  /** For a TSIG key. */
  tsig_algorithm: string | null;
  /** Sealed, in base64: unlike that of an API key, this secret must be known. */
  tsig_secret: string | null;
  rate: number;
  burst: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  last_used_address: string | null;
  /** For a customer's session: the account's last login before it. */
  previous_login_at: number | null;
  previous_login_address: string | null;
  previous_login_host: string | null;
  /** The User-Agent header with which a customer opened the session. */
  user_agent: string | null;
  /** How a session was opened, if not with a password: the person needs no second factor of ours. */
  session_method: SessionMethod | null;
}

export interface TotpTable {
  account_id: AccountId;
  contact_id: number | null;
  /** Sealed. */
  secret: string;
  /** When a code was first confirmed; null until then. */
  since: number | null;
  /** The time step of the last code used, so that no code works twice. */
  step: number;
}

/** One row per code that has not been used. */
export interface RecoveryCodeTable {
  account_id: AccountId;
  contact_id: number | null;
  /** SHA-256, in hex. */
  digest: string;
}

export interface PreferencesTable {
  account_id: AccountId;
  contact_id: number | null;
  /** Empty for the browser’s, like the date format. */
  timezone: string;
  date_format: string;
  /** JSON: the saved filters of the server list. */
  filters: string;
}

export interface SshKeyTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  name: string;
  public_key: string;
  fingerprint: string;
  created_at: number;
}

export interface PasskeyTable {
  id: GeneratedAlways<number>;
  /** The provider's, for an operator. */
  account_id: AccountId;
  contact_id: number | null;
  operator_id: number | null;
  /** The authenticator's credential id in base64url, like the public key and the user handle. */
  credential: string;
  public_key: string;
  /** The same for all passkeys of one person; it contains nothing personal. */
  user_handle: string;
  /** The authenticator's own signature counter; 0 if it has none. */
  counter: number;
  /** JSON: how a browser can reach the authenticator. */
  transports: string;
  /** The host that the passkey was created for and works on. */
  rp_id: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

export interface PasskeyChallengeTable {
  /** SHA-256 of the challenge, in hex. */
  hash: string;
  /** The person who creates a passkey with it; null if it is for a sign-in. */
  account_id: AccountId | null;
  contact_id: number | null;
  operator_id: number | null;
  user_handle: string | null;
  expires_at: number;
}

/** A link for a person who forgot their password. */
export interface RecoveryTable {
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  /** The provider's, for an operator. */
  account_id: AccountId;
  contact_id: number | null;
  operator_id: number | null;
  /** Digest of the address and password at that time; the link ends once either changes. */
  sign_in_digest: string;
  created_at: number;
  expires_at: number;
}

/** A link with which a contact becomes a sub-account. */
export interface InvitationTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  contact_id: number;
  /** SHA-256 of the token, in hex. */
  token_hash: string;
  /** The address that got the link, which ends if the contact gets another one. */
  email: string;
  permissions: string;
  services: string | null;
  /** The name of the person who invited. */
  invited_by: string;
  created_at: number;
  expires_at: number;
}

export interface PlanTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  /** Null if the call names none, and for plans from before it was recorded. */
  service_id: number | null;
  key_id: number;
  operation: string;
  /** The checked parameters, as JSON. */
  input: string;
  /** The names of what the plan would change or destroy, as a JSON list. */
  hits: string;
  /** Expired is not stored: it follows from the time. */
  status: Exclude<PlanStatus, 'Expired'>;
  decided_key_id: number | null;
  outcome: string;
  created_at: number;
  expires_at: number;
}

export interface IdempotencyTable {
  account_id: AccountId;
  method: string;
  path: string;
  key: string;
  fingerprint: string;
  /** Null while the work runs. */
  status: number | null;
  /** Sealed, because it may contain a new password. */
  body: string | null;
  /** The process that executes the call. If it is gone, the outcome is unknown. */
  claimed_by: string;
  claimed_until: number;
  expires_at: number;
}

export interface AuditTable {
  id: Generated<number>;
  account_id: AccountId;
  at: number;
  address: string;
  key_id: number | null;
  contact_id: number | null;
  operation: string;
  target: string;
  outcome: string;
  request_id: string;
  /** The name of the operator who acted; null for the account itself. */
  operator: string | null;
  previous: string;
  hash: string;
}

/** The last audit hash and the last event number of an account, in one row, so that a change locks only once. */
export interface AuditTipTable {
  account_id: AccountId;
  hash: string;
  events: Generated<number>;
}

/** The `previous` hash of an account's first audit entry. */
export const firstHash = '0'.repeat(64);
