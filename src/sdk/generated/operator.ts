// Generated from the contract by `npm run golden`, do not edit. It is long because it holds the whole API.
import type { CallOptions, Id, Paging, Route } from '../settings.ts';

export type Day = string;

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Networks that may use the key; empty for all */
  readonly allow: readonly string[];
  /** The sub-account contact that owns the key; empty for the account itself */
  readonly contact: string;
  readonly status: 'Active' | 'Expired' | 'Revoked';
  readonly created: Moment;
  /** Time in UTC; empty for never */
  readonly expires: string;
  /** Time in UTC; empty for never */
  readonly lastused: string;
  readonly lastaddress: string;
}

/** YYYY-MM-DD HH:MM:SS in UTC */
export type Moment = string;

/** Decimal with two places */
export type Money = string;

export interface NewKey {
  readonly id: string;
  /** Returned only once */
  readonly key: string;
}

export interface SessionCreateInput {
  /** Must start with a letter and contain only letters, digits, dot, underscore or hyphen, at most 64 characters. */
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
  /** Must start with a letter and contain only letters, digits, dot, underscore or hyphen, at most 64 characters. */
  readonly name: string;
  /** Must be one of support, engineer, billing, owner. */
  readonly role: 'support' | 'engineer' | 'billing' | 'owner';
}

export interface OperatorUpdateInput {
  /** Must be a numeric id. */
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
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface ServiceListInput {
  /** Must be a numeric id. */
  readonly account?: Id | undefined;
  /** Must be one of dedicated, vps, cloud. */
  readonly type?: 'dedicated' | 'vps' | 'cloud' | undefined;
  /** Must be one of Pending, Active, Suspended, Terminated. */
  readonly status?: 'Pending' | 'Active' | 'Suspended' | 'Terminated' | undefined;
  /** Must be text of 1 to 100 characters. */
  readonly search?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be a numeric id. */
  readonly after?: Id | undefined;
}

export interface ServiceGetInput {
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface ServiceProvisionInput {
  /** Must be a numeric id. */
  readonly account: Id;
  /** Must be one of dedicated, vps, cloud. */
  readonly type: 'dedicated' | 'vps' | 'cloud';
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
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
  /** Must be a numeric id. */
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
  /** Must be one of power, ports, nothing. */
  readonly how?: 'power' | 'ports' | 'nothing' | undefined;
}

export interface ServiceResumeInput {
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface ServiceTerminateInput {
  /** Must be a numeric id. */
  readonly id: Id;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  /** Must be one of power, nothing. */
  readonly how?: 'power' | 'nothing' | undefined;
}

export interface DeviceListInput {
  /** Must be one of server, machine. */
  readonly kind?: 'server' | 'machine' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly after?: string | undefined;
}

export interface DeviceLockInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceUnlockInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceMaintenanceBeginInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceMaintenanceEndInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
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
  /** Must be a numeric id. */
  readonly after?: Id | undefined;
}

export interface AccountGetInput {
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface AccountCreateInput {
  /** Must be text of 1 to 255 characters. */
  readonly firstname: string;
  /** Must be text of 1 to 255 characters. */
  readonly lastname: string;
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 1 to 255 characters. */
  readonly address1: string;
  /** Must be text of 1 to 255 characters. */
  readonly city: string;
  /** Must be text of 1 to 255 characters. */
  readonly state: string;
  /** Must be text of 1 to 255 characters. */
  readonly postcode: string;
  /** Must be a two-letter country code, at most 2 characters. */
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
  /** Must be a numeric id. */
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly firstname?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly lastname?: string | undefined;
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly address1?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly city?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly state?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly postcode?: string | undefined;
  /** Must be a two-letter country code, at most 2 characters. */
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
  /** Must be a numeric id. */
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface AccountResumeInput {
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface AccountCloseInput {
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface KeyListInput {
  /** Must be a numeric id. */
  readonly account: Id;
}

export interface KeyCreateInput {
  /** Must be a numeric id. */
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
  /** Must be a numeric id. */
  readonly account: Id;
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface AuditListInput {
  /** Must be a numeric id. */
  readonly account?: Id | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly operator?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly operation?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly outcome?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be a numeric id. */
  readonly before?: Id | undefined;
}

export interface RequestListInput {
  /** Must be one of Pending, Assigned, Refused. */
  readonly status?: 'Pending' | 'Assigned' | 'Refused' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be a numeric id. */
  readonly before?: Id | undefined;
}

export interface RequestApproveInput {
  /** Must be a numeric id. */
  readonly id: Id;
}

export interface RequestRefuseInput {
  /** Must be a numeric id. */
  readonly id: Id;
  /** Must be text of 1 to 200 characters. */
  readonly reason: string;
}

export interface WorkflowListInput {
  /** Must be a numeric id. */
  readonly account?: Id | undefined;
  /** Must be a numeric id. */
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
  /** Must be a numeric id. */
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

/** The operations by name. */
export interface Methods {
  /** Sign in. Returns a key for 12 hours. `code` is required once a second factor is confirmed; until then, the key can only set one up. */
  sessionCreate(input: SessionCreateInput, options?: CallOptions): Promise<{
    /** A key for this sign-in */
    readonly key: string;
    readonly expires: Moment;
    readonly name: string;
    readonly role: 'support' | 'engineer' | 'billing' | 'owner';
    /** Missing: only setting one up and signing out are allowed */
    readonly secondfactor: 'Confirmed' | 'Missing';
  }>;
  /** Get the owner and permissions of the current key */
  sessionGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly name: string;
    readonly role: 'support' | 'engineer' | 'billing' | 'owner';
    readonly powers: readonly string[];
    readonly kind: 'key' | 'session';
  }>;
  /** Sign out. Revokes the key of this request, if it came from signing in. */
  sessionDelete(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<string>;
  /** Set up a second factor. Returns a new secret for an authenticator app (RFC 6238). It takes effect once it is confirmed. */
  totpEnrol(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** In base32, to type into an authenticator app */
    readonly secret: string;
    /** The same as a link for the app: otpauth://totp/… */
    readonly url: string;
  }>;
  /** Confirm the second factor. From then on, signing in requires a code. */
  totpConfirm(input: TotpConfirmInput, options?: CallOptions): Promise<string>;
  /** Change your password. Ends your other sessions. */
  passwordSet(input: PasswordSetInput, options?: CallOptions): Promise<string>;
  /** List operators. Includes those whose access was removed. */
  operatorList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly name: string;
    readonly role: 'support' | 'engineer' | 'billing' | 'owner';
    readonly status: 'Active' | 'Ended';
    readonly secondfactor: 'Confirmed' | 'Missing';
    readonly created: Moment;
  }[]>;
  /** Create an operator. The initial password is returned only once. */
  operatorCreate(input: OperatorCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** The initial password, returned only once; empty if it did not change */
    readonly password: string;
  }>;
  /** Update an operator. Changes the role, restores access, generates a new password or removes a lost second factor. A new password and a removed second factor end the operator's sessions. */
  operatorUpdate(input: OperatorUpdateInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** The initial password, returned only once; empty if it did not change */
    readonly password: string;
  }>;
  /** Remove an operator. Ends their sessions immediately. The name stays in the logs and cannot be reused. */
  operatorDelete(input: OperatorDeleteInput, options?: CallOptions): Promise<string>;
  /** List services. `search` matches an id, or part of a name, host name, address or server. Pass the last id as `after` for the next page. */
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
  /** Get a service. Includes its addresses, terms and running workflows. */
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
    /** The hypervisor of its machine; empty if none */
    readonly node: string;
    /** Why its machine does not exist yet */
    readonly waiting: string;
    /** Why an operator suspended it; empty if none did */
    readonly suspension: string;
    /** Names of its running workflows */
    readonly work: readonly string[];
    readonly terms: readonly {
      readonly plan: string;
      readonly price: Money;
      /** Months */
      readonly cycle: string;
      readonly from: Day;
      /** The first day after its end; empty if open */
      readonly until: string;
    }[];
  }>;
  /** Provision a service. Gives an account a server or machine, with addresses from the pools, on the terms of a plan. A dedicated service needs a free `server` and is Active immediately. A machine needs `template`, `vcpus`, `memorymb` and `diskgb`; its service is Pending until the workflow has created it. Without `price` it is not billed. */
  serviceProvision(input: ServiceProvisionInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** Follow it with `workflow get`; empty if everything is done already */
    readonly workflow: string;
  }>;
  /** Suspend a service. Lasts until it is resumed. `how` selects what is cut off: the power (a machine may shut down first), the switch ports, or nothing. By default the ports of a server that has any, else the power. */
  serviceSuspend(input: ServiceSuspendInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** Follow it with `workflow get`; empty if everything is done already */
    readonly workflow: string;
  }>;
  /** Resume a service. Restores what was cut off. */
  serviceResume(input: ServiceResumeInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** Follow it with `workflow get`; empty if everything is done already */
    readonly workflow: string;
  }>;
  /** Terminate a service. This cannot be undone: the device is powered off, billing ends, addresses are returned and a machine is deleted. `hostname` must be that of the service, so that a mistyped id terminates nothing. `how` is `power` by default; use `nothing` for a device that no longer responds. */
  serviceTerminate(input: ServiceTerminateInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** Follow it with `workflow get`; empty if everything is done already */
    readonly workflow: string;
  }>;
  /** List devices. Lists servers or virtual machines (servers by default) with their customer and restrictions, ordered by name. Pass the last device as `after` for the next page. */
  deviceList(input?: DeviceListInput, options?: CallOptions): Promise<readonly {
    /** The name of a server, or vm- followed by the number of a machine */
    readonly device: string;
    readonly service: string;
    readonly account: string;
    /** The model of the BMC, or the kind of machine */
    readonly model: string;
    readonly node: string;
    /** Last known state */
    readonly power: 'on' | 'off' | 'unknown';
    /** The reason; empty if it is not locked */
    readonly locked: string;
    /** The reason; empty if it is not under maintenance */
    readonly maintenance: string;
  }[]>;
  /** Lock a device. Rejects customers’ commands; they see the reason. */
  deviceLock(input: DeviceLockInput, options?: CallOptions): Promise<string>;
  /** Unlock a device. Customers can control the device again. */
  deviceUnlock(input: DeviceUnlockInput, options?: CallOptions): Promise<string>;
  /** Start maintenance of a device. Notifies the customer and rejects their commands with the reason. */
  deviceMaintenanceBegin(input: DeviceMaintenanceBeginInput, options?: CallOptions): Promise<string>;
  /** End maintenance of a device. Notifies the customer, who can control the device again. */
  deviceMaintenanceEnd(input: DeviceMaintenanceEndInput, options?: CallOptions): Promise<string>;
  /** Scan the hardware of a server. Reads the parts from the BMC and returns what differs from the stored ones. Unless `dryrun` is set, each category that the BMC reports replaces the stored one. */
  deviceDiscover(input: DeviceDiscoverInput, options?: CallOptions): Promise<{
    readonly device: string;
    readonly stored: boolean;
    readonly differences: readonly {
      readonly category: string;
      readonly before: readonly string[];
      readonly after: readonly string[];
    }[];
  }>;
  /** List accounts. `search` matches an id, or part of a name, company or email address. Pass the last id as `after` for the next page. */
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
  /** Get an account. Includes what it owes and how much it uses. */
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
    /** Time in UTC; empty for never */
    readonly lastlogin: string;
    readonly lastaddress: string;
    /** Number of contacts */
    readonly contacts: string;
    /** Number of valid keys */
    readonly keys: string;
    /** Number of services that are not terminated */
    readonly services: string;
  }>;
  /** Create an account. Returns its id. `currency` defaults to that of the existing accounts. Without `password`: API access only. */
  accountCreate(input: AccountCreateInput, options?: CallOptions): Promise<string>;
  /** Update an account. `forgetfactors` removes the second factors and passkeys of the account’s own sign-in and ends its sessions, for someone who lost their phone. */
  accountUpdate(input: AccountUpdateInput, options?: CallOptions): Promise<string>;
  /** Suspend an account. Read-only: the customer can view and pay, but not change services, until the account is resumed. */
  accountSuspend(input: AccountSuspendInput, options?: CallOptions): Promise<string>;
  /** Resume an account. Also resumes the services that were suspended for unpaid invoices. */
  accountResume(input: AccountResumeInput, options?: CallOptions): Promise<string>;
  /** Close an account. Requires that all services are terminated. Its keys stop working, its invoices stay. This cannot be undone. */
  accountClose(input: AccountCloseInput, options?: CallOptions): Promise<string>;
  /** List the keys of an account. Secrets are never returned. */
  keyList(input: KeyListInput, options?: CallOptions): Promise<readonly Key[]>;
  /** Create a key for an account. The key is returned only once. */
  keyCreate(input: KeyCreateInput, options?: CallOptions): Promise<NewKey>;
  /** Revoke a key of an account. Takes effect immediately and cannot be undone. */
  keyRevoke(input: KeyRevokeInput, options?: CallOptions): Promise<string>;
  /** List the audit log of all accounts, newest first */
  auditList(input?: AuditListInput, options?: CallOptions): Promise<readonly {
    /** The account whose log it is in; 0 for the provider’s own */
    readonly account: string;
    readonly id: string;
    readonly time: Moment;
    readonly address: string;
    readonly key: string;
    readonly contact: string;
    readonly operation: string;
    /** The target of the operation, for example service=1001 */
    readonly target: string;
    /** success or an error code */
    readonly outcome: string;
    /** The operator who acted; empty for the account itself */
    readonly operator: string;
    readonly requestid: string;
    /** Hash of the previous entry, so that missing or altered entries are detected */
    readonly previous: string;
    readonly hash: string;
  }[]>;
  /** List backups, newest first */
  backupList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    /** File in the folder `backups` of the data folder */
    readonly file: string;
    /** Everything acknowledged before this time is included */
    readonly taken: string;
    readonly bytes: string;
    /** The version of Hostyard that wrote it */
    readonly version: string;
    readonly engine: 'sqlite' | 'postgres';
    /** Fingerprint of the sealing key that it needs; the key itself is not included */
    readonly sealingkey: string;
  }[]>;
  /** Create a backup. Runs while the server is in use, and returns once the backup is checked and on disk. Backups beyond `HOSTYARD_BACKUPS_KEPT` are deleted, oldest first. For a large database, use `hostyard backup FILE` on the machine itself, which can write anywhere. */
  backupCreate(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** File in the folder `backups` of the data folder */
    readonly file: string;
    /** Everything acknowledged before this time is included */
    readonly taken: string;
    readonly bytes: string;
    /** The version of Hostyard that wrote it */
    readonly version: string;
    readonly engine: 'sqlite' | 'postgres';
    /** Fingerprint of the sealing key that it needs; the key itself is not included */
    readonly sealingkey: string;
  }>;
  /** List requests for addresses, newest first */
  requestList(input?: RequestListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** The assigned block; empty if none */
    readonly netblock: string;
    readonly created: string;
    /** Time in UTC; empty if no operator decided */
    readonly decided: string;
    /** Why it was rejected */
    readonly reason: string;
  }[]>;
  /** Approve a request. Assigns a free block of the requested size. */
  requestApprove(input: RequestApproveInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** The assigned block; empty if none */
    readonly netblock: string;
    readonly created: string;
    /** Time in UTC; empty if no operator decided */
    readonly decided: string;
    /** Why it was rejected */
    readonly reason: string;
  }>;
  /** Reject a request. The customer sees the reason. */
  requestRefuse(input: RequestRefuseInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** The assigned block; empty if none */
    readonly netblock: string;
    readonly created: string;
    /** Time in UTC; empty if no operator decided */
    readonly decided: string;
    /** Why it was rejected */
    readonly reason: string;
  }>;
  /** List workflows of all accounts, newest first */
  workflowList(input?: WorkflowListInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    readonly name: string;
    /** Stuck: undoing it failed, and is retried every minute */
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** back: it is being undone */
    readonly direction: 'forward' | 'back';
    readonly id: string;
    /** The operation, as in the audit log */
    readonly operation: string;
    /** Service id; empty if it concerns none */
    readonly service: string;
    /** Percent */
    readonly progress: string;
    /** The current step; empty when ended */
    readonly step: string;
    readonly started: string;
    /** Time in UTC; empty while it runs */
    readonly ended: string;
    /** Error code; empty if there is none */
    readonly code: string;
    /** Why it failed; empty if it did not */
    readonly error: string;
  }[]>;
  /** Get a workflow with its steps */
  workflowGet(input: WorkflowGetInput, options?: CallOptions): Promise<{
    readonly account: string;
    readonly name: string;
    /** Stuck: undoing it failed, and is retried every minute */
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** back: it is being undone */
    readonly direction: 'forward' | 'back';
    readonly id: string;
    /** The operation, as in the audit log */
    readonly operation: string;
    /** Service id; empty if it concerns none */
    readonly service: string;
    /** Percent */
    readonly progress: string;
    /** The current step; empty when ended */
    readonly step: string;
    readonly started: string;
    /** Time in UTC; empty while it runs */
    readonly ended: string;
    /** Error code; empty if there is none */
    readonly code: string;
    /** Why it failed; empty if it did not */
    readonly error: string;
    /** Attempts of the current step without a result */
    readonly tries: string;
    /** When the current step was first tried */
    readonly since: string;
    /** Empty if this instance does not know the workflow, as during an upgrade */
    readonly steps: readonly {
      readonly name: string;
      readonly state: 'done' | 'under way' | 'to come' | 'undone';
    }[];
  }>;
  /** Retry the current step. Immediately, as if it had not been tried. */
  workflowRetry(input: WorkflowRetryInput, options?: CallOptions): Promise<string>;
  /** Cancel and roll back a workflow. Undoes every step, the last first. */
  workflowUnwind(input: WorkflowUnwindInput, options?: CallOptions): Promise<string>;
  /** List failed jobs. Jobs that used up their retries and stay until they are retried. */
  jobList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly kind: string;
    readonly attempts: string;
    readonly error: string;
    readonly failed: string;
  }[]>;
  /** Retry a failed job */
  jobRetry(input: JobRetryInput, options?: CallOptions): Promise<string>;
  /** Preview the billing runs that are due. Compares each run with the previous one; nothing is issued. Ordered by account. Pass the last account as `after` for the next page. */
  billingDryRun(input?: BillingDryRunInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    /** The first day of the period */
    readonly period: string;
    /** Amount billed by the previous run, without tax */
    readonly before: string;
    /** Amount that this run would bill, without tax */
    readonly now: string;
    /** New, removed and changed charges */
    readonly differences: readonly string[];
  }[]>;
  /** Start the billing runs that are due. One run for every account whose period has started; an account with a running one does not get a second. Each is a workflow named `billing-run`; follow it among the workflows. */
  billingRunStart(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** Number of accounts */
    readonly started: string;
  }>;
  /** List null routes. All that are active, or that a router may still have. */
  nullrouteList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly ip: string;
    readonly account: string;
    readonly service: string;
    readonly origin: 'customer' | 'policy' | 'operator';
    readonly reason: string;
    /** Time in UTC; empty if it has not happened */
    readonly created: string;
    /** Time in UTC; empty if it has not happened */
    readonly announced: string;
    /** When it expires; empty if it stays until it is removed */
    readonly ends: string;
    /** What the router was last seen to have */
    readonly state: 'Pending' | 'Active' | 'Withdrawing';
  }[]>;
  /** Create a null route. For some minutes, or until it is removed. The policy's limit on the number of routes applies; the limit per customer and day does not. */
  nullrouteAdd(input: NullrouteAddInput, options?: CallOptions): Promise<'Null-routed' | 'Null-route Pending'>;
  /** Remove a null route */
  nullrouteRemove(input: NullrouteRemoveInput, options?: CallOptions): Promise<'Null-route Removed' | 'Null-route Removal Pending'>;
  /** Get alerts and system health. Equipment that does not respond, differences from the configured state, and what waits for a decision. Last known state; equipment is not contacted. */
  fleetGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly equipment: readonly {
      readonly kind: 'server' | 'switch' | 'node';
      /** Number */
      readonly total: string;
      /** Number */
      readonly silent: string;
    }[];
    /** Equipment that did not respond to the last check; at most a hundred of each kind */
    readonly silent: readonly {
      readonly kind: 'server' | 'switch' | 'node';
      readonly name: string;
      /** Error of the last check */
      readonly error: string;
      /** When it last responded; empty if never */
      readonly seen: string;
    }[];
    /** Differences between the actual and the configured state */
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
      /** Time in UTC; empty if it has not happened */
      readonly since: string;
    }[];
    readonly reconcilers: readonly {
      readonly name: string;
      /** late: it did not run when it was due */
      readonly state: 'well' | 'failed' | 'late';
      readonly error: string;
      /** Time in UTC; empty if it has not happened */
      readonly succeeded: string;
      /** Items that its last run left for the next */
      readonly backlog: string;
    }[];
    /** Running workflows */
    readonly workflows: readonly {
      readonly status: string;
      /** Number */
      readonly count: string;
    }[];
    /** Number */
    readonly failedjobs: string;
    /** Number */
    readonly addressrequests: string;
    /** Number */
    readonly licenceorders: string;
    /** When the last backup was made; empty if never */
    readonly backup: string;
  }>;
  /** List racks and their equipment */
  rackList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly name: string;
    /** In rack units */
    readonly height: string;
    readonly place: string;
    /** From the bottom up */
    readonly mounts: readonly {
      readonly kind: 'server' | 'switch' | 'node';
      readonly name: string;
      /** Lowest unit, counted from 1 at the bottom */
      readonly unit: string;
      /** In rack units */
      readonly height: string;
      /** A server is on or off; unseen: not checked yet */
      readonly state: 'on' | 'off' | 'answers' | 'silent' | 'unseen';
      readonly error: string;
      /** Time in UTC; empty if it has not happened */
      readonly seen: string;
    }[];
  }[]>;
  /** List address blocks. The provider’s blocks, their assignments and utilization. In address order, each block before those inside it. Pass the last block as `after` for the next page. */
  netblockList(input?: NetblockListInput, options?: CallOptions): Promise<readonly {
    readonly cidr: string;
    /** The smallest block that contains it; empty if none */
    readonly within: string;
    /** Who it is assigned to; empty for the provider’s own blocks */
    readonly account: string;
    readonly service: string;
    /** Whether customers get addresses immediately or after approval */
    readonly pool: '' | 'assign' | 'ask';
    /** Set by the site file, or assigned on request */
    readonly origin: 'site' | 'request';
    readonly gateway: string;
    /** Percentage of its addresses in use, with two decimals */
    readonly used: string;
    /** The largest free block, such as /24; empty if none is free */
    readonly free: string;
  }[]>;
  /** Stream change notifications. With `Accept: text/event-stream`, sends an event within a second of every change on this instance, and at least every five seconds, because other instances change things too. It does not say what has changed, and events are not stored: without that header the list is empty. */
  changeList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    /** Counts the changes that this instance has seen since it started */
    readonly number: string;
  }[]>;
}

/** Iterators over all pages of a list. */
export interface Each {
  /** List services */
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
  /** List devices */
  deviceList(input?: DeviceListInput, options?: CallOptions): AsyncGenerator<{
    /** The name of a server, or vm- followed by the number of a machine */
    readonly device: string;
    readonly service: string;
    readonly account: string;
    /** The model of the BMC, or the kind of machine */
    readonly model: string;
    readonly node: string;
    /** Last known state */
    readonly power: 'on' | 'off' | 'unknown';
    /** The reason; empty if it is not locked */
    readonly locked: string;
    /** The reason; empty if it is not under maintenance */
    readonly maintenance: string;
  }, void, void>;
  /** List accounts */
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
  /** List the audit log of all accounts, newest first */
  auditList(input?: AuditListInput, options?: CallOptions): AsyncGenerator<{
    /** The account whose log it is in; 0 for the provider’s own */
    readonly account: string;
    readonly id: string;
    readonly time: Moment;
    readonly address: string;
    readonly key: string;
    readonly contact: string;
    readonly operation: string;
    /** The target of the operation, for example service=1001 */
    readonly target: string;
    /** success or an error code */
    readonly outcome: string;
    /** The operator who acted; empty for the account itself */
    readonly operator: string;
    readonly requestid: string;
    /** Hash of the previous entry, so that missing or altered entries are detected */
    readonly previous: string;
    readonly hash: string;
  }, void, void>;
  /** List requests for addresses, newest first */
  requestList(input?: RequestListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    readonly service: string;
    readonly family: 'ipv4' | 'ipv6';
    /** Such as /28 */
    readonly size: string;
    readonly status: 'Pending' | 'Assigned' | 'Refused';
    /** The assigned block; empty if none */
    readonly netblock: string;
    readonly created: string;
    /** Time in UTC; empty if no operator decided */
    readonly decided: string;
    /** Why it was rejected */
    readonly reason: string;
  }, void, void>;
  /** List workflows of all accounts, newest first */
  workflowList(input?: WorkflowListInput, options?: CallOptions): AsyncGenerator<{
    readonly account: string;
    readonly name: string;
    /** Stuck: undoing it failed, and is retried every minute */
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** back: it is being undone */
    readonly direction: 'forward' | 'back';
    readonly id: string;
    /** The operation, as in the audit log */
    readonly operation: string;
    /** Service id; empty if it concerns none */
    readonly service: string;
    /** Percent */
    readonly progress: string;
    /** The current step; empty when ended */
    readonly step: string;
    readonly started: string;
    /** Time in UTC; empty while it runs */
    readonly ended: string;
    /** Error code; empty if there is none */
    readonly code: string;
    /** Why it failed; empty if it did not */
    readonly error: string;
  }, void, void>;
  /** Preview the billing runs that are due */
  billingDryRun(input?: BillingDryRunInput, options?: CallOptions): AsyncGenerator<{
    readonly account: string;
    /** The first day of the period */
    readonly period: string;
    /** Amount billed by the previous run, without tax */
    readonly before: string;
    /** Amount that this run would bill, without tax */
    readonly now: string;
    /** New, removed and changed charges */
    readonly differences: readonly string[];
  }, void, void>;
  /** List address blocks */
  netblockList(input?: NetblockListInput, options?: CallOptions): AsyncGenerator<{
    readonly cidr: string;
    /** The smallest block that contains it; empty if none */
    readonly within: string;
    /** Who it is assigned to; empty for the provider’s own blocks */
    readonly account: string;
    readonly service: string;
    /** Whether customers get addresses immediately or after approval */
    readonly pool: '' | 'assign' | 'ask';
    /** Set by the site file, or assigned on request */
    readonly origin: 'site' | 'request';
    readonly gateway: string;
    /** Percentage of its addresses in use, with two decimals */
    readonly used: string;
    /** The largest free block, such as /24; empty if none is free */
    readonly free: string;
  }, void, void>;
}

/** Events as they happen. A broken connection is resumed. */
export interface Stream {
  /** Stream change notifications */
  changeList(input?: Readonly<Record<string, never>>, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<{
    /** Counts the changes that this instance has seen since it started */
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
