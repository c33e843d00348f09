// Made from the contract by `npm run golden`: never changed by hand, and long because it is the whole interface.
import type { CallOptions, Id, Paging, Route } from '../settings.ts';

/** YYYY-MM-DD HH:MM:SS in UTC */
export type Moment = string;

/** Decimal with two places */
export type Money = string;

export interface SessionCreateInput {
  /** Must be a letter and then letters, digits, dot, underscore or hyphen, at most 64 characters. */
  readonly name: string;
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be the six digits that the app shows, at most 6 characters. */
  readonly code?: string | undefined;
}

export interface TotpConfirmInput {
  /** Must be the six digits that the app shows, at most 6 characters. */
  readonly code: string;
}

export interface PasswordSetInput {
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be text of 1 to 128 characters. */
  readonly newpassword: string;
}

export interface OperatorCreateInput {
  /** Must be a letter and then letters, digits, dot, underscore or hyphen, at most 64 characters. */
  readonly name: string;
  /** Must be one of support, engineer, billing, owner. */
  readonly role: 'support' | 'engineer' | 'billing' | 'owner';
}

export interface OperatorUpdateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be one of support, engineer, billing, owner. */
  readonly role?: 'support' | 'engineer' | 'billing' | 'owner' | undefined;
  /** Must be one of Active. */
  readonly status?: 'Active' | undefined;
  /** Must be true or false. */
  readonly newpassword?: boolean | undefined;
  /** Must be true or false. */
  readonly forgettotp?: boolean | undefined;
}

export interface OperatorDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface AccountListInput {
  /** Must be text of 1 to 100 characters. */
  readonly search?: string | undefined;
  /** Must be one of Active, Suspended, Closed. */
  readonly status?: 'Active' | 'Suspended' | 'Closed' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly after?: Id | undefined;
}

export interface AccountGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

/** The operations, each by its name. */
export interface Methods {
  /** Sign in by name; answers a key for 12 hours. Without `code` only as long as no second factor is confirmed; such a key can do nothing but enrol one. */
  sessionCreate(input: SessionCreateInput, options?: CallOptions): Promise<{
    /** A key for this sign-in */
    readonly key: string;
    readonly expires: Moment;
    readonly name: string;
    readonly role: 'support' | 'engineer' | 'billing' | 'owner';
    /** Missing: nothing is allowed but to enrol one, and to sign out */
    readonly secondfactor: 'Confirmed' | 'Missing';
  }>;
  /** Whose key this is and what it may do */
  sessionGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly name: string;
    readonly role: 'support' | 'engineer' | 'billing' | 'owner';
    readonly powers: readonly string[];
    readonly kind: 'key' | 'session';
  }>;
  /** Sign out: revoke the key that this request carries, if it came from signing in */
  sessionDelete(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<string>;
  /** A new secret for the codes of an app (RFC 6238); it counts once it is confirmed */
  totpEnrol(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** To be typed into an app, in base32 */
    readonly secret: string;
    /** The same for an app to read: otpauth://totp/… */
    readonly url: string;
  }>;
  /** Confirm the secret with a code: from now on signing in needs one */
  totpConfirm(input: TotpConfirmInput, options?: CallOptions): Promise<string>;
  /** Change one’s own password; other sessions of the same person end */
  passwordSet(input: PasswordSetInput, options?: CallOptions): Promise<string>;
  /** Who can sign in by name, and who could */
  operatorList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly name: string;
    readonly role: 'support' | 'engineer' | 'billing' | 'owner';
    readonly status: 'Active' | 'Ended';
    readonly secondfactor: 'Confirmed' | 'Missing';
    readonly created: Moment;
  }[]>;
  /** Let somebody sign in; the first password is shown this once */
  operatorCreate(input: OperatorCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** The first password, shown this once; empty where it did not change */
    readonly password: string;
  }>;
  /** Change a role, let somebody come back, draw a new password, or forget a lost second factor. A new password and a forgotten second factor end the sessions of that person. */
  operatorUpdate(input: OperatorUpdateInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** The first password, shown this once; empty where it did not change */
    readonly password: string;
  }>;
  /** End an operator: his sessions end at once, his name stays in the logs and stays taken */
  operatorDelete(input: OperatorDeleteInput, options?: CallOptions): Promise<string>;
  /** Accounts in the order of their numbers, a page at a time. `search` finds a number, or a part of a name, a company or an e-mail address. `after` is the last id of the page before. */
  accountList(input?: AccountListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly firstname: string;
    readonly lastname: string;
    readonly companyname: string;
    readonly email: string;
    readonly country: string;
    readonly status: 'Active' | 'Suspended' | 'Closed';
    readonly created: Moment;
  }[]>;
  /** An account, what it owes and how much it has */
  accountGet(input: AccountGetInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly firstname: string;
    readonly lastname: string;
    readonly companyname: string;
    readonly email: string;
    readonly country: string;
    readonly status: 'Active' | 'Suspended' | 'Closed';
    readonly created: Moment;
    readonly address1: string;
    readonly address2: string;
    readonly city: string;
    readonly state: string;
    readonly postcode: string;
    readonly phonenumber: string;
    readonly currency: string;
    readonly balance: Money;
    /** Moment in UTC, empty: never */
    readonly lastlogin: string;
    readonly lastaddress: string;
    /** How many contacts the account has */
    readonly contacts: string;
    /** How many keys can be used at present */
    readonly keys: string;
    /** How many services it has that are not terminated */
    readonly services: string;
  }>;
}

/** Lists that come in pages, each as one sequence. */
export interface Each {
  /** Accounts in the order of their numbers, a page at a time */
  accountList(input?: AccountListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly firstname: string;
    readonly lastname: string;
    readonly companyname: string;
    readonly email: string;
    readonly country: string;
    readonly status: 'Active' | 'Suspended' | 'Closed';
    readonly created: Moment;
  }, void, void>;
}

export const routes = {
  sessionCreate: { method: 'POST', path: '/operator/session', repeat: 'never' },
  sessionGet: { method: 'GET', path: '/operator/session', repeat: 'freely' },
  sessionDelete: { method: 'DELETE', path: '/operator/session', repeat: 'with-key' },
  totpEnrol: { method: 'POST', path: '/operator/totp', repeat: 'with-key' },
  totpConfirm: { method: 'PUT', path: '/operator/totp', repeat: 'with-key' },
  passwordSet: { method: 'PUT', path: '/operator/password', repeat: 'with-key' },
  operatorList: { method: 'GET', path: '/operator/operator', repeat: 'freely' },
  operatorCreate: { method: 'POST', path: '/operator/operator', repeat: 'with-key' },
  operatorUpdate: { method: 'PUT', path: '/operator/operator', repeat: 'with-key' },
  operatorDelete: { method: 'DELETE', path: '/operator/operator', repeat: 'with-key' },
  accountList: { method: 'GET', path: '/operator/account', repeat: 'freely' },
  accountGet: { method: 'GET', path: '/operator/account/{id}', repeat: 'freely' },
} as const satisfies Readonly<Record<string, Route>>;

export const paging = {
  accountList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
} as const satisfies Readonly<Record<string, Paging>>;
