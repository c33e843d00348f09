// Made from the contract by `npm run golden`: never changed by hand, and long because it is the whole interface.
import type { CallOptions, Id, Paging, Route } from '../settings.ts';

/** YYYY-MM-DD HH:MM:SS in UTC */
export type Moment = string;

/** Decimal with two places */
export type Money = string;

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
  accountList: { method: 'GET', path: '/operator/account', repeat: 'freely' },
  accountGet: { method: 'GET', path: '/operator/account/{id}', repeat: 'freely' },
} as const satisfies Readonly<Record<string, Route>>;

export const paging = {
  accountList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
} as const satisfies Readonly<Record<string, Paging>>;
