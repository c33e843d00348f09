// Generated from the contract by `npm run golden`, do not edit. It is long because it holds the whole API.
import type { CallOptions, FileResponse, Id, Paging, Route } from '../settings.ts';
import type { BootDone, ConsoleTicket, Day, DeviceImageStatus, Enrolment, Flag01, Hardware, ImageEntry, InvoiceDetail, Key, Moment, Money, NewKey, Passkey, PasskeyCreationOptions, PasskeyRequestOptions, PowerDone, PowerState, RegistrationCredential, ReloadLogLine, ReloadStatus, RescueStatus, SignInCredential, TrafficMonth, TrafficSample, WebConsole } from './shared.ts';
export type { BootDone, ConsoleTicket, Day, DeviceImageStatus, DnsLimits, DnsRule, Enrolment, Flag01, Hardware, ImageEntry, InvoiceDetail, Key, Moment, Money, NewKey, Passkey, PasskeyCreationOptions, PasskeyRequestOptions, PortState, PowerDone, PowerState, RegistrationCredential, ReloadLogLine, ReloadStatus, RescueStatus, SignInCredential, TrafficMonth, TrafficSample, WebConsole } from './shared.ts';

export interface AddressRequest {
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
  /** Time in UTC; empty without a decision */
  readonly decided: string;
  /** Why it was rejected */
  readonly reason: string;
}

export interface Backup {
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
}

export interface BillingDifference {
  readonly account: string;
  /** The first day of the period */
  readonly period: string;
  /** Amount billed by the previous run, without tax */
  readonly before: string;
  /** Amount that this run would bill, without tax */
  readonly now: string;
  /** New, removed and changed charges */
  readonly differences: readonly string[];
}

export interface Change {
  /** Number of changes that this instance has seen since it started */
  readonly number: string;
}

export type Discovery = {
  readonly device: string;
  readonly stored: boolean;
  readonly differences: readonly {
    readonly category: string;
    readonly before: readonly string[];
    readonly after: readonly string[];
  }[];
};

export interface FailedJob {
  readonly id: string;
  readonly kind: string;
  readonly attempts: string;
  readonly error: string;
  readonly failed: string;
}

export type Fleet = {
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
    readonly kind: 'machine' | 'null-route' | 'zone' | 'port';
    readonly name: string;
    readonly wanted: string;
    readonly seen: string;
  }[];
  readonly held: readonly {
    readonly device: string;
    readonly kind: 'locked' | 'maintenance';
    readonly reason: string;
    readonly operator: string;
    /** Time in UTC; empty if never */
    readonly since: string;
  }[];
  /** Servers that cannot be assigned, because they could not be erased or verified */
  readonly quarantined: readonly {
    readonly server: string;
    /** The step that failed */
    readonly step: 'isolate' | 'users' | 'sessions' | 'erase' | 'inventory' | 'records';
    readonly reason: string;
    /** When its last service ended */
    readonly since: string;
  }[];
  /** Parts of servers that are broken or about to break; at most a hundred */
  readonly faults: readonly {
    readonly sensor: string;
    readonly kind: 'temperature' | 'fan' | 'power' | 'psu' | 'drive' | 'voltage' | 'current' | 'processor' | 'memory' | 'battery';
    readonly severity: 'warning' | 'critical';
    readonly detail: string;
    /** When it was confirmed, in UTC */
    readonly since: string;
    readonly server: string;
  }[];
  readonly reconcilers: readonly {
    readonly name: string;
    /** late: it did not run when it was due */
    readonly state: 'well' | 'failed' | 'late';
    readonly error: string;
    /** Time in UTC; empty if never */
    readonly succeeded: string;
    /** Items that its last run left pending */
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
};

export interface Installation {
  /** The clock of the installation, in UTC */
  readonly time: string;
  /** paused: the clock has jumped; see `billing resume` */
  readonly billing: 'running' | 'paused';
  /** While billing is paused: the last time before the clock jumped */
  readonly lasttime: string;
  /** Why the last start could not apply its site file and uses an earlier state; otherwise empty */
  readonly sitefile: string;
}

export interface NewOperator {
  readonly id: string;
  /** The initial password, returned only once; empty if it did not change */
  readonly password: string;
}

export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly role: 'support' | 'engineer' | 'billing' | 'owner';
  readonly status: 'Active' | 'Ended';
  /** For security notices and a forgotten password; empty if unknown */
  readonly email: string;
  /** An authenticator app or a passkey */
  readonly secondfactor: 'Confirmed' | 'Missing';
  readonly created: Moment;
}

export interface OperatorAccount {
  readonly id: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
  readonly email: string;
  readonly country: string;
  readonly currency: string;
  readonly status: 'Active' | 'Suspended' | 'Closed';
  readonly created: Moment;
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly state: string;
  readonly postcode: string;
  readonly phonenumber: string;
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
}

export interface OperatorAccountListItem {
  readonly id: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
  readonly email: string;
  readonly country: string;
  readonly currency: string;
  readonly status: 'Active' | 'Suspended' | 'Closed';
  readonly created: Moment;
}

export interface OperatorAuditEntry {
  /** The account whose log contains it; 0 for the provider’s own */
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
  /** Hash of the previous entry, which reveals missing or altered entries */
  readonly previous: string;
  readonly hash: string;
}

export interface OperatorDevice {
  /** The name of a server, or vm- followed by the number of a machine */
  readonly device: string;
  /** The name of a server in the legacy API; empty for a machine */
  readonly alias: string;
  readonly service: string;
  readonly account: string;
  /** The model of the BMC, or the kind of machine */
  readonly model: string;
  readonly node: string;
  /** Last known state */
  readonly power: 'on' | 'off' | 'unknown';
  /** State between customers; a machine is always assigned */
  readonly state: 'available' | 'assigned' | 'reclaiming' | 'quarantined';
  /** The reason; empty if it is not locked */
  readonly locked: string;
  /** The reason; empty if it is not under maintenance */
  readonly maintenance: string;
}

export type OperatorDeviceDetail = {
  /** The name of a server, or vm- followed by the number of a machine */
  readonly device: string;
  /** The name of a server in the legacy API; empty for a machine */
  readonly alias: string;
  readonly service: string;
  readonly account: string;
  /** The model of the BMC, or the kind of machine */
  readonly model: string;
  readonly node: string;
  /** Last known state */
  readonly power: 'on' | 'off' | 'unknown';
  /** State between customers; a machine is always assigned */
  readonly state: 'available' | 'assigned' | 'reclaiming' | 'quarantined';
  /** The reason; empty if it is not locked */
  readonly locked: string;
  /** The reason; empty if it is not under maintenance */
  readonly maintenance: string;
  readonly hostname: string;
  readonly type: 'dedicated' | 'vps' | 'cloud';
  /** The status of its service; empty for a server in stock */
  readonly status: string;
  readonly ip: string;
  /** Empty if the site file does not place it */
  readonly rack: string;
  readonly unit: string;
  /** When its power was last seen; empty if never */
  readonly seen: string;
  /** Why its power is unknown; empty if it is known */
  readonly error: string;
  /** The command or workflow that is using the device; empty if none */
  readonly lock: readonly {
    readonly purpose: string;
    /** The id of a workflow or request */
    readonly holder: string;
    /** When it expires unless it is extended */
    readonly until: string;
  }[];
  readonly holds: readonly {
    readonly kind: 'locked' | 'maintenance';
    readonly reason: string;
    readonly operator: string;
    readonly since: Moment;
  }[];
  /** As last scanned */
  readonly firmware: readonly {
    readonly component: string;
    readonly version: string;
  }[];
  /** Newest first, at most a hundred */
  readonly tenants: readonly {
    readonly service: string;
    readonly account: string;
    readonly hostname: string;
    /** When it ended; empty for the current one */
    readonly until: string;
  }[];
  /** What was done to the server between customers; newest first, at most a hundred */
  readonly certificates: readonly {
    readonly id: string;
    readonly issued: Moment;
    readonly formerservice: string;
    readonly service: string;
  }[];
};

export interface OperatorNetblock {
  readonly cidr: string;
  /** The smallest block that contains it; empty if none */
  readonly within: string;
  /** Who it is assigned to; empty for the provider’s own blocks */
  readonly account: string;
  readonly service: string;
  /** Whether customers get addresses immediately or only after approval */
  readonly pool: '' | 'assign' | 'ask';
  /** From the site file, or assigned on request */
  readonly origin: 'site' | 'request';
  readonly gateway: string;
  /** Percentage of its addresses in use, with two decimals */
  readonly used: string;
  /** The largest free block, such as /24; empty if none is free */
  readonly free: string;
}

export interface OperatorNullroute {
  readonly id: string;
  readonly ip: string;
  readonly account: string;
  readonly service: string;
  readonly origin: 'customer' | 'policy' | 'operator';
  readonly reason: string;
  /** Time in UTC; empty if never */
  readonly created: string;
  /** Time in UTC; empty if never */
  readonly announced: string;
  /** When it expires; empty if it stays until it is removed */
  readonly ends: string;
  /** The last observed state of the router */
  readonly state: 'Pending' | 'Active' | 'Withdrawing';
}

export interface OperatorSelf {
  readonly name: string;
  readonly role: 'support' | 'engineer' | 'billing' | 'owner';
  readonly powers: readonly string[];
  readonly kind: 'key' | 'session';
  /** For security notices and a forgotten password; empty if unknown, or for a key */
  readonly email: string;
  /** Authenticator app as a second factor; Waiting: not confirmed with a first code yet */
  readonly totp: 'None' | 'Waiting' | 'Confirmed';
  /** Number of passkeys */
  readonly passkeys: string;
}

export type OperatorService = {
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
  /** The hypervisor’s message */
  readonly detail: string;
  /** Consecutive failed attempts to create its machine */
  readonly attempts: string;
  /** When the next attempt to create its machine is due; empty if none is planned */
  readonly nextattempt: string;
  /** Why an operator suspended it; otherwise empty */
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
};

export interface OperatorServiceListItem {
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
}

export interface OperatorSession {
  /** A key for this sign-in; empty if it is in a cookie */
  readonly key: string;
  /** Only with a cookie: the token to send as X-CSRF-Token in every request */
  readonly csrf?: string;
  readonly expires: Moment;
  readonly name: string;
  readonly role: 'support' | 'engineer' | 'billing' | 'owner';
  /** Missing: the session can only set one up or sign out */
  readonly secondfactor: 'Confirmed' | 'Missing';
}

export type Rack = {
  readonly name: string;
  /** In rack units */
  readonly height: string;
  readonly place: string;
  /** Equipment from the bottom up */
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
    /** Time in UTC; empty if never */
    readonly seen: string;
  }[];
  /** Number of servers in it */
  readonly servers: string;
  /** From the sensors of servers; covers the whole rack only if all servers report it */
  readonly power: {
    /** Sum over the servers that report it; empty if none do */
    readonly watts: string;
    /** Number */
    readonly reporting: string;
  };
  /** Inlet air temperature of the servers in degrees Celsius; empty if no server reports it */
  readonly inlet: {
    readonly max: string;
    readonly median: string;
    /** Number */
    readonly reporting: string;
  };
};

export type Reclaim = {
  readonly server: string;
  readonly state: 'reclaiming' | 'quarantined';
  /** The step that is running or failed */
  readonly step: 'isolate' | 'users' | 'sessions' | 'erase' | 'inventory' | 'records';
  /** Why it failed; empty while it is running */
  readonly reason: string;
  readonly workflow: string;
  readonly started: Moment;
  readonly steps: readonly {
    readonly name: 'isolate' | 'users' | 'sessions' | 'erase' | 'inventory' | 'records';
    readonly state: 'done' | 'signedoff' | 'open';
  }[];
};

export interface Reconciler {
  readonly name: string;
  readonly state: 'well' | 'late' | 'failed' | 'running';
  /** Why the last run failed; empty if it succeeded */
  readonly error: string;
  /** Its last successful run; time in UTC, or empty */
  readonly succeeded: string;
  /** Its next run; time in UTC, or empty while one is running */
  readonly next: string;
  /** Seconds since its next run was due; 0 if it is not late */
  readonly lag: string;
  /** Milliseconds of the last successful run; empty before the first */
  readonly duration: string;
  /** Work that the last run left pending */
  readonly backlog: string;
  /** The instance that runs it, or ran it last; empty if that has stopped */
  readonly instance: string;
}

export interface ServiceWork {
  readonly service: string;
  /** Follow it with `workflow get`; empty if everything is done already */
  readonly workflow: string;
}

export type WorkflowDetail = {
  readonly account: string;
  readonly name: string;
  /** Stuck: undoing it failed and is retried every minute */
  readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
  /** back: it is being undone */
  readonly direction: 'forward' | 'back';
  readonly id: string;
  /** The operation, as in the audit log */
  readonly operation: string;
  /** Service id; empty if none */
  readonly service: string;
  /** Percent */
  readonly progress: string;
  /** The current step; empty once it has ended */
  readonly step: string;
  readonly started: string;
  /** Time in UTC; empty while it is running */
  readonly ended: string;
  /** Error code; empty if there is none */
  readonly code: string;
  /** Why it failed; otherwise empty */
  readonly error: string;
  /** The last message from the equipment, which customers cannot see */
  readonly detail: string;
  /** Attempts of the current step without a result */
  readonly tries: string;
  /** When the current step was first tried */
  readonly since: string;
  /** Empty if this instance does not know the workflow, which can happen during an upgrade */
  readonly steps: readonly {
    readonly name: string;
    readonly state: 'done' | 'under way' | 'to come' | 'undone';
  }[];
};

export interface WorkflowListItem {
  readonly account: string;
  readonly name: string;
  /** Stuck: undoing it failed and is retried every minute */
  readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
  /** back: it is being undone */
  readonly direction: 'forward' | 'back';
  readonly id: string;
  /** The operation, as in the audit log */
  readonly operation: string;
  /** Service id; empty if none */
  readonly service: string;
  /** Percent */
  readonly progress: string;
  /** The current step; empty once it has ended */
  readonly step: string;
  readonly started: string;
  /** Time in UTC; empty while it is running */
  readonly ended: string;
  /** Error code; empty if there is none */
  readonly code: string;
  /** Why it failed; otherwise empty */
  readonly error: string;
  /** The last message from the equipment, which customers cannot see */
  readonly detail: string;
}

export interface SessionCreateInput {
  /** Must start with a letter and contain only letters, digits, dot, underscore or hyphen, at most 64 characters. */
  readonly name: string;
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be the six digits that the app shows. */
  readonly code?: string | undefined;
  readonly cookie?: boolean | undefined;
}

export interface SignOnCompleteInput {
  /** Must be text of 1 to 64 characters. */
  readonly flow: string;
  /** The address to which the identity provider sent the browser, with its query string */
  readonly response: string;
  readonly cookie?: boolean | undefined;
}

export interface TotpEnrolInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /operator/session/challenge` */
  readonly passkey?: {
    /** Bytes in base64url */
    readonly id: string;
    /** Bytes in base64url */
    readonly rawId: string;
    readonly type: 'public-key';
    readonly response: {
      /** Bytes in base64url */
      readonly clientDataJSON: string;
      /** Bytes in base64url */
      readonly authenticatorData: string;
      /** Bytes in base64url */
      readonly signature: string;
      /** Bytes in base64url */
      readonly userHandle?: string;
    };
  } | undefined;
}

export interface TotpConfirmInput {
  /** Must be the six digits that the app shows. */
  readonly code: string;
}

export interface PasswordSetInput {
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be text of 12 to 128 characters. */
  readonly newpassword: string;
}

export interface PasskeyBeginInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /operator/session/challenge` */
  readonly passkey?: {
    /** Bytes in base64url */
    readonly id: string;
    /** Bytes in base64url */
    readonly rawId: string;
    readonly type: 'public-key';
    readonly response: {
      /** Bytes in base64url */
      readonly clientDataJSON: string;
      /** Bytes in base64url */
      readonly authenticatorData: string;
      /** Bytes in base64url */
      readonly signature: string;
      /** Bytes in base64url */
      readonly userHandle?: string;
    };
  } | undefined;
  /** Must be the six digits that the app shows. */
  readonly code?: string | undefined;
}

export interface PasskeyCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  readonly credential: RegistrationCredential;
}

export interface PasskeyDeleteInput {
  readonly id: Id;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /operator/session/challenge` */
  readonly passkey?: {
    /** Bytes in base64url */
    readonly id: string;
    /** Bytes in base64url */
    readonly rawId: string;
    readonly type: 'public-key';
    readonly response: {
      /** Bytes in base64url */
      readonly clientDataJSON: string;
      /** Bytes in base64url */
      readonly authenticatorData: string;
      /** Bytes in base64url */
      readonly signature: string;
      /** Bytes in base64url */
      readonly userHandle?: string;
    };
  } | undefined;
  /** Must be the six digits that the app shows. */
  readonly code?: string | undefined;
}

export interface ChallengeAnswerInput {
  readonly credential: SignInCredential;
  readonly cookie?: boolean | undefined;
}

export interface EmailSetInput {
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /operator/session/challenge` */
  readonly passkey?: {
    /** Bytes in base64url */
    readonly id: string;
    /** Bytes in base64url */
    readonly rawId: string;
    readonly type: 'public-key';
    readonly response: {
      /** Bytes in base64url */
      readonly clientDataJSON: string;
      /** Bytes in base64url */
      readonly authenticatorData: string;
      /** Bytes in base64url */
      readonly signature: string;
      /** Bytes in base64url */
      readonly userHandle?: string;
    };
  } | undefined;
  /** Must be the six digits that the app shows. */
  readonly code?: string | undefined;
}

export interface RecoveryRequestInput {
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
}

export interface RecoveryCompleteInput {
  /** Must be the 43 characters after the # of the link. */
  readonly token: string;
  /** Must be text of 12 to 128 characters. */
  readonly newpassword: string;
}

export interface OperatorCreateInput {
  /** Must start with a letter and contain only letters, digits, dot, underscore or hyphen, at most 64 characters. */
  readonly name: string;
  readonly role: 'support' | 'engineer' | 'billing' | 'owner';
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
}

export interface OperatorUpdateInput {
  readonly id: Id;
  readonly role?: 'support' | 'engineer' | 'billing' | 'owner' | undefined;
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  readonly status?: 'Active' | undefined;
  readonly newpassword?: boolean | undefined;
  readonly forgettotp?: boolean | undefined;
}

export interface OperatorDeleteInput { readonly id: Id }

export interface ServicePreviewInput {
  readonly account: Id;
  readonly type: 'dedicated' | 'vps' | 'cloud';
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  readonly size?: '/32' | '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64' | undefined;
  /** Must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter, at most 64 characters. */
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
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly price?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly setup?: string | undefined;
  readonly cycle?: 'monthly' | 'quarterly' | 'yearly' | undefined;
}

export interface ServiceListInput {
  readonly account?: Id | undefined;
  readonly type?: 'dedicated' | 'vps' | 'cloud' | undefined;
  readonly status?: 'Pending' | 'Active' | 'Suspended' | 'Terminated' | undefined;
  /** Must be text of 1 to 100 characters. */
  readonly search?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface ServiceGetInput { readonly id: Id }

export interface ServiceProvisionInput {
  readonly account: Id;
  readonly type: 'dedicated' | 'vps' | 'cloud';
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  readonly size?: '/32' | '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64' | undefined;
  /** Must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter, at most 64 characters. */
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
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly price?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly setup?: string | undefined;
  readonly cycle?: 'monthly' | 'quarterly' | 'yearly' | undefined;
}

export interface ServiceRetryInput { readonly id: Id }

export interface ServiceSuspendInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
  readonly how?: 'power' | 'ports' | 'nothing' | undefined;
}

export interface ServiceResumeInput { readonly id: Id }

export interface ServiceTerminateInput {
  readonly id: Id;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  readonly how?: 'power' | 'nothing' | undefined;
}

export interface DevicePowerGetInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DevicePowerSetInput {
  readonly action: 'on' | 'off' | 'reboot' | 'cycle';
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceShutdownInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceBootSetInput {
  readonly request: 'pxe' | 'cdrom' | 'bios';
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceHardwareGetInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceConsoleTicketInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceConsoleWebInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceConsoleResetInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceImageListInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceImageStatusInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceImageUploadInput {
  /** Must be text of 1 to 255 characters. */
  readonly image: string;
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceImageMountInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceImageUnmountInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceRescueStatusInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceRescueStartInput {
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, or the id of a saved one, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceRescueEndInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceTemplateListInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceReloadStatusInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceReloadLogInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceReloadStartInput {
  /** Must be text of 1 to 255 characters. */
  readonly value: string;
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, or the id of a saved one, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DeviceReloadCancelInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface PortEnableInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface PortDisableInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface TrafficGetInput {
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly end?: number | undefined;
  readonly format?: 'json' | 'csv' | undefined;
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface MonthGetInput {
  /** Must be a whole number from 1 to 9007199254740991. */
  readonly level?: number | undefined;
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceListInput {
  readonly kind?: 'server' | 'machine' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly after?: string | undefined;
}

export interface DeviceGetInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface DeviceSensorsGetInput {
  /** Must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter, at most 64 characters. */
  readonly server: string;
  /** Must be a whole number from 1 to 500. */
  readonly limit?: number | undefined;
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
  /** Must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter, at most 64 characters. */
  readonly server: string;
  readonly dryrun?: boolean | undefined;
}

export interface ReclaimListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter, at most 64 characters. */
  readonly after?: string | undefined;
}

export interface ReclaimRetryInput {
  /** Must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter, at most 64 characters. */
  readonly server: string;
}

export interface ReclaimSignOffInput {
  /** Must consist of letters, digits, dot, underscore or hyphen, begin and end with a letter or digit, and contain a letter, at most 64 characters. */
  readonly server: string;
  readonly step: 'isolate' | 'users' | 'sessions' | 'erase' | 'inventory' | 'records';
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface AccountListInput {
  /** Must be at most 100 values, each of which must be a numeric id. */
  readonly ids?: readonly Id[] | undefined;
  /** Must be text of 1 to 100 characters. */
  readonly search?: string | undefined;
  readonly status?: 'Active' | 'Suspended' | 'Closed' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface AccountGetInput { readonly id: Id }

export interface AccountCreateInput {
  /** Must be text without control characters, at most 255 characters. */
  readonly firstname: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly lastname: string;
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly address1: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly city: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly state: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly postcode: string;
  /** Must be a two-letter country code. */
  readonly country: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly phone?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly address2?: string | undefined;
  /** Must be text of 10 to 128 characters. */
  readonly password?: string | undefined;
  /** Must be a currency code of three capital letters. */
  readonly currency?: string | undefined;
}

export interface AccountUpdateInput {
  readonly id: Id;
  /** Must be text without control characters, at most 255 characters. */
  readonly firstname?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly lastname?: string | undefined;
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly address1?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly city?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly state?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly postcode?: string | undefined;
  /** Must be a two-letter country code. */
  readonly country?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly phone?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly address2?: string | undefined;
  /** Must be text of 10 to 128 characters. */
  readonly password?: string | undefined;
  readonly forgetfactors?: boolean | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly reason?: string | undefined;
}

export interface AccountSuspendInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface AccountResumeInput { readonly id: Id }

export interface AccountCloseInput { readonly id: Id }

export interface TaxGetInput { readonly account: Id }

export interface TaxUpdateInput {
  readonly account: Id;
  readonly kind?: 'business' | 'private' | undefined;
  /** Must be a VAT number with the prefix of its country, such as BE0428759497, at most 30 characters. */
  readonly vatnumber?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly reference?: string | undefined;
  /** Must be a scheme and an identifier, such as 0208:0428759497, at most 65 characters. */
  readonly endpoint?: string | undefined;
  readonly attachment?: 'none' | 'cii' | 'peppol' | 'xrechnung' | undefined;
  readonly pdf?: 'automatic' | 'plain' | 'facturx' | undefined;
  readonly delivery?: 'email' | 'network' | undefined;
  /** Must be a country code of two capital letters. */
  readonly ordercountry?: string | undefined;
}

export interface TaxValidateInput { readonly account: Id }

export interface TaxOverrideInput {
  readonly account: Id;
  readonly override: 'none' | 'valid' | 'exempt';
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface PaymentMethodsInput { readonly account: Id }

export interface PaymentChargesInput {
  readonly account: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface PaymentChargeInput {
  readonly account: Id;
  readonly invoice: Id;
  readonly method?: Id | undefined;
}

export interface PaymentRefundInput {
  readonly charge: Id;
  /** Must be an amount such as 12.50, at most 12 characters. */
  readonly amount: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly reason: string;
}

export interface SepaFilesInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface SepaFileInput { readonly id: Id }

export interface SepaFileDecideInput {
  readonly id: Id;
  readonly outcome: 'handed_in' | 'rejected';
}

export interface SepaStatementsInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface SepaImportInput {
  /** Must be the text of a file. */
  readonly statement: string;
}

export interface SepaEntriesInput {
  readonly state?: 'new' | 'matched' | 'unmatched' | 'ignored' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface SepaAssignInput {
  readonly entry: Id;
  readonly account: Id;
}

export interface SepaIgnoreInput {
  readonly entry: Id;
  /** Must be text without control characters, at most 255 characters. */
  readonly reason: string;
}

export interface ExchangeRateSetInput {
  /** Must be a currency code of three capital letters. */
  readonly currency: string;
  /** Must be a date such as 2026-01-31. */
  readonly date: string;
  /** Must be a number such as 1.0832. */
  readonly rate: string;
}

export interface AccountCurrencySetInput {
  readonly account: Id;
  /** Must be a currency code of three capital letters. */
  readonly currency: string;
}

export interface TaxConflictListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface AccountStatementInput {
  readonly account: Id;
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface AccountStatementPdfInput {
  readonly account: Id;
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface DeliveryListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
  readonly account?: Id | undefined;
  readonly state?: 'queued' | 'sent' | 'delivered' | 'rejected' | undefined;
}

export interface InvoiceDeliverInput { readonly id: Id }

export interface SignUpListInput {
  readonly status?: 'Unverified' | 'Waiting' | 'Rejected' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface SignUpApproveInput { readonly id: Id }

export interface SignUpRejectInput {
  readonly id: Id;
  /** Must be text of 1 to 200 characters. */
  readonly reason: string;
}

export interface SignUpInvitationCreateInput {
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be a language code such as en. */
  readonly language?: string | undefined;
  /** Must be a whole number from 1 to 90. */
  readonly days?: number | undefined;
}

export interface SignUpInvitationDeleteInput { readonly id: Id }

export interface NoteListInput {
  readonly account: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface NoteCreateInput {
  readonly account: Id;
  /** Must be text of 1 to 4000 characters. */
  readonly text: string;
}

export interface NoteUpdateInput {
  readonly id: Id;
  /** Must be text of 1 to 4000 characters. */
  readonly text: string;
}

export interface NoteDeleteInput { readonly id: Id }

export interface ContactListInput {
  readonly account: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface InvoiceListInput {
  readonly account?: Id | undefined;
  readonly status?: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled' | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly number?: string | undefined;
  /** Must be a date such as 2026-01-31. */
  readonly from?: string | undefined;
  /** Must be a date such as 2026-01-31. */
  readonly until?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface InvoiceGetInput { readonly id: Id }

export interface PaymentListInput {
  readonly account: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface EventListInput {
  readonly account: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface SearchGetInput {
  /** Must be text of 1 to 100 characters. */
  readonly text: string;
  /** Must be a whole number from 1 to 100. */
  readonly limit?: number | undefined;
}

export interface KeyListInput { readonly account: Id }

export interface KeyCreateInput {
  readonly account: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  readonly scopes: readonly ('all' | 'read-only' | 'account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'billing:pay' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[];
  /** Must be at most 50 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly allow?: readonly string[] | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly expires?: number | undefined;
}

export interface KeyRevokeInput {
  readonly account: Id;
  readonly id: Id;
}

export interface AuditListInput {
  readonly account?: Id | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly operator?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly operation?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly outcome?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface ImpersonationListInput {
  readonly account?: Id | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface ImpersonationStartInput {
  readonly account: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
  /** Must be a whole number from 1 to 60. */
  readonly minutes?: number | undefined;
}

export interface ImpersonationEndInput { readonly id: Id }

export interface RequestListInput {
  readonly account?: Id | undefined;
  readonly status?: 'Pending' | 'Assigned' | 'Refused' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface RequestApproveInput { readonly id: Id }

export interface RequestRefuseInput {
  readonly id: Id;
  /** Must be text of 1 to 200 characters. */
  readonly reason: string;
}

export interface LicenceOrderListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface LicenceOrderDeliverInput {
  readonly id: Id;
  /** Must be text of 1 to 4096 characters. */
  readonly key: string;
}

export interface WorkflowListInput {
  readonly account?: Id | undefined;
  readonly service?: Id | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly name?: string | undefined;
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

export interface JobListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be the id of a job, at most 64 characters. */
  readonly after?: string | undefined;
}

export interface JobRetryInput {
  /** Must be the id of a job, at most 64 characters. */
  readonly id: string;
}

export interface MailListInput {
  readonly account?: Id | undefined;
  readonly status?: 'Queued' | 'Held' | 'Sent' | 'Failed' | 'Summarized' | 'Bounced' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface MailGetInput { readonly id: Id }

export interface MailResendInput { readonly id: Id }

export interface UndeliverableListInput {
  readonly account?: Id | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
}

export interface UndeliverableClearInput {
  readonly account: Id;
  /** Must be an email address, at most 254 characters. */
  readonly address: string;
}

export interface MailPreviewInput {
  readonly kind: 'invoice.issued' | 'invoice.overdue' | 'invoice.reminder' | 'account.vatnumber.rejected' | 'payment.received' | 'payment.announced' | 'payment.failed' | 'payment.action' | 'payment.chargeback' | 'payment.refunded' | 'paymentmethod.added' | 'paymentmethod.removed' | 'account.suspended' | 'account.resumed' | 'service.provisioned' | 'service.suspended' | 'service.resumed' | 'service.cancelled' | 'service.termination.announced' | 'service.price.announced' | 'service.price.kept' | 'service.terminated' | 'device.reclaimed' | 'device.reload.completed' | 'device.reload.failed' | 'device.password.completed' | 'device.password.failed' | 'machine.created' | 'machine.deleted' | 'machine.resize.failed' | 'device.migration.started' | 'device.migration.completed' | 'device.backup.failing' | 'device.maintenance.began' | 'device.maintenance.ended' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'network.netblock.assigned' | 'network.netblock.refused' | 'network.bandwidth.reached' | 'maintenance.announced' | 'maintenance.updated' | 'maintenance.cancelled' | 'software.fulfilled' | 'software.cancelled' | 'dns.zone.withdrawn' | 'contact.created' | 'contact.joined' | 'key.created' | 'key.rotated' | 'key.revoked' | 'account.signin.unfamiliar' | 'account.password.changed' | 'account.factor.added' | 'account.factor.removed' | 'account.recovery.created' | 'account.recovery.used' | 'account.signon.changed' | 'account.signin.changed' | 'account.export.ready' | 'account.erasure.requested' | 'account.erasure.cancelled' | 'support.access.started' | 'summary' | 'test' | 'erased' | 'recovery' | 'invitation' | 'staffrecovery' | 'staffsignin' | 'staffchange' | 'signup' | 'signupknown' | 'signupinvited' | 'signupwaiting' | 'signupapproved' | 'signuprejected' | 'chargeback';
  /** Must be a language code such as en. */
  readonly language?: string | undefined;
}

export interface AccountExportCreateInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface AccountExportListInput { readonly id: Id }

export interface AccountExportFileInput { readonly export: Id }

export interface ErasureListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface ErasureRequestInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface ErasureCancelInput { readonly id: Id }

export interface ErasureReplayInput {
  /** Must be at most 1000 values, each of which must be a numeric id. */
  readonly accounts: readonly Id[];
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface BillingDryRunInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface BillingResumeInput {
  /** Must be a date such as 2026-01-31. */
  readonly date: string;
}

export interface PricePlanCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a currency code of three capital letters. */
  readonly currency?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly price: string;
  /** Must be a price with at most four decimals, such as 0.0125. */
  readonly hourly?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly setup?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly mbitprice?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly mbitcap?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly addressprice?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly addresscap?: string | undefined;
  readonly cycle?: 'monthly' | 'quarterly' | 'yearly' | undefined;
  /** Must be a whole number from 1 to 60. */
  readonly minimum?: number | undefined;
  /** Must be at most 50 values, each of which must be text of 1 to 64 characters. */
  readonly changes?: readonly string[] | undefined;
  /** Must be a whole number from 0 to 10000000. */
  readonly mbits?: number | undefined;
  /** Must be a whole number from 0 to 1000000. */
  readonly addresses?: number | undefined;
  /** Must be a JSON array of 1 to 4 objects with item and price and included, and optionally cap. */
  readonly usage?: readonly {
    /** Must be one of traffic, backups, snapshots, volumes. */
    readonly item: 'traffic' | 'backups' | 'snapshots' | 'volumes';
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly price: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly cap?: string;
    /** Must be a whole number from 0 to 1000000. */
    readonly included: number;
  }[] | undefined;
  /** Must be a JSON array of 1 to 20 objects with currency and price, and optionally hourly, setup, mbitprice, mbitcap, addressprice, addresscap, usage. */
  readonly prices?: readonly {
    /** Must be a currency code of three capital letters. */
    readonly currency: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly price: string;
    /** Must be a price with at most four decimals, such as 0.0125. */
    readonly hourly?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly setup?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly mbitprice?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly mbitcap?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly addressprice?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly addresscap?: string;
    /** Must be a JSON array of 1 to 4 objects with item and price, and optionally cap. */
    readonly usage?: readonly {
      /** Must be one of traffic, backups, snapshots, volumes. */
      readonly item: 'traffic' | 'backups' | 'snapshots' | 'volumes';
      /** Must be a price with at most two decimals, such as 89.00. */
      readonly price: string;
      /** Must be a price with at most two decimals, such as 89.00. */
      readonly cap?: string;
    }[];
  }[] | undefined;
  /** Must be a whole number from 1 to 1024. */
  readonly vcpus?: number | undefined;
  /** Must be a whole number from 16 to 16777216. */
  readonly memorymb?: number | undefined;
  /** Must be a whole number from 1 to 1048576. */
  readonly diskgb?: number | undefined;
  /** Must be a whole number from 1 to 1000000000. */
  readonly bandwidthgb?: number | undefined;
  readonly type?: 'Xen' | 'OpenVZ' | undefined;
  readonly size?: '/32' | '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64' | undefined;
  readonly order?: boolean | undefined;
}

export interface PricePlanUpdateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a currency code of three capital letters. */
  readonly currency?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly price: string;
  /** Must be a price with at most four decimals, such as 0.0125. */
  readonly hourly?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly setup?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly mbitprice?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly mbitcap?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly addressprice?: string | undefined;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly addresscap?: string | undefined;
  readonly cycle?: 'monthly' | 'quarterly' | 'yearly' | undefined;
  /** Must be a whole number from 1 to 60. */
  readonly minimum?: number | undefined;
  /** Must be at most 50 values, each of which must be text of 1 to 64 characters. */
  readonly changes?: readonly string[] | undefined;
  /** Must be a whole number from 0 to 10000000. */
  readonly mbits?: number | undefined;
  /** Must be a whole number from 0 to 1000000. */
  readonly addresses?: number | undefined;
  /** Must be a JSON array of 1 to 4 objects with item and price and included, and optionally cap. */
  readonly usage?: readonly {
    /** Must be one of traffic, backups, snapshots, volumes. */
    readonly item: 'traffic' | 'backups' | 'snapshots' | 'volumes';
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly price: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly cap?: string;
    /** Must be a whole number from 0 to 1000000. */
    readonly included: number;
  }[] | undefined;
  /** Must be a JSON array of 1 to 20 objects with currency and price, and optionally hourly, setup, mbitprice, mbitcap, addressprice, addresscap, usage. */
  readonly prices?: readonly {
    /** Must be a currency code of three capital letters. */
    readonly currency: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly price: string;
    /** Must be a price with at most four decimals, such as 0.0125. */
    readonly hourly?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly setup?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly mbitprice?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly mbitcap?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly addressprice?: string;
    /** Must be a price with at most two decimals, such as 89.00. */
    readonly addresscap?: string;
    /** Must be a JSON array of 1 to 4 objects with item and price, and optionally cap. */
    readonly usage?: readonly {
      /** Must be one of traffic, backups, snapshots, volumes. */
      readonly item: 'traffic' | 'backups' | 'snapshots' | 'volumes';
      /** Must be a price with at most two decimals, such as 89.00. */
      readonly price: string;
      /** Must be a price with at most two decimals, such as 89.00. */
      readonly cap?: string;
    }[];
  }[] | undefined;
  /** Must be a whole number from 1 to 1024. */
  readonly vcpus?: number | undefined;
  /** Must be a whole number from 16 to 16777216. */
  readonly memorymb?: number | undefined;
  /** Must be a whole number from 1 to 1048576. */
  readonly diskgb?: number | undefined;
  /** Must be a whole number from 1 to 1000000000. */
  readonly bandwidthgb?: number | undefined;
  readonly type?: 'Xen' | 'OpenVZ' | undefined;
  readonly size?: '/32' | '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64' | undefined;
  readonly order?: boolean | undefined;
}

export interface PricePlanApplyInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
}

export interface PricePlanKeepInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface PricePlanWithdrawInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface PricePlanOfferInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface PricePlanDeleteInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface ServicePlanSetInput {
  readonly id: Id;
  /** Must be text of 1 to 64 characters. */
  readonly plan: string;
  /** Must be a price with at most two decimals, such as 89.00. */
  readonly price?: string | undefined;
}

export interface ServiceCancelInput {
  readonly id: Id;
  /** Must be a date such as 2026-01-31. */
  readonly date?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface ServiceCancelWithdrawInput { readonly id: Id }

export interface CancellationListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface CancellationHoldInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface CancellationReleaseInput { readonly id: Id }

export interface UsageRecordInput {
  readonly id: Id;
  readonly item: 'backups' | 'snapshots';
  /** Must be a number with at most three decimals, at most 13 characters. */
  readonly quantity: string;
  /** Must be a date such as 2026-01-31. */
  readonly date?: string | undefined;
}

export interface CouponListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be at least 4 letters, digits and hyphens, at most 32 characters. */
  readonly after?: string | undefined;
}

export interface CouponCreateInput {
  /** Must be at least 4 letters, digits and hyphens, at most 32 characters. */
  readonly coupon: string;
  /** Must be a percentage such as 25%, or an amount such as 10.00, at most 12 characters. */
  readonly discount: string;
  /** Must be a whole number from 1 to 1000000. */
  readonly uses?: number | undefined;
  /** Must be a whole number from 1 to 120. */
  readonly periods?: number | undefined;
  /** Must be a date such as 2026-01-31. */
  readonly from?: string | undefined;
  /** Must be a date such as 2026-01-31. */
  readonly until?: string | undefined;
  /** Must be at most 50 values, each of which must be text of 1 to 64 characters. */
  readonly plans?: readonly string[] | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly note?: string | undefined;
}

export interface CouponEndInput {
  /** Must be at least 4 letters, digits and hyphens, at most 32 characters. */
  readonly coupon: string;
}

export interface LedgerListInput {
  readonly account: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface LedgerBalanceInput { readonly account: Id }

export interface PaymentRecordInput {
  readonly account: Id;
  /** Must be an amount such as 12.50, at most 12 characters. */
  readonly amount: string;
  /** Must be lower-case letters, digits or hyphens, at most 32 characters. */
  readonly method: string;
  /** Must be text of 1 to 128 characters. */
  readonly reference: string;
  /** Must be a date such as 2026-01-31. */
  readonly date?: string | undefined;
}

export interface CreditGrantInput {
  readonly account: Id;
  /** Must be an amount such as 12.50, at most 12 characters. */
  readonly amount: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface RefundRecordInput {
  readonly account: Id;
  /** Must be an amount such as 12.50, at most 12 characters. */
  readonly amount: string;
  /** Must be lower-case letters, digits or hyphens, at most 32 characters. */
  readonly method: string;
  /** Must be text of 1 to 128 characters. */
  readonly reference: string;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface InvoiceWriteOffInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface InvoiceCreditInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
  /** Must be a JSON array of 1 to 500 objects with id, and optionally amount. */
  readonly lines?: readonly {
    /** Must be a numeric id. */
    readonly id: number;
    /** Must be an amount such as 12.50, at most 12 characters. */
    readonly amount?: string;
  }[] | undefined;
}

export interface DunningGetInput { readonly account: Id }

export interface DunningHoldInput {
  readonly account: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface DunningResumeInput {
  readonly account: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason: string;
}

export interface ReportRevenueInput {
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface ReportReceivablesInput {
  /** Must be a date such as 2026-01-31. */
  readonly day?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
}

export interface ReportTaxesInput {
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface ReportPaymentsInput {
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface ReportCsvInput {
  readonly report: 'revenue' | 'receivables' | 'taxes' | 'payments';
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface ReportDatevInput {
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
  /** Must be a currency code of three capital letters. */
  readonly currency?: string | undefined;
}

export interface NullrouteListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
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

export interface MaintenanceListInput {
  readonly status?: 'Draft' | 'Announced' | 'Cancelled' | 'Completed' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface MaintenanceCreateInput {
  /** Must be text without control characters, at most 255 characters. */
  readonly title: string;
  /** Must be text of 1 to 4000 characters. */
  readonly text: string;
  /** Must be a Unix timestamp in seconds. */
  readonly start: number;
  /** Must be a Unix timestamp in seconds. */
  readonly end: number;
  readonly all?: boolean | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly nodes?: readonly string[] | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly switches?: readonly string[] | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly racks?: readonly string[] | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly servers?: readonly string[] | undefined;
}

export interface MaintenanceUpdateInput {
  readonly id: Id;
  /** Must be text without control characters, at most 255 characters. */
  readonly title?: string | undefined;
  /** Must be text of 1 to 4000 characters. */
  readonly text?: string | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly end?: number | undefined;
  readonly all?: boolean | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly nodes?: readonly string[] | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly switches?: readonly string[] | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly racks?: readonly string[] | undefined;
  /** Must be at most 200 values, each of which must be text of 1 to 128 characters. */
  readonly servers?: readonly string[] | undefined;
}

export interface MaintenanceAnnounceInput { readonly id: Id }

export interface MaintenanceCancelInput { readonly id: Id }

export interface MaintenanceCompleteInput { readonly id: Id }

export interface RackListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be text of 1 to 100 characters. */
  readonly after?: string | undefined;
}

export interface NetblockListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be an address or a network such as 192.0.2.0/24. */
  readonly after?: string | undefined;
}

export interface NetblockReleaseInput {
  /** Must be an address or a network such as 192.0.2.0/24. */
  readonly netblock: string;
}

export interface NodeListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly after?: string | undefined;
}

export interface NodeGetInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface MachineListInput {
  /** Must be text of 1 to 64 characters. */
  readonly node: string;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface NodeMaintenanceInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  readonly enabled: boolean;
  /** Must be text of 1 to 200 characters. */
  readonly reason?: string | undefined;
}

export interface NodeEvacuateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be text of 1 to 200 characters. */
  readonly reason: string;
  readonly mode?: 'auto' | 'live' | 'cold' | undefined;
}

export interface NodeEvacuationCancelInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface NodeEvacuationGetInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface NodeMembersInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface MachineMigrateInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
  /** Must be text of 1 to 64 characters. */
  readonly target?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly member?: string | undefined;
  readonly mode?: 'auto' | 'live' | 'cold' | undefined;
}

export interface MachineMigrateCancelInput {
  /** Must be the name of a server, or vm- followed by the number of a machine, at most 64 characters. */
  readonly device: string;
}

export interface MigrationListInput {
  readonly service?: Id | undefined;
  readonly status?: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be the id of an action, at most 40 characters. */
  readonly before?: string | undefined;
}

export interface NodeAdoptableInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface MachineInspectInput {
  /** Must be text of 1 to 64 characters. */
  readonly node: string;
  /** Must be the name of a machine on its hypervisor. */
  readonly machine: string;
}

export interface MachineAdoptInput {
  /** Must be text of 1 to 64 characters. */
  readonly node: string;
  /** Must be the name of a machine on its hypervisor. */
  readonly machine: string;
  /** Must be text of 1 to 64 characters. */
  readonly template: string;
  /** Must be a whole number from 0 to 100000000. */
  readonly bandwidthgb?: number | undefined;
  readonly filter?: boolean | undefined;
  readonly service?: Id | undefined;
  readonly account?: Id | undefined;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname?: string | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly plan?: string | undefined;
  /** Must be at most 16 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly netblock?: readonly string[] | undefined;
}

export interface SwitchListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly after?: string | undefined;
}

export interface SwitchGetInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface PortListInput {
  /** Must be text of 1 to 64 characters. */
  readonly switch: string;
  /** Must be text of 1 to 100 characters. */
  readonly search?: string | undefined;
  readonly errors?: boolean | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be a whole number from 0 to 2147483647. */
  readonly after?: number | undefined;
}

/** The operations by name. */
export interface Methods {
  /** Sign in. Returns a key for 12 hours. `code` is required once an authenticator app is confirmed. If you have neither app nor passkey, the key can only set one up; if you have only a passkey, sign in with it. With `cookie`, which is for pages of this host, the key is kept in a cookie that scripts cannot read. */
  sessionCreate(input: SessionCreateInput, options?: CallOptions): Promise<OperatorSession>;
  /** Get whether staff can use single sign-on */
  signOnGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly available: Flag01;
    /** The text of the button */
    readonly label: string;
    /** Whether only break-glass operators can use a password */
    readonly required: '0' | '1';
  }>;
  /** Start signing in through the identity provider. For pages of this host, which open the URL and keep the flow. */
  signOnBegin(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** The page of the identity provider to open */
    readonly url: string;
    /** Keep it in the browser and send it with the response, within ten minutes */
    readonly flow: string;
  }>;
  /** Sign in with the response of the identity provider. Returns a key for an hour, or keeps it in a cookie, like `POST /operator/session`. The provider’s claims determine the role. */
  signOnComplete(input: SignOnCompleteInput, options?: CallOptions): Promise<OperatorSession>;
  /** Get the owner and permissions of the current key */
  sessionGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<OperatorSelf>;
  /** Sign out. Revokes the key of this request if it came from signing in. */
  sessionDelete(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<string>;
  /** Set up a second factor. Returns a new secret for an authenticator app (RFC 6238). It takes effect once it is confirmed. Requires the password or a passkey. */
  totpEnrol(input?: TotpEnrolInput, options?: CallOptions): Promise<Enrolment>;
  /** Confirm the second factor. From then on, signing in requires a code. */
  totpConfirm(input: TotpConfirmInput, options?: CallOptions): Promise<string>;
  /** Change your password. Ends your other sessions. */
  passwordSet(input: PasswordSetInput, options?: CallOptions): Promise<string>;
  /** List your passkeys */
  passkeyGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Passkey[]>;
  /** Get options to create a passkey. Valid for five minutes, for a page on the same host, addressed by name. Requires the password, a code or another passkey. */
  passkeyBegin(input?: PasskeyBeginInput, options?: CallOptions): Promise<PasskeyCreationOptions>;
  /** Create a passkey. Stores the passkey that the browser created, under a name that you choose. It counts as a second factor. */
  passkeyCreate(input: PasskeyCreateInput, options?: CallOptions): Promise<Passkey>;
  /** Delete a passkey. It can no longer be used to sign in. Requires the password, a code or a passkey. The only second factor cannot be deleted. */
  passkeyDelete(input: PasskeyDeleteInput, options?: CallOptions): Promise<string>;
  /** Get options to sign in with a passkey. Valid for five minutes, for a page on the same host, addressed by name. */
  challengeCreate(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<PasskeyRequestOptions>;
  /** Sign in with a passkey. Needs no name, password or code. Returns a key for 12 hours, or keeps it in a cookie, like `POST /operator/session`. */
  challengeAnswer(input: ChallengeAnswerInput, options?: CallOptions): Promise<OperatorSession>;
  /** Change your email address. Security notices and links for a forgotten password are sent to it; without an address, you get neither. Requires the password, a code or a passkey. The old address gets a notice. */
  emailSet(input?: EmailSetInput, options?: CallOptions): Promise<string>;
  /** Request a link to choose a new password. Sends a link to the address if it belongs to a member of staff who may sign in with a password. The response is the same for every address. The link works once and expires after 30 minutes. */
  recoveryRequest(input: RecoveryRequestInput, options?: CallOptions): Promise<string>;
  /** Choose a new password with the token of the link. Ends all of the person's sessions. Signing in still requires the second factor. */
  recoveryComplete(input: RecoveryCompleteInput, options?: CallOptions): Promise<string>;
  /** List operators. Includes those whose access was removed. */
  operatorList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Operator[]>;
  /** Create an operator. The initial password is returned only once. */
  operatorCreate(input: OperatorCreateInput, options?: CallOptions): Promise<NewOperator>;
  /** Update an operator. Changes the role or the email address, restores access, generates a new password or removes lost second factors and passkeys. A new password and removed factors end the operator's sessions; you cannot do this to yourself. Links for a forgotten password go to the new email address. */
  operatorUpdate(input: OperatorUpdateInput, options?: CallOptions): Promise<NewOperator>;
  /** Remove an operator. Ends their sessions immediately. The name stays in the logs and cannot be reused. */
  operatorDelete(input: OperatorDeleteInput, options?: CallOptions): Promise<string>;
  /** List the options for provisioning a service. Plans, free servers by model, templates, and hypervisors with their free capacity. */
  serviceOptions(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly plans: readonly {
      readonly name: string;
      readonly price: Money;
      readonly currency: string;
      readonly setup: Money;
      readonly cycle: 'monthly' | 'quarterly' | 'yearly';
      /** Per started hour; empty if the plan is billed by the cycle */
      readonly hourly: string;
      /** Size of a virtual machine on the plan; empty if the plan has none */
      readonly vcpus: string;
      readonly memorymb: string;
      readonly diskgb: string;
      /** Size of the block of addresses that a machine gets */
      readonly size: string;
    }[];
    /** Names of the first 1,000 free servers */
    readonly models: readonly {
      /** Parts of the servers; the model of the BMC if unknown */
      readonly model: string;
      /** Number of free servers */
      readonly free: string;
      /** Their names */
      readonly servers: readonly string[];
    }[];
    readonly templates: readonly {
      readonly value: string;
      readonly name: string;
      readonly kind: string;
    }[];
    readonly nodes: readonly {
      readonly name: string;
      /** The kinds of machines that it runs */
      readonly kinds: readonly string[];
      /** Free memory; empty if it did not respond */
      readonly memorymb: string;
      /** Free disk; empty if it did not respond */
      readonly diskgb: string;
      /** Why it did not respond; otherwise empty */
      readonly error: string;
    }[];
  }>;
  /** Preview a service before it is provisioned. Takes and checks the same parameters as provisioning, and returns the addresses and invoices. Nothing is reserved: another service may take the addresses first. */
  servicePreview(input: ServicePreviewInput, options?: CallOptions): Promise<{
    /** The addresses that the service would get */
    readonly netblock: string;
    /** Its own address */
    readonly ip: string;
    readonly currency: string;
    readonly first: {
      /** Empty if there is none */
      readonly date: Day | '';
      readonly subtotal: Money;
      readonly tax: Money;
      readonly total: Money;
      readonly lines: readonly {
        readonly description: string;
        readonly amount: Money;
      }[];
    };
    readonly next: {
      /** Empty if there is none */
      readonly date: Day | '';
      readonly subtotal: Money;
      readonly tax: Money;
      readonly total: Money;
      readonly lines: readonly {
        readonly description: string;
        readonly amount: Money;
      }[];
    };
  }>;
  /** List services. `search` matches an id, the legacy name of a server, or part of a name, host name, address or server. Pass the last id as `after` for the next page. */
  serviceList(input?: ServiceListInput, options?: CallOptions): Promise<readonly OperatorServiceListItem[]>;
  /** Get a service. Includes its addresses, terms and running workflows. */
  serviceGet(input: ServiceGetInput, options?: CallOptions): Promise<OperatorService>;
  /** Provision a service. Gives an account a server or machine, with addresses from the pools, on the terms of a plan. A dedicated service needs a free `server` and is Active immediately. A machine needs `template`, and `vcpus`, `memorymb` and `diskgb` unless its `plan` has a size; values that you pass replace those of the plan. Its service is Pending until the workflow has created the machine. With `plan`, the service has the price of the plan; with `price`, an individual price; without both, it is not billed. */
  serviceProvision(input: ServiceProvisionInput, options?: CallOptions): Promise<ServiceWork>;
  /** Create the machine of a service now. Retries immediately to create a machine that does not exist yet. */
  serviceRetry(input: ServiceRetryInput, options?: CallOptions): Promise<ServiceWork>;
  /** Suspend a service. Lasts until the service is resumed. Work that the customer has in progress on the device is cancelled first. `how` selects what is cut off: the power (a machine may shut down first), the switch ports, or nothing. The default is the switch ports if the server has any, otherwise the power. A service that is suspended for unpaid invoices can be suspended as well; paying them then does not resume it. */
  serviceSuspend(input: ServiceSuspendInput, options?: CallOptions): Promise<ServiceWork>;
  /** Resume a service. Restores what was cut off. */
  serviceResume(input: ServiceResumeInput, options?: CallOptions): Promise<ServiceWork>;
  /** Terminate a service. This cannot be undone: work in progress is cancelled, the device is powered off, billing ends, addresses are returned and a machine is deleted. `hostname` must be that of the service, so that a mistyped id terminates nothing. `how` is `power` by default; use `nothing` for a device that no longer responds. */
  serviceTerminate(input: ServiceTerminateInput, options?: CallOptions): Promise<ServiceWork>;
  /** Get the power state. Queries the device itself. */
  devicePowerGet(input: DevicePowerGetInput, options?: CallOptions): Promise<PowerState>;
  /** Set the power state. Powers a device on or off, reboots or power-cycles it. */
  devicePowerSet(input: DevicePowerSetInput, options?: CallOptions): Promise<PowerDone>;
  /** Ask the operating system to shut down. Sends the request and returns. The operating system may ignore it; the power is not cut. The action fails if the device is still on after five minutes. A device that is off stays off. */
  deviceShutdown(input: DeviceShutdownInput, options?: CallOptions): Promise<'Shutdown Requested'>;
  /** Set the next boot device. Applies to the next boot only. The device is not rebooted. */
  deviceBootSet(input: DeviceBootSetInput, options?: CallOptions): Promise<BootDone>;
  /** Get the hardware and ports of a device */
  deviceHardwareGet(input: DeviceHardwareGetInput, options?: CallOptions): Promise<Hardware>;
  /** Create a browser console ticket. Open a WebSocket at `url` within `expires` seconds, from the same address. The ticket works once. For a dedicated server, binary frames carry the serial console in both directions, starting with its recent output, and the text frame `break` sends a break. For a virtual machine they carry VNC (RFB), as noVNC expects it, or its text console if it has no VNC. */
  deviceConsoleTicket(input: DeviceConsoleTicketInput, options?: CallOptions): Promise<ConsoleTicket>;
  /** Open the web console of a dedicated server. Returns a link to the page of the server's controller, with its console. Open it within `expires` seconds, from the same address; it works once. The session ends after an hour, with a console reset, and when another console is opened. */
  deviceConsoleWeb(input: DeviceConsoleWebInput, options?: CallOptions): Promise<WebConsole>;
  /** Reset the console. Ends the console session and, for a dedicated server, all other sessions of its controller: the serial console, and remote screens if the controller lists them. */
  deviceConsoleReset(input: DeviceConsoleResetInput, options?: CallOptions): Promise<'Console Reset'>;
  /** List ISO images. With `service`, lists images that the device can mount now; without it, images that at least one of your devices can mount. */
  deviceImageList(input: DeviceImageListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Get the image of a device. Queries the device itself. Returns its image, whether it is mounted, and the progress of an upload. */
  deviceImageStatus(input: DeviceImageStatusInput, options?: CallOptions): Promise<DeviceImageStatus>;
  /** Upload an ISO image to a device. Makes the image ready to be mounted. The BMC of a dedicated server fetches it first, into its virtual drive; if that fails, nothing changes. */
  deviceImageUpload(input: DeviceImageUploadInput, options?: CallOptions): Promise<'Image Uploaded'>;
  /** Mount the uploaded image */
  deviceImageMount(input: DeviceImageMountInput, options?: CallOptions): Promise<'Image Mounted'>;
  /** Unmount the image. The image stays uploaded. */
  deviceImageUnmount(input: DeviceImageUnmountInput, options?: CallOptions): Promise<'Image Unmounted'>;
  /** Get the state of the rescue system */
  deviceRescueStatus(input: DeviceRescueStatusInput, options?: CallOptions): Promise<RescueStatus>;
  /** Start the rescue system. Returns the rescue system's root password. The rescue system runs in memory and does not touch the disk; the server boots its disk at the next restart. */
  deviceRescueStart(input: DeviceRescueStartInput, options?: CallOptions): Promise<string>;
  /** Stop the rescue system. The server boots its disk again. */
  deviceRescueEnd(input: DeviceRescueEndInput, options?: CallOptions): Promise<'Rescue Ended'>;
  /** List operating systems for a reload */
  deviceTemplateList(input: DeviceTemplateListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Get the progress of a reload */
  deviceReloadStatus(input: DeviceReloadStatusInput, options?: CallOptions): Promise<ReloadStatus>;
  /** List the log of the last reload. With `Accept: text/event-stream`, streams the log as server-sent events until the reload has ended. Each has a cursor as `id`: `Last-Event-ID` resumes after it, on any instance. If nothing will follow, the response is 204. */
  deviceReloadLog(input: DeviceReloadLogInput, options?: CallOptions): Promise<readonly ReloadLogLine[]>;
  /** Reload the operating system. Erases the device. Returns the new root password. `sshkeys` are public keys for root, or ids of saved keys. */
  deviceReloadStart(input: DeviceReloadStartInput, options?: CallOptions): Promise<string>;
  /** Cancel the reload */
  deviceReloadCancel(input: DeviceReloadCancelInput, options?: CallOptions): Promise<'Reload Cancelled'>;
  /** Enable a switch port */
  portEnable(input: PortEnableInput, options?: CallOptions): Promise<'Port Enabled.'>;
  /** Disable a switch port */
  portDisable(input: PortDisableInput, options?: CallOptions): Promise<'Port Disabled.'>;
  /** Export traffic samples. The five-minute samples that figures, graphs and invoices are based on, summed over all ports of the service. The last 24 hours unless `start` and `end` are given. */
  trafficGet(input: TrafficGetInput, options?: CallOptions): Promise<readonly TrafficSample[] | string>;
  /** Get the traffic of the current month. The 95th percentile so far, its projection and the remaining bursts. Traffic above `level`, in bits per second, counts as a burst; the default is the committed rate or, without one, the projected 95th percentile. */
  monthGet(input: MonthGetInput, options?: CallOptions): Promise<TrafficMonth>;
  /** List devices. Lists servers or virtual machines (servers by default) with their customer and restrictions, ordered by name. Pass the last device as `after` for the next page. */
  deviceList(input?: DeviceListInput, options?: CallOptions): Promise<readonly OperatorDevice[]>;
  /** Get a device with its history. Customers, restrictions, current use, firmware and certificates, as recorded; the device is not contacted. */
  deviceGet(input: DeviceGetInput, options?: CallOptions): Promise<OperatorDeviceDetail>;
  /** Get the sensors and event log of a server. As last read, without contacting the server: readings, broken parts, and the newest entries of the event log that Hostyard has read, a hundred by default. */
  deviceSensorsGet(input: DeviceSensorsGetInput, options?: CallOptions): Promise<{
    /** current: as of the last check. unreachable: the BMC did not respond to the last check, so every sensor is unknown. unsupported: the BMC has no sensors. waiting: not read yet. */
    readonly state: 'current' | 'unreachable' | 'unsupported' | 'waiting';
    /** When the readings were stored, in UTC; empty if never. They are stored when they change noticeably, and at least every half hour. */
    readonly read: string;
    readonly sensors: readonly {
      readonly name: string;
      readonly kind: 'temperature' | 'fan' | 'power' | 'psu' | 'drive' | 'voltage' | 'current' | 'processor' | 'memory' | 'battery';
      /** Decimal; empty if the sensor has states instead, or if the value is unknown */
      readonly value: string;
      /** Such as °C, rpm, W or %; for a drive, the share of its life that is left */
      readonly unit: string;
      /** unknown: the BMC does not respond or has no reading, for example because the part has no power; absent: an empty slot */
      readonly health: 'ok' | 'warning' | 'critical' | 'unknown' | 'absent';
      /** The problem as reported by the BMC; empty if there is none */
      readonly detail: string;
      /** Decimal; empty if there is none */
      readonly low: string;
      /** Decimal; empty if there is none */
      readonly high: string;
    }[];
    /** Entries of the event log, newest first */
    readonly log: readonly {
      /** By the BMC’s clock, in UTC; empty if the clock is not set */
      readonly time: string;
      /** When Hostyard read it, in UTC */
      readonly seen: string;
      readonly severity: 'ok' | 'warning' | 'critical';
      readonly text: string;
    }[];
    /** Error of the last check; empty if it succeeded */
    readonly error: string;
    /** Parts that are broken */
    readonly faults: readonly {
      readonly sensor: string;
      readonly kind: 'temperature' | 'fan' | 'power' | 'psu' | 'drive' | 'voltage' | 'current' | 'processor' | 'memory' | 'battery';
      readonly severity: 'warning' | 'critical';
      readonly detail: string;
      /** When it was confirmed, in UTC */
      readonly since: string;
    }[];
  }>;
  /** Lock a device. Rejects customers’ commands; they see the reason. */
  deviceLock(input: DeviceLockInput, options?: CallOptions): Promise<string>;
  /** Unlock a device. Customers can control the device again. */
  deviceUnlock(input: DeviceUnlockInput, options?: CallOptions): Promise<string>;
  /** Start maintenance of a device. Notifies the customer and rejects their commands with the reason. */
  deviceMaintenanceBegin(input: DeviceMaintenanceBeginInput, options?: CallOptions): Promise<string>;
  /** End maintenance of a device. Notifies the customer, who can control the device again. */
  deviceMaintenanceEnd(input: DeviceMaintenanceEndInput, options?: CallOptions): Promise<string>;
  /** Scan the hardware of a server. Reads the parts from the BMC and returns the differences from the stored ones. Unless `dryrun` is set, each category that the BMC reports replaces the stored one. */
  deviceDiscover(input: DeviceDiscoverInput, options?: CallOptions): Promise<Discovery>;
  /** List servers between customers. Lists servers that are being erased and checked, and servers in quarantine with the reason. Pass the last server as `after` for the next page. */
  reclaimList(input?: ReclaimListInput, options?: CallOptions): Promise<readonly Reclaim[]>;
  /** Retry the failed step of a server in quarantine. Repeats only the failed step, then continues. */
  reclaimRetry(input: ReclaimRetryInput, options?: CallOptions): Promise<string>;
  /** Sign off the failed step of a server in quarantine. Continues as if the step had succeeded. The certificate names the step, the operator and the reason, and both customers can read it. */
  reclaimSignOff(input: ReclaimSignOffInput, options?: CallOptions): Promise<string>;
  /** List accounts. `search` matches an id, or part of a name, company or email address. Pass the last id as `after` for the next page. With `ids`, returns only these accounts. */
  accountList(input?: AccountListInput, options?: CallOptions): Promise<readonly OperatorAccountListItem[]>;
  /** Get an account. Includes its debt and its usage. */
  accountGet(input: AccountGetInput, options?: CallOptions): Promise<OperatorAccount>;
  /** Create an account. Returns its id. `currency` defaults to that of the existing accounts. Without `password`: API access only. The customer has to replace the password when they first sign in, within seven days. */
  accountCreate(input: AccountCreateInput, options?: CallOptions): Promise<string>;
  /** Update an account. `forgetfactors` removes the second factors and passkeys of the account’s own sign-in and ends its sessions, for someone who lost their phone. The customer has to replace a `password` at their next sign-in, within seven days. A new `email`, `password` or `forgetfactors` needs a `reason`, which the customer sees. */
  accountUpdate(input: AccountUpdateInput, options?: CallOptions): Promise<string>;
  /** Suspend an account. Read-only: the customer can view and pay, but not change services, until the account is resumed. */
  accountSuspend(input: AccountSuspendInput, options?: CallOptions): Promise<string>;
  /** Resume an account. Also resumes the services that were suspended for unpaid invoices. */
  accountResume(input: AccountResumeInput, options?: CallOptions): Promise<string>;
  /** Close an account. All services must be terminated first. Keys stop working and zones are deleted; invoices are kept. This cannot be undone. */
  accountClose(input: AccountCloseInput, options?: CallOptions): Promise<string>;
  /** Get the tax data of an account. Includes the evidence: countries, and the answers of the VAT register with their consultation numbers. */
  taxGet(input: TaxGetInput, options?: CallOptions): Promise<{
    readonly account: string;
    readonly kind: 'business' | 'private';
    /** With its country prefix; empty if you have none */
    readonly vatnumber: string;
    /** Only `valid` allows a reverse charge. `unreachable` means that the register has not answered: until the number is validated, tax is charged as for consumers. */
    readonly validation: 'unchecked' | 'valid' | 'invalid' | 'unreachable';
    /** When the register last answered about this number */
    readonly checked: Moment | null;
    /** Your reference on every invoice, such as a Leitweg-ID */
    readonly reference: string;
    /** Your electronic address for e-invoices, such as 0208:0428759497 */
    readonly endpoint: string;
    /** The e-invoice format attached to emails next to the PDF */
    readonly attachment: 'none' | 'cii' | 'peppol' | 'xrechnung';
    /** `facturx` embeds the e-invoice into the PDF, `plain` does not, and `automatic` embeds it in countries that the provider chose */
    readonly pdf: 'automatic' | 'plain' | 'facturx';
    /** `network` also sends invoices through the e-invoicing network, to `endpoint` */
    readonly delivery: 'email' | 'network';
    /** The provider can send invoices through a network */
    readonly networkavailable: boolean;
    /** The VAT category of the next invoice; empty if the provider does not compute VAT */
    readonly category: '' | 'S' | 'AE' | 'G' | 'E';
    /** Percentage of the next invoice */
    readonly rate: string;
    /** Why no VAT is charged; empty if VAT is charged */
    readonly reason: string;
    readonly override: 'none' | 'valid' | 'exempt';
    readonly overridereason: string;
    /** The country of the billing address */
    readonly country: string;
    /** The country that an order came from; empty if unknown */
    readonly ordercountry: string;
    /** Further evidence: IP addresses of orders, payment methods, and entries of staff */
    readonly evidence: readonly {
      readonly source: 'order' | 'payment' | 'staff';
      readonly country: string;
      readonly seen: Moment;
    }[];
    /** For a private customer in the EU: `sufficient` if other evidence names the billing country, `conflict` if all of it names other countries, `missing` if there is none */
    readonly evidencestate: 'unneeded' | 'sufficient' | 'missing' | 'conflict';
    /** The latest answers of the register, newest first */
    readonly checks: readonly {
      readonly checked: Moment;
      readonly vatnumber: string;
      readonly validation: 'unchecked' | 'valid' | 'invalid' | 'unreachable';
      /** The consultation number of the register; empty if it gave none */
      readonly consultation: string;
      /** According to the register; empty if it does not say */
      readonly name: string;
      readonly address: string;
    }[];
  }>;
  /** Update the tax data of an account. An empty value clears the field. `ordercountry` is the country that an order came from, as evidence. */
  taxUpdate(input: TaxUpdateInput, options?: CallOptions): Promise<string>;
  /** Validate the VAT number of an account again. Queries the register within seconds. The answer is in the tax data. */
  taxValidate(input: TaxValidateInput, options?: CallOptions): Promise<string>;
  /** Override the tax treatment of an account. `valid` accepts the VAT number without the register until the number changes; `exempt` charges no VAT, with the reason on every invoice; `none` ends the override. */
  taxOverride(input: TaxOverrideInput, options?: CallOptions): Promise<string>;
  /** List a customer's payment methods */
  paymentMethods(input: PaymentMethodsInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** The payment provider, such as `stripe` */
    readonly provider: string;
    /** Such as `card` */
    readonly kind: string;
    /** Such as `Visa •••• 4242, 8/2030` */
    readonly label: string;
    /** An expired method can no longer be charged */
    readonly state: 'active' | 'expired';
    /** Invoices are collected from it on their due date */
    readonly default: boolean;
    readonly created: string;
  }[]>;
  /** List a customer's charges. Newest first, with their refunds. Pass the last `id` as `before` for the next page. */
  paymentCharges(input: PaymentChargesInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly provider: string;
    /** The label of the payment method; empty for a payment on a page */
    readonly method: string;
    readonly purpose: 'invoice' | 'top-up';
    /** Empty for a top-up */
    readonly invoicenum: string;
    readonly amount: Money;
    readonly currency: string;
    /** created and submitted: in progress; needs_action: the customer must confirm it; partly_refunded, refunded and charged_back: it succeeded, but money was returned */
    readonly state: 'created' | 'submitted' | 'needs_action' | 'succeeded' | 'failed' | 'partly_refunded' | 'refunded' | 'charged_back';
    /** Why it failed; otherwise empty */
    readonly failure: string;
    readonly refunded: Money;
    /** Collected automatically on the due date, or retried after it */
    readonly automatic: boolean;
    readonly created: string;
    readonly account: string;
    /** The payment provider’s message */
    readonly failurecode: string;
    /** The id of the payment at the payment provider, as in the ledger */
    readonly reference: string;
    readonly refundable: Money;
    readonly refunds: readonly {
      readonly id: string;
      readonly amount: Money;
      readonly state: 'created' | 'submitted' | 'succeeded' | 'failed';
      readonly failurecode: string;
      readonly reason: string;
      readonly created: string;
    }[];
  }[]>;
  /** Charge a customer's payment method for an invoice. Without `method`, the default one. Follow the result in the list of charges. */
  paymentCharge(input: PaymentChargeInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly provider: string;
    /** The label of the payment method; empty for a payment on a page */
    readonly method: string;
    readonly purpose: 'invoice' | 'top-up';
    /** Empty for a top-up */
    readonly invoicenum: string;
    readonly amount: Money;
    readonly currency: string;
    /** created and submitted: in progress; needs_action: the customer must confirm it; partly_refunded, refunded and charged_back: it succeeded, but money was returned */
    readonly state: 'created' | 'submitted' | 'needs_action' | 'succeeded' | 'failed' | 'partly_refunded' | 'refunded' | 'charged_back';
    /** Why it failed; otherwise empty */
    readonly failure: string;
    readonly refunded: Money;
    /** Collected automatically on the due date, or retried after it */
    readonly automatic: boolean;
    readonly created: string;
    readonly account: string;
    /** The payment provider’s message */
    readonly failurecode: string;
    /** The id of the payment at the payment provider, as in the ledger */
    readonly reference: string;
    readonly refundable: Money;
    readonly refunds: readonly {
      readonly id: string;
      readonly amount: Money;
      readonly state: 'created' | 'submitted' | 'succeeded' | 'failed';
      readonly failurecode: string;
      readonly reason: string;
      readonly created: string;
    }[];
  }>;
  /** Refund a charge, or a part of it. Pays out the customer's credit to the payment method that was charged, at most the amount of the charge. To refund an invoice, cancel it first: the paid amount becomes credit. */
  paymentRefund(input: PaymentRefundInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly provider: string;
    /** The label of the payment method; empty for a payment on a page */
    readonly method: string;
    readonly purpose: 'invoice' | 'top-up';
    /** Empty for a top-up */
    readonly invoicenum: string;
    readonly amount: Money;
    readonly currency: string;
    /** created and submitted: in progress; needs_action: the customer must confirm it; partly_refunded, refunded and charged_back: it succeeded, but money was returned */
    readonly state: 'created' | 'submitted' | 'needs_action' | 'succeeded' | 'failed' | 'partly_refunded' | 'refunded' | 'charged_back';
    /** Why it failed; otherwise empty */
    readonly failure: string;
    readonly refunded: Money;
    /** Collected automatically on the due date, or retried after it */
    readonly automatic: boolean;
    readonly created: string;
    readonly account: string;
    /** The payment provider’s message */
    readonly failurecode: string;
    /** The id of the payment at the payment provider, as in the ledger */
    readonly reference: string;
    readonly refundable: Money;
    readonly refunds: readonly {
      readonly id: string;
      readonly amount: Money;
      readonly state: 'created' | 'submitted' | 'succeeded' | 'failed';
      readonly failurecode: string;
      readonly reason: string;
      readonly created: string;
    }[];
  }>;
  /** List files for the bank. Newest first. Pass the last `id` as `before` for the next page. */
  sepaFiles(input?: SepaFilesInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly kind: 'debit' | 'refund';
    readonly messageid: string;
    /** YYYY-MM-DD HH:MM:SS, in UTC */
    readonly created: string;
    /** The number of direct debits or transfers */
    readonly payments: string;
    readonly amount: Money;
    readonly state: 'created' | 'handed_in' | 'rejected';
    /** Who handed it in, or recorded its rejection; otherwise empty */
    readonly operator: string;
  }[]>;
  /** Download a file for the bank. A pain.008 with direct debits or a pain.001 with refunds. Downloading a file again returns the same content. */
  sepaFile(input: SepaFileInput, options?: CallOptions): Promise<FileResponse>;
  /** Record what happened to a file. handed_in: the bank has received the file. rejected: the bank has rejected the whole file, even after it was handed in; its charges fail and are collected again, and the credit of its refunds is restored. */
  sepaFileDecide(input: SepaFileDecideInput, options?: CallOptions): Promise<string>;
  /** List imported bank statements. Newest first. Pass the last `id` as `before` for the next page. */
  sepaStatements(input?: SepaStatementsInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** camt.053 or camt.054 */
    readonly kind: 'statement' | 'notification';
    /** The bank’s number for it */
    readonly bankid: string;
    readonly iban: string;
    /** YYYY-MM-DD HH:MM:SS, in UTC */
    readonly imported: string;
    readonly operator: string;
    /** The number of bookings that were not in an earlier statement */
    readonly entries: string;
    /** The sum of the new bookings; negative if more money left the account */
    readonly total: string;
    /** The part of this sum that is recorded in the ledger */
    readonly booked: string;
    /** The number of bookings that staff have to assign */
    readonly unmatched: string;
    /** The number of bookings that are still to be matched */
    readonly waiting: string;
    /** The sum of bookings that do not concern customers */
    readonly ignored: string;
  }[]>;
  /** Import a bank statement. camt.053 or camt.054, version .02 or .08, in euro. Bookings are matched in the background. Importing it again changes nothing. */
  sepaImport(input: SepaImportInput, options?: CallOptions): Promise<{
    /** The number of new statements */
    readonly statements: string;
    /** The number of new bookings */
    readonly entries: string;
    /** The number of statements and bookings that were imported before */
    readonly known: string;
  }>;
  /** List bookings of bank statements. Lists bookings in the given state, by default unmatched, oldest first. Pass the last `id` as `after` for the next page. */
  sepaEntries(input?: SepaEntriesInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly statement: string;
    /** YYYY-MM-DD */
    readonly date: string;
    /** Negative if money left the account */
    readonly amount: string;
    /** The amount in the ledger, which differs by bank fees */
    readonly booked: string;
    readonly counterparty: string;
    /** Masked */
    readonly iban: string;
    readonly text: string;
    /** Why the bank returned a direct debit, such as MD01; otherwise empty */
    readonly returncode: string;
    readonly state: 'new' | 'matched' | 'unmatched' | 'ignored';
    readonly matchedas: '' | 'charge' | 'batch' | 'chargeback' | 'refund' | 'returned refund' | 'transfer';
    /** Empty if there is none */
    readonly account: string;
    /** Why it is not matched, or why staff ignore it */
    readonly problem: string;
    /** A code for why it is not matched */
    readonly problemcode: '' | 'no_reference' | 'several_customers' | 'outgoing' | 'currency' | 'debit_amount' | 'refund_amount' | 'batch_amount' | 'unknown_batch' | 'rejected';
    /** The expected amount; empty if the amount is not the problem */
    readonly expected: string;
    /** Who assigned or ignored it; otherwise empty */
    readonly operator: string;
  }[]>;
  /** Assign an unmatched booking to a customer. Records it as a payment by bank transfer. */
  sepaAssign(input: SepaAssignInput, options?: CallOptions): Promise<string>;
  /** Ignore an unmatched booking. For bookings that do not concern customers, such as bank fees. */
  sepaIgnore(input: SepaIgnoreInput, options?: CallOptions): Promise<string>;
  /** List exchange rates. The latest rate of each currency, and the currencies in which no invoice can be issued at present. */
  exchangeRateList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** The currency of the provider’s tax accounting */
    readonly currency: string;
    /** Source of the rates; empty if staff enter them */
    readonly source: string;
    /** Days after which a rate is too old for an invoice */
    readonly maxagedays: string;
    /** Currencies without a recent rate, in which no invoice with tax is issued */
    readonly missing: readonly string[];
    /** The latest rate of each currency */
    readonly rates: readonly {
      readonly currency: string;
      /** YYYY-MM-DD */
      readonly date: string;
      /** Units of the currency per euro */
      readonly rate: string;
      /** `ecb`, or who entered it */
      readonly source: string;
      readonly entered: Moment;
      /** Customers are billed in this currency */
      readonly used: boolean;
    }[];
  }>;
  /** Enter an exchange rate. `rate` is how much of the currency one euro is worth on that day. It replaces a published rate of the same day. */
  exchangeRateSet(input: ExchangeRateSetInput, options?: CallOptions): Promise<string>;
  /** Set the currency of an account. Possible until the account has a ledger entry or a priced service. */
  accountCurrencySet(input: AccountCurrencySetInput, options?: CallOptions): Promise<string>;
  /** Get the tax settings, VAT rates and states of VAT numbers. Today’s rates, the number of VAT numbers in each state, and the numbers that the register rejected. */
  taxOverview(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** False if the site file has rates by country instead of `provider.tax` */
    readonly isactive: boolean;
    /** The country of the seller */
    readonly country: string;
    /** The currency of the tax accounting */
    readonly currency: string;
    readonly oss: boolean;
    readonly smallbusiness: boolean;
    readonly registrations: readonly string[];
    /** The register that confirms VAT numbers; empty if none */
    readonly register: string;
    /** The header with the caller’s country; empty if none */
    readonly countryheader: string;
    /** An access point for e-invoices is configured */
    readonly network: boolean;
    readonly numbers: readonly {
      readonly validation: 'unchecked' | 'valid' | 'invalid' | 'unreachable';
      readonly count: string;
    }[];
    /** At most 100 accounts whose VAT number the register does not know */
    readonly rejected: readonly {
      readonly account: string;
      readonly name: string;
      readonly vatnumber: string;
      readonly checked: Moment | null;
    }[];
    readonly rates: readonly {
      readonly territory: string;
      /** Percentage */
      readonly rate: string;
      /** YYYY-MM-DD */
      readonly since: string;
    }[];
  }>;
  /** List private customers whose evidence contradicts their billing country. To resolve a conflict, correct the billing address, or record the country that you verified with `tax update --ordercountry`. Pass the last account as `after` for the next page. */
  taxConflictList(input?: TaxConflictListInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    readonly name: string;
    /** The country of the billing address */
    readonly country: string;
    readonly evidence: readonly {
      readonly source: 'order' | 'payment' | 'staff';
      readonly country: string;
    }[];
  }[]>;
  /** Get the statement of an account. Opening balance, invoices, payments and closing balance of a period. Days are those of UTC. */
  accountStatement(input: AccountStatementInput, options?: CallOptions): Promise<{
    readonly account: string;
    readonly currency: string;
    /** YYYY-MM-DD */
    readonly from: string;
    /** The last day, YYYY-MM-DD */
    readonly until: string;
    /** Balance at the start of the first day; negative for credit */
    readonly opening: string;
    readonly lines: readonly {
      /** YYYY-MM-DD */
      readonly date: string;
      /** `invoice`, `payment`, `credit`, `refund`, or another kind of booking */
      readonly kind: string;
      /** The number of the invoice, or the reference of the payment */
      readonly reference: string;
      /** Positive if owed, negative if paid or credited */
      readonly amount: string;
      /** Balance after this entry */
      readonly balance: string;
    }[];
    /** Decimal with two places */
    readonly charged: string;
    /** Payments and credits, as a positive amount */
    readonly settled: string;
    /** Balance at the end of the last day; negative for credit */
    readonly closing: string;
  }>;
  /** Download the statement of an account as PDF */
  accountStatementPdf(input: AccountStatementPdfInput, options?: CallOptions): Promise<FileResponse>;
  /** List deliveries of e-invoices. Newest first. Pass the last id as `before` for the next page. */
  deliveryList(input?: DeliveryListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly invoiceid: string;
    readonly invoicenum: string;
    /** The identifier of the document in the network */
    readonly documentid: string;
    readonly format: 'peppol' | 'xrechnung';
    /** `sent` means that the access point has it; `delivered` and `rejected` are final */
    readonly state: 'queued' | 'sent' | 'delivered' | 'rejected';
    /** The recipient’s electronic address; empty until it is sent */
    readonly receiver: string;
    /** Why it was rejected; empty otherwise */
    readonly reason: string;
    readonly queued: Moment;
    readonly sent: Moment | null;
    /** When it was delivered or rejected */
    readonly ended: Moment | null;
    readonly account: string;
    /** The access point’s identifier of the document */
    readonly reference: string;
    /** Why the last attempt failed; empty if it succeeded */
    readonly problem: string;
    readonly nexttry: Moment | null;
  }[]>;
  /** Send an invoice through the e-invoicing network. For an invoice that was rejected or never sent. It gets a new identifier in the network. */
  invoiceDeliver(input: InvoiceDeliverInput, options?: CallOptions): Promise<string>;
  /** List sign-ups, newest first. Does not include accounts that already exist. */
  signUpList(input?: SignUpListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** Unverified until the person opens the link that was sent to them; Waiting for approval */
    readonly status: 'Unverified' | 'Waiting' | 'Rejected';
    readonly firstname: string;
    readonly lastname: string;
    readonly companyname: string;
    readonly email: string;
    readonly address1: string;
    readonly address2: string;
    readonly city: string;
    readonly state: string;
    readonly postcode: string;
    readonly country: string;
    readonly phonenumber: string;
    /** The language of messages; empty for the default */
    readonly language: string;
    /** The version of the terms that the person accepted */
    readonly termsversion: string;
    /** The IP address of the request */
    readonly address: string;
    readonly created: Moment;
    /** Time in UTC; empty if the address is not verified */
    readonly verified: string;
    /** When it is deleted */
    readonly expires: string;
    /** Why it was rejected */
    readonly reason: string;
  }[]>;
  /** Approve a sign-up. Creates the account, notifies the person by email, and returns the account's id. */
  signUpApprove(input: SignUpApproveInput, options?: CallOptions): Promise<string>;
  /** Reject a sign-up. The person gets a message with the reason. */
  signUpReject(input: SignUpRejectInput, options?: CallOptions): Promise<string>;
  /** List invitations to sign up that have not been used yet */
  signUpInvitationList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** The only address that can use it; empty for any */
    readonly email: string;
    /** The name of the operator */
    readonly invitedby: string;
    readonly created: Moment;
    readonly expires: Moment;
  }[]>;
  /** Invite a person to sign up. Returns a link that creates one account, without approval, and expires after `days`, 14 by default. With `email`, the link is sent to that address, and only that address can use it. */
  signUpInvitationCreate(input?: SignUpInvitationCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** The link; returned only once */
    readonly link: string;
    readonly expires: Moment;
  }>;
  /** Revoke an invitation to sign up. The link stops working. */
  signUpInvitationDelete(input: SignUpInvitationDeleteInput, options?: CallOptions): Promise<string>;
  /** List staff’s notes on an account, newest first. Customers never see them. They are deleted when the account is erased. */
  noteList(input: NoteListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    /** The name of its author */
    readonly operator: string;
    readonly text: string;
    readonly created: Moment;
    /** When it was last edited; time in UTC, or empty */
    readonly changed: string;
  }[]>;
  /** Write a note on an account */
  noteCreate(input: NoteCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly account: string;
    /** The name of its author */
    readonly operator: string;
    readonly text: string;
    readonly created: Moment;
    /** When it was last edited; time in UTC, or empty */
    readonly changed: string;
  }>;
  /** Edit a note. Only its author can edit it. */
  noteUpdate(input: NoteUpdateInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly account: string;
    /** The name of its author */
    readonly operator: string;
    readonly text: string;
    readonly created: Moment;
    /** When it was last edited; time in UTC, or empty */
    readonly changed: string;
  }>;
  /** Delete a note. Only its author and owners can delete it. */
  noteDelete(input: NoteDeleteInput, options?: CallOptions): Promise<string>;
  /** List the contacts of an account */
  contactList(input: ContactListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly firstname: string;
    readonly lastname: string;
    readonly companyname: string;
    readonly email: string;
    readonly subaccount: Flag01;
    /** Scopes of a sub-account, comma-separated */
    readonly permissions: string;
    readonly status: string;
    /** Time in UTC, or empty */
    readonly created: string;
  }[]>;
  /** List invoices, newest first. Lists invoices of one account or of all. `number` is the beginning of an invoice number; `from` and `until` limit the date. */
  invoiceList(input?: InvoiceListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    readonly invoicenum: string;
    readonly kind: 'Invoice' | 'CreditNote';
    readonly date: Day;
    readonly duedate: Day;
    readonly total: Money;
    /** Still to be paid */
    readonly balance: string;
    readonly status: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled';
  }[]>;
  /** Get an invoice with its lines */
  invoiceGet(input: InvoiceGetInput, options?: CallOptions): Promise<InvoiceDetail>;
  /** List the payments on an account's invoices, newest first */
  paymentList(input: PaymentListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    readonly invoice: string;
    readonly invoicenum: string;
    readonly amount: Money;
    readonly method: string;
    readonly reference: string;
    readonly paid: Moment;
  }[]>;
  /** List the events of an account, newest first */
  eventList(input: EventListInput, options?: CallOptions): Promise<readonly {
    /** Its number in the account’s log */
    readonly id: string;
    readonly type: string;
    readonly timestamp: Moment;
    /** The service that the event is about; empty if none */
    readonly service: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[]>;
  /** Search customers, services, equipment, addresses, invoices and zones. `text` is part of a name, company, email address, postal address or host name; an IP address, which also finds its block; a MAC address; the beginning of a serial number, server name, invoice number or domain; or an id. Exact matches come first. Finds only what your role can view. */
  searchGet(input: SearchGetInput, options?: CallOptions): Promise<readonly {
    readonly kind: 'customer' | 'contact' | 'service' | 'server' | 'switch' | 'node' | 'netblock' | 'invoice' | 'zone';
    /** A number, or the name of equipment, a block or a zone */
    readonly id: string;
    readonly title: string;
    readonly subtitle: string;
    /** The customer that it belongs to; empty if none */
    readonly account: string;
    /** Its path in the panel */
    readonly link: string;
  }[]>;
  /** List the keys of an account. Secrets are never returned. */
  keyList(input: KeyListInput, options?: CallOptions): Promise<readonly Key[]>;
  /** Create a key for an account. The key is returned only once. The customer sees it in their list of keys. */
  keyCreate(input: KeyCreateInput, options?: CallOptions): Promise<NewKey>;
  /** Revoke a key of an account. Takes effect immediately and cannot be undone. */
  keyRevoke(input: KeyRevokeInput, options?: CallOptions): Promise<string>;
  /** List the audit log of all accounts, newest first */
  auditList(input?: AuditListInput, options?: CallOptions): Promise<readonly OperatorAuditEntry[]>;
  /** List impersonations, newest first */
  impersonationList(input?: ImpersonationListInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    readonly id: string;
    /** The member of staff */
    readonly operator: string;
    readonly reason: string;
    readonly status: 'Active' | 'Ended';
    readonly started: Moment;
    readonly expires: Moment;
    /** Time in UTC; empty while it is active */
    readonly ended: string;
    /** Who ended it; empty while it is active, or if it ended otherwise, for example by expiring */
    readonly endedby: 'Staff' | 'Customer' | '';
  }[]>;
  /** Sign in as a customer. Returns a read-only key of the customer, valid for 30 minutes by default. It cannot change anything, open consoles or read licence keys. The customer sees your name and the reason, and can end the access. Works only for staff who signed in by name. */
  impersonationStart(input: ImpersonationStartInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** A key for the customer APIs, returned only once */
    readonly key: string;
    readonly expires: Moment;
  }>;
  /** End an impersonation. Takes effect immediately. */
  impersonationEnd(input: ImpersonationEndInput, options?: CallOptions): Promise<string>;
  /** List backups, newest first */
  backupList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Backup[]>;
  /** Create a backup. Runs while the server is in use, and returns once the backup is verified and on disk. Backups beyond `HOSTYARD_BACKUPS_KEPT` are deleted, oldest first. For a large database, use `hostyard backup FILE` on the server itself, which can write anywhere. */
  backupCreate(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Backup>;
  /** List requests for addresses, newest first */
  requestList(input?: RequestListInput, options?: CallOptions): Promise<readonly AddressRequest[]>;
  /** Approve a request. Assigns a free block of the requested size. */
  requestApprove(input: RequestApproveInput, options?: CallOptions): Promise<AddressRequest>;
  /** Reject a request. The customer sees the reason. */
  requestRefuse(input: RequestRefuseInput, options?: CallOptions): Promise<AddressRequest>;
  /** List licence orders waiting for a key, oldest first. Pass the last id as `after` for the next page. */
  licenceOrderList(input?: LicenceOrderListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    readonly service: string;
    /** As in the catalogue */
    readonly licence: string;
    /** The display name; empty if the catalogue has none */
    readonly label: string;
    readonly price: Money;
    readonly ordered: Moment;
    readonly workflow: string;
  }[]>;
  /** Deliver the key of a licence order. The customer is notified and can see the key. Staff cannot read or replace it afterwards. */
  licenceOrderDeliver(input: LicenceOrderDeliverInput, options?: CallOptions): Promise<string>;
  /** List workflows of all accounts, newest first */
  workflowList(input?: WorkflowListInput, options?: CallOptions): Promise<readonly WorkflowListItem[]>;
  /** Get a workflow with its steps */
  workflowGet(input: WorkflowGetInput, options?: CallOptions): Promise<WorkflowDetail>;
  /** Retry the current step. Runs the step immediately, as if it had not been tried before. */
  workflowRetry(input: WorkflowRetryInput, options?: CallOptions): Promise<string>;
  /** Cancel and roll back a workflow. Undoes all completed steps in reverse order. */
  workflowUnwind(input: WorkflowUnwindInput, options?: CallOptions): Promise<string>;
  /** List the loops that keep equipment and database in sync */
  reconcilerList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Reconciler[]>;
  /** List failed jobs. Lists jobs that used up their retries and stay until you retry them, oldest first. Pass the last id as `after` for the next page. */
  jobList(input?: JobListInput, options?: CallOptions): Promise<readonly FailedJob[]>;
  /** Retry a failed job */
  jobRetry(input: JobRetryInput, options?: CallOptions): Promise<string>;
  /** List messages to all accounts, newest first */
  mailList(input?: MailListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** The recipient’s contact; empty for the account */
    readonly contact: string;
    readonly address: string;
    /** The type of the event that it is about, or another kind of message */
    readonly kind: string;
    /** Empty until the first attempt */
    readonly subject: string;
    /** Held: waits to be sent in a summary; Summarized: was sent in a summary; Bounced: was returned after a relay had accepted it */
    readonly status: 'Queued' | 'Held' | 'Sent' | 'Failed' | 'Summarized' | 'Bounced';
    readonly created: Moment;
    /** When a relay accepted it; time in UTC, or empty */
    readonly sent: string;
    readonly account: string;
    readonly attempts: string;
    /** The next attempt; time in UTC, or empty */
    readonly next: string;
    /** The relay that accepted it */
    readonly relay: string;
    /** Why the last attempt failed */
    readonly error: string;
    /** The message that this one resends */
    readonly resendof: string;
  }[]>;
  /** Get a message. Keys and links that only the recipient may see are omitted. */
  mailGet(input: MailGetInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** The recipient’s contact; empty for the account */
    readonly contact: string;
    readonly address: string;
    /** The type of the event that it is about, or another kind of message */
    readonly kind: string;
    /** Empty until the first attempt */
    readonly subject: string;
    /** Held: waits to be sent in a summary; Summarized: was sent in a summary; Bounced: was returned after a relay had accepted it */
    readonly status: 'Queued' | 'Held' | 'Sent' | 'Failed' | 'Summarized' | 'Bounced';
    readonly created: Moment;
    /** When a relay accepted it; time in UTC, or empty */
    readonly sent: string;
    readonly account: string;
    readonly attempts: string;
    /** The next attempt; time in UTC, or empty */
    readonly next: string;
    /** The relay that accepted it */
    readonly relay: string;
    /** Why the last attempt failed */
    readonly error: string;
    /** The message that this one resends */
    readonly resendof: string;
    readonly text: string;
    readonly html: string;
  }>;
  /** Send a message again. Sends it to the original recipient. A message that is still queued is sent immediately. */
  mailResend(input: MailResendInput, options?: CallOptions): Promise<{ readonly id: string }>;
  /** List addresses that no longer receive messages. Messages to them bounced permanently several times. */
  undeliverableList(input?: UndeliverableListInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    readonly address: string;
    /** Number of messages that bounced */
    readonly count: string;
    /** The reason that the last mail server gave */
    readonly diagnostic: string;
    readonly since: Moment;
  }[]>;
  /** Allow messages to an address again */
  undeliverableClear(input: UndeliverableClearInput, options?: CallOptions): Promise<string>;
  /** Preview a kind of message with sample data */
  mailPreview(input: MailPreviewInput, options?: CallOptions): Promise<{
    readonly subject: string;
    readonly text: string;
    readonly html: string;
  }>;
  /** Create an archive of everything about an account. Runs in the background. The customer sees who requested it and why. */
  accountExportCreate(input: AccountExportCreateInput, options?: CallOptions): Promise<{ readonly id: string }>;
  /** List archives of an account, newest first */
  accountExportList(input: AccountExportListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly status: 'Queued' | 'Ready' | 'Failed' | 'Replaced';
    /** In bytes */
    readonly size: string;
    /** Why it failed */
    readonly error: string;
    readonly created: Moment;
    /** When it was completed; time in UTC, or empty */
    readonly ready: string;
    /** When it is deleted; time in UTC */
    readonly expires: string;
    readonly account: string;
    readonly operator: string;
    readonly reason: string;
  }[]>;
  /** Download an archive that staff created. Only customers can download archives that they requested themselves. */
  accountExportFile(input: AccountExportFileInput, options?: CallOptions): Promise<FileResponse>;
  /** List erasures of accounts. Keep a copy of this list with your backups: after restoring one, `erasure replay` erases the same accounts again. Pass the last account as `after` for the next page. */
  erasureList(input?: ErasureListInput, options?: CallOptions): Promise<readonly {
    readonly account: string;
    /** Erased: only what tax law requires is kept; Purged: nothing is kept */
    readonly status: 'Waiting' | 'Cancelled' | 'Erasing' | 'Erased' | 'Purging' | 'Purged';
    readonly requested: Moment;
    /** When the waiting time ends; time in UTC */
    readonly eraseon: string;
    /** The member of staff who requested it; empty if the account’s owner did */
    readonly operator: string;
    /** Why staff requested it, or why it was cancelled */
    readonly reason: string;
    /** When it was completed; time in UTC, or empty */
    readonly erased: string;
    /** When tax law no longer requires its invoices; time in UTC, or empty */
    readonly keptuntil: string;
    /** When the invoices were deleted; time in UTC, or empty */
    readonly purged: string;
  }[]>;
  /** Request the erasure of an account. Acts on behalf of the customer, with the same conditions and waiting time. */
  erasureRequest(input: ErasureRequestInput, options?: CallOptions): Promise<string>;
  /** Cancel the erasure of an account */
  erasureCancel(input: ErasureCancelInput, options?: CallOptions): Promise<string>;
  /** Erase accounts again after a restore. Erases them without waiting time or conditions. Pass only accounts that had been erased before the restore. Returns the number of accounts that have to be erased again. */
  erasureReplay(input: ErasureReplayInput, options?: CallOptions): Promise<string>;
  /** Preview the billing runs that are due. Compares each run with the previous one, without issuing anything. Ordered by account. Pass the last account as `after` for the next page. */
  billingDryRun(input?: BillingDryRunInput, options?: CallOptions): Promise<readonly BillingDifference[]>;
  /** Start the billing runs that are due. Starts one run for each account whose period has started, unless one is already running. Each run is a workflow named `billing-run`. */
  billingRunStart(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** Number of accounts */
    readonly started: string;
  }>;
  /** Confirm the date after the clock has jumped. Billing, suspensions and the deletion of old data pause when the clock is more than a day ahead of the last recorded time. Pass the current date in UTC; if the clock shows another date, nothing is resumed. */
  billingResume(input: BillingResumeInput, options?: CallOptions): Promise<string>;
  /** List plans. Plans of the site file and of the panel, with the number of services on each. */
  pricePlanList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly name: string;
    /** For each cycle, without tax; with an hourly price, the maximum per month */
    readonly price: string;
    /** Per started hour; empty if the plan is billed by the cycle */
    readonly hourly: string;
    readonly setup: Money;
    /** Monthly price of each further Mbit/s */
    readonly mbitprice: Money | '';
    /** Maximum cost per month; empty for no limit */
    readonly mbitcap: Money | '';
    readonly addressprice: Money | '';
    readonly addresscap: Money | '';
    readonly cycle: 'monthly' | 'quarterly' | 'yearly';
    /** Months in a cycle */
    readonly months: string;
    /** Months before customers can cancel it or change to a cheaper plan */
    readonly minimum: string;
    /** The plans that customers can change to */
    readonly changes: readonly string[];
    /** Included Mbit/s at the 95th percentile; empty if traffic rates are not billed */
    readonly mbits: string;
    /** Included IPv4 addresses; empty if addresses are not billed */
    readonly addresses: string;
    readonly usage: readonly {
      /** `traffic` in TB, `backups`, `snapshots` or `volumes` in GB */
      readonly item: string;
      readonly price: Money;
      /** Maximum cost per month; empty for no limit */
      readonly cap: Money | '';
      /** Included units per month */
      readonly included: string;
    }[];
    /** Size of a virtual machine on the plan; empty if the plan has none */
    readonly vcpus: string;
    readonly memorymb: string;
    readonly diskgb: string;
    /** Monthly traffic allowance; 0 for none */
    readonly bandwidthgb: string;
    /** The type of operating systems that it runs; empty for any */
    readonly type: string;
    /** Size of the block of addresses that a machine gets */
    readonly size: string;
    /** Whether customers can order a machine on this plan */
    readonly order: boolean;
    /** Currency of the prices above */
    readonly currency: string;
    /** The prices in other currencies */
    readonly prices: readonly {
      readonly currency: string;
      /** For each cycle, without tax; with an hourly price, the maximum per month */
      readonly price: string;
      /** Per started hour; empty if the plan is billed by the cycle */
      readonly hourly: string;
      readonly setup: Money;
      /** Monthly price of each further Mbit/s */
      readonly mbitprice: Money | '';
      /** Maximum cost per month; empty for no limit */
      readonly mbitcap: Money | '';
      readonly addressprice: Money | '';
      readonly addresscap: Money | '';
      readonly usage: readonly {
        /** `traffic` in TB, `backups`, `snapshots` or `volumes` in GB */
        readonly item: string;
        readonly price: Money;
        /** Maximum cost per month; empty for no limit */
        readonly cap: Money | '';
      }[];
    }[];
    /** Plans from the site file can only be changed there */
    readonly origin: 'site' | 'panel';
    /** A withdrawn plan is not available for new services */
    readonly state: 'Offered' | 'Withdrawn';
    /** Number of services on it */
    readonly services: string;
    /** When existing services get new prices; empty if no change is planned */
    readonly changefrom: Day | '';
  }[]>;
  /** Create a plan. Prices are without tax. With `hourly`, every started hour is billed, up to `price` per month. `mbits` and `addresses` are included; `mbitprice` and `addressprice` are the monthly prices of more. All prices are in `currency`, by default the provider’s; `prices` repeats them for accounts in other currencies. Customers can change to the plans in `changes`. `vcpus`, `memorymb` and `diskgb` are the size of a virtual machine on the plan, and `size` is its block of addresses, /30 by default; with `order`, customers can order one. */
  pricePlanCreate(input: PricePlanCreateInput, options?: CallOptions): Promise<string>;
  /** Replace the prices of a plan for new services. Replaces the whole plan, including omitted fields. Existing services keep their prices until the plan is applied to them. To change a plan of the site file, edit the site file. */
  pricePlanUpdate(input: PricePlanUpdateInput, options?: CallOptions): Promise<string>;
  /** Apply the prices of a plan to its existing services. Applies from the start of the given day and replaces an earlier date. Prices that were agreed for a single service stay. Customers are notified immediately, with the earliest day on which they can leave: until higher prices apply, they can cancel regardless of the minimum term. */
  pricePlanApply(input: PricePlanApplyInput, options?: CallOptions): Promise<string>;
  /** Withdraw a planned price change. Existing services keep their prices. Only possible before the day that was set with `plan apply`. */
  pricePlanKeep(input: PricePlanKeepInput, options?: CallOptions): Promise<string>;
  /** Withdraw a plan. New services cannot use it, and customers cannot change to it. Services on the plan keep it. */
  pricePlanWithdraw(input: PricePlanWithdrawInput, options?: CallOptions): Promise<string>;
  /** Offer a withdrawn plan again */
  pricePlanOffer(input: PricePlanOfferInput, options?: CallOptions): Promise<string>;
  /** Delete a plan that was never used */
  pricePlanDelete(input: PricePlanDeleteInput, options?: CallOptions): Promise<string>;
  /** Change the plan of a service. To any plan that is offered, regardless of the minimum term. `price` replaces the price of the plan. Without it, changing to a plan that costs the same or more does not end the minimum term of the previous plan. The next invoice settles the difference. */
  servicePlanSet(input: ServicePlanSetInput, options?: CallOptions): Promise<string>;
  /** Cancel a service. Billing ends after `date`, which can be any day; by default, it is the earliest day that the customer could choose. The service is terminated after that day, and at least one day after the final notice. */
  serviceCancel(input: ServiceCancelInput, options?: CallOptions): Promise<{ readonly lastday: Day }>;
  /** Withdraw the cancellation of a service */
  serviceCancelWithdraw(input: ServiceCancelWithdrawInput, options?: CallOptions): Promise<string>;
  /** List cancelled services. Lists cancelled services that are not terminated yet, by last day. Pass the last service as `after` for the next page. */
  cancellationList(input?: CancellationListInput, options?: CallOptions): Promise<readonly {
    readonly service: string;
    readonly account: string;
    readonly hostname: string;
    readonly status: string;
    readonly lastday: Day;
    readonly requested: Moment;
    readonly requestedby: 'customer' | 'staff';
    readonly reason: string;
    /** `announced`: the customer has received the final notice; `failed`: terminate it yourself */
    readonly ending: 'planned' | 'announced' | 'held' | 'terminating' | 'failed';
    /** When it is terminated, unless termination is held */
    readonly termination: string;
    /** Why staff hold the termination; otherwise empty */
    readonly holdreason: string;
  }[]>;
  /** Hold the termination of a cancelled service. The service runs, without being billed, until you release or terminate it. */
  cancellationHold(input: CancellationHoldInput, options?: CallOptions): Promise<string>;
  /** Release the termination of a cancelled service. The customer gets another final notice. The service is terminated a day later, or after its last day. */
  cancellationRelease(input: CancellationReleaseInput, options?: CallOptions): Promise<string>;
  /** Record the size of backups or snapshots of a service. For usage that is metered outside Hostyard. `quantity` in GB applies from the given day, today by default, until the day of the next record, and is billed by the plan. */
  usageRecord(input: UsageRecordInput, options?: CallOptions): Promise<string>;
  /** List coupons. Ordered by code. Pass the last code as `after` for the next page. */
  couponList(input?: CouponListInput, options?: CallOptions): Promise<readonly {
    readonly code: string;
    /** Empty for a coupon with an amount */
    readonly percent: string;
    /** For each invoice; empty for a coupon with a percentage */
    readonly amount: Money | '';
    /** Number of invoices that it reduces; empty for all */
    readonly periods: string;
    /** The plans that it applies to; empty for all */
    readonly plans: readonly string[];
    /** Number of accounts that have redeemed it */
    readonly uses: string;
    /** Empty for no limit */
    readonly maxuses: string;
    readonly from: Day | '';
    readonly until: Day | '';
    readonly note: string;
    readonly created: Moment;
    /** When staff ended it; otherwise empty */
    readonly ended: string;
  }[]>;
  /** Create a coupon. Reduces the prices of all plans, or of those in `plans`, by a `discount` such as 25%, or 10.00 per invoice. `uses` limits how many accounts can redeem it, `periods` how many invoices of each account it reduces, and `from` and `until` the days on which it can be redeemed. */
  couponCreate(input: CouponCreateInput, options?: CallOptions): Promise<string>;
  /** End a coupon. It can no longer be redeemed. Accounts that have redeemed it keep their discount. */
  couponEnd(input: CouponEndInput, options?: CallOptions): Promise<string>;
  /** List the ledger entries of an account, newest first */
  ledgerList(input: LedgerListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly account: string;
    readonly timestamp: Moment;
    readonly kind: 'opening' | 'invoice' | 'payment' | 'credit' | 'refund' | 'chargeback' | 'write-off';
    /** The book that is debited */
    readonly debit: string;
    /** The book that is credited */
    readonly credit: string;
    readonly amount: Money;
    /** Id of the invoice; empty if none */
    readonly invoice: string;
    readonly invoicenum: string;
    readonly reference: string;
  }[]>;
  /** Get an account's debt and credit */
  ledgerBalance(input: LedgerBalanceInput, options?: CallOptions): Promise<{
    readonly account: string;
    readonly currency: string;
    /** Owed on open invoices */
    readonly receivable: string;
    /** The part that is past its due date */
    readonly overdue: string;
    /** Prepaid or granted, and not used yet */
    readonly credit: string;
    /** Written off, and not paid since */
    readonly writtenoff: string;
  }>;
  /** Record a payment that an account has made. The payment is applied to the oldest open invoices first, then to invoices that were written off; the rest becomes credit. A payment is identified by method and reference; recording it again changes nothing. `date` is the day on which it was received, today by default. */
  paymentRecord(input: PaymentRecordInput, options?: CallOptions): Promise<'Payment Recorded' | 'Payment Known'>;
  /** Grant goodwill credit for the next invoices */
  creditGrant(input: CreditGrantInput, options?: CallOptions): Promise<string>;
  /** Record that credit was paid out. At most the available credit. To pay back an invoice, credit it first. Hostyard does not move the money. */
  refundRecord(input: RefundRecordInput, options?: CallOptions): Promise<string>;
  /** Write off an unpaid invoice. The open amount is no longer expected, and the invoice becomes `Cancelled`. A later payment reverses the write-off. If the account is suspended, it stays suspended. */
  invoiceWriteOff(input: InvoiceWriteOffInput, options?: CallOptions): Promise<string>;
  /** Issue a credit note for an invoice. Credits everything that is left of the invoice, or the given `lines`, with the taxes of the invoice. `amount` is without tax, by default everything that is left of the line. The open amount is no longer owed, and the paid amount becomes credit. */
  invoiceCredit(input: InvoiceCreditInput, options?: CallOptions): Promise<{
    /** Id of the credit note */
    readonly id: string;
    readonly invoicenum: string;
    /** With tax; negative */
    readonly total: string;
  }>;
  /** Get the dunning state of an account. For each unpaid invoice, the last and the next step of the sequence in the site file. */
  dunningGet(input: DunningGetInput, options?: CallOptions): Promise<{
    readonly account: string;
    readonly held: Flag01;
    /** Time in UTC, or empty */
    readonly heldsince: string;
    readonly heldby: string;
    readonly reason: string;
    /** Unpaid invoices, oldest first */
    readonly invoices: readonly {
      readonly id: string;
      readonly invoicenum: string;
      readonly duedate: Day;
      readonly dayslate: string;
      readonly balance: Money;
      /** `overdue`, `reminder 1`, `late fee`, `suspension`; empty if none */
      readonly laststep: string;
      /** Time in UTC, or empty */
      readonly lasttime: string;
      /** `overdue`, `reminder 1`, `late fee`, `suspension`; empty if none */
      readonly nextstep: string;
      /** When the next step is due; empty if none */
      readonly nextdate: string;
    }[];
  }>;
  /** Put dunning of an account on hold. Stops reminders, late fees and suspensions until it is resumed. Invoices, payments and automatic charges continue. */
  dunningHold(input: DunningHoldInput, options?: CallOptions): Promise<string>;
  /** Resume dunning of an account. Steps that became due during the hold are taken within a minute. */
  dunningResume(input: DunningResumeInput, options?: CallOptions): Promise<string>;
  /** Revenue by month, plan and kind of line. Invoices and credit notes by date, with and without tax, for at most two years. */
  reportRevenue(input: ReportRevenueInput, options?: CallOptions): Promise<readonly {
    /** YYYY-MM */
    readonly month: string;
    /** The plan of the service when it was billed; empty if none */
    readonly plan: string;
    readonly type: 'Hosting' | 'Setup' | 'License' | 'Bandwidth' | 'Address' | 'LateFee' | 'Credit' | 'Usage' | 'Discount';
    /** Amounts of different currencies are never added up */
    readonly currency: string;
    readonly net: Money;
    readonly tax: Money;
    readonly gross: Money;
  }[]>;
  /** Receivables by age on a day. `totals` cover all customers. `limit` is the number of customers to list, 100 by default. */
  reportReceivables(input?: ReportReceivablesInput, options?: CallOptions): Promise<{
    /** Amounts are as of the end of this day */
    readonly day: string;
    readonly totals: readonly {
      /** Amounts of different currencies are never added up */
      readonly currency: string;
      /** Whole number */
      readonly customers: string;
      /** Not yet due */
      readonly current: string;
      /** 1 to 30 days late */
      readonly days30: string;
      /** 31 to 60 days late */
      readonly days60: string;
      /** 61 to 90 days late */
      readonly days90: string;
      /** More than 90 days late */
      readonly older: string;
      readonly total: Money;
    }[];
    /** Largest total first */
    readonly customers: readonly {
      readonly account: string;
      readonly name: string;
      /** Amounts of different currencies are never added up */
      readonly currency: string;
      /** Not yet due */
      readonly current: string;
      /** 1 to 30 days late */
      readonly days30: string;
      /** 31 to 60 days late */
      readonly days60: string;
      /** 61 to 90 days late */
      readonly days90: string;
      /** More than 90 days late */
      readonly older: string;
      readonly total: Money;
    }[];
  }>;
  /** Taxes by country and rate. Taxes of invoices and credit notes by date, for at most two years; use it for the OSS return, for example. */
  reportTaxes(input: ReportTaxesInput, options?: CallOptions): Promise<readonly {
    /** The country whose tax it is */
    readonly country: string;
    /** S, AE, G or E; empty if the site file has rates by country */
    readonly category: string;
    /** Percent, with two decimals */
    readonly rate: string;
    /** Amounts of different currencies are never added up */
    readonly currency: string;
    /** Whole number */
    readonly invoices: string;
    readonly base: Money;
    readonly tax: Money;
  }[]>;
  /** Payments by month and method */
  reportPayments(input: ReportPaymentsInput, options?: CallOptions): Promise<readonly {
    /** YYYY-MM */
    readonly month: string;
    readonly method: string;
    /** Amounts of different currencies are never added up */
    readonly currency: string;
    /** Whole number */
    readonly payments: string;
    readonly received: Money;
    /** Refunds and chargebacks */
    readonly returned: string;
  }[]>;
  /** Download a report as CSV. UTF-8, separated by commas. Receivables cover all customers, as of the end of the day `until`. */
  reportCsv(input: ReportCsvInput, options?: CallOptions): Promise<FileResponse>;
  /** Download the ledger for DATEV. A Buchungsstapel in the EXTF format, in Windows-1252, with the ledger accounts of the site file. The period must be within one business year. `currency` selects customers by currency, EUR by default. */
  reportDatev(input: ReportDatevInput, options?: CallOptions): Promise<FileResponse>;
  /** List null routes. Lists null routes that are active or may still be on a router. Pass the last id as `after` for the next page. */
  nullrouteList(input?: NullrouteListInput, options?: CallOptions): Promise<readonly OperatorNullroute[]>;
  /** Create a null route. Lasts for the given minutes, or until it is removed. The policy's limit on the number of routes applies; the daily limit per customer does not. */
  nullrouteAdd(input: NullrouteAddInput, options?: CallOptions): Promise<'Null-routed' | 'Null-route Pending'>;
  /** Remove a null route */
  nullrouteRemove(input: NullrouteRemoveInput, options?: CallOptions): Promise<'Null-route Removed' | 'Null-route Removal Pending'>;
  /** List planned maintenance, newest first */
  maintenanceList(input?: MaintenanceListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly title: string;
    /** The staff’s description of what happens */
    readonly text: string;
    readonly start: Moment;
    readonly end: Moment;
    /** Draft: customers cannot see it yet */
    readonly status: 'Draft' | 'Announced' | 'Cancelled' | 'Completed';
    readonly all: boolean;
    readonly nodes: readonly string[];
    readonly switches: readonly string[];
    readonly racks: readonly string[];
    readonly servers: readonly string[];
    /** The member of staff who created it */
    readonly operator: string;
    /** How many accounts were notified */
    readonly accounts: string;
    /** How many of their services are affected */
    readonly services: string;
    readonly created: Moment;
    readonly updated: Moment;
  }[]>;
  /** Plan maintenance. Creates a draft, which customers cannot see. Name the equipment: hypervisors, switches, racks with everything in them, servers, or `all`. */
  maintenanceCreate(input: MaintenanceCreateInput, options?: CallOptions): Promise<string>;
  /** Change planned maintenance. If it has been announced, the affected customers are notified of the change. */
  maintenanceUpdate(input: MaintenanceUpdateInput, options?: CallOptions): Promise<string>;
  /** Announce planned maintenance. Affected customers get an event, and email if their contacts receive it. */
  maintenanceAnnounce(input: MaintenanceAnnounceInput, options?: CallOptions): Promise<string>;
  /** Cancel planned maintenance. If it has been announced, the affected customers are notified. */
  maintenanceCancel(input: MaintenanceCancelInput, options?: CallOptions): Promise<string>;
  /** Complete announced maintenance. Affected customers get an event but no email. */
  maintenanceComplete(input: MaintenanceCompleteInput, options?: CallOptions): Promise<string>;
  /** Get problems that affect the whole installation */
  installationGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Installation>;
  /** Get alerts and system health. Equipment that does not respond, differences from the configured state, and pending decisions. Last known state; equipment is not contacted. */
  fleetGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Fleet>;
  /** List racks and their equipment. Ordered by name. Pass the last rack as `after` for the next page. */
  rackList(input?: RackListInput, options?: CallOptions): Promise<readonly Rack[]>;
  /** List address blocks. The provider’s blocks, their assignments and utilization. In address order, each block before those inside it. Pass the last block as `after` for the next page. */
  netblockList(input?: NetblockListInput, options?: CallOptions): Promise<readonly OperatorNetblock[]>;
  /** Take back an assigned block. For blocks that customers requested: removes the routes and deletes the reverse DNS. The block is not assigned again for 30 days. To remove a block of the site file, edit the site file. */
  netblockRelease(input: NetblockReleaseInput, options?: CallOptions): Promise<'Netblock Released'>;
  /** List hypervisors. State and capacity as last read; hypervisors are not contacted. Ordered by name. Pass the last one as `after` for the next page. */
  nodeList(input?: NodeListInput, options?: CallOptions): Promise<readonly {
    readonly name: string;
    readonly driver: string;
    /** Version of the virtualization software; empty if unknown */
    readonly version: string;
    /** silent: it did not respond to the last check; unseen: not checked yet */
    readonly state: 'answers' | 'silent' | 'unseen';
    /** Code of the last check’s error; empty if it succeeded */
    readonly error: string;
    /** The message of the driver */
    readonly errortext: string;
    /** When it last responded; empty if never */
    readonly seen: string;
    /** How many seconds its next check is overdue */
    readonly lag: string;
    /** Number of machines, including those being created */
    readonly machines: string;
    /** Processor threads; empty if unknown */
    readonly cpus: string;
    /** Virtual processors of its machines */
    readonly vcpus: string;
    /** Empty if unknown */
    readonly memorymb: {
      readonly total: string;
      /** In use */
      readonly used: string;
      /** Reserved for machines that are not created yet */
      readonly reserved: string;
      /** Available for further machines, as reported by the hypervisor */
      readonly free: string;
    };
    /** Empty if unknown */
    readonly diskgb: {
      readonly total: string;
      /** In use */
      readonly used: string;
      /** Reserved for machines that are not created yet */
      readonly reserved: string;
      /** Available for further machines, as reported by the hypervisor */
      readonly free: string;
    };
    /** When the capacity was read; empty if it is unknown */
    readonly read: string;
    /** Start of its maintenance, during which no machines are placed on it; otherwise empty */
    readonly maintenance: string;
    /** The reason for the maintenance; otherwise empty */
    readonly maintenancereason: string;
    /** Whether its machines are being moved to other hypervisors */
    readonly evacuation: 'none' | 'running' | 'ended';
    /** Empty if the site file has none */
    readonly rack: string;
    readonly unit: string;
  }[]>;
  /** Get a hypervisor. State and capacity as last read; the hypervisor is not contacted. */
  nodeGet(input: NodeGetInput, options?: CallOptions): Promise<{
    readonly name: string;
    readonly driver: string;
    /** Version of the virtualization software; empty if unknown */
    readonly version: string;
    /** silent: it did not respond to the last check; unseen: not checked yet */
    readonly state: 'answers' | 'silent' | 'unseen';
    /** Code of the last check’s error; empty if it succeeded */
    readonly error: string;
    /** The message of the driver */
    readonly errortext: string;
    /** When it last responded; empty if never */
    readonly seen: string;
    /** How many seconds its next check is overdue */
    readonly lag: string;
    /** Number of machines, including those being created */
    readonly machines: string;
    /** Processor threads; empty if unknown */
    readonly cpus: string;
    /** Virtual processors of its machines */
    readonly vcpus: string;
    /** Empty if unknown */
    readonly memorymb: {
      readonly total: string;
      /** In use */
      readonly used: string;
      /** Reserved for machines that are not created yet */
      readonly reserved: string;
      /** Available for further machines, as reported by the hypervisor */
      readonly free: string;
    };
    /** Empty if unknown */
    readonly diskgb: {
      readonly total: string;
      /** In use */
      readonly used: string;
      /** Reserved for machines that are not created yet */
      readonly reserved: string;
      /** Available for further machines, as reported by the hypervisor */
      readonly free: string;
    };
    /** When the capacity was read; empty if it is unknown */
    readonly read: string;
    /** Start of its maintenance, during which no machines are placed on it; otherwise empty */
    readonly maintenance: string;
    /** The reason for the maintenance; otherwise empty */
    readonly maintenancereason: string;
    /** Whether its machines are being moved to other hypervisors */
    readonly evacuation: 'none' | 'running' | 'ended';
    /** Empty if the site file has none */
    readonly rack: string;
    readonly unit: string;
  }>;
  /** List the machines of a hypervisor. Ordered by number. Pass the last `vmid` as `after` for the next page. */
  machineList(input: MachineListInput, options?: CallOptions): Promise<readonly {
    readonly vmid: string;
    readonly device: string;
    readonly service: string;
    readonly account: string;
    readonly hostname: string;
    /** Status of the service */
    readonly status: string;
    /** unknown: the hypervisor does not respond or does not have it; pending: it is not created yet */
    readonly state: 'on' | 'off' | 'unknown' | 'pending';
    /** Time in UTC; empty if never */
    readonly seen: string;
    readonly error: string;
    /** The cluster member that it runs on; empty if none */
    readonly member: string;
    readonly vcpus: string;
    readonly memorymb: string;
    readonly diskgb: string;
  }[]>;
  /** Start or end the maintenance of a hypervisor. During maintenance, no machines are created on the hypervisor or moved to it. Its machines keep running, and customers can use them as usual. Ending maintenance also ends an evacuation. */
  nodeMaintenance(input: NodeMaintenanceInput, options?: CallOptions): Promise<string>;
  /** Move all machines of a hypervisor to others. Starts maintenance, then moves the machines, largest first and two at a time. Machines that cannot move stay and are listed with the reason; call this again to retry them. `live` moves running machines without downtime and fails if that is not possible, `cold` shuts them down first, and `auto`, the default, shuts them down only if needed. */
  nodeEvacuate(input: NodeEvacuateInput, options?: CallOptions): Promise<string>;
  /** Cancel the evacuation of a hypervisor. Running moves are rolled back. Machines that have already moved stay where they are. Maintenance continues. */
  nodeEvacuationCancel(input: NodeEvacuationCancelInput, options?: CallOptions): Promise<string>;
  /** Get the evacuation of a hypervisor */
  nodeEvacuationGet(input: NodeEvacuationGetInput, options?: CallOptions): Promise<{
    readonly name: string;
    readonly state: 'none' | 'running' | 'ended';
    readonly mode: 'auto' | 'live' | 'cold';
    /** Empty if there was none */
    readonly started: string;
    /** Empty while it is running */
    readonly ended: string;
    /** Machines that are still on the hypervisor, largest first; at most 1000 */
    readonly machines: readonly {
      readonly device: string;
      readonly service: string;
      readonly account: string;
      readonly hostname: string;
      readonly memorymb: string;
      readonly diskgb: string;
      /** failed: the machine stays until the next evacuation */
      readonly state: 'waiting' | 'moving' | 'failed';
      /** Id of the workflow; empty until it starts */
      readonly action: string;
      /** Empty until it is decided */
      readonly mode: 'live' | 'cold' | '';
      /** Empty until it is chosen */
      readonly target: string;
      /** Percentage of the data that has been copied; empty if unknown */
      readonly percent: string;
      /** Why it could not move; otherwise empty */
      readonly reason: string;
    }[];
  }>;
  /** List the cluster members that are up. Empty if the hypervisor is a single server. */
  nodeMembers(input: NodeMembersInput, options?: CallOptions): Promise<readonly string[]>;
  /** Move a machine to another hypervisor. Without a target, Hostyard picks the hypervisor in the same location with the most free memory and no other machine of the same group; a target that has one is rejected. With `member`, the machine moves to another member of its cluster. If the move fails, it stays on its hypervisor, unchanged. `live` moves running machines without downtime and fails if that is not possible, `cold` shuts them down first, and `auto`, the default, shuts them down only if needed. */
  machineMigrate(input: MachineMigrateInput, options?: CallOptions): Promise<{
    /** Id of the workflow */
    readonly action: string;
  }>;
  /** Cancel the migration of a machine. Rolls it back: the machine stays where it was. */
  machineMigrateCancel(input: MachineMigrateCancelInput, options?: CallOptions): Promise<string>;
  /** List migrations, newest first */
  migrationList(input?: MigrationListInput, options?: CallOptions): Promise<readonly {
    /** Id of the workflow */
    readonly action: string;
    readonly device: string;
    readonly service: string;
    readonly account: string;
    readonly source: string;
    /** The target member if the machine moves within its cluster, otherwise empty */
    readonly member: string;
    /** Empty until it is decided */
    readonly mode: 'live' | 'cold' | '';
    /** Empty until it is chosen */
    readonly target: string;
    /** Percentage of the data that has been copied; empty if unknown */
    readonly percent: string;
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** The current step; empty if the move has ended */
    readonly step: string;
    /** Why it failed; otherwise empty */
    readonly reason: string;
    /** The equipment’s last message */
    readonly detail: string;
    readonly started: string;
    /** Empty while it is running */
    readonly ended: string;
  }[]>;
  /** List machines of a hypervisor that do not belong to a service */
  nodeAdoptable(input: NodeAdoptableInput, options?: CallOptions): Promise<readonly {
    /** Its name on the hypervisor */
    readonly machine: string;
    readonly power: 'on' | 'off';
  }[]>;
  /** Inspect a machine before adopting it */
  machineInspect(input: MachineInspectInput, options?: CallOptions): Promise<{
    /** Its name on the hypervisor */
    readonly machine: string;
    readonly vcpus: string;
    readonly memorymb: string;
    readonly diskgb: string;
    /** MAC address of its first network card; empty if it has none */
    readonly mac: string;
    /** Limitations of adopting it, in sentences */
    readonly limitations: readonly string[];
  }>;
  /** Adopt an existing machine of a hypervisor. The machine itself is not changed. With `service`, it becomes the machine of that service, which must not have one yet. Otherwise it gets a new service of `account`, with `hostname` and `plan`; `netblock` lists its address blocks, starting with the one that contains its main address: IPv4 blocks, and IPv6 blocks of size /64. `template` is the one closest to its operating system. The machine may use any address until you repeat the call with `filter`. */
  machineAdopt(input: MachineAdoptInput, options?: CallOptions): Promise<{
    readonly service: string;
    readonly vmid: string;
    /** changed: it was already adopted, and its network filter was changed */
    readonly outcome: 'adopted' | 'changed' | 'unchanged';
    /** Limitations of adopting it, in sentences */
    readonly limitations: readonly string[];
  }>;
  /** List switches. As last read; switches are not contacted. Ordered by name. Pass the last one as `after` for the next page. */
  switchList(input?: SwitchListInput, options?: CallOptions): Promise<readonly {
    readonly name: string;
    readonly driver: string;
    /** The switch’s description of itself, usually model and software; empty if unknown */
    readonly description: string;
    /** silent: it did not respond to the last check; unseen: not checked yet */
    readonly state: 'answers' | 'silent' | 'unseen';
    /** Code of the last check’s error; empty if it succeeded */
    readonly error: string;
    /** The message of the driver */
    readonly errortext: string;
    /** When it last responded; empty if never */
    readonly seen: string;
    /** How many seconds its next check is overdue */
    readonly lag: string;
    /** When it last started, by its own clock; empty if unknown */
    readonly started: string;
    /** Number of ports; empty if unknown */
    readonly ports: string;
    /** Ports with a link; empty if unknown */
    readonly portsup: string;
    /** Ports with errors or discards in the last day; empty if unknown */
    readonly portswitherrors: string;
    /** When its ports were last read; empty if never */
    readonly read: string;
    /** Empty if the site file has none */
    readonly rack: string;
    readonly unit: string;
  }[]>;
  /** Get a switch. As last read; the switch is not contacted. */
  switchGet(input: SwitchGetInput, options?: CallOptions): Promise<{
    readonly name: string;
    readonly driver: string;
    /** The switch’s description of itself, usually model and software; empty if unknown */
    readonly description: string;
    /** silent: it did not respond to the last check; unseen: not checked yet */
    readonly state: 'answers' | 'silent' | 'unseen';
    /** Code of the last check’s error; empty if it succeeded */
    readonly error: string;
    /** The message of the driver */
    readonly errortext: string;
    /** When it last responded; empty if never */
    readonly seen: string;
    /** How many seconds its next check is overdue */
    readonly lag: string;
    /** When it last started, by its own clock; empty if unknown */
    readonly started: string;
    /** Number of ports; empty if unknown */
    readonly ports: string;
    /** Ports with a link; empty if unknown */
    readonly portsup: string;
    /** Ports with errors or discards in the last day; empty if unknown */
    readonly portswitherrors: string;
    /** When its ports were last read; empty if never */
    readonly read: string;
    /** Empty if the site file has none */
    readonly rack: string;
    readonly unit: string;
  }>;
  /** List the ports of a switch. With traffic, errors, neighbours and customers, as last read. `search` matches names, neighbours, servers and customers; `errors` lists only ports with errors or discards in the last day. Pass the last `index` as `after` for the next page. */
  portList(input: PortListInput, options?: CallOptions): Promise<readonly {
    /** Number of the port on the switch */
    readonly index: string;
    readonly name: string;
    readonly alias: string;
    /** Empty if unknown */
    readonly admin: 'up' | 'down' | '';
    /** Empty if unknown */
    readonly oper: 'up' | 'down' | 'unknown' | '';
    /** Bits per second; empty if unknown */
    readonly speed: string;
    /** Bits per second on average since the previous reading; empty if unknown */
    readonly in: string;
    /** Bits per second on average since the previous reading; empty if unknown */
    readonly out: string;
    /** Since the switch started; empty if it does not count them */
    readonly inerrors: string;
    /** Since the switch started; empty if it does not count them */
    readonly outerrors: string;
    /** Since the switch started; empty if it does not count them */
    readonly indiscards: string;
    /** Since the switch started; empty if it does not count them */
    readonly outdiscards: string;
    /** Per minute on average since the previous reading, with two decimals; empty if unknown */
    readonly errorrate: string;
    /** Per minute on average since the previous reading, with two decimals; empty if unknown */
    readonly discardrate: string;
    /** When errors or discards last increased; empty if they never have */
    readonly erred: string;
    /** Name of the device at the other end, by LLDP; empty if none is known */
    readonly neighbour: string;
    /** The neighbour’s name for its port */
    readonly neighbourport: string;
    readonly neighbourmac: string;
    /** Server at the other end according to the site file; empty if none */
    readonly server: string;
    readonly service: string;
    readonly account: string;
    readonly hostname: string;
    /** For a port in the site file. missing, ambiguous, taken: the port cannot be identified. miscabled: LLDP reports another server. */
    readonly problem: '' | 'missing' | 'ambiguous' | 'taken' | 'miscabled';
  }[]>;
  /** Stream change notifications. With `Accept: text/event-stream`, sends an event within a second of every change on this instance, and at least every five seconds, because other instances change things too. It does not say what has changed, and events are not stored: without that header the list is empty. */
  changeList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Change[]>;
}

/** Iterators over all pages of a list. */
export interface Each {
  /** List services */
  serviceList(input?: ServiceListInput, options?: CallOptions): AsyncGenerator<OperatorServiceListItem, void, void>;
  /** List devices */
  deviceList(input?: DeviceListInput, options?: CallOptions): AsyncGenerator<OperatorDevice, void, void>;
  /** List servers between customers */
  reclaimList(input?: ReclaimListInput, options?: CallOptions): AsyncGenerator<Reclaim, void, void>;
  /** List accounts */
  accountList(input?: AccountListInput, options?: CallOptions): AsyncGenerator<OperatorAccountListItem, void, void>;
  /** List a customer's charges */
  paymentCharges(input: PaymentChargesInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly provider: string;
    /** The label of the payment method; empty for a payment on a page */
    readonly method: string;
    readonly purpose: 'invoice' | 'top-up';
    /** Empty for a top-up */
    readonly invoicenum: string;
    readonly amount: Money;
    readonly currency: string;
    /** created and submitted: in progress; needs_action: the customer must confirm it; partly_refunded, refunded and charged_back: it succeeded, but money was returned */
    readonly state: 'created' | 'submitted' | 'needs_action' | 'succeeded' | 'failed' | 'partly_refunded' | 'refunded' | 'charged_back';
    /** Why it failed; otherwise empty */
    readonly failure: string;
    readonly refunded: Money;
    /** Collected automatically on the due date, or retried after it */
    readonly automatic: boolean;
    readonly created: string;
    readonly account: string;
    /** The payment provider’s message */
    readonly failurecode: string;
    /** The id of the payment at the payment provider, as in the ledger */
    readonly reference: string;
    readonly refundable: Money;
    readonly refunds: readonly {
      readonly id: string;
      readonly amount: Money;
      readonly state: 'created' | 'submitted' | 'succeeded' | 'failed';
      readonly failurecode: string;
      readonly reason: string;
      readonly created: string;
    }[];
  }, void, void>;
  /** List files for the bank */
  sepaFiles(input?: SepaFilesInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly kind: 'debit' | 'refund';
    readonly messageid: string;
    /** YYYY-MM-DD HH:MM:SS, in UTC */
    readonly created: string;
    /** The number of direct debits or transfers */
    readonly payments: string;
    readonly amount: Money;
    readonly state: 'created' | 'handed_in' | 'rejected';
    /** Who handed it in, or recorded its rejection; otherwise empty */
    readonly operator: string;
  }, void, void>;
  /** List imported bank statements */
  sepaStatements(input?: SepaStatementsInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    /** camt.053 or camt.054 */
    readonly kind: 'statement' | 'notification';
    /** The bank’s number for it */
    readonly bankid: string;
    readonly iban: string;
    /** YYYY-MM-DD HH:MM:SS, in UTC */
    readonly imported: string;
    readonly operator: string;
    /** The number of bookings that were not in an earlier statement */
    readonly entries: string;
    /** The sum of the new bookings; negative if more money left the account */
    readonly total: string;
    /** The part of this sum that is recorded in the ledger */
    readonly booked: string;
    /** The number of bookings that staff have to assign */
    readonly unmatched: string;
    /** The number of bookings that are still to be matched */
    readonly waiting: string;
    /** The sum of bookings that do not concern customers */
    readonly ignored: string;
  }, void, void>;
  /** List bookings of bank statements */
  sepaEntries(input?: SepaEntriesInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly statement: string;
    /** YYYY-MM-DD */
    readonly date: string;
    /** Negative if money left the account */
    readonly amount: string;
    /** The amount in the ledger, which differs by bank fees */
    readonly booked: string;
    readonly counterparty: string;
    /** Masked */
    readonly iban: string;
    readonly text: string;
    /** Why the bank returned a direct debit, such as MD01; otherwise empty */
    readonly returncode: string;
    readonly state: 'new' | 'matched' | 'unmatched' | 'ignored';
    readonly matchedas: '' | 'charge' | 'batch' | 'chargeback' | 'refund' | 'returned refund' | 'transfer';
    /** Empty if there is none */
    readonly account: string;
    /** Why it is not matched, or why staff ignore it */
    readonly problem: string;
    /** A code for why it is not matched */
    readonly problemcode: '' | 'no_reference' | 'several_customers' | 'outgoing' | 'currency' | 'debit_amount' | 'refund_amount' | 'batch_amount' | 'unknown_batch' | 'rejected';
    /** The expected amount; empty if the amount is not the problem */
    readonly expected: string;
    /** Who assigned or ignored it; otherwise empty */
    readonly operator: string;
  }, void, void>;
  /** List private customers whose evidence contradicts their billing country */
  taxConflictList(input?: TaxConflictListInput, options?: CallOptions): AsyncGenerator<{
    readonly account: string;
    readonly name: string;
    /** The country of the billing address */
    readonly country: string;
    readonly evidence: readonly {
      readonly source: 'order' | 'payment' | 'staff';
      readonly country: string;
    }[];
  }, void, void>;
  /** List deliveries of e-invoices */
  deliveryList(input?: DeliveryListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly invoiceid: string;
    readonly invoicenum: string;
    /** The identifier of the document in the network */
    readonly documentid: string;
    readonly format: 'peppol' | 'xrechnung';
    /** `sent` means that the access point has it; `delivered` and `rejected` are final */
    readonly state: 'queued' | 'sent' | 'delivered' | 'rejected';
    /** The recipient’s electronic address; empty until it is sent */
    readonly receiver: string;
    /** Why it was rejected; empty otherwise */
    readonly reason: string;
    readonly queued: Moment;
    readonly sent: Moment | null;
    /** When it was delivered or rejected */
    readonly ended: Moment | null;
    readonly account: string;
    /** The access point’s identifier of the document */
    readonly reference: string;
    /** Why the last attempt failed; empty if it succeeded */
    readonly problem: string;
    readonly nexttry: Moment | null;
  }, void, void>;
  /** List sign-ups, newest first */
  signUpList(input?: SignUpListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    /** Unverified until the person opens the link that was sent to them; Waiting for approval */
    readonly status: 'Unverified' | 'Waiting' | 'Rejected';
    readonly firstname: string;
    readonly lastname: string;
    readonly companyname: string;
    readonly email: string;
    readonly address1: string;
    readonly address2: string;
    readonly city: string;
    readonly state: string;
    readonly postcode: string;
    readonly country: string;
    readonly phonenumber: string;
    /** The language of messages; empty for the default */
    readonly language: string;
    /** The version of the terms that the person accepted */
    readonly termsversion: string;
    /** The IP address of the request */
    readonly address: string;
    readonly created: Moment;
    /** Time in UTC; empty if the address is not verified */
    readonly verified: string;
    /** When it is deleted */
    readonly expires: string;
    /** Why it was rejected */
    readonly reason: string;
  }, void, void>;
  /** List staff’s notes on an account, newest first */
  noteList(input: NoteListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    /** The name of its author */
    readonly operator: string;
    readonly text: string;
    readonly created: Moment;
    /** When it was last edited; time in UTC, or empty */
    readonly changed: string;
  }, void, void>;
  /** List the contacts of an account */
  contactList(input: ContactListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly firstname: string;
    readonly lastname: string;
    readonly companyname: string;
    readonly email: string;
    readonly subaccount: Flag01;
    /** Scopes of a sub-account, comma-separated */
    readonly permissions: string;
    readonly status: string;
    /** Time in UTC, or empty */
    readonly created: string;
  }, void, void>;
  /** List invoices, newest first */
  invoiceList(input?: InvoiceListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    readonly invoicenum: string;
    readonly kind: 'Invoice' | 'CreditNote';
    readonly date: Day;
    readonly duedate: Day;
    readonly total: Money;
    /** Still to be paid */
    readonly balance: string;
    readonly status: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled';
  }, void, void>;
  /** List the payments on an account's invoices, newest first */
  paymentList(input: PaymentListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    readonly invoice: string;
    readonly invoicenum: string;
    readonly amount: Money;
    readonly method: string;
    readonly reference: string;
    readonly paid: Moment;
  }, void, void>;
  /** List the events of an account, newest first */
  eventList(input: EventListInput, options?: CallOptions): AsyncGenerator<{
    /** Its number in the account’s log */
    readonly id: string;
    readonly type: string;
    readonly timestamp: Moment;
    /** The service that the event is about; empty if none */
    readonly service: string;
    readonly data: Readonly<Record<string, unknown>>;
  }, void, void>;
  /** List the audit log of all accounts, newest first */
  auditList(input?: AuditListInput, options?: CallOptions): AsyncGenerator<OperatorAuditEntry, void, void>;
  /** List impersonations, newest first */
  impersonationList(input?: ImpersonationListInput, options?: CallOptions): AsyncGenerator<{
    readonly account: string;
    readonly id: string;
    /** The member of staff */
    readonly operator: string;
    readonly reason: string;
    readonly status: 'Active' | 'Ended';
    readonly started: Moment;
    readonly expires: Moment;
    /** Time in UTC; empty while it is active */
    readonly ended: string;
    /** Who ended it; empty while it is active, or if it ended otherwise, for example by expiring */
    readonly endedby: 'Staff' | 'Customer' | '';
  }, void, void>;
  /** List requests for addresses, newest first */
  requestList(input?: RequestListInput, options?: CallOptions): AsyncGenerator<AddressRequest, void, void>;
  /** List licence orders waiting for a key, oldest first */
  licenceOrderList(input?: LicenceOrderListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    readonly service: string;
    /** As in the catalogue */
    readonly licence: string;
    /** The display name; empty if the catalogue has none */
    readonly label: string;
    readonly price: Money;
    readonly ordered: Moment;
    readonly workflow: string;
  }, void, void>;
  /** List workflows of all accounts, newest first */
  workflowList(input?: WorkflowListInput, options?: CallOptions): AsyncGenerator<WorkflowListItem, void, void>;
  /** List failed jobs */
  jobList(input?: JobListInput, options?: CallOptions): AsyncGenerator<FailedJob, void, void>;
  /** List messages to all accounts, newest first */
  mailList(input?: MailListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    /** The recipient’s contact; empty for the account */
    readonly contact: string;
    readonly address: string;
    /** The type of the event that it is about, or another kind of message */
    readonly kind: string;
    /** Empty until the first attempt */
    readonly subject: string;
    /** Held: waits to be sent in a summary; Summarized: was sent in a summary; Bounced: was returned after a relay had accepted it */
    readonly status: 'Queued' | 'Held' | 'Sent' | 'Failed' | 'Summarized' | 'Bounced';
    readonly created: Moment;
    /** When a relay accepted it; time in UTC, or empty */
    readonly sent: string;
    readonly account: string;
    readonly attempts: string;
    /** The next attempt; time in UTC, or empty */
    readonly next: string;
    /** The relay that accepted it */
    readonly relay: string;
    /** Why the last attempt failed */
    readonly error: string;
    /** The message that this one resends */
    readonly resendof: string;
  }, void, void>;
  /** List erasures of accounts */
  erasureList(input?: ErasureListInput, options?: CallOptions): AsyncGenerator<{
    readonly account: string;
    /** Erased: only what tax law requires is kept; Purged: nothing is kept */
    readonly status: 'Waiting' | 'Cancelled' | 'Erasing' | 'Erased' | 'Purging' | 'Purged';
    readonly requested: Moment;
    /** When the waiting time ends; time in UTC */
    readonly eraseon: string;
    /** The member of staff who requested it; empty if the account’s owner did */
    readonly operator: string;
    /** Why staff requested it, or why it was cancelled */
    readonly reason: string;
    /** When it was completed; time in UTC, or empty */
    readonly erased: string;
    /** When tax law no longer requires its invoices; time in UTC, or empty */
    readonly keptuntil: string;
    /** When the invoices were deleted; time in UTC, or empty */
    readonly purged: string;
  }, void, void>;
  /** Preview the billing runs that are due */
  billingDryRun(input?: BillingDryRunInput, options?: CallOptions): AsyncGenerator<BillingDifference, void, void>;
  /** List cancelled services */
  cancellationList(input?: CancellationListInput, options?: CallOptions): AsyncGenerator<{
    readonly service: string;
    readonly account: string;
    readonly hostname: string;
    readonly status: string;
    readonly lastday: Day;
    readonly requested: Moment;
    readonly requestedby: 'customer' | 'staff';
    readonly reason: string;
    /** `announced`: the customer has received the final notice; `failed`: terminate it yourself */
    readonly ending: 'planned' | 'announced' | 'held' | 'terminating' | 'failed';
    /** When it is terminated, unless termination is held */
    readonly termination: string;
    /** Why staff hold the termination; otherwise empty */
    readonly holdreason: string;
  }, void, void>;
  /** List coupons */
  couponList(input?: CouponListInput, options?: CallOptions): AsyncGenerator<{
    readonly code: string;
    /** Empty for a coupon with an amount */
    readonly percent: string;
    /** For each invoice; empty for a coupon with a percentage */
    readonly amount: Money | '';
    /** Number of invoices that it reduces; empty for all */
    readonly periods: string;
    /** The plans that it applies to; empty for all */
    readonly plans: readonly string[];
    /** Number of accounts that have redeemed it */
    readonly uses: string;
    /** Empty for no limit */
    readonly maxuses: string;
    readonly from: Day | '';
    readonly until: Day | '';
    readonly note: string;
    readonly created: Moment;
    /** When staff ended it; otherwise empty */
    readonly ended: string;
  }, void, void>;
  /** List the ledger entries of an account, newest first */
  ledgerList(input: LedgerListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly account: string;
    readonly timestamp: Moment;
    readonly kind: 'opening' | 'invoice' | 'payment' | 'credit' | 'refund' | 'chargeback' | 'write-off';
    /** The book that is debited */
    readonly debit: string;
    /** The book that is credited */
    readonly credit: string;
    readonly amount: Money;
    /** Id of the invoice; empty if none */
    readonly invoice: string;
    readonly invoicenum: string;
    readonly reference: string;
  }, void, void>;
  /** List null routes */
  nullrouteList(input?: NullrouteListInput, options?: CallOptions): AsyncGenerator<OperatorNullroute, void, void>;
  /** List planned maintenance, newest first */
  maintenanceList(input?: MaintenanceListInput, options?: CallOptions): AsyncGenerator<{
    readonly id: string;
    readonly title: string;
    /** The staff’s description of what happens */
    readonly text: string;
    readonly start: Moment;
    readonly end: Moment;
    /** Draft: customers cannot see it yet */
    readonly status: 'Draft' | 'Announced' | 'Cancelled' | 'Completed';
    readonly all: boolean;
    readonly nodes: readonly string[];
    readonly switches: readonly string[];
    readonly racks: readonly string[];
    readonly servers: readonly string[];
    /** The member of staff who created it */
    readonly operator: string;
    /** How many accounts were notified */
    readonly accounts: string;
    /** How many of their services are affected */
    readonly services: string;
    readonly created: Moment;
    readonly updated: Moment;
  }, void, void>;
  /** List racks and their equipment */
  rackList(input?: RackListInput, options?: CallOptions): AsyncGenerator<Rack, void, void>;
  /** List address blocks */
  netblockList(input?: NetblockListInput, options?: CallOptions): AsyncGenerator<OperatorNetblock, void, void>;
  /** List hypervisors */
  nodeList(input?: NodeListInput, options?: CallOptions): AsyncGenerator<{
    readonly name: string;
    readonly driver: string;
    /** Version of the virtualization software; empty if unknown */
    readonly version: string;
    /** silent: it did not respond to the last check; unseen: not checked yet */
    readonly state: 'answers' | 'silent' | 'unseen';
    /** Code of the last check’s error; empty if it succeeded */
    readonly error: string;
    /** The message of the driver */
    readonly errortext: string;
    /** When it last responded; empty if never */
    readonly seen: string;
    /** How many seconds its next check is overdue */
    readonly lag: string;
    /** Number of machines, including those being created */
    readonly machines: string;
    /** Processor threads; empty if unknown */
    readonly cpus: string;
    /** Virtual processors of its machines */
    readonly vcpus: string;
    /** Empty if unknown */
    readonly memorymb: {
      readonly total: string;
      /** In use */
      readonly used: string;
      /** Reserved for machines that are not created yet */
      readonly reserved: string;
      /** Available for further machines, as reported by the hypervisor */
      readonly free: string;
    };
    /** Empty if unknown */
    readonly diskgb: {
      readonly total: string;
      /** In use */
      readonly used: string;
      /** Reserved for machines that are not created yet */
      readonly reserved: string;
      /** Available for further machines, as reported by the hypervisor */
      readonly free: string;
    };
    /** When the capacity was read; empty if it is unknown */
    readonly read: string;
    /** Start of its maintenance, during which no machines are placed on it; otherwise empty */
    readonly maintenance: string;
    /** The reason for the maintenance; otherwise empty */
    readonly maintenancereason: string;
    /** Whether its machines are being moved to other hypervisors */
    readonly evacuation: 'none' | 'running' | 'ended';
    /** Empty if the site file has none */
    readonly rack: string;
    readonly unit: string;
  }, void, void>;
  /** List the machines of a hypervisor */
  machineList(input: MachineListInput, options?: CallOptions): AsyncGenerator<{
    readonly vmid: string;
    readonly device: string;
    readonly service: string;
    readonly account: string;
    readonly hostname: string;
    /** Status of the service */
    readonly status: string;
    /** unknown: the hypervisor does not respond or does not have it; pending: it is not created yet */
    readonly state: 'on' | 'off' | 'unknown' | 'pending';
    /** Time in UTC; empty if never */
    readonly seen: string;
    readonly error: string;
    /** The cluster member that it runs on; empty if none */
    readonly member: string;
    readonly vcpus: string;
    readonly memorymb: string;
    readonly diskgb: string;
  }, void, void>;
  /** List migrations, newest first */
  migrationList(input?: MigrationListInput, options?: CallOptions): AsyncGenerator<{
    /** Id of the workflow */
    readonly action: string;
    readonly device: string;
    readonly service: string;
    readonly account: string;
    readonly source: string;
    /** The target member if the machine moves within its cluster, otherwise empty */
    readonly member: string;
    /** Empty until it is decided */
    readonly mode: 'live' | 'cold' | '';
    /** Empty until it is chosen */
    readonly target: string;
    /** Percentage of the data that has been copied; empty if unknown */
    readonly percent: string;
    readonly status: 'Queued' | 'Running' | 'Stuck' | 'Completed' | 'Failed' | 'Cancelled';
    /** The current step; empty if the move has ended */
    readonly step: string;
    /** Why it failed; otherwise empty */
    readonly reason: string;
    /** The equipment’s last message */
    readonly detail: string;
    readonly started: string;
    /** Empty while it is running */
    readonly ended: string;
  }, void, void>;
  /** List switches */
  switchList(input?: SwitchListInput, options?: CallOptions): AsyncGenerator<{
    readonly name: string;
    readonly driver: string;
    /** The switch’s description of itself, usually model and software; empty if unknown */
    readonly description: string;
    /** silent: it did not respond to the last check; unseen: not checked yet */
    readonly state: 'answers' | 'silent' | 'unseen';
    /** Code of the last check’s error; empty if it succeeded */
    readonly error: string;
    /** The message of the driver */
    readonly errortext: string;
    /** When it last responded; empty if never */
    readonly seen: string;
    /** How many seconds its next check is overdue */
    readonly lag: string;
    /** When it last started, by its own clock; empty if unknown */
    readonly started: string;
    /** Number of ports; empty if unknown */
    readonly ports: string;
    /** Ports with a link; empty if unknown */
    readonly portsup: string;
    /** Ports with errors or discards in the last day; empty if unknown */
    readonly portswitherrors: string;
    /** When its ports were last read; empty if never */
    readonly read: string;
    /** Empty if the site file has none */
    readonly rack: string;
    readonly unit: string;
  }, void, void>;
  /** List the ports of a switch */
  portList(input: PortListInput, options?: CallOptions): AsyncGenerator<{
    /** Number of the port on the switch */
    readonly index: string;
    readonly name: string;
    readonly alias: string;
    /** Empty if unknown */
    readonly admin: 'up' | 'down' | '';
    /** Empty if unknown */
    readonly oper: 'up' | 'down' | 'unknown' | '';
    /** Bits per second; empty if unknown */
    readonly speed: string;
    /** Bits per second on average since the previous reading; empty if unknown */
    readonly in: string;
    /** Bits per second on average since the previous reading; empty if unknown */
    readonly out: string;
    /** Since the switch started; empty if it does not count them */
    readonly inerrors: string;
    /** Since the switch started; empty if it does not count them */
    readonly outerrors: string;
    /** Since the switch started; empty if it does not count them */
    readonly indiscards: string;
    /** Since the switch started; empty if it does not count them */
    readonly outdiscards: string;
    /** Per minute on average since the previous reading, with two decimals; empty if unknown */
    readonly errorrate: string;
    /** Per minute on average since the previous reading, with two decimals; empty if unknown */
    readonly discardrate: string;
    /** When errors or discards last increased; empty if they never have */
    readonly erred: string;
    /** Name of the device at the other end, by LLDP; empty if none is known */
    readonly neighbour: string;
    /** The neighbour’s name for its port */
    readonly neighbourport: string;
    readonly neighbourmac: string;
    /** Server at the other end according to the site file; empty if none */
    readonly server: string;
    readonly service: string;
    readonly account: string;
    readonly hostname: string;
    /** For a port in the site file. missing, ambiguous, taken: the port cannot be identified. miscabled: LLDP reports another server. */
    readonly problem: '' | 'missing' | 'ambiguous' | 'taken' | 'miscabled';
  }, void, void>;
}

/** Events as they happen. A broken connection is resumed. */
export interface Stream {
  /** Stream change notifications */
  changeList(input?: Readonly<Record<string, never>>, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<Change, void, void>;
}

export const routes = {
  sessionCreate: { method: 'POST', path: '/operator/session', repeat: 'never' },
  signOnGet: { method: 'GET', path: '/operator/session/sign-on', repeat: 'never' },
  signOnBegin: { method: 'POST', path: '/operator/session/sign-on', repeat: 'never' },
  signOnComplete: { method: 'PUT', path: '/operator/session/sign-on', repeat: 'never' },
  sessionGet: { method: 'GET', path: '/operator/session', repeat: 'freely' },
  sessionDelete: { method: 'DELETE', path: '/operator/session', repeat: 'with-key' },
  totpEnrol: { method: 'POST', path: '/operator/totp', repeat: 'with-key' },
  totpConfirm: { method: 'PUT', path: '/operator/totp', repeat: 'with-key' },
  passwordSet: { method: 'PUT', path: '/operator/password', repeat: 'with-key' },
  passkeyGet: { method: 'GET', path: '/operator/session/passkey', repeat: 'freely' },
  passkeyBegin: { method: 'POST', path: '/operator/session/passkey', repeat: 'with-key' },
  passkeyCreate: { method: 'PUT', path: '/operator/session/passkey', repeat: 'with-key' },
  passkeyDelete: { method: 'DELETE', path: '/operator/session/passkey', repeat: 'with-key' },
  challengeCreate: { method: 'POST', path: '/operator/session/challenge', repeat: 'never' },
  challengeAnswer: { method: 'PUT', path: '/operator/session/challenge', repeat: 'never' },
  emailSet: { method: 'PUT', path: '/operator/email', repeat: 'with-key' },
  recoveryRequest: { method: 'POST', path: '/operator/session/recovery', repeat: 'never' },
  recoveryComplete: { method: 'PUT', path: '/operator/session/recovery', repeat: 'never' },
  operatorList: { method: 'GET', path: '/operator/operator', repeat: 'freely' },
  operatorCreate: { method: 'POST', path: '/operator/operator', repeat: 'with-key' },
  operatorUpdate: { method: 'PUT', path: '/operator/operator', repeat: 'with-key' },
  operatorDelete: { method: 'DELETE', path: '/operator/operator', repeat: 'with-key' },
  serviceOptions: { method: 'GET', path: '/operator/service/options', repeat: 'freely' },
  servicePreview: { method: 'POST', path: '/operator/service/preview', repeat: 'freely' },
  serviceList: { method: 'GET', path: '/operator/service', repeat: 'freely' },
  serviceGet: { method: 'GET', path: '/operator/service/{id}', repeat: 'freely' },
  serviceProvision: { method: 'POST', path: '/operator/service', repeat: 'with-key' },
  serviceRetry: { method: 'POST', path: '/operator/service/retry', repeat: 'with-key' },
  serviceSuspend: { method: 'POST', path: '/operator/service/suspend', repeat: 'with-key' },
  serviceResume: { method: 'POST', path: '/operator/service/resume', repeat: 'with-key' },
  serviceTerminate: { method: 'DELETE', path: '/operator/service', repeat: 'with-key' },
  devicePowerGet: { method: 'GET', path: '/operator/device/power/{device}', repeat: 'freely' },
  devicePowerSet: { method: 'POST', path: '/operator/device/power', repeat: 'with-key' },
  deviceShutdown: { method: 'POST', path: '/operator/device/shutdown', repeat: 'with-key' },
  deviceBootSet: { method: 'PUT', path: '/operator/device/power', repeat: 'with-key' },
  deviceHardwareGet: { method: 'GET', path: '/operator/device/hardware/{device}', repeat: 'freely' },
  deviceConsoleTicket: { method: 'POST', path: '/operator/device/console', repeat: 'with-key' },
  deviceConsoleWeb: { method: 'POST', path: '/operator/device/console/web', repeat: 'with-key' },
  deviceConsoleReset: { method: 'DELETE', path: '/operator/device/console', repeat: 'with-key' },
  deviceImageList: { method: 'GET', path: '/operator/device/iso/{device}/choices', repeat: 'freely' },
  deviceImageStatus: { method: 'GET', path: '/operator/device/iso/{device}', repeat: 'freely' },
  deviceImageUpload: { method: 'POST', path: '/operator/device/iso', repeat: 'with-key' },
  deviceImageMount: { method: 'PUT', path: '/operator/device/iso', repeat: 'with-key' },
  deviceImageUnmount: { method: 'DELETE', path: '/operator/device/iso', repeat: 'with-key' },
  deviceRescueStatus: { method: 'GET', path: '/operator/device/rescue/{device}', repeat: 'freely' },
  deviceRescueStart: { method: 'POST', path: '/operator/device/rescue', repeat: 'with-key' },
  deviceRescueEnd: { method: 'DELETE', path: '/operator/device/rescue', repeat: 'with-key' },
  deviceTemplateList: { method: 'GET', path: '/operator/device/reload/{device}', repeat: 'freely' },
  deviceReloadStatus: { method: 'PUT', path: '/operator/device/reload', repeat: 'freely' },
  deviceReloadLog: { method: 'GET', path: '/operator/device/reload/log/{device}', repeat: 'freely' },
  deviceReloadStart: { method: 'POST', path: '/operator/device/reload', repeat: 'with-key' },
  deviceReloadCancel: { method: 'DELETE', path: '/operator/device/reload', repeat: 'with-key' },
  portEnable: { method: 'PUT', path: '/operator/device/port', repeat: 'with-key' },
  portDisable: { method: 'DELETE', path: '/operator/device/port', repeat: 'with-key' },
  trafficGet: { method: 'GET', path: '/operator/device/traffic/{device}', repeat: 'freely' },
  monthGet: { method: 'GET', path: '/operator/device/month/{device}', repeat: 'freely' },
  deviceList: { method: 'GET', path: '/operator/device', repeat: 'freely' },
  deviceGet: { method: 'GET', path: '/operator/device/detail', repeat: 'freely' },
  deviceSensorsGet: { method: 'GET', path: '/operator/device/sensors', repeat: 'freely' },
  deviceLock: { method: 'POST', path: '/operator/device/lock', repeat: 'with-key' },
  deviceUnlock: { method: 'DELETE', path: '/operator/device/lock', repeat: 'with-key' },
  deviceMaintenanceBegin: { method: 'POST', path: '/operator/device/maintenance', repeat: 'with-key' },
  deviceMaintenanceEnd: { method: 'DELETE', path: '/operator/device/maintenance', repeat: 'with-key' },
  deviceDiscover: { method: 'POST', path: '/operator/device/discover', repeat: 'with-key' },
  reclaimList: { method: 'GET', path: '/operator/reclaim', repeat: 'freely' },
  reclaimRetry: { method: 'POST', path: '/operator/reclaim/retry', repeat: 'with-key' },
  reclaimSignOff: { method: 'POST', path: '/operator/reclaim/signoff', repeat: 'with-key' },
  accountList: { method: 'GET', path: '/operator/account', repeat: 'freely' },
  accountGet: { method: 'GET', path: '/operator/account/{id}', repeat: 'freely' },
  accountCreate: { method: 'POST', path: '/operator/account', repeat: 'with-key' },
  accountUpdate: { method: 'PUT', path: '/operator/account', repeat: 'with-key' },
  accountSuspend: { method: 'POST', path: '/operator/account/suspend', repeat: 'with-key' },
  accountResume: { method: 'POST', path: '/operator/account/resume', repeat: 'with-key' },
  accountClose: { method: 'DELETE', path: '/operator/account', repeat: 'with-key' },
  taxGet: { method: 'GET', path: '/operator/account/tax', repeat: 'freely' },
  taxUpdate: { method: 'PUT', path: '/operator/account/tax', repeat: 'with-key' },
  taxValidate: { method: 'POST', path: '/operator/account/tax/validate', repeat: 'with-key' },
  taxOverride: { method: 'PUT', path: '/operator/account/tax/override', repeat: 'with-key' },
  paymentMethods: { method: 'GET', path: '/operator/payment/methods', repeat: 'freely' },
  paymentCharges: { method: 'GET', path: '/operator/payment/charges', repeat: 'freely' },
  paymentCharge: { method: 'POST', path: '/operator/payment/charge', repeat: 'with-key' },
  paymentRefund: { method: 'POST', path: '/operator/payment/refund', repeat: 'with-key' },
  sepaFiles: { method: 'GET', path: '/operator/sepa/files', repeat: 'freely' },
  sepaFile: { method: 'GET', path: '/operator/sepa/file', repeat: 'freely', file: true },
  sepaFileDecide: { method: 'PUT', path: '/operator/sepa/file', repeat: 'with-key' },
  sepaStatements: { method: 'GET', path: '/operator/sepa/statements', repeat: 'freely' },
  sepaImport: { method: 'POST', path: '/operator/sepa/statements', repeat: 'with-key' },
  sepaEntries: { method: 'GET', path: '/operator/sepa/entries', repeat: 'freely' },
  sepaAssign: { method: 'PUT', path: '/operator/sepa/entries', repeat: 'with-key' },
  sepaIgnore: { method: 'DELETE', path: '/operator/sepa/entries', repeat: 'with-key' },
  exchangeRateList: { method: 'GET', path: '/operator/exchange-rate', repeat: 'freely' },
  exchangeRateSet: { method: 'PUT', path: '/operator/exchange-rate', repeat: 'with-key' },
  accountCurrencySet: { method: 'PUT', path: '/operator/account/currency', repeat: 'with-key' },
  taxOverview: { method: 'GET', path: '/operator/tax', repeat: 'freely' },
  taxConflictList: { method: 'GET', path: '/operator/tax/conflict', repeat: 'freely' },
  accountStatement: { method: 'GET', path: '/operator/account/statement', repeat: 'freely' },
  accountStatementPdf: { method: 'GET', path: '/operator/account/statement/pdf', repeat: 'freely', file: true },
  deliveryList: { method: 'GET', path: '/operator/invoice/delivery', repeat: 'freely' },
  invoiceDeliver: { method: 'POST', path: '/operator/invoice/delivery', repeat: 'with-key' },
  signUpList: { method: 'GET', path: '/operator/sign-up', repeat: 'freely' },
  signUpApprove: { method: 'POST', path: '/operator/sign-up/approve', repeat: 'with-key' },
  signUpReject: { method: 'POST', path: '/operator/sign-up/reject', repeat: 'with-key' },
  signUpInvitationList: { method: 'GET', path: '/operator/sign-up/invitation', repeat: 'freely' },
  signUpInvitationCreate: { method: 'POST', path: '/operator/sign-up/invitation', repeat: 'with-key' },
  signUpInvitationDelete: { method: 'DELETE', path: '/operator/sign-up/invitation', repeat: 'with-key' },
  noteList: { method: 'GET', path: '/operator/note', repeat: 'freely' },
  noteCreate: { method: 'POST', path: '/operator/note', repeat: 'with-key' },
  noteUpdate: { method: 'PUT', path: '/operator/note', repeat: 'with-key' },
  noteDelete: { method: 'DELETE', path: '/operator/note', repeat: 'with-key' },
  contactList: { method: 'GET', path: '/operator/contact', repeat: 'freely' },
  invoiceList: { method: 'GET', path: '/operator/invoice', repeat: 'freely' },
  invoiceGet: { method: 'GET', path: '/operator/invoice/{id}', repeat: 'freely' },
  paymentList: { method: 'GET', path: '/operator/payment', repeat: 'freely' },
  eventList: { method: 'GET', path: '/operator/event', repeat: 'freely' },
  searchGet: { method: 'GET', path: '/operator/search', repeat: 'freely' },
  keyList: { method: 'GET', path: '/operator/key', repeat: 'freely' },
  keyCreate: { method: 'POST', path: '/operator/key', repeat: 'with-key' },
  keyRevoke: { method: 'DELETE', path: '/operator/key', repeat: 'with-key' },
  auditList: { method: 'GET', path: '/operator/audit', repeat: 'freely' },
  impersonationList: { method: 'GET', path: '/operator/impersonation', repeat: 'freely' },
  impersonationStart: { method: 'POST', path: '/operator/impersonation', repeat: 'with-key' },
  impersonationEnd: { method: 'DELETE', path: '/operator/impersonation', repeat: 'with-key' },
  backupList: { method: 'GET', path: '/operator/backup', repeat: 'freely' },
  backupCreate: { method: 'POST', path: '/operator/backup', repeat: 'with-key' },
  requestList: { method: 'GET', path: '/operator/request', repeat: 'freely' },
  requestApprove: { method: 'POST', path: '/operator/request/approve', repeat: 'with-key' },
  requestRefuse: { method: 'POST', path: '/operator/request/refuse', repeat: 'with-key' },
  licenceOrderList: { method: 'GET', path: '/operator/licence', repeat: 'freely' },
  licenceOrderDeliver: { method: 'POST', path: '/operator/licence/deliver', repeat: 'with-key' },
  workflowList: { method: 'GET', path: '/operator/workflow', repeat: 'freely' },
  workflowGet: { method: 'GET', path: '/operator/workflow/{id}', repeat: 'freely' },
  workflowRetry: { method: 'POST', path: '/operator/workflow/retry', repeat: 'with-key' },
  workflowUnwind: { method: 'POST', path: '/operator/workflow/unwind', repeat: 'with-key' },
  reconcilerList: { method: 'GET', path: '/operator/reconciler', repeat: 'freely' },
  jobList: { method: 'GET', path: '/operator/job', repeat: 'freely' },
  jobRetry: { method: 'POST', path: '/operator/job/retry', repeat: 'with-key' },
  mailList: { method: 'GET', path: '/operator/mail', repeat: 'freely' },
  mailGet: { method: 'GET', path: '/operator/mail/{id}', repeat: 'freely' },
  mailResend: { method: 'POST', path: '/operator/mail/resend', repeat: 'with-key' },
  undeliverableList: { method: 'GET', path: '/operator/mail/undeliverable', repeat: 'freely' },
  undeliverableClear: { method: 'DELETE', path: '/operator/mail/undeliverable', repeat: 'with-key' },
  mailPreview: { method: 'GET', path: '/operator/mail/preview', repeat: 'freely' },
  accountExportCreate: { method: 'POST', path: '/operator/account/export', repeat: 'with-key' },
  accountExportList: { method: 'GET', path: '/operator/account/export', repeat: 'freely' },
  accountExportFile: { method: 'GET', path: '/operator/account/export/file', repeat: 'freely', file: true },
  erasureList: { method: 'GET', path: '/operator/erasure', repeat: 'freely' },
  erasureRequest: { method: 'POST', path: '/operator/erasure', repeat: 'with-key' },
  erasureCancel: { method: 'DELETE', path: '/operator/erasure', repeat: 'with-key' },
  erasureReplay: { method: 'POST', path: '/operator/erasure/replay', repeat: 'with-key' },
  billingDryRun: { method: 'GET', path: '/operator/billing/run', repeat: 'freely' },
  billingRunStart: { method: 'POST', path: '/operator/billing/run', repeat: 'with-key' },
  billingResume: { method: 'POST', path: '/operator/billing/resume', repeat: 'with-key' },
  pricePlanList: { method: 'GET', path: '/operator/plan', repeat: 'freely' },
  pricePlanCreate: { method: 'POST', path: '/operator/plan', repeat: 'with-key' },
  pricePlanUpdate: { method: 'PUT', path: '/operator/plan', repeat: 'with-key' },
  pricePlanApply: { method: 'POST', path: '/operator/plan/apply', repeat: 'with-key' },
  pricePlanKeep: { method: 'DELETE', path: '/operator/plan/apply', repeat: 'with-key' },
  pricePlanWithdraw: { method: 'POST', path: '/operator/plan/withdraw', repeat: 'with-key' },
  pricePlanOffer: { method: 'POST', path: '/operator/plan/offer', repeat: 'with-key' },
  pricePlanDelete: { method: 'DELETE', path: '/operator/plan', repeat: 'with-key' },
  servicePlanSet: { method: 'PUT', path: '/operator/service/plan', repeat: 'with-key' },
  serviceCancel: { method: 'POST', path: '/operator/service/cancellation', repeat: 'with-key' },
  serviceCancelWithdraw: { method: 'DELETE', path: '/operator/service/cancellation', repeat: 'with-key' },
  cancellationList: { method: 'GET', path: '/operator/cancellation', repeat: 'freely' },
  cancellationHold: { method: 'POST', path: '/operator/cancellation/hold', repeat: 'with-key' },
  cancellationRelease: { method: 'DELETE', path: '/operator/cancellation/hold', repeat: 'with-key' },
  usageRecord: { method: 'POST', path: '/operator/usage', repeat: 'with-key' },
  couponList: { method: 'GET', path: '/operator/coupon', repeat: 'freely' },
  couponCreate: { method: 'POST', path: '/operator/coupon', repeat: 'with-key' },
  couponEnd: { method: 'DELETE', path: '/operator/coupon', repeat: 'with-key' },
  ledgerList: { method: 'GET', path: '/operator/ledger', repeat: 'freely' },
  ledgerBalance: { method: 'GET', path: '/operator/ledger/balance', repeat: 'freely' },
  paymentRecord: { method: 'POST', path: '/operator/payment', repeat: 'with-key' },
  creditGrant: { method: 'POST', path: '/operator/credit', repeat: 'with-key' },
  refundRecord: { method: 'POST', path: '/operator/refund', repeat: 'with-key' },
  invoiceWriteOff: { method: 'POST', path: '/operator/invoice/write-off', repeat: 'with-key' },
  invoiceCredit: { method: 'POST', path: '/operator/invoice/credit-note', repeat: 'with-key' },
  dunningGet: { method: 'GET', path: '/operator/dunning', repeat: 'freely' },
  dunningHold: { method: 'POST', path: '/operator/dunning/hold', repeat: 'with-key' },
  dunningResume: { method: 'POST', path: '/operator/dunning/resume', repeat: 'with-key' },
  reportRevenue: { method: 'GET', path: '/operator/report/revenue', repeat: 'freely' },
  reportReceivables: { method: 'GET', path: '/operator/report/receivables', repeat: 'freely' },
  reportTaxes: { method: 'GET', path: '/operator/report/taxes', repeat: 'freely' },
  reportPayments: { method: 'GET', path: '/operator/report/payments', repeat: 'freely' },
  reportCsv: { method: 'GET', path: '/operator/report/csv', repeat: 'freely', file: true },
  reportDatev: { method: 'GET', path: '/operator/report/datev', repeat: 'freely', file: true },
  nullrouteList: { method: 'GET', path: '/operator/nullroute', repeat: 'freely' },
  nullrouteAdd: { method: 'POST', path: '/operator/nullroute', repeat: 'with-key' },
  nullrouteRemove: { method: 'DELETE', path: '/operator/nullroute', repeat: 'with-key' },
  maintenanceList: { method: 'GET', path: '/operator/maintenance', repeat: 'freely' },
  maintenanceCreate: { method: 'POST', path: '/operator/maintenance', repeat: 'with-key' },
  maintenanceUpdate: { method: 'PUT', path: '/operator/maintenance', repeat: 'with-key' },
  maintenanceAnnounce: { method: 'POST', path: '/operator/maintenance/announce', repeat: 'with-key' },
  maintenanceCancel: { method: 'POST', path: '/operator/maintenance/cancel', repeat: 'with-key' },
  maintenanceComplete: { method: 'POST', path: '/operator/maintenance/complete', repeat: 'with-key' },
  installationGet: { method: 'GET', path: '/operator/installation', repeat: 'freely' },
  fleetGet: { method: 'GET', path: '/operator/fleet', repeat: 'freely' },
  rackList: { method: 'GET', path: '/operator/rack', repeat: 'freely' },
  netblockList: { method: 'GET', path: '/operator/netblock', repeat: 'freely' },
  netblockRelease: { method: 'DELETE', path: '/operator/netblock', repeat: 'with-key' },
  nodeList: { method: 'GET', path: '/operator/node', repeat: 'freely' },
  nodeGet: { method: 'GET', path: '/operator/node/{name}', repeat: 'freely' },
  machineList: { method: 'GET', path: '/operator/machine', repeat: 'freely' },
  nodeMaintenance: { method: 'PUT', path: '/operator/node/maintenance', repeat: 'with-key' },
  nodeEvacuate: { method: 'POST', path: '/operator/node/evacuate', repeat: 'with-key' },
  nodeEvacuationCancel: { method: 'DELETE', path: '/operator/node/evacuate', repeat: 'with-key' },
  nodeEvacuationGet: { method: 'GET', path: '/operator/node/{name}/evacuation', repeat: 'freely' },
  nodeMembers: { method: 'GET', path: '/operator/node/{name}/members', repeat: 'freely' },
  machineMigrate: { method: 'POST', path: '/operator/machine/migrate', repeat: 'with-key' },
  machineMigrateCancel: { method: 'DELETE', path: '/operator/machine/migrate', repeat: 'with-key' },
  migrationList: { method: 'GET', path: '/operator/machine/migration', repeat: 'freely' },
  nodeAdoptable: { method: 'GET', path: '/operator/node/{name}/adoptable', repeat: 'freely' },
  machineInspect: { method: 'GET', path: '/operator/machine/adopt', repeat: 'freely' },
  machineAdopt: { method: 'POST', path: '/operator/machine/adopt', repeat: 'with-key' },
  switchList: { method: 'GET', path: '/operator/switch', repeat: 'freely' },
  switchGet: { method: 'GET', path: '/operator/switch/{name}', repeat: 'freely' },
  portList: { method: 'GET', path: '/operator/port', repeat: 'freely' },
  changeList: { method: 'GET', path: '/operator/change', repeat: 'freely', streams: true },
} as const satisfies Readonly<Record<string, Route>>;

export const paging = {
  serviceList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  deviceList: { parameter: 'after', limit: 100, next: { itemMember: 'device' } },
  reclaimList: { parameter: 'after', limit: 100, next: { itemMember: 'server' } },
  accountList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  paymentCharges: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  sepaFiles: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  sepaStatements: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  sepaEntries: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  taxConflictList: { parameter: 'after', limit: 100, next: { itemMember: 'account' } },
  deliveryList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  signUpList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  noteList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  contactList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  invoiceList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  paymentList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  eventList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  auditList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  impersonationList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  requestList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  licenceOrderList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  workflowList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  jobList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  mailList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  erasureList: { parameter: 'after', limit: 100, next: { itemMember: 'account' } },
  billingDryRun: { parameter: 'after', limit: 100, next: { itemMember: 'account' } },
  cancellationList: { parameter: 'after', limit: 100, next: { itemMember: 'service' } },
  couponList: { parameter: 'after', limit: 100, next: { itemMember: 'code' } },
  ledgerList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  nullrouteList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  maintenanceList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  rackList: { parameter: 'after', limit: 100, next: { itemMember: 'name' } },
  netblockList: { parameter: 'after', limit: 100, next: { itemMember: 'cidr' } },
  nodeList: { parameter: 'after', limit: 100, next: { itemMember: 'name' } },
  machineList: { parameter: 'after', limit: 100, next: { itemMember: 'vmid' } },
  migrationList: { parameter: 'before', limit: 100, next: { itemMember: 'action' } },
  switchList: { parameter: 'after', limit: 100, next: { itemMember: 'name' } },
  portList: { parameter: 'after', limit: 100, next: { itemMember: 'index' } },
} as const satisfies Readonly<Record<string, Paging>>;
