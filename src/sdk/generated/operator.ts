// Made from the contract by `npm run golden`: never changed by hand, and long because it is the whole interface.
import type { CallOptions, Id, Paging, Route } from '../settings.ts';

export type Day = string;

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Networks from which the key may be used; empty: from anywhere */
  readonly allow: readonly string[];
  /** The sub-account contact whose key it is, empty for the account itself */
  readonly contact: string;
  readonly status: 'Active' | 'Expired' | 'Revoked';
  readonly created: Moment;
  /** Moment in UTC, empty: never */
  readonly expires: string;
  /** Moment in UTC, empty: never */
  readonly lastused: string;
  readonly lastaddress: string;
}

/** YYYY-MM-DD HH:MM:SS in UTC */
export type Moment = string;

/** Decimal with two places */
export type Money = string;

export interface NewKey {
  readonly id: string;
  /** Shown this once */
  readonly key: string;
}

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

export interface ServiceListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly account?: Id | undefined;
  /** Must be one of dedicated, vps, cloud. */
  readonly type?: 'dedicated' | 'vps' | 'cloud' | undefined;
  /** Must be one of Pending, Active, Suspended, Terminated. */
  readonly status?: 'Pending' | 'Active' | 'Suspended' | 'Terminated' | undefined;
  /** Must be text of 1 to 100 characters. */
  readonly search?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly after?: Id | undefined;
}

export interface ServiceGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface ServiceProvisionInput {
  /** Must be digits, at most 9007199254740991. */
  readonly account: Id;
  /** Must be one of dedicated, vps, cloud. */
  readonly type: 'dedicated' | 'vps' | 'cloud';
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  /** Must be one of /30, /29, /28, /27, /26, /25, /24, /64. */
  readonly size?: '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64' | undefined;
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly template?: string | undefined;
  /** Must be a whole number from 1 to 1024. */
  readonly vcpus?: number | undefined;
  /** Must be a whole number from 64 to 16777216. */
  readonly memorymb?: number | undefined;
  /** Must be a whole number from 1 to 1000000. */
  readonly diskgb?: number | undefined;
  /** Must be a whole number from 0 to 100000000. */
  readonly bandwidthgb?: number | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly node?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly plan?: string | undefined;
  /** Must be a price in quotes with at most two decimals, such as "89.00". */
  readonly price?: string | undefined;
  /** Must be a price in quotes with at most two decimals, such as "89.00". */
  readonly setup?: string | undefined;
  /** Must be one of monthly, quarterly, yearly. */
  readonly cycle?: 'monthly' | 'quarterly' | 'yearly' | undefined;
}

export interface ServiceSuspendInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
  /** Must be one of power, ports, nothing. */
  readonly how?: 'power' | 'ports' | 'nothing' | undefined;
}

export interface ServiceResumeInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface ServiceTerminateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  /** Must be one of power, nothing. */
  readonly how?: 'power' | 'nothing' | undefined;
}

export interface DeviceListInput {
  /** Must be one of server, machine. */
  readonly kind?: 'server' | 'machine' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be the name of a server, or vm- and the number of a machine, at most 64 characters. */
  readonly after?: string | undefined;
}

export interface DeviceLockInput {
  /** Must be the name of a server, or vm- and the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceUnlockInput {
  /** Must be the name of a server, or vm- and the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceMaintenanceBeginInput {
  /** Must be the name of a server, or vm- and the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceMaintenanceEndInput {
  /** Must be the name of a server, or vm- and the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceDiscoverInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be true or false. */
  readonly dryrun?: boolean | undefined;
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

export interface AccountCreateInput {
  /** Must be text of 1 to 255 characters. */
  readonly firstname: string;
  /** Must be text of 1 to 255 characters. */
  readonly lastname: string;
  /** Must be an e-mail address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 1 to 255 characters. */
  readonly address1: string;
  /** Must be text of 1 to 255 characters. */
  readonly city: string;
  /** Must be text of 1 to 255 characters. */
  readonly state: string;
  /** Must be text of 1 to 255 characters. */
  readonly postcode: string;
  /** Must be a country code of two letters, at most 2 characters. */
  readonly country: string;
  /** Must be text of 1 to 255 characters. */
  readonly company?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly phone?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly address2?: string | undefined;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** Must be a currency code of three capital letters, at most 3 characters. */
  readonly currency?: string | undefined;
}

export interface AccountUpdateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly firstname?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly lastname?: string | undefined;
  /** Must be an e-mail address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly address1?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly city?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly state?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly postcode?: string | undefined;
  /** Must be a country code of two letters, at most 2 characters. */
  readonly country?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly company?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly phone?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly address2?: string | undefined;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** Must be true or false. */
  readonly forgetfactors?: boolean | undefined;
}

export interface AccountSuspendInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface AccountResumeInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface AccountCloseInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface KeyListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly account: Id;
}

export interface KeyCreateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly account: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be at most 23 values, each of which must be one of all, read-only, account:read, account:write, account:keys, audit:read, billing:read, device:read, device:power, device:console, device:write, dns:read, dns:write, event:read, network:read, network:write, plan:read, plan:write, plan:approve, software:read, software:order, webhook:read, webhook:write. */
  readonly scopes: readonly ('all' | 'read-only' | 'account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[];
  /** Must be at most 50 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly allow?: readonly string[] | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly expires?: number | undefined;
}

export interface KeyRevokeInput {
  /** Must be digits, at most 9007199254740991. */
  readonly account: Id;
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface AuditListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly account?: Id | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly operator?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly operation?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly outcome?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface RequestListInput {
  /** Must be one of Pending, Assigned, Refused. */
  readonly status?: 'Pending' | 'Assigned' | 'Refused' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface RequestApproveInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface RequestRefuseInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be text of 1 to 200 characters. */
  readonly reason: string;
}

export interface WorkflowListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly account?: Id | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly service?: Id | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly name?: string | undefined;
  /** Must be one of Queued, Running, Stuck, Completed, Failed, Cancelled. */
  readonly status?: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be the id of an action, at most 40 characters. */
  readonly before?: string | undefined;
}

export interface WorkflowGetInput {
  /** Must be the id of an action, at most 40 characters. */
  readonly id: string;
}

export interface WorkflowRetryInput {
  /** Must be the id of an action, at most 40 characters. */
  readonly id: string;
}

export interface WorkflowUnwindInput {
  /** Must be the id of an action, at most 40 characters. */
  readonly id: string;
}

export interface JobRetryInput {
  /** Must be the id of a job, at most 64 characters. */
  readonly id: string;
}

export interface BillingDryRunInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly after?: Id | undefined;
}

export interface NullrouteAddInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
  /** Must be text of 1 to 200 characters. */
  readonly reason: string;
  /** Must be a whole number from 1 to 525600. */
  readonly minutes?: number | undefined;
}

export interface NullrouteRemoveInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
}

export interface NetblockListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be an address or a network such as 192.0.2.0/24. */
  readonly after?: string | undefined;
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
  /** Services in the order of their numbers, a page at a time. `search` finds a number, or a part of a name, a host name, an address or a server. `after` is the last id of the page before. */
  serviceList(input?: ServiceListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    readonly type: 'dedicated' | 'vps' | 'cloud';
    readonly name: string;
    readonly hostname: string;
    readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
    readonly ip: string;
    readonly server: string;
    readonly vmid: string;
    readonly created: Moment;
  }[]>;
  /** A service with its addresses, its terms and what runs for it */
  serviceGet(input: ServiceGetInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly account: string;
    readonly type: 'dedicated' | 'vps' | 'cloud';
    readonly name: string;
    readonly hostname: string;
    readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
    readonly ip: string;
    readonly server: string;
    readonly vmid: string;
    readonly created: Moment;
    readonly netblocks: readonly string[];
    /** Where its machine runs, empty for none */
    readonly node: string;
    /** Why its machine is not there yet */
    readonly waiting: string;
    /** Why an operator suspended it, empty where none did */
    readonly suspension: string;
    /** Names of the workflows that are under way for it */
    readonly work: readonly string[];
    readonly terms: readonly {
      readonly plan: string;
      readonly price: Money;
      /** Months */
      readonly cycle: string;
      readonly from: Day;
      /** The first day that is not part of it, empty: open */
      readonly until: string;
    }[];
  }>;
  /** Give an account a server or a machine, with addresses out of the pools, on the terms of a plan. A dedicated service needs `server`, a free one, and is Active at once. A machine needs `template`, `vcpus`, `memorymb` and `diskgb`; its service is Pending until the workflow has made it. Without `price` it is not billed. */
  serviceProvision(input: ServiceProvisionInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** To be followed with `workflow get`; empty where all is done already */
    readonly workflow: string;
  }>;
  /** Suspend a service until it is resumed by hand. `how` says what is cut off: the power (a machine may shut down first), the switch ports, or nothing. Left out: the ports of a server that has any, else the power. */
  serviceSuspend(input: ServiceSuspendInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** To be followed with `workflow get`; empty where all is done already */
    readonly workflow: string;
  }>;
  /** Resume a suspended service: what was cut off comes back */
  serviceResume(input: ServiceResumeInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** To be followed with `workflow get`; empty where all is done already */
    readonly workflow: string;
  }>;
  /** End a service for good: it is switched off, billing ends, addresses go back, a machine is removed. `hostname` has to be that of the service, so that a mistyped number ends nothing. `how` is `power` unless told; `nothing` is for a device that does not answer any more. */
  serviceTerminate(input: ServiceTerminateInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** To be followed with `workflow get`; empty where all is done already */
    readonly workflow: string;
  }>;
  /** Servers, or virtual machines, whose they are and whether they are held back. Servers unless told, in the order of their names. `after` is the last device of the page before. */
  deviceList(input?: DeviceListInput, options?: CallOptions): Promise<readonly {
    /** The name of a server, or vm- and the number of a machine */
    readonly device: string;
    readonly service: string;
    readonly account: string;
    /** Of the controller, or the kind of machine */
    readonly model: string;
    readonly node: string;
    /** As last seen */
    readonly power: 'on' | 'off' | 'unknown';
    /** The reason, empty where it is not */
    readonly locked: string;
    /** The reason, empty where it is not */
    readonly maintenance: string;
  }[]>;
  /** Refuse the commands of customers to a device; they are told the reason */
  deviceLock(input: DeviceLockInput, options?: CallOptions): Promise<string>;
  /** Let customers command the device again */
  deviceUnlock(input: DeviceUnlockInput, options?: CallOptions): Promise<string>;
  /** Work on a device: its customer is told, and his commands are refused with the reason */
  deviceMaintenanceBegin(input: DeviceMaintenanceBeginInput, options?: CallOptions): Promise<string>;
  /** Done: the customer is told and has his device again */
  deviceMaintenanceEnd(input: DeviceMaintenanceEndInput, options?: CallOptions): Promise<string>;
  /** Read the parts of a server from its controller; answers what differs from what is on record. What the controller tells takes the place of what is on record of that category, unless `dryrun`. */
  deviceDiscover(input: DeviceDiscoverInput, options?: CallOptions): Promise<{
    readonly device: string;
    readonly stored: boolean;
    readonly differences: readonly {
      readonly category: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }[];
  }>;
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
  /** Make an account; answers its number. Without `currency` it is that of the accounts that are there. Without `password` nobody signs in to it, only keys do. */
  accountCreate(input: AccountCreateInput, options?: CallOptions): Promise<string>;
  /** Change what is given of an account. `forgetfactors` is for who lost a phone: it removes second factor and passkeys of the account’s own sign-in and ends its sessions. */
  accountUpdate(input: AccountUpdateInput, options?: CallOptions): Promise<string>;
  /** Suspend an account: it reads and pays, but changes nothing of its services, until it is resumed by hand */
  accountSuspend(input: AccountSuspendInput, options?: CallOptions): Promise<string>;
  /** Lift the suspension of an account, with the services that were suspended for its bills */
  accountResume(input: AccountResumeInput, options?: CallOptions): Promise<string>;
  /** Close an account for good, once all its services are terminated; its keys end, its bills stay */
  accountClose(input: AccountCloseInput, options?: CallOptions): Promise<string>;
  /** The keys of an account, never their secrets */
  keyList(input: KeyListInput, options?: CallOptions): Promise<readonly Key[]>;
  /** Make a key for an account; it is shown this once */
  keyCreate(input: KeyCreateInput, options?: CallOptions): Promise<NewKey>;
  /** Revoke a key of an account, at once and for good */
  keyRevoke(input: KeyRevokeInput, options?: CallOptions): Promise<string>;
  /** Who changed what, over all accounts, newest first */
  auditList(input?: AuditListInput, options?: CallOptions): Promise<readonly {
    /** Whose log it stands in; 0 for the provider’s own */
    readonly account: string;
    readonly id: string;
    readonly time: Moment;
    readonly address: string;
    readonly key: string;
    readonly contact: string;
    readonly operation: string;
    /** What it was done to, for example service=1001 */
    readonly target: string;
    /** success, or the error code */
    readonly outcome: string;
    /** Who of the provider’s staff did it, empty for the account itself */
    readonly operator: string;
    readonly requestid: string;
    /** Hash of the entry before, so that a removed or altered entry shows */
    readonly previous: string;
    readonly hash: string;
  }[]>;
  /** The backups that were taken here, newest first */
  backupList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    /** In the folder `backups` of the data folder */
    readonly file: string;
    /** Everything that was acknowledged before this moment is in it */
    readonly taken: string;
    readonly bytes: string;
    /** The Hostyard that wrote it */
    readonly version: string;
    readonly engine: 'sqlite' | 'postgres';
    /** Fingerprint of the key that it needs; the key itself is not in it */
    readonly sealingkey: string;
  }[]>;
  /** Take a backup while everything runs; answers when it is checked and on the disk. The oldest beyond `HOSTYARD_BACKUPS_KEPT` are removed. `hostyard backup FILE` on the machine itself writes one anywhere, and is the better way for a large database. */
  backupCreate(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** In the folder `backups` of the data folder */
    readonly file: string;
    /** Everything that was acknowledged before this moment is in it */
    readonly taken: string;
    readonly bytes: string;
    /** The Hostyard that wrote it */
    readonly version: string;
    readonly engine: 'sqlite' | 'postgres';
    /** Fingerprint of the key that it needs; the key itself is not in it */
    readonly sealingkey: string;
  }>;
  /** Requests for addresses, newest first, a page at a time */
  requestList(input?: RequestListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** What was assigned; empty where nothing was */
    readonly netblock: string;
    readonly created: string;
    /** Moment in UTC; empty where no operator decided */
    readonly decided: string;
    /** Why it was refused */
    readonly reason: string;
  }[]>;
  /** Assign a free block of the size that was asked for */
  requestApprove(input: RequestApproveInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** What was assigned; empty where nothing was */
    readonly netblock: string;
    readonly created: string;
    /** Moment in UTC; empty where no operator decided */
    readonly decided: string;
    /** Why it was refused */
    readonly reason: string;
  }>;
  /** Refuse a request; the customer is told why */
  requestRefuse(input: RequestRefuseInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** What was assigned; empty where nothing was */
    readonly netblock: string;
    readonly created: string;
    /** Moment in UTC; empty where no operator decided */
    readonly decided: string;
    /** Why it was refused */
    readonly reason: string;
  }>;
  /** What runs or ran for any account, newest first, a page at a time */
  workflowList(input?: WorkflowListInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    readonly name: string;
    /** Stuck: its undoing does not succeed, and is tried again once a minute */
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** back: it is being undone */
    readonly direction: 'forward' | 'back';
    readonly id: string;
    /** What was asked for, as the audit log names it */
    readonly operation: string;
    /** Service id, empty where it concerns none */
    readonly service: string;
    /** Percent */
    readonly progress: string;
    /** The step under way, empty when ended */
    readonly step: string;
    readonly started: string;
    /** Moment in UTC, empty while it runs */
    readonly ended: string;
    /** Error code, empty where all is well */
    readonly code: string;
    /** Why it failed, empty where it did not */
    readonly error: string;
  }[]>;
  /** One workflow with its steps */
  workflowGet(input: WorkflowGetInput, options?: CallOptions): Promise<{
    readonly account: string;
    readonly name: string;
    /** Stuck: its undoing does not succeed, and is tried again once a minute */
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** back: it is being undone */
    readonly direction: 'forward' | 'back';
    readonly id: string;
    /** What was asked for, as the audit log names it */
    readonly operation: string;
    /** Service id, empty where it concerns none */
    readonly service: string;
    /** Percent */
    readonly progress: string;
    /** The step under way, empty when ended */
    readonly step: string;
    readonly started: string;
    /** Moment in UTC, empty while it runs */
    readonly ended: string;
    /** Error code, empty where all is well */
    readonly code: string;
    /** Why it failed, empty where it did not */
    readonly error: string;
    /** Tries of the step under way that came to nothing */
    readonly tries: string;
    /** When the step under way was first tried */
    readonly since: string;
    /** Empty where this node does not know the workflow, as during an upgrade */
    readonly steps: readonly {
      readonly name: string;
      readonly state: 'done' | 'under way' | 'to come' | 'undone';
    }[];
  }>;
  /** Try the step under way again at once, as if it had not been tried */
  workflowRetry(input: WorkflowRetryInput, options?: CallOptions): Promise<string>;
  /** Give a workflow up: every step is undone, the last first */
  workflowUnwind(input: WorkflowUnwindInput, options?: CallOptions): Promise<string>;
  /** Jobs that failed as often as they may, and stay until they are tried again */
  jobList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly kind: string;
    readonly attempts: string;
    readonly error: string;
    readonly failed: string;
  }[]>;
  /** Try a failed job again */
  jobRetry(input: JobRetryInput, options?: CallOptions): Promise<string>;
  /** What the runs that are due would bill, beside the run before; nothing is issued. In the order of the accounts. `after` is the last account of the page before. */
  billingDryRun(input?: BillingDryRunInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    /** The first day of the period */
    readonly period: string;
    /** What the run before billed, without tax */
    readonly before: string;
    /** What this one would bill, without tax */
    readonly now: string;
    /** What is new, gone, or costs something else */
    readonly differences: readonly string[];
  }[]>;
  /** Start a run for every account whose period has begun; an account that has one under way gets no second. Each is a workflow of the name `billing-run`; how they go is seen among the workflows. */
  billingRunStart(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** For how many accounts */
    readonly started: string;
  }>;
  /** Every null-route that is wanted, or that a router may still have */
  nullrouteList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly ip: string;
    readonly account: string;
    readonly service: string;
    readonly origin: 'customer' | 'policy' | 'operator';
    readonly reason: string;
    /** Moment in UTC; empty where it has not come */
    readonly created: string;
    /** Moment in UTC; empty where it has not come */
    readonly announced: string;
    /** When it ends by itself; empty: when it is removed */
    readonly ends: string;
    /** What the router was last seen to have */
    readonly state: 'Pending' | 'Active' | 'Withdrawing';
  }[]>;
  /** Null-route an address of a customer, for some minutes or until it is removed. The ceiling of the policy holds; how often a customer may does not. */
  nullrouteAdd(input: NullrouteAddInput, options?: CallOptions): Promise<'Null-routed' | 'Null-route Pending'>;
  /** Remove a null-route, whoever wanted it */
  nullrouteRemove(input: NullrouteRemoveInput, options?: CallOptions): Promise<'Null-route Removed' | 'Null-route Removal Pending'>;
  /** What does not answer, what is not as it is wanted, and what waits for a person. As last seen: nothing is asked of the equipment for it. */
  fleetGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly equipment: readonly {
      readonly kind: 'server' | 'switch' | 'node';
      /** How many */
      readonly total: string;
      /** How many */
      readonly silent: string;
    }[];
    /** What did not answer when it was last looked at; a hundred of each kind at most */
    readonly silent: readonly {
      readonly kind: 'server' | 'switch' | 'node';
      readonly name: string;
      /** What stood in the way of the last look */
      readonly error: string;
      /** When it last answered; empty: never */
      readonly seen: string;
    }[];
    /** Where the world is not yet as it is wanted */
    readonly drift: readonly {
      readonly kind: 'machine' | 'null-route' | 'zone';
      readonly name: string;
      readonly wanted: string;
      readonly seen: string;
    }[];
    readonly held: readonly {
      readonly device: string;
      readonly kind: 'locked' | 'maintenance';
      readonly reason: string;
      readonly operator: string;
      /** Moment in UTC; empty where it has not come */
      readonly since: string;
    }[];
    readonly reconcilers: readonly {
      readonly name: string;
      /** late: it did not run when it was due */
      readonly state: 'well' | 'failed' | 'late';
      readonly error: string;
      /** Moment in UTC; empty where it has not come */
      readonly succeeded: string;
      /** What its last run left for the next */
      readonly backlog: string;
    }[];
    /** Those under way */
    readonly workflows: readonly {
      readonly status: string;
      /** How many */
      readonly count: string;
    }[];
    /** How many */
    readonly failedjobs: string;
    /** How many */
    readonly addressrequests: string;
    /** How many */
    readonly licenceorders: string;
    /** When the last was taken; empty: never */
    readonly backup: string;
  }>;
  /** Racks, with what stands in them and how it does */
  rackList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly name: string;
    /** In units */
    readonly height: string;
    readonly place: string;
    /** From the bottom up */
    readonly mounts: readonly {
      readonly kind: 'server' | 'switch' | 'node';
      readonly name: string;
      /** The lowest that it takes, counted from 1 at the bottom */
      readonly unit: string;
      /** In units */
      readonly height: string;
      /** A server is on or off; unseen: it was not looked at yet */
      readonly state: 'on' | 'off' | 'answers' | 'silent' | 'unseen';
      readonly error: string;
      /** Moment in UTC; empty where it has not come */
      readonly seen: string;
    }[];
  }[]>;
  /** The plan of addresses, a page at a time: the provider’s blocks, who has what of them, and how full they are. In the order of addresses, a block before what is in it. `after` is the last block of the page before. */
  netblockList(input?: NetblockListInput, options?: CallOptions): Promise<readonly {
    readonly cidr: string;
    /** The smallest block around it; empty for none */
    readonly within: string;
    /** Who has it; empty for a block of the provider’s own */
    readonly account: string;
    readonly service: string;
    /** Whether customers get of it at once, or have to ask */
    readonly pool: '' | 'assign' | 'ask';
    /** Said by the site file, or given by us */
    readonly origin: 'site' | 'request';
    readonly gateway: string;
    /** Percent of its addresses that somebody has, with two decimals */
    readonly used: string;
    /** The largest free block, such as /24; empty where nothing is free */
    readonly free: string;
  }[]>;
  /** That something has changed, as it happens: for pages that show what is so now. With `Accept: text/event-stream` an event within a second of every change on this node, and at least every five seconds, since other nodes change things too. It does not say what has changed, and nothing of it is kept: without that header the list is empty. */
  changeList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    /** Counts what this node has seen since it started */
    readonly number: string;
  }[]>;
}

/** Lists that come in pages, each as one sequence. */
export interface Each {
  /** Services in the order of their numbers, a page at a time */
  serviceList(input?: ServiceListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    readonly type: 'dedicated' | 'vps' | 'cloud';
    readonly name: string;
    readonly hostname: string;
    readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
    readonly ip: string;
    readonly server: string;
    readonly vmid: string;
    readonly created: Moment;
  }, void, void>;
  /** Servers, or virtual machines, whose they are and whether they are held back */
  deviceList(input?: DeviceListInput, options?: CallOptions): AsyncGenerator<{
    /** The name of a server, or vm- and the number of a machine */
    readonly device: string;
    readonly service: string;
    readonly account: string;
    /** Of the controller, or the kind of machine */
    readonly model: string;
    readonly node: string;
    /** As last seen */
    readonly power: 'on' | 'off' | 'unknown';
    /** The reason, empty where it is not */
    readonly locked: string;
    /** The reason, empty where it is not */
    readonly maintenance: string;
  }, void, void>;
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
  /** Who changed what, over all accounts, newest first */
  auditList(input?: AuditListInput, options?: CallOptions): AsyncGenerator<{
    /** Whose log it stands in; 0 for the provider’s own */
    readonly account: string;
    readonly id: string;
    readonly time: Moment;
    readonly address: string;
    readonly key: string;
    readonly contact: string;
    readonly operation: string;
    /** What it was done to, for example service=1001 */
    readonly target: string;
    /** success, or the error code */
    readonly outcome: string;
    /** Who of the provider’s staff did it, empty for the account itself */
    readonly operator: string;
    readonly requestid: string;
    /** Hash of the entry before, so that a removed or altered entry shows */
    readonly previous: string;
    readonly hash: string;
  }, void, void>;
  /** Requests for addresses, newest first, a page at a time */
  requestList(input?: RequestListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** What was assigned; empty where nothing was */
    readonly netblock: string;
    readonly created: string;
    /** Moment in UTC; empty where no operator decided */
    readonly decided: string;
    /** Why it was refused */
    readonly reason: string;
  }, void, void>;
  /** What runs or ran for any account, newest first, a page at a time */
  workflowList(input?: WorkflowListInput, options?: CallOptions): AsyncGenerator<{
    readonly account: string;
    readonly name: string;
    /** Stuck: its undoing does not succeed, and is tried again once a minute */
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** back: it is being undone */
    readonly direction: 'forward' | 'back';
    readonly id: string;
    /** What was asked for, as the audit log names it */
    readonly operation: string;
    /** Service id, empty where it concerns none */
    readonly service: string;
    /** Percent */
    readonly progress: string;
    /** The step under way, empty when ended */
    readonly step: string;
    readonly started: string;
    /** Moment in UTC, empty while it runs */
    readonly ended: string;
    /** Error code, empty where all is well */
    readonly code: string;
    /** Why it failed, empty where it did not */
    readonly error: string;
  }, void, void>;
  /** What the runs that are due would bill, beside the run before; nothing is issued */
  billingDryRun(input?: BillingDryRunInput, options?: CallOptions): AsyncGenerator<{
    readonly account: string;
    /** The first day of the period */
    readonly period: string;
    /** What the run before billed, without tax */
    readonly before: string;
    /** What this one would bill, without tax */
    readonly now: string;
    /** What is new, gone, or costs something else */
    readonly differences: readonly string[];
  }, void, void>;
  /** The plan of addresses, a page at a time: the provider’s blocks, who has what of them, and how full they are */
  netblockList(input?: NetblockListInput, options?: CallOptions): AsyncGenerator<{
    readonly cidr: string;
    /** The smallest block around it; empty for none */
    readonly within: string;
    /** Who has it; empty for a block of the provider’s own */
    readonly account: string;
    readonly service: string;
    /** Whether customers get of it at once, or have to ask */
    readonly pool: '' | 'assign' | 'ask';
    /** Said by the site file, or given by us */
    readonly origin: 'site' | 'request';
    readonly gateway: string;
    /** Percent of its addresses that somebody has, with two decimals */
    readonly used: string;
    /** The largest free block, such as /24; empty where nothing is free */
    readonly free: string;
  }, void, void>;
}

/** What is told as it happens, over a connection that is taken up again when it breaks off. */
export interface Stream {
  /** That something has changed, as it happens: for pages that show what is so now */
  changeList(input?: Readonly<Record<string, never>>, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<{
    /** Counts what this node has seen since it started */
    readonly number: string;
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
  serviceList: { method: 'GET', path: '/operator/service', repeat: 'freely' },
  serviceGet: { method: 'GET', path: '/operator/service/{id}', repeat: 'freely' },
  serviceProvision: { method: 'POST', path: '/operator/service', repeat: 'with-key' },
  serviceSuspend: { method: 'POST', path: '/operator/service/suspend', repeat: 'with-key' },
  serviceResume: { method: 'POST', path: '/operator/service/resume', repeat: 'with-key' },
  serviceTerminate: { method: 'DELETE', path: '/operator/service', repeat: 'with-key' },
  deviceList: { method: 'GET', path: '/operator/device', repeat: 'freely' },
  deviceLock: { method: 'POST', path: '/operator/device/lock', repeat: 'with-key' },
  deviceUnlock: { method: 'DELETE', path: '/operator/device/lock', repeat: 'with-key' },
  deviceMaintenanceBegin: { method: 'POST', path: '/operator/device/maintenance', repeat: 'with-key' },
  deviceMaintenanceEnd: { method: 'DELETE', path: '/operator/device/maintenance', repeat: 'with-key' },
  deviceDiscover: { method: 'POST', path: '/operator/device/discover', repeat: 'with-key' },
  accountList: { method: 'GET', path: '/operator/account', repeat: 'freely' },
  accountGet: { method: 'GET', path: '/operator/account/{id}', repeat: 'freely' },
  accountCreate: { method: 'POST', path: '/operator/account', repeat: 'with-key' },
  accountUpdate: { method: 'PUT', path: '/operator/account', repeat: 'with-key' },
  accountSuspend: { method: 'POST', path: '/operator/account/suspend', repeat: 'with-key' },
  accountResume: { method: 'POST', path: '/operator/account/resume', repeat: 'with-key' },
  accountClose: { method: 'DELETE', path: '/operator/account', repeat: 'with-key' },
  keyList: { method: 'GET', path: '/operator/key', repeat: 'freely' },
  keyCreate: { method: 'POST', path: '/operator/key', repeat: 'with-key' },
  keyRevoke: { method: 'DELETE', path: '/operator/key', repeat: 'with-key' },
  auditList: { method: 'GET', path: '/operator/audit', repeat: 'freely' },
  backupList: { method: 'GET', path: '/operator/backup', repeat: 'freely' },
  backupCreate: { method: 'POST', path: '/operator/backup', repeat: 'with-key' },
  requestList: { method: 'GET', path: '/operator/request', repeat: 'freely' },
  requestApprove: { method: 'POST', path: '/operator/request/approve', repeat: 'with-key' },
  requestRefuse: { method: 'POST', path: '/operator/request/refuse', repeat: 'with-key' },
  workflowList: { method: 'GET', path: '/operator/workflow', repeat: 'freely' },
  workflowGet: { method: 'GET', path: '/operator/workflow/{id}', repeat: 'freely' },
  workflowRetry: { method: 'POST', path: '/operator/workflow/retry', repeat: 'with-key' },
  workflowUnwind: { method: 'POST', path: '/operator/workflow/unwind', repeat: 'with-key' },
  jobList: { method: 'GET', path: '/operator/job', repeat: 'freely' },
  jobRetry: { method: 'POST', path: '/operator/job/retry', repeat: 'with-key' },
  billingDryRun: { method: 'GET', path: '/operator/billing/run', repeat: 'freely' },
  billingRunStart: { method: 'POST', path: '/operator/billing/run', repeat: 'with-key' },
  nullrouteList: { method: 'GET', path: '/operator/nullroute', repeat: 'freely' },
  nullrouteAdd: { method: 'POST', path: '/operator/nullroute', repeat: 'with-key' },
  nullrouteRemove: { method: 'DELETE', path: '/operator/nullroute', repeat: 'with-key' },
  fleetGet: { method: 'GET', path: '/operator/fleet', repeat: 'freely' },
  rackList: { method: 'GET', path: '/operator/rack', repeat: 'freely' },
  netblockList: { method: 'GET', path: '/operator/netblock', repeat: 'freely' },
  changeList: { method: 'GET', path: '/operator/change', repeat: 'freely', streams: true },
} as const satisfies Readonly<Record<string, Route>>;

export const paging = {
  serviceList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  deviceList: { parameter: 'after', limit: 100, next: { itemMember: 'device' } },
  accountList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  auditList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  requestList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  workflowList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  billingDryRun: { parameter: 'after', limit: 100, next: { itemMember: 'account' } },
  netblockList: { parameter: 'after', limit: 100, next: { itemMember: 'cidr' } },
} as const satisfies Readonly<Record<string, Paging>>;
