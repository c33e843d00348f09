// Generated from the contract by `npm run golden`, do not edit. It is long because it holds the whole API.
import type { CallOptions, FileResponse, Id, Paging, Route } from '../settings.ts';
import type { AddressNames, BootDone, ConsoleTicket, Contact, ContactId, Day, DeviceImageStatus, DnsLimits, DnsRule, Enrolment, Flag01, Hardware, ImageEntry, InvoiceDetail, InvoiceListItem, JavaConsole, Key, Moment, Money, NetblockRequest, NewId, NewKey, Passkey, PasskeyCreationOptions, PasskeyRequestOptions, PortTraffic, PowerDone, PowerState, RegistrationCredential, ReloadLogLine, ReloadStatus, RescueStatus, SignInCredential, TrafficMonth, TrafficSample, WebConsole, Zone, ZoneRecord } from './shared.ts';
export type { AddressNames, BootDone, ConsoleTicket, Contact, ContactId, Day, DeviceImageStatus, DnsLimits, DnsRule, Enrolment, Flag01, Hardware, ImageEntry, InvoiceDetail, InvoiceListItem, JavaConsole, Key, Moment, Money, NetblockRequest, NewId, NewKey, Passkey, PasskeyCreationOptions, PasskeyRequestOptions, PortCounters, PortState, PortTraffic, PowerDone, PowerState, RegistrationCredential, ReloadLogLine, ReloadStatus, RescueStatus, SignInCredential, TrafficMonth, TrafficSample, WebConsole, Zone, ZoneRecord } from './shared.ts';

export interface Account {
  readonly id: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly fullname: string;
  readonly companyname: string;
  readonly email: string;
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly state: string;
  readonly postcode: string;
  readonly countrycode: string;
  readonly phonenumber: string;
  readonly status: 'Active' | 'Suspended' | 'Closed';
  readonly balance: Money;
  /** Three lines: time in UTC, IP address, reverse DNS name */
  readonly lastlogin: string;
  readonly currency: string;
}

export interface Action {
  readonly id: string;
  /** The operation, as in the audit log */
  readonly operation: string;
  /** Service id; empty if none */
  readonly service: string;
  readonly status: 'Queued' | 'Running' | 'Completed' | 'Failed' | 'Cancelled';
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
}

export type AnomalyEvent = {
  readonly id: string;
  readonly anomaly_id: string;
  readonly target_ip: string;
  readonly internal_client: string;
  readonly internal_service: string;
  readonly internal_device: string;
  readonly internal_network: string | number;
  readonly active: Flag01;
  readonly start: string;
  /** 0 while the event is active */
  readonly end: string;
  readonly nullroute_start: string | null;
  readonly nullroute_end: string | null;
  readonly nullroute_active: Flag01;
  readonly detail: {
    readonly success: boolean;
    readonly results: number;
    readonly result: readonly {
      readonly attack_id: string;
      readonly rule_direction: string;
      readonly ip: string;
      readonly mask: string;
      readonly rule_unit: string;
      readonly filters: string;
      readonly value: string;
      readonly first: string;
      readonly last: string;
      readonly tick: string;
      readonly sensor_type: string;
      readonly sensor_id: string;
      readonly sensor_interface: string;
      readonly protocal: string;
    }[];
  };
  readonly logs: {
    readonly success: boolean;
    readonly results: number;
    readonly result: readonly {
      readonly ip: string;
      readonly activity: string;
      readonly d_total: string;
      readonly d_totalbits: string;
      readonly s_total: string;
      readonly s_totalbits: string;
      readonly d_tcp: string;
      readonly d_tcpbits: string;
      readonly s_tcp: string;
      readonly s_tcpbits: string;
      readonly d_syn: string;
      readonly d_synbits: string;
      readonly s_syn: string;
      readonly s_synbits: string;
      readonly d_udp: string;
      readonly d_udpbits: string;
      readonly s_udp: string;
      readonly s_udpbits: string;
      readonly d_icmp: string;
      readonly d_icmpbits: string;
      readonly s_icmp: string;
      readonly s_icmpbits: string;
    }[];
  };
};

/** Events by anomaly_id */
export type AnomalyEvents = Readonly<Record<string, AnomalyEvent>>;

export interface AuditEntry {
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

export interface Certificate {
  /** `handover`: the state in which the service got its server. `erasure`: what happened after it ended */
  readonly kind: 'handover' | 'erasure';
  readonly document: CertificateDocument;
  /** The same document as a JSON Web Signature (Ed25519, compact form) */
  readonly signed: string;
}

export type CertificateDocument = {
  /** Its number */
  readonly certificate: string;
  readonly provider: string;
  readonly server: string;
  /** The serial number of the server; empty if unknown */
  readonly serial: string;
  /** ISO 8601, in UTC */
  readonly issued: string;
  /** Whether the server had a previous customer */
  readonly previouscustomer: boolean;
  /** `erased`: every disk was erased and verified. `signedoff`: a member of staff vouches for it. `waived`: the provider does not erase this server. `none`: it had no previous customer */
  readonly erasure: 'erased' | 'signedoff' | 'waived' | 'none';
  readonly disks: readonly {
    readonly serial: string;
    readonly bytes: string;
    readonly method: 'nvme-format' | 'ata-secure-erase' | 'discard' | 'overwrite';
    /** Duration */
    readonly seconds: string;
  }[];
  /** When the disks were erased, ISO 8601; empty if they were not */
  readonly erased: string;
  /** Number of BMC users that were removed */
  readonly bmcusersremoved: string;
  /** Number of remaining BMC users, which belong to the provider */
  readonly bmcusersleft: string;
  /** Firmware versions by component */
  readonly firmware: Readonly<Record<string, string>>;
  /** Number of switch ports that were disabled between the customers */
  readonly ports: string;
  /** Steps without a result, for which a member of staff vouches */
  readonly signedoff: readonly {
    readonly step: 'isolate' | 'users' | 'sessions' | 'erase' | 'inventory' | 'records';
    readonly by: string;
    readonly reason: string;
    /** ISO 8601, in UTC */
    readonly at: string;
  }[];
};

export interface CertificateKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** The thumbprint of the key (RFC 7638) */
  readonly kid: string;
}

export type ChangeSetResult = readonly {
  /** The id of the zone; empty for a zone of the provider */
  readonly domain_id: string;
  /** The name of the zone */
  readonly zone: string;
  /** Added records */
  readonly added: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** Removed records */
  readonly removed: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** False for a dry run */
  readonly applied: boolean;
  /** The zone's current serial */
  readonly serial: string;
}[];

export interface Delivery {
  readonly id: string;
  readonly webhook: string;
  /** Id of the event */
  readonly event: string;
  readonly type: string;
  readonly service: string;
  readonly status: 'Pending' | 'Delivered' | 'Failed';
  readonly attempts: string;
  /** HTTP status of the last response; empty if there was none */
  readonly answer: string;
  /** Why the last attempt failed */
  readonly error: string;
  readonly created: Moment;
  /** The last attempt; time in UTC, or empty */
  readonly last: string;
  /** The next attempt; time in UTC, or empty */
  readonly next: string;
  /** The delivery that this one resends */
  readonly replayof: string;
}

export type Device = {
  readonly service: string;
  readonly name: string;
  readonly hostname: string;
  readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
  readonly ip: string;
  /** Your own labels, sorted and comma-separated */
  readonly labels: string;
  readonly type: 'dedicated';
  /** The provider's name for it; empty if the service is terminated */
  readonly server: string;
  /** Its name in the legacy API */
  readonly alias: string;
} | {
  readonly service: string;
  readonly name: string;
  readonly hostname: string;
  readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
  readonly ip: string;
  /** Your own labels, sorted and comma-separated */
  readonly labels: string;
  readonly type: 'vps' | 'cloud';
  readonly vmid: string;
};

export interface DeviceState {
  readonly service: string;
  /** Last known state; unknown if the last check failed or it was not checked yet */
  readonly power: 'on' | 'off' | 'unknown';
  /** When the power was last checked, in UTC; empty if never */
  readonly seen: string;
  /** 1 if `POST /v2/device/console/web` can open its console */
  readonly webconsole: '0' | '1';
  /** Good: responded to the last check. Waiting: not checked yet. Unreachable: its IPMI or hypervisor did not respond. Maintenance and Locked: the provider rejects commands. */
  readonly health: 'Good' | 'Waiting' | 'Unreachable' | 'Maintenance' | 'Locked';
  /** The problem in one sentence; empty if there is none */
  readonly reason: string;
  /** Why the service is suspended; empty if it is not, or if the reason is unknown */
  readonly suspension: string;
}

export type Dnssec = {
  readonly status: 'on' | 'off';
  /** Contents of the DS records for the parent zone */
  readonly ds: readonly string[];
  /** Keys that the built-in name server signs the zone with */
  readonly keys?: readonly {
    readonly tag: string;
    readonly state: 'published' | 'active' | 'retired';
  }[];
  /** What the CDS records ask the parent zone to do with its DS records */
  readonly cds?: 'publish' | 'delete';
  /** Id of the action that replaces the key */
  readonly rollover?: string;
  /** back: it was cancelled or failed, and lasts until no resolver needs the new key */
  readonly rollover_direction?: 'forward' | 'back';
};

/** The `data` of each `type`. */
export interface EventData {
  readonly 'invoice.delivery.changed': {
    readonly invoiceid: string;
    readonly invoicenum: string;
    readonly state: 'queued' | 'sent' | 'delivered' | 'rejected';
    /** Why it was rejected; empty otherwise */
    readonly reason: string;
  };
  readonly 'account.vatnumber.confirmed': { readonly vatnumber: string };
  readonly 'account.vatnumber.rejected': { readonly vatnumber: string };
  readonly 'contact.created': { readonly contactid: string };
  readonly 'contact.invited': { readonly contactid: string };
  readonly 'contact.joined': { readonly contactid: string };
  readonly 'contact.updated': {
    readonly contactid: string;
    /** Names of the changed fields */
    readonly changed: readonly string[];
  };
  readonly 'contact.deleted': { readonly contactid: string };
  readonly 'key.created': {
    readonly keyid: string;
    readonly name: string;
    readonly scopes: readonly string[];
  };
  readonly 'key.updated': {
    readonly keyid: string;
    readonly name: string;
    /** Names of the changed fields */
    readonly changed: readonly string[];
  };
  readonly 'key.rotated': {
    readonly keyid: string;
    readonly name: string;
    /** When the old secret stops working, ISO 8601 */
    readonly previousuntil: string;
  };
  readonly 'key.revoked': {
    readonly keyid: string;
    readonly name: string;
  };
  readonly 'account.signin.unfamiliar': {
    /** The person; empty for the account itself */
    readonly contactid: string;
    /** The session in which it was done, as in `key` of the audit log */
    readonly session: string;
    /** The IP address it was done from */
    readonly address: string;
  };
  readonly 'account.factor.added': {
    /** The person; empty for the account itself */
    readonly contactid: string;
    /** The session in which it was done, as in `key` of the audit log */
    readonly session: string;
    /** The IP address it was done from */
    readonly address: string;
    readonly factor: 'authenticator' | 'passkey';
    /** The name of a passkey; empty for an authenticator app */
    readonly name: string;
  };
  readonly 'account.factor.removed': {
    /** The person; empty for the account itself */
    readonly contactid: string;
    /** The session in which it was done, as in `key` of the audit log */
    readonly session: string;
    /** The IP address it was done from */
    readonly address: string;
    readonly factor: 'authenticator' | 'passkey';
    /** The name of a passkey; empty for an authenticator app */
    readonly name: string;
  };
  readonly 'account.recovery.created': {
    /** The person; empty for the account itself */
    readonly contactid: string;
    /** The session in which it was done, as in `key` of the audit log */
    readonly session: string;
    /** The IP address it was done from */
    readonly address: string;
  };
  readonly 'account.recovery.used': {
    /** The person; empty for the account itself */
    readonly contactid: string;
    /** The IP address it was done from */
    readonly address: string;
    /** Number of recovery codes left */
    readonly left: string;
  };
  readonly 'machine.created': Readonly<Record<string, never>>;
  readonly 'machine.adopted': Readonly<Record<string, never>>;
  readonly 'machine.deleted': {
    /** Time in UTC */
    readonly restorableto: string;
    /** The last day that is billed; empty if the service is not billed */
    readonly lastday: string;
  };
  readonly 'machine.restored': Readonly<Record<string, never>>;
  readonly 'machine.protection.changed': { readonly protection: 'enabled' | 'disabled' };
  readonly 'machine.snapshot.started': {
    readonly snapshotid: string;
    readonly name: string;
  };
  readonly 'machine.snapshot.completed': {
    readonly snapshotid: string;
    readonly name: string;
  };
  readonly 'machine.snapshot.failed': {
    readonly snapshotid: string;
    readonly name: string;
    readonly reason: string;
  };
  readonly 'machine.snapshot.deleted': {
    readonly snapshotid: string;
    readonly name: string;
  };
  readonly 'machine.snapshot.restoring': {
    readonly snapshotid: string;
    readonly name: string;
  };
  readonly 'machine.snapshot.restored': {
    readonly snapshotid: string;
    readonly name: string;
  };
  readonly 'machine.snapshot.restorefailed': {
    readonly snapshotid: string;
    readonly name: string;
    readonly reason: string;
  };
  readonly 'machine.image.started': {
    readonly imageid: string;
    readonly name: string;
  };
  readonly 'machine.image.completed': {
    readonly imageid: string;
    readonly name: string;
  };
  readonly 'machine.image.failed': {
    readonly imageid: string;
    readonly name: string;
    readonly reason: string;
  };
  readonly 'machine.image.deleted': {
    readonly imageid: string;
    readonly name: string;
  };
  readonly 'machine.resize.started': {
    readonly plan: string;
    /** Empty if it had none */
    readonly previous: string;
  };
  readonly 'machine.resize.completed': {
    readonly plan: string;
    /** Empty if it had none */
    readonly previous: string;
  };
  readonly 'machine.resize.failed': {
    readonly plan: string;
    /** Empty if it had none */
    readonly previous: string;
    readonly reason: string;
  };
  readonly 'machinegroup.created': {
    readonly groupid: string;
    readonly name: string;
  };
  readonly 'machinegroup.deleted': { readonly groupid: string };
  readonly 'volume.created': {
    readonly volumeid: string;
    readonly name: string;
    readonly sizegb: string;
  };
  readonly 'volume.attached': {
    readonly volumeid: string;
    readonly name: string;
    readonly sizegb: string;
  };
  readonly 'volume.detached': {
    readonly volumeid: string;
    readonly name: string;
    readonly sizegb: string;
  };
  readonly 'volume.resized': {
    readonly volumeid: string;
    readonly name: string;
    readonly sizegb: string;
  };
  readonly 'volume.deleted': {
    readonly volumeid: string;
    readonly name: string;
  };
  readonly 'volume.failed': {
    readonly volumeid: string;
    readonly name: string;
    readonly reason: string;
  };
  readonly 'device.migration.started': {
    /** expected: the machine is shut down during the resize */
    readonly downtime: 'none' | 'expected';
  };
  readonly 'device.migration.completed': {
    /** expected: the machine is shut down during the resize */
    readonly downtime: 'none' | 'expected';
  };
  readonly 'device.migration.failed': { readonly reason: string };
  readonly 'device.backup.started': {
    readonly backup: string;
    /** schedule or request */
    readonly source: string;
  };
  readonly 'device.backup.completed': { readonly backup: string };
  readonly 'device.backup.failed': {
    readonly backup: string;
    readonly reason: string;
  };
  readonly 'device.backup.failing': {
    readonly failures: string;
    readonly reason: string;
  };
  readonly 'device.backup.deleted': { readonly backup: string };
  readonly 'device.backup.scheduled': { readonly frequency: string };
  readonly 'device.restore.started': { readonly backup: string };
  readonly 'device.restore.completed': { readonly backup: string };
  readonly 'device.restore.failed': {
    readonly backup: string;
    readonly reason: string;
  };
  readonly 'sshkey.created': {
    readonly sshkeyid: string;
    readonly name: string;
    readonly fingerprint: string;
  };
  readonly 'sshkey.deleted': { readonly sshkeyid: string };
  readonly 'account.password.changed': {
    /** The person; empty for the account itself */
    readonly contactid: string;
    /** The session in which it was done, as in `key` of the audit log */
    readonly session: string;
    /** The IP address it was done from */
    readonly address: string;
  };
  readonly 'account.export.ready': {
    readonly exportid: string;
    /** The member of staff who requested it; empty if the owner did */
    readonly operator: string;
    /** When it is deleted, ISO 8601 */
    readonly until: string;
  };
  readonly 'account.erasure.requested': {
    /** The deadline for cancelling it, ISO 8601 */
    readonly until: string;
    /** The member of staff who requested it; empty if the owner did */
    readonly operator: string;
  };
  readonly 'account.erasure.cancelled': {
    /** Why, if it was not cancelled by a person */
    readonly reason: string;
  };
  readonly 'account.signon.changed': {
    /** The person; empty for the account itself */
    readonly contactid: string;
    /** The session in which it was done, as in `key` of the audit log */
    readonly session: string;
    /** The IP address it was done from */
    readonly address: string;
    readonly change: 'provider set' | 'provider removed' | 'domain added' | 'domain verified' | 'domain required' | 'domain removed';
    /** The issuer or the domain */
    readonly detail: string;
  };
  readonly 'account.signin.changed': {
    readonly changed: readonly ('email' | 'password' | 'secondfactors')[];
    /** The member of staff */
    readonly operator: string;
    readonly reason: string;
  };
  readonly 'support.access.started': {
    readonly accessid: string;
    /** The member of staff */
    readonly operator: string;
    readonly reason: string;
    /** When it ends, ISO 8601 */
    readonly until: string;
  };
  readonly 'support.access.ended': {
    readonly accessid: string;
    /** The member of staff */
    readonly operator: string;
    readonly endedby: 'Staff' | 'Customer';
  };
  readonly 'device.power.changed': {
    readonly state: 'on' | 'off';
    /** How it was observed; outlets: by a command to the power strip, because the BMC did not respond */
    readonly source: 'command' | 'query' | 'sync' | 'outlets';
  };
  readonly 'device.hardware.failed': {
    /** As in `GET /v2/device/sensors/{service}` */
    readonly sensor: string;
    readonly kind: 'temperature' | 'fan' | 'power' | 'psu' | 'drive' | 'voltage' | 'current' | 'processor' | 'memory' | 'battery';
    readonly severity: 'warning' | 'critical';
    /** The problem as reported by the BMC */
    readonly detail: string;
  };
  readonly 'device.hardware.recovered': {
    readonly sensor: string;
    readonly kind: 'temperature' | 'fan' | 'power' | 'psu' | 'drive' | 'voltage' | 'current' | 'processor' | 'memory' | 'battery';
  };
  readonly 'device.hostname.changed': { readonly hostname: string };
  readonly 'device.labels.changed': { readonly labels: readonly string[] };
  readonly 'device.staff.acted': {
    /** The operation of version 2, such as devicePowerSet */
    readonly operation: string;
    /** For a power command: on, off, reboot or cycle; otherwise empty */
    readonly action: string;
    /** The member of staff */
    readonly operator: string;
    readonly reason: string;
  };
  readonly 'device.reload.started': {
    /** The value of the system to install */
    readonly system: string;
  };
  readonly 'device.reload.progress': {
    /** As returned by PUT /v2/device/reload */
    readonly status: string;
  };
  readonly 'device.reload.completed': {
    /** The value of the system to install */
    readonly system: string;
  };
  readonly 'device.reload.failed': { readonly reason: string };
  readonly 'device.reload.cancelled': Readonly<Record<string, never>>;
  readonly 'device.rescue.started': Readonly<Record<string, never>>;
  readonly 'device.rescue.completed': Readonly<Record<string, never>>;
  readonly 'device.rescue.failed': { readonly reason: string };
  readonly 'device.rescue.cancelled': Readonly<Record<string, never>>;
  readonly 'device.rescue.ended': Readonly<Record<string, never>>;
  readonly 'device.password.started': Readonly<Record<string, never>>;
  readonly 'device.password.completed': Readonly<Record<string, never>>;
  readonly 'device.password.failed': { readonly reason: string };
  readonly 'device.password.cancelled': Readonly<Record<string, never>>;
  readonly 'device.image.mounted': { readonly image: string };
  readonly 'device.image.unmounted': { readonly image: string };
  readonly 'dns.zone.created': ZoneData;
  readonly 'dns.zone.changed': {
    readonly domain_id: string;
    readonly name: string;
    readonly serial: string;
    readonly added: number;
    readonly removed: number;
    /** How many of the added and removed records are changed records; absent in older events */
    readonly changed?: number;
  };
  readonly 'dns.zone.deleted': ZoneData;
  readonly 'dns.zone.withdrawn': {
    readonly domain_id: string;
    readonly name: string;
    readonly reason: withdrawalReason;
  };
  readonly 'dns.dnssec.changed': {
    readonly domain_id: string;
    readonly name: string;
    readonly change: 'enabled' | 'disabled' | 'ds_withdrawn' | 'rollover_started' | 'rollover_ds' | 'rollover_completed' | 'rollover_cancelled';
    readonly ds: readonly string[];
  };
  readonly 'dns.alias.failed': {
    readonly domain_id: string;
    readonly name: string;
    readonly target: string;
    readonly reason: string;
  };
  readonly 'dns.alias.recovered': {
    readonly domain_id: string;
    readonly name: string;
    readonly target: string;
  };
  readonly 'dns.record.created': RecordData;
  readonly 'dns.record.changed': RecordData;
  readonly 'dns.record.deleted': RecordData;
  readonly 'dns.reverse.changed': {
    readonly records: readonly {
      readonly ip: string;
      readonly record: string;
    }[];
  };
  readonly 'network.port.changed': {
    readonly port: string;
    readonly status: 'up' | 'down';
  };
  readonly 'network.netblock.assigned': { readonly netblock: string };
  readonly 'network.netblock.released': { readonly netblock: string };
  readonly 'network.netblock.refused': {
    readonly requestid: string;
    readonly size: string;
    readonly reason: string;
  };
  readonly 'network.attack.started': {
    readonly anomaly_id: string;
    readonly ip: string;
    readonly direction: 'incoming' | 'outgoing';
    /** The kind of attack according to the detector, such as udp_flood; may be empty */
    readonly kind: string;
  };
  readonly 'network.attack.ended': {
    readonly anomaly_id: string;
    readonly ip: string;
  };
  readonly 'network.nullroute.added': {
    readonly ip: string;
    readonly reason: string;
  };
  readonly 'network.nullroute.removed': { readonly ip: string };
  readonly 'network.bandwidth.reached': {
    /** Percent of the commitment */
    readonly threshold: '80' | '100';
    /** YYYY-MM */
    readonly month: string;
    /** Mbit/s */
    readonly committed: string;
    /** Mbit/s with up to two decimals */
    readonly used: string;
  };
  readonly 'maintenance.announced': {
    readonly maintenanceid: string;
    readonly title: string;
    readonly text: string;
    /** Time in UTC */
    readonly start: string;
    /** Time in UTC */
    readonly end: string;
    /** How many services of the account it affects */
    readonly count: string;
    /** Their host names; only the first ones if there are many */
    readonly servers: readonly string[];
  };
  readonly 'maintenance.updated': {
    readonly maintenanceid: string;
    readonly title: string;
    readonly text: string;
    /** Time in UTC */
    readonly start: string;
    /** Time in UTC */
    readonly end: string;
    /** How many services of the account it affects */
    readonly count: string;
    /** Their host names; only the first ones if there are many */
    readonly servers: readonly string[];
  };
  readonly 'maintenance.cancelled': {
    readonly maintenanceid: string;
    readonly title: string;
    readonly text: string;
    /** Time in UTC */
    readonly start: string;
    /** Time in UTC */
    readonly end: string;
    /** How many services of the account it affects */
    readonly count: string;
    /** Their host names; only the first ones if there are many */
    readonly servers: readonly string[];
  };
  readonly 'maintenance.completed': {
    readonly maintenanceid: string;
    readonly title: string;
    readonly text: string;
    /** Time in UTC */
    readonly start: string;
    /** Time in UTC */
    readonly end: string;
    /** How many services of the account it affects */
    readonly count: string;
    /** Their host names; only the first ones if there are many */
    readonly servers: readonly string[];
  };
  readonly 'plan.created': {
    readonly id: string;
    readonly operation: string;
    readonly hits: readonly string[];
  };
  readonly 'plan.decided': {
    readonly id: string;
    readonly operation: string;
    readonly decision: 'approve' | 'refuse';
  };
  readonly 'invoice.issued': InvoiceData;
  readonly 'invoice.paid': InvoiceData;
  readonly 'invoice.overdue': InvoiceData;
  readonly 'invoice.reminder': {
    readonly invoiceid: string;
    readonly invoicenum: string;
    /** Decimal with two places */
    readonly total: string;
    /** YYYY-MM-DD */
    readonly duedate: string;
    /** The provider’s message to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
    /** Number of the reminder, starting at 1 */
    readonly reminder: number;
  };
  readonly 'payment.received': {
    readonly amount: string;
    readonly method: string;
    readonly reference: string;
    /** The provider’s message to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
  readonly 'payment.announced': {
    /** Decimal with two places */
    readonly amount: string;
    /** Empty for a top-up */
    readonly invoicenum: string;
    /** The payment method, as shown to customers */
    readonly method: string;
    /** YYYY-MM-DD, when it is due */
    readonly date: string;
    readonly mandate: string;
    readonly creditorid: string;
  };
  readonly 'payment.failed': {
    /** Decimal with two places */
    readonly amount: string;
    /** Empty for a top-up */
    readonly invoicenum: string;
    /** The payment method, as shown to customers */
    readonly method: string;
    readonly reason: string;
    /** YYYY-MM-DD, when it is retried; empty if it is not */
    readonly nexttry: string;
  };
  readonly 'payment.action': {
    /** Decimal with two places */
    readonly amount: string;
    /** Empty for a top-up */
    readonly invoicenum: string;
    /** The payment method, as shown to customers */
    readonly method: string;
  };
  readonly 'payment.chargeback': {
    /** Decimal with two places */
    readonly amount: string;
    /** Empty for a top-up */
    readonly invoicenum: string;
    /** The payment method, as shown to customers */
    readonly method: string;
    readonly reason: string;
  };
  readonly 'payment.refunded': {
    readonly amount: string;
    readonly method: string;
  };
  readonly 'paymentmethod.added': { readonly method: string };
  readonly 'paymentmethod.removed': { readonly method: string };
  readonly 'account.suspended': {
    readonly invoicenum: string;
    /** The provider’s message to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
  readonly 'account.resumed': {
    /** The provider’s message to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
  readonly 'device.maintenance.began': { readonly reason: string };
  readonly 'device.maintenance.ended': Readonly<Record<string, never>>;
  readonly 'service.provisioned': Readonly<Record<string, never>>;
  readonly 'service.terminated': Readonly<Record<string, never>>;
  readonly 'device.reclaimed': Readonly<Record<string, never>>;
  readonly 'service.suspended': {
    /** As entered by staff; absent in older events */
    readonly reason?: string;
  };
  readonly 'service.resumed': Readonly<Record<string, never>>;
  readonly 'service.cancelled': { readonly lastday: string };
  readonly 'service.cancellation.withdrawn': Readonly<Record<string, never>>;
  readonly 'service.termination.announced': {
    /** Until when the cancellation can be withdrawn */
    readonly lastday: string;
    /** YYYY-MM-DD */
    readonly termination: string;
  };
  readonly 'service.price.announced': {
    readonly plan: string;
    /** YYYY-MM-DD, the first day with the new prices */
    readonly from: string;
    /** For each cycle, without tax; with an hourly price, the maximum per month */
    readonly oldprice: string;
    readonly newprice: string;
    /** Empty if the plan is billed by the cycle */
    readonly oldhourly: string;
    readonly newhourly: string;
    /** Other changes */
    readonly other: readonly ('cycle' | 'minimum' | 'bandwidth' | 'addresses' | 'usage')[];
    /** The earliest last day if the customer cancels the service now */
    readonly lastday: string;
  };
  readonly 'service.price.kept': {
    readonly plan: string;
    /** When they would have applied */
    readonly from: string;
  };
  readonly 'service.plan.changed': {
    readonly plan: string;
    /** Empty if it had none */
    readonly previous: string;
  };
  readonly 'software.ordered': {
    readonly orderid: string;
    readonly license: string;
  };
  readonly 'software.fulfilled': {
    readonly orderid: string;
    readonly license: string;
  };
  readonly 'software.cancelled': {
    readonly orderid: string;
    readonly license: string;
    readonly until: string;
  };
}

export type Event = {
  readonly [Type in keyof EventData]: {
    /** Stays the same wherever this event appears; use it to detect duplicates */
    readonly id: string;
    readonly type: Type;
    readonly version: 1;
    /** When it happened, ISO 8601 in UTC */
    readonly timestamp: string;
    /** The service that the event is about; empty if none */
    readonly service: string;
    readonly data: EventData[Type];
  };
}[keyof EventData];

export interface EventPage {
  readonly events: readonly Event[];
  /** Pass it as `after` to continue from here */
  readonly cursor: string;
}

export interface Invitation {
  readonly id: string;
  /** The id of the contact */
  readonly contact: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  /** Scopes, comma-separated */
  readonly permissions: string;
  /** 1 if the person can see only some services */
  readonly limited: '0' | '1';
  /** Numbers of these services, comma-separated; services that you cannot see are left out */
  readonly services: string;
  /** The name of the person who invited */
  readonly invitedby: string;
  readonly sent: string;
  readonly expires: string;
  readonly status: 'Pending' | 'Expired';
}

export type InvoiceData = {
  readonly invoiceid: string;
  readonly invoicenum: string;
  /** Decimal with two places */
  readonly total: string;
  /** YYYY-MM-DD */
  readonly duedate: string;
  /** The provider’s message to the customer */
  readonly message?: {
    readonly subject: string;
    readonly text: string;
  };
};

export interface LicenceDetail {
  readonly orderid: string;
  /** The name of the product; empty if unknown */
  readonly label: string;
  readonly license: string;
  readonly type: string;
  readonly status: 'Pending' | 'Active' | 'Cancelled' | 'Ended';
  readonly since: string;
  /** The last day of a cancelled licence; otherwise empty */
  readonly until: string;
  /** Per month */
  readonly price: string;
  /** Empty until the provider has delivered it */
  readonly key: string;
}

export interface LicenceOffer {
  readonly license: string;
  /** The name of the product; empty if unknown */
  readonly label: string;
  /** Per month, before tax */
  readonly price: string;
  /** Price until the end of this month, before tax: an order today is invoiced immediately for this amount */
  readonly first: string;
}

export interface MachineConsole {
  readonly user: string;
  readonly pass: string;
  readonly host: string;
  readonly port: string;
}

export interface MachineStats {
  readonly node: string;
  readonly status: 'Online' | 'Offline' | 'Unknown';
  readonly type: string;
  /** <used> / <total> */
  readonly memory: string;
  /** <used> / <total> */
  readonly harddisk: string;
  /** <used> / <total> */
  readonly bandwidth: string;
  readonly ipaddr: readonly string[];
}

export type NetblockDelivery = {
  readonly netblock: string;
  /** Routed to the main address of the service, or on-link in a network with a gateway */
  readonly delivery: 'routed' | 'on-link';
  /** Pending until routers and hypervisors let traffic of the block through */
  readonly status: 'Active' | 'Pending';
  /** The first usable address of the block */
  readonly address: string;
  /** The prefix length to configure its addresses with */
  readonly prefix: string;
  /** The prefix length as a netmask; empty for IPv6 */
  readonly netmask: string;
  /** The gateway of the network; empty if the block is routed */
  readonly gateway: string;
  /** The address that the block is routed to; empty if it is on-link */
  readonly nexthop: string;
  /** Lines to add to the configuration of the operating system */
  readonly configuration: {
    readonly netplan: string;
    readonly ifupdown: string;
    readonly networkmanager: string;
    readonly networkd: string;
    readonly windows: string;
  };
};

export interface NetblockRequestState {
  readonly requestid: string;
  readonly type: 'ipv4' | 'ipv6';
  /** Such as /28 */
  readonly size: string;
  readonly status: 'Pending' | 'Assigned' | 'Refused';
  /** The assigned block; empty if none */
  readonly netblock: string;
  /** Time in UTC */
  readonly created: string;
  /** When staff decided, in UTC; otherwise empty */
  readonly decided: string;
  /** Why it was rejected */
  readonly reason: string;
}

export interface NewDelivery { readonly id: string }

export interface NewInvitation {
  readonly id: string;
  readonly contact: string;
}

export interface NewTsigKey {
  readonly id: string;
  /** The name of the key in DNS messages */
  readonly tsigname: string;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha512';
  /** In base64; returned only once */
  readonly secret: string;
}

export interface NewWebhook {
  readonly id: string;
  /** For verifying signatures; returned only once, and empty if it did not change */
  readonly secret: string;
}

export interface Plan {
  readonly id: string;
  /** The version 2 operation to call */
  readonly operation: string;
  /** The parameters of the call */
  readonly params: Readonly<Record<string, unknown>>;
  /** Describes the operation in a sentence */
  readonly summary: string;
  /** The affected resources, each described in words */
  readonly hits: readonly string[];
  /** True if it cannot be undone */
  readonly destroys: boolean;
  readonly status: 'Pending' | 'Approved' | 'Refused' | 'Expired' | 'Done' | 'Failed';
  /** Id of the key that created it */
  readonly key: string;
  /** Id of the key that approved or rejected it; empty if none */
  readonly decidedby: string;
  readonly created: Moment;
  /** The deadline for the decision and, once approved, for running it */
  readonly expires: string;
  /** success or an error code, once it has run */
  readonly outcome: string;
}

/** <alias> - <admin status> / <oper status> */
export type PortStatus = string;

export interface RecordData {
  readonly id: string;
  readonly domain_id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: string;
}

/** ID: <id> removed */
export type Removed = string;

/** New reverse DNS names by address */
export type ReverseSet = Readonly<Record<string, string>>;

export interface Session {
  /** A key for this sign-in; empty if it is in a cookie */
  readonly key: string;
  /** Only with a cookie: the token to send as X-CSRF-Token in every request */
  readonly csrf?: string;
  readonly expires: Moment;
  readonly account: string;
  readonly contact: string;
  readonly subaccount: Flag01;
  readonly scopes: readonly string[];
}

export interface SessionSelf {
  readonly kind: 'session' | 'key';
  readonly account: string;
  readonly status: 'Active' | 'Suspended' | 'Closed';
  /** The sub-account contact that owns the key; empty for the account itself */
  readonly contact: string;
  readonly subaccount: Flag01;
  /** The person’s name; like the next two, empty for a key that may not read the account */
  readonly name: string;
  readonly email: string;
  readonly company: string;
  readonly scopes: readonly string[];
  /** Time in UTC; empty for never */
  readonly expires: string;
  /** Authenticator app as a second factor; Waiting: not confirmed with a first code yet */
  readonly totp: 'None' | 'Waiting' | 'Confirmed';
  /** Number of recovery codes left */
  readonly recoverycodes: string;
  /** Number of passkeys */
  readonly passkeys: string;
  /** Whether staff chose the password; until you change it, you can only do that or sign out */
  readonly passwordchange: '0' | '1';
  /** The member of staff who is viewing the account with this key; otherwise empty */
  readonly operator: string;
  readonly currency: string;
  readonly currencyprefix: string;
  readonly currencysuffix: string;
}

export interface StartedVolume {
  readonly id: string;
  readonly name: string;
  /** In GB */
  readonly size: string;
  /** Changing while it is attached, detached or resized */
  readonly state: 'Creating' | 'Ready' | 'Changing' | 'Deleting';
  /** The machine that it is attached to, or was last attached to */
  readonly service: string;
  readonly attached: boolean;
  /** Path of the disk in a machine with its own kernel, such as /dev/disk/by-id/virtio-vol-5, or of the directory in a container, such as /mnt/vol-5 */
  readonly path: string;
  readonly created: Moment;
  /** The action that changes it */
  readonly action: string;
}

export interface TsigKey {
  readonly id: string;
  readonly name: string;
  /** The name of the key in DNS messages */
  readonly tsigname: string;
  readonly algorithm: 'hmac-sha256' | 'hmac-sha512';
  /** Networks from which the key can be used; empty for all */
  readonly allow: readonly string[];
  readonly dns: DnsLimits;
  /** The sub-account contact that owns the key; empty for the account itself */
  readonly contact: string;
  readonly status: 'Active' | 'Expired';
  readonly created: Moment;
  /** Time in UTC; empty for never */
  readonly expires: string;
  /** Time in UTC of the last update or transfer; empty for never */
  readonly lastused: string;
  readonly lastaddress: string;
}

export interface TunStatus {
  readonly state: 'enabled' | 'disabled';
  /** When the state applies; `next start` if the machine must be restarted first */
  readonly effect: 'now' | 'next start';
}

export interface UsageSample {
  /** Start of the five minutes, as a Unix timestamp */
  readonly start: string;
  /** Processor use in percent of one virtual CPU; empty if it was not measured */
  readonly cpu: string;
  /** Memory in use at the end, in bytes; empty if it was not measured */
  readonly memory: string;
  /** Disk space in use at the end, in bytes; empty if it was not measured */
  readonly disk: string;
  /** Bytes read from the disk; empty if it was not measured */
  readonly diskread: string;
  /** Bytes written to the disk; empty if it was not measured */
  readonly diskwritten: string;
}

export interface Volume {
  readonly id: string;
  readonly name: string;
  /** In GB */
  readonly size: string;
  /** Changing while it is attached, detached or resized */
  readonly state: 'Creating' | 'Ready' | 'Changing' | 'Deleting';
  /** The machine that it is attached to, or was last attached to */
  readonly service: string;
  readonly attached: boolean;
  /** Path of the disk in a machine with its own kernel, such as /dev/disk/by-id/virtio-vol-5, or of the directory in a container, such as /mnt/vol-5 */
  readonly path: string;
  readonly created: Moment;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Event types that are sent; empty for all */
  readonly events: readonly string[];
  readonly status: 'Active' | 'Off';
  /** Why it is disabled */
  readonly reason: string;
  readonly created: Moment;
  /** Until when the previous secret also signs; time in UTC, or empty */
  readonly overlapends: string;
}

export interface WithdrawnZone {
  readonly domain_id: string;
  readonly name: string;
  readonly reason: withdrawalReason;
  /** ISO 8601, UTC */
  readonly timestamp: string;
}

export interface ZoneClaim {
  readonly domain: string;
  /** The name of the TXT record to publish */
  readonly record: string;
  /** The content of the TXT record */
  readonly content: string;
  /** ISO 8601, UTC */
  readonly expires: string;
}

export interface ZoneData {
  readonly domain_id: string;
  readonly name: string;
}

export interface ZoneDelegation {
  /** Where the parent zone sends resolvers: to the provider's name servers, to others, to both, or nowhere, because the domain is not registered or not delegated; unknown if the parent zone could not be queried */
  readonly status: 'ours' | 'others' | 'partly' | 'none' | 'unknown';
  /** The parent zone; empty if unknown */
  readonly parent: string;
  /** The name servers of this zone according to its parent zone */
  readonly nameservers: readonly string[];
  /** The provider's name servers */
  readonly expected: readonly string[];
  /** Why the status is unknown; empty if it is known */
  readonly reason: string;
}

export type ZoneDifference = {
  /** Added records */
  readonly added: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** Removed records */
  readonly removed: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** False for a dry run */
  readonly applied: boolean;
  /** The zone's current serial */
  readonly serial: string;
};

export type ZoneVersion = {
  readonly version: string;
  readonly serial: string;
  /** ISO 8601, UTC */
  readonly timestamp: string;
  /** The operation that created this version, as in the audit log */
  readonly operation: string;
  /** Who created this version */
  readonly author: {
    /** Unknown for versions that were made before authors were recorded, and for a key that is limited to certain records */
    readonly kind: 'person' | 'key' | 'tsig' | 'staff' | 'provider' | 'unknown';
    /** Empty if the person or key has been deleted */
    readonly name: string;
  };
  /** Added records */
  readonly added: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** Removed records */
  readonly removed: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
};

/** Another account proved control of the domain, the provider needs the name, or the account no longer has the addresses */
export type withdrawalReason = 'proof' | 'provider' | 'addresses';

export interface InvoiceGetInput {
  readonly status?: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled' | undefined;
  readonly invoice?: Id | undefined;
}

export interface InvoicePdfInput { readonly invoice: Id }

export interface ContactGetInput { readonly id?: Id | undefined }

export interface ContactCreateInput {
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly firstname: string;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly lastname: string;
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 10 to 128 characters. */
  readonly password: string;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address1: string;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly city: string;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly state: string;
  /** Must be groups of at least 3 letters or digits, at most 255 characters. */
  readonly zipcode: string;
  /** Must be a two-letter country code. */
  readonly country: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly phone?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address2?: string | undefined;
}

export interface ContactUpdateInput {
  readonly id: Id;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly firstname?: string | undefined;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly lastname?: string | undefined;
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text of 10 to 128 characters. */
  readonly password?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address1?: string | undefined;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly city?: string | undefined;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly state?: string | undefined;
  /** Must be groups of at least 3 letters or digits, at most 255 characters. */
  readonly zipcode?: string | undefined;
  /** Must be a two-letter country code. */
  readonly country?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly phone?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address2?: string | undefined;
  /** Must be unchanged. */
  readonly subaccount?: string | undefined;
  /** Must be unchanged. */
  readonly permissions?: string | undefined;
  /** Must be unchanged. */
  readonly limited?: string | undefined;
  /** Must be unchanged. */
  readonly services?: string | undefined;
  /** Must be unchanged. */
  readonly domainemails?: string | undefined;
  /** Must be unchanged. */
  readonly generalemails?: string | undefined;
  /** Must be unchanged. */
  readonly invoiceemails?: string | undefined;
  /** Must be unchanged. */
  readonly productemails?: string | undefined;
  /** Must be unchanged. */
  readonly supportemails?: string | undefined;
  /** Must be unchanged. */
  readonly affiliateemails?: string | undefined;
  /** Must be unchanged. */
  readonly status?: string | undefined;
}

export interface ContactDeleteInput { readonly id: Id }

export interface ContactSettingsInput {
  readonly id: Id;
  readonly subaccount?: boolean | undefined;
  readonly permissions?: readonly ('account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'billing:pay' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[] | undefined;
  /** Must be at most 1000 values, each of which must be a numeric id. */
  readonly services?: readonly Id[] | undefined;
  readonly forgetfactors?: boolean | undefined;
  readonly domainemails?: boolean | undefined;
  readonly generalemails?: boolean | undefined;
  readonly invoiceemails?: boolean | undefined;
  readonly productemails?: boolean | undefined;
  readonly supportemails?: boolean | undefined;
  readonly affiliateemails?: boolean | undefined;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface TaxUpdateInput {
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
}

export interface InvoiceXmlInput {
  readonly invoice: Id;
  readonly format: 'cii' | 'peppol' | 'xrechnung';
}

export interface PaymentMethodDefaultInput { readonly id: Id }

export interface PaymentMethodRemoveInput { readonly id: Id }

export interface InvoicePayInput {
  readonly invoice: Id;
  readonly method?: Id | undefined;
}

export interface TopUpInput {
  /** Must be an amount such as 12.50, at most 12 characters. */
  readonly amount: string;
  readonly method?: Id | undefined;
}

export interface ChargeListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface SepaGetInput { readonly language?: 'en' | 'de' | undefined }

export interface MandateCreateInput {
  /** Must be a name, at most 100 characters. */
  readonly holder: string;
  /** Must be text of 15 to 42 characters. */
  readonly iban: string;
  /** Must be text of 1 to 32 characters. */
  readonly consent: string;
  readonly language?: 'en' | 'de' | undefined;
}

export interface StatementGetInput {
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface StatementPdfInput {
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface StatementCsvInput {
  /** Must be a date such as 2026-01-31. */
  readonly from: string;
  /** Must be a date such as 2026-01-31. */
  readonly until: string;
}

export interface InvoiceDeliveryListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
  readonly invoice?: Id | undefined;
}

export interface SignUpRequestInput {
  /** Must be a name, at most 100 characters. */
  readonly firstname: string;
  /** Must be a name, at most 100 characters. */
  readonly lastname: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
  /** Must be text without control characters, at most 255 characters. */
  readonly phone?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly address1?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly address2?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly city?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly state?: string | undefined;
  /** Must be text without control characters, at most 255 characters. */
  readonly postcode?: string | undefined;
  /** Must be a two-letter country code. */
  readonly country: string;
  /** Must be a language code such as en. */
  readonly language?: string | undefined;
  /** Must be 1 to 32 letters, digits, dots, hyphens and underscores. */
  readonly terms: string;
  /** Must be the 43 characters after the # of the link. */
  readonly invitation?: string | undefined;
  /** Must be a challenge of POST /v2/account/challenge. */
  readonly challenge: string;
  /** Must be the number that solves the challenge. */
  readonly solution: string;
}

export interface SignUpCompleteInput {
  /** Must be the 43 characters after the # of the link. */
  readonly token: string;
  /** Must be text of 10 to 128 characters. */
  readonly newpassword: string;
}

export interface InvitationCreateInput {
  readonly contact?: Id | undefined;
  /** Must be a name, at most 100 characters. */
  readonly firstname?: string | undefined;
  /** Must be a name, at most 100 characters. */
  readonly lastname?: string | undefined;
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  readonly permissions: readonly ('account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'billing:pay' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[];
  /** Must be at most 1000 values, each of which must be a numeric id. */
  readonly services?: readonly Id[] | undefined;
}

export interface InvitationResendInput { readonly id: Id }

export interface InvitationDeleteInput { readonly id: Id }

export interface InvitationAcceptInput {
  /** Must be the 43 characters after the # of the link. */
  readonly token: string;
  /** Must be text of 10 to 128 characters. */
  readonly newpassword: string;
}

export interface MailGetInput {
  readonly id?: Id | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface MailSettingsSetInput {
  readonly off?: readonly ('invoice.issued' | 'invoice.overdue' | 'invoice.reminder' | 'account.vatnumber.rejected' | 'payment.received' | 'payment.announced' | 'payment.failed' | 'payment.action' | 'payment.chargeback' | 'payment.refunded' | 'paymentmethod.added' | 'paymentmethod.removed' | 'account.suspended' | 'account.resumed' | 'service.provisioned' | 'service.suspended' | 'service.resumed' | 'service.cancelled' | 'service.termination.announced' | 'service.price.announced' | 'service.price.kept' | 'service.terminated' | 'device.reclaimed' | 'device.reload.completed' | 'device.reload.failed' | 'device.password.completed' | 'device.password.failed' | 'machine.created' | 'machine.deleted' | 'machine.resize.failed' | 'device.migration.started' | 'device.migration.completed' | 'device.backup.failing' | 'device.maintenance.began' | 'device.maintenance.ended' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'network.netblock.assigned' | 'network.netblock.refused' | 'network.bandwidth.reached' | 'maintenance.announced' | 'maintenance.updated' | 'maintenance.cancelled' | 'software.fulfilled' | 'software.cancelled' | 'dns.zone.withdrawn' | 'contact.created' | 'contact.joined' | 'key.created' | 'key.rotated' | 'key.revoked' | 'account.signin.unfamiliar' | 'account.password.changed' | 'account.factor.added' | 'account.factor.removed' | 'account.recovery.created' | 'account.recovery.used' | 'account.signon.changed' | 'account.signin.changed' | 'account.export.ready' | 'account.erasure.requested' | 'account.erasure.cancelled' | 'support.access.started')[] | undefined;
  /** Must be a language code such as en. */
  readonly language?: string | undefined;
}

export interface AccountExportCreateInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface AccountExportFileInput { readonly id: Id }

export interface ErasureRequestInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface KeyGetInput { readonly id?: Id | undefined }

export interface KeyCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  readonly scopes: readonly ('all' | 'read-only' | 'account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'billing:pay' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[];
  /** Must be at most 50 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly allow?: readonly string[] | undefined;
  /** The DNS records that the key is limited to; empty for no limits */
  readonly dns?: readonly DnsRule[] | undefined;
  /** Must be at most 1000 values, each of which must be a numeric id. */
  readonly services?: readonly Id[] | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly expires?: number | undefined;
  readonly contact?: Id | undefined;
}

export interface KeyUpdateInput {
  readonly id: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name?: string | undefined;
  readonly scopes?: readonly ('all' | 'read-only' | 'account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'billing:pay' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[] | undefined;
  /** Must be at most 50 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly allow?: readonly string[] | undefined;
  /** The DNS records that the key is limited to; empty for no limits */
  readonly dns?: readonly DnsRule[] | undefined;
  /** Must be at most 1000 values, each of which must be a numeric id. */
  readonly services?: readonly Id[] | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly expires?: number | undefined;
  readonly rotate?: boolean | undefined;
  /** Must be a whole number from 0 to 2592000. */
  readonly overlap?: number | undefined;
}

export interface KeyDeleteInput { readonly id: Id }

export interface AuditGetInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface SessionCreateInput {
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be the six digits that the app shows, or a recovery code. */
  readonly code?: string | undefined;
  readonly account?: Id | undefined;
  readonly cookie?: boolean | undefined;
}

export interface PasswordSetInput {
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be text of 10 to 128 characters. */
  readonly newpassword: string;
}

export interface RecoveryRequestInput {
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
}

export interface RecoveryCompleteInput {
  /** Must be the 43 characters after the # of the link. */
  readonly token: string;
  /** Must be text of 10 to 128 characters. */
  readonly newpassword: string;
}

export interface TotpEnrolInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface TotpEndInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface PasskeyBeginInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface SessionRevokeInput { readonly id?: Id | undefined }

export interface RecoveryCodesCreateInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface PreferencesSetInput {
  /** Must be a time zone such as Europe/Berlin, at most 64 characters. */
  readonly timezone?: string | undefined;
  readonly dateformat?: '' | 'iso' | 'dmy' | 'dots' | 'mdy' | undefined;
  /** Must be a language code such as en. */
  readonly language?: string | undefined;
  /** Must be a JSON array of at most 20 objects with name and query. */
  readonly filters?: readonly {
    /** Must be text of 1 to 64 characters. */
    readonly name: string;
    /** Must be text of 1 to 500 characters. */
    readonly query: string;
  }[] | undefined;
}

export interface SshKeyCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a public key such as ssh-ed25519 AAAA… name, at most 4096 characters. */
  readonly key: string;
}

export interface SshKeyDeleteInput { readonly id: Id }

export interface SupportAccessListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface SupportAccessEndInput { readonly id: Id }

export interface ActionListInput {
  /** Must be at most 100 values, each of which must be the id of an action, at most 40 characters. */
  readonly ids?: readonly string[] | undefined;
  readonly service?: Id | undefined;
  readonly status?: 'Queued' | 'Running' | 'Completed' | 'Failed' | 'Cancelled' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be the id of an action, at most 40 characters. */
  readonly before?: string | undefined;
  /** Must be a whole number from 0 to 60. */
  readonly wait?: number | undefined;
}

export interface ActionGetInput {
  /** Must be the id of an action, at most 40 characters. */
  readonly id: string;
  /** Must be a whole number from 0 to 60. */
  readonly wait?: number | undefined;
}

export interface EventLogGetInput {
  /** Must be text of 1 to 128 characters. */
  readonly after?: string | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly newest?: boolean | undefined;
  readonly type?: readonly ('invoice.delivery.changed' | 'account.vatnumber.confirmed' | 'account.vatnumber.rejected' | 'contact.created' | 'contact.invited' | 'contact.joined' | 'contact.updated' | 'contact.deleted' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'account.signin.unfamiliar' | 'account.factor.added' | 'account.factor.removed' | 'account.recovery.created' | 'account.recovery.used' | 'machine.created' | 'machine.adopted' | 'machine.deleted' | 'machine.restored' | 'machine.protection.changed' | 'machine.snapshot.started' | 'machine.snapshot.completed' | 'machine.snapshot.failed' | 'machine.snapshot.deleted' | 'machine.snapshot.restoring' | 'machine.snapshot.restored' | 'machine.snapshot.restorefailed' | 'machine.image.started' | 'machine.image.completed' | 'machine.image.failed' | 'machine.image.deleted' | 'machine.resize.started' | 'machine.resize.completed' | 'machine.resize.failed' | 'machinegroup.created' | 'machinegroup.deleted' | 'volume.created' | 'volume.attached' | 'volume.detached' | 'volume.resized' | 'volume.deleted' | 'volume.failed' | 'device.migration.started' | 'device.migration.completed' | 'device.migration.failed' | 'device.backup.started' | 'device.backup.completed' | 'device.backup.failed' | 'device.backup.failing' | 'device.backup.deleted' | 'device.backup.scheduled' | 'device.restore.started' | 'device.restore.completed' | 'device.restore.failed' | 'sshkey.created' | 'sshkey.deleted' | 'account.password.changed' | 'account.export.ready' | 'account.erasure.requested' | 'account.erasure.cancelled' | 'account.signon.changed' | 'account.signin.changed' | 'support.access.started' | 'support.access.ended' | 'device.power.changed' | 'device.hardware.failed' | 'device.hardware.recovered' | 'device.hostname.changed' | 'device.labels.changed' | 'device.staff.acted' | 'device.reload.started' | 'device.reload.progress' | 'device.reload.completed' | 'device.reload.failed' | 'device.reload.cancelled' | 'device.rescue.started' | 'device.rescue.completed' | 'device.rescue.failed' | 'device.rescue.cancelled' | 'device.rescue.ended' | 'device.password.started' | 'device.password.completed' | 'device.password.failed' | 'device.password.cancelled' | 'device.image.mounted' | 'device.image.unmounted' | 'dns.zone.created' | 'dns.zone.changed' | 'dns.zone.deleted' | 'dns.zone.withdrawn' | 'dns.dnssec.changed' | 'dns.alias.failed' | 'dns.alias.recovered' | 'dns.record.created' | 'dns.record.changed' | 'dns.record.deleted' | 'dns.reverse.changed' | 'network.port.changed' | 'network.netblock.assigned' | 'network.netblock.released' | 'network.netblock.refused' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'network.bandwidth.reached' | 'maintenance.announced' | 'maintenance.updated' | 'maintenance.cancelled' | 'maintenance.completed' | 'plan.created' | 'plan.decided' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.reminder' | 'payment.received' | 'payment.announced' | 'payment.failed' | 'payment.action' | 'payment.chargeback' | 'payment.refunded' | 'paymentmethod.added' | 'paymentmethod.removed' | 'account.suspended' | 'account.resumed' | 'device.maintenance.began' | 'device.maintenance.ended' | 'service.provisioned' | 'service.terminated' | 'device.reclaimed' | 'service.suspended' | 'service.resumed' | 'service.cancelled' | 'service.cancellation.withdrawn' | 'service.termination.announced' | 'service.price.announced' | 'service.price.kept' | 'service.plan.changed' | 'software.ordered' | 'software.fulfilled' | 'software.cancelled')[] | undefined;
  readonly service?: Id | undefined;
}

export interface SignOnBeginInput {
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
  readonly account?: Id | undefined;
}

export interface SignOnCompleteInput {
  /** Must be text of 1 to 64 characters. */
  readonly flow: string;
  /** The address to which the identity provider sent the browser, with its query string */
  readonly response: string;
  readonly cookie?: boolean | undefined;
}

export interface SignOnSettingsSetInput {
  /** Must be a URL that starts with http:// or https://, at most 2048 characters. */
  readonly issuer: string;
  /** Must be text of 1 to 255 characters. */
  readonly clientid: string;
  /** Must be text of 1 to 1024 characters. */
  readonly clientsecret?: string | undefined;
  /** Must be at most 20 values, each of which must be 1 to 64 characters of a scope of OpenID Connect. */
  readonly scopes?: readonly string[] | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly claim?: string | undefined;
  /** Must be a JSON array of 1 to 50 objects with value and permissions. */
  readonly grants: readonly {
    /** Must be text of 1 to 255 characters. */
    readonly value: string;
    /** Must be at most 22 values, each of which must be one of account:read, account:write, account:keys, audit:read, billing:read, billing:pay, device:read, device:power, device:console, device:write, dns:read, dns:write, event:read, network:read, network:write, plan:read, plan:write, plan:approve, software:read, software:order, webhook:read, webhook:write. */
    readonly permissions: readonly ('account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'billing:pay' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[];
  }[];
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface SignOnSettingsDeleteInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface SignOnDomainAddInput {
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly domain: string;
}

export interface SignOnDomainVerifyInput {
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly domain: string;
  readonly required?: boolean | undefined;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface SignOnDomainDeleteInput {
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly domain: string;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** The response of one of your passkeys to the options of `POST /v2/session/challenge` */
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

export interface WebhookGetInput { readonly id?: Id | undefined }

export interface WebhookCreateInput {
  /** Must be a URL that starts with http:// or https://, at most 2048 characters. */
  readonly url: string;
  readonly events?: readonly ('invoice.delivery.changed' | 'account.vatnumber.confirmed' | 'account.vatnumber.rejected' | 'contact.created' | 'contact.invited' | 'contact.joined' | 'contact.updated' | 'contact.deleted' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'account.signin.unfamiliar' | 'account.factor.added' | 'account.factor.removed' | 'account.recovery.created' | 'account.recovery.used' | 'machine.created' | 'machine.adopted' | 'machine.deleted' | 'machine.restored' | 'machine.protection.changed' | 'machine.snapshot.started' | 'machine.snapshot.completed' | 'machine.snapshot.failed' | 'machine.snapshot.deleted' | 'machine.snapshot.restoring' | 'machine.snapshot.restored' | 'machine.snapshot.restorefailed' | 'machine.image.started' | 'machine.image.completed' | 'machine.image.failed' | 'machine.image.deleted' | 'machine.resize.started' | 'machine.resize.completed' | 'machine.resize.failed' | 'machinegroup.created' | 'machinegroup.deleted' | 'volume.created' | 'volume.attached' | 'volume.detached' | 'volume.resized' | 'volume.deleted' | 'volume.failed' | 'device.migration.started' | 'device.migration.completed' | 'device.migration.failed' | 'device.backup.started' | 'device.backup.completed' | 'device.backup.failed' | 'device.backup.failing' | 'device.backup.deleted' | 'device.backup.scheduled' | 'device.restore.started' | 'device.restore.completed' | 'device.restore.failed' | 'sshkey.created' | 'sshkey.deleted' | 'account.password.changed' | 'account.export.ready' | 'account.erasure.requested' | 'account.erasure.cancelled' | 'account.signon.changed' | 'account.signin.changed' | 'support.access.started' | 'support.access.ended' | 'device.power.changed' | 'device.hardware.failed' | 'device.hardware.recovered' | 'device.hostname.changed' | 'device.labels.changed' | 'device.staff.acted' | 'device.reload.started' | 'device.reload.progress' | 'device.reload.completed' | 'device.reload.failed' | 'device.reload.cancelled' | 'device.rescue.started' | 'device.rescue.completed' | 'device.rescue.failed' | 'device.rescue.cancelled' | 'device.rescue.ended' | 'device.password.started' | 'device.password.completed' | 'device.password.failed' | 'device.password.cancelled' | 'device.image.mounted' | 'device.image.unmounted' | 'dns.zone.created' | 'dns.zone.changed' | 'dns.zone.deleted' | 'dns.zone.withdrawn' | 'dns.dnssec.changed' | 'dns.alias.failed' | 'dns.alias.recovered' | 'dns.record.created' | 'dns.record.changed' | 'dns.record.deleted' | 'dns.reverse.changed' | 'network.port.changed' | 'network.netblock.assigned' | 'network.netblock.released' | 'network.netblock.refused' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'network.bandwidth.reached' | 'maintenance.announced' | 'maintenance.updated' | 'maintenance.cancelled' | 'maintenance.completed' | 'plan.created' | 'plan.decided' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.reminder' | 'payment.received' | 'payment.announced' | 'payment.failed' | 'payment.action' | 'payment.chargeback' | 'payment.refunded' | 'paymentmethod.added' | 'paymentmethod.removed' | 'account.suspended' | 'account.resumed' | 'device.maintenance.began' | 'device.maintenance.ended' | 'service.provisioned' | 'service.terminated' | 'device.reclaimed' | 'service.suspended' | 'service.resumed' | 'service.cancelled' | 'service.cancellation.withdrawn' | 'service.termination.announced' | 'service.price.announced' | 'service.price.kept' | 'service.plan.changed' | 'software.ordered' | 'software.fulfilled' | 'software.cancelled')[] | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly description?: string | undefined;
}

export interface WebhookUpdateInput {
  readonly id: Id;
  /** Must be a URL that starts with http:// or https://, at most 2048 characters. */
  readonly url?: string | undefined;
  readonly events?: readonly ('invoice.delivery.changed' | 'account.vatnumber.confirmed' | 'account.vatnumber.rejected' | 'contact.created' | 'contact.invited' | 'contact.joined' | 'contact.updated' | 'contact.deleted' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'account.signin.unfamiliar' | 'account.factor.added' | 'account.factor.removed' | 'account.recovery.created' | 'account.recovery.used' | 'machine.created' | 'machine.adopted' | 'machine.deleted' | 'machine.restored' | 'machine.protection.changed' | 'machine.snapshot.started' | 'machine.snapshot.completed' | 'machine.snapshot.failed' | 'machine.snapshot.deleted' | 'machine.snapshot.restoring' | 'machine.snapshot.restored' | 'machine.snapshot.restorefailed' | 'machine.image.started' | 'machine.image.completed' | 'machine.image.failed' | 'machine.image.deleted' | 'machine.resize.started' | 'machine.resize.completed' | 'machine.resize.failed' | 'machinegroup.created' | 'machinegroup.deleted' | 'volume.created' | 'volume.attached' | 'volume.detached' | 'volume.resized' | 'volume.deleted' | 'volume.failed' | 'device.migration.started' | 'device.migration.completed' | 'device.migration.failed' | 'device.backup.started' | 'device.backup.completed' | 'device.backup.failed' | 'device.backup.failing' | 'device.backup.deleted' | 'device.backup.scheduled' | 'device.restore.started' | 'device.restore.completed' | 'device.restore.failed' | 'sshkey.created' | 'sshkey.deleted' | 'account.password.changed' | 'account.export.ready' | 'account.erasure.requested' | 'account.erasure.cancelled' | 'account.signon.changed' | 'account.signin.changed' | 'support.access.started' | 'support.access.ended' | 'device.power.changed' | 'device.hardware.failed' | 'device.hardware.recovered' | 'device.hostname.changed' | 'device.labels.changed' | 'device.staff.acted' | 'device.reload.started' | 'device.reload.progress' | 'device.reload.completed' | 'device.reload.failed' | 'device.reload.cancelled' | 'device.rescue.started' | 'device.rescue.completed' | 'device.rescue.failed' | 'device.rescue.cancelled' | 'device.rescue.ended' | 'device.password.started' | 'device.password.completed' | 'device.password.failed' | 'device.password.cancelled' | 'device.image.mounted' | 'device.image.unmounted' | 'dns.zone.created' | 'dns.zone.changed' | 'dns.zone.deleted' | 'dns.zone.withdrawn' | 'dns.dnssec.changed' | 'dns.alias.failed' | 'dns.alias.recovered' | 'dns.record.created' | 'dns.record.changed' | 'dns.record.deleted' | 'dns.reverse.changed' | 'network.port.changed' | 'network.netblock.assigned' | 'network.netblock.released' | 'network.netblock.refused' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'network.bandwidth.reached' | 'maintenance.announced' | 'maintenance.updated' | 'maintenance.cancelled' | 'maintenance.completed' | 'plan.created' | 'plan.decided' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.reminder' | 'payment.received' | 'payment.announced' | 'payment.failed' | 'payment.action' | 'payment.chargeback' | 'payment.refunded' | 'paymentmethod.added' | 'paymentmethod.removed' | 'account.suspended' | 'account.resumed' | 'device.maintenance.began' | 'device.maintenance.ended' | 'service.provisioned' | 'service.terminated' | 'device.reclaimed' | 'service.suspended' | 'service.resumed' | 'service.cancelled' | 'service.cancellation.withdrawn' | 'service.termination.announced' | 'service.price.announced' | 'service.price.kept' | 'service.plan.changed' | 'software.ordered' | 'software.fulfilled' | 'software.cancelled')[] | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly description?: string | undefined;
  readonly status?: 'Active' | 'Off' | undefined;
  readonly rotate?: boolean | undefined;
  /** Must be a whole number from 0 to 604800. */
  readonly overlap?: number | undefined;
}

export interface WebhookDeleteInput { readonly id: Id }

export interface DeliveryGetInput {
  readonly webhook?: Id | undefined;
  readonly status?: 'Pending' | 'Delivered' | 'Failed' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface DeliveryReplayInput { readonly id: Id }

export interface DeviceLicenceListInput { readonly service: Id }

export interface DeviceLicenceOfferListInput { readonly service: Id }

export interface CertificateListInput { readonly service: Id }

export interface CertificatePdfInput {
  readonly service: Id;
  readonly kind?: 'handover' | 'erasure' | undefined;
}

export interface DeviceConsoleResetInput { readonly service: Id }

export interface DeviceConsoleOpenInput { readonly service: Id }

export interface DeviceConsoleTicketInput { readonly service: Id }

export interface DeviceConsoleWebInput { readonly service: Id }

export interface DevicePowerGetInput { readonly service: Id }

export interface DeviceStateListInput { readonly service?: Id | undefined }

export interface DeviceSensorsGetInput { readonly service: Id }

export interface DevicePowerSetInput {
  readonly service: Id;
  readonly action: 'on' | 'off' | 'reboot' | 'cycle';
}

export interface DeviceShutdownInput { readonly service: Id }

export interface DeviceBootSetInput {
  readonly service: Id;
  readonly request: 'pxe' | 'cdrom' | 'bios';
}

export interface DeviceImageListInput { readonly service?: Id | undefined }

export interface DeviceImageStatusInput { readonly service: Id }

export interface DeviceImageUploadInput {
  readonly service: Id;
  /** Must be text of 1 to 255 characters. */
  readonly image: string;
}

export interface DeviceImageMountInput { readonly service: Id }

export interface DeviceImageUnmountInput { readonly service: Id }

export interface DevicePasswordResetInput { readonly service: Id }

export interface DevicePasswordCollectInput { readonly service: Id }

export interface DeviceTunGetInput { readonly service: Id }

export interface DeviceTunSetInput {
  readonly service: Id;
  readonly action: 'enable' | 'disable';
}

export interface DeviceRescueStartInput {
  readonly service: Id;
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, or the id of a saved one, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
}

export interface DeviceRescueEndInput { readonly service: Id }

export interface DeviceRescueStatusInput { readonly service: Id }

export interface DeviceTemplateListInput { readonly service: Id }

export interface DeviceReloadStartInput {
  readonly service: Id;
  /** Must be text of 1 to 255 characters. */
  readonly value: string;
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, or the id of a saved one, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
}

export interface DeviceReloadCancelInput { readonly service: Id }

export interface DeviceReloadStatusInput { readonly service: Id }

export interface DeviceReloadLogInput { readonly service: Id }

export interface DeviceListInput {
  readonly type?: 'cloud' | 'dedicated' | 'vps' | undefined;
  readonly service?: Id | undefined;
  /** Must be lower-case letters and digits, with . _ : = / or - between them, at most 63 characters. */
  readonly label?: string | undefined;
}

export interface DeviceHostnameSetInput {
  readonly service: Id;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
}

export interface DeviceStatsGetInput {
  readonly service: Id;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly stop?: number | undefined;
}

export interface DeviceUsageListInput {
  readonly service: Id;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly stop?: number | undefined;
}

export interface DeviceHardwareGetInput { readonly service: Id }

export interface DeviceTypeGetInput { readonly service: Id }

export interface DeviceFactsGetInput { readonly service: Id }

export interface DevicePriceGetInput { readonly service: Id }

export interface DeviceLabelSetInput {
  readonly service: Id;
  /** Must be at most 20 values, each of which must be lower-case letters and digits, with . _ : = / or - between them, at most 63 characters. */
  readonly add?: readonly string[] | undefined;
  /** Must be at most 20 values, each of which must be lower-case letters and digits, with . _ : = / or - between them, at most 63 characters. */
  readonly remove?: readonly string[] | undefined;
}

export interface CouponRedeemInput {
  /** Must be at least 4 letters, digits and hyphens, at most 32 characters. */
  readonly coupon: string;
}

export interface DevicePlanGetInput { readonly service: Id }

export interface DevicePlanPreviewInput {
  readonly service: Id;
  /** Must be text of 1 to 64 characters. */
  readonly plan: string;
}

export interface DevicePlanSetInput {
  readonly service: Id;
  /** Must be text of 1 to 64 characters. */
  readonly plan: string;
}

export interface DeviceCancelInput {
  readonly service: Id;
  /** Must be text of 1 to 255 characters. */
  readonly reason?: string | undefined;
}

export interface DeviceCancelWithdrawInput { readonly service: Id }

export interface NetblockPriceInput {
  readonly service: Id;
  readonly type: 'ipv4' | 'ipv6';
  readonly size: '/32' | '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64';
}

export interface MachineListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface MachineCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly plan: string;
  /** Must be text of 1 to 64 characters. */
  readonly system: string;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  /** Must be text of 1 to 64 characters. */
  readonly location?: string | undefined;
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, or the id of a saved one, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
  /** Must begin with #cloud-config, #! or another format of cloud-init, at most 32768 characters. */
  readonly userdata?: string | undefined;
  readonly group?: Id | undefined;
}

export interface MachineDeleteInput {
  readonly service: Id;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
}

export interface MachineRestoreInput { readonly service: Id }

export interface MachineProtectionSetInput {
  readonly service: Id;
  readonly protection: 'enabled' | 'disabled';
}

export interface MachineGroupCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface MachineGroupDeleteInput { readonly id: Id }

export interface MachineSnapshotListInput { readonly service: Id }

export interface MachineSnapshotCreateInput {
  readonly service: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface MachineSnapshotDeleteInput {
  readonly service: Id;
  readonly id: Id;
}

export interface MachineSnapshotRestoreInput {
  readonly service: Id;
  readonly id: Id;
}

export interface MachineImageCreateInput {
  readonly service: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  readonly snapshot?: Id | undefined;
}

export interface MachineImageDeleteInput { readonly id: Id }

export interface MachineBackupListInput { readonly service: Id }

export interface MachineBackupCreateInput { readonly service: Id }

export interface MachineBackupDeleteInput {
  readonly service: Id;
  /** Must be the id of a backup. */
  readonly backup: string;
}

export interface MachineBackupScheduleGetInput { readonly service: Id }

export interface MachineBackupScheduleSetInput {
  readonly service: Id;
  readonly frequency?: 'off' | 'daily' | 'weekly' | undefined;
  /** Must be a whole number from 0 to 6. */
  readonly weekday?: number | undefined;
  /** Must be a whole number from 0 to 23. */
  readonly hour?: number | undefined;
  /** Must be a whole number from 0 to 366. */
  readonly daily?: number | undefined;
  /** Must be a whole number from 0 to 366. */
  readonly weekly?: number | undefined;
  /** Must be a whole number from 0 to 366. */
  readonly monthly?: number | undefined;
  readonly volumes?: 'included' | 'excluded' | undefined;
}

export interface MachineBackupRestoreInput {
  readonly service: Id;
  /** Must be the id of a backup. */
  readonly backup: string;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
}

export interface MachineBackupOrderInput {
  readonly service: Id;
  /** Must be the id of a backup. */
  readonly backup: string;
  /** Must be text of 1 to 64 characters. */
  readonly plan: string;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
  /** Must be text of 1 to 64 characters. */
  readonly location?: string | undefined;
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, or the id of a saved one, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
  /** Must begin with #cloud-config, #! or another format of cloud-init, at most 32768 characters. */
  readonly userdata?: string | undefined;
  readonly group?: Id | undefined;
}

export interface MachineBackupVolumeCreateInput {
  readonly service: Id;
  /** Must be the id of a backup. */
  readonly backup: string;
  readonly volume?: Id | undefined;
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  readonly target?: Id | undefined;
}

export interface MachineSizeGetInput { readonly service: Id }

export interface MachineSizeSetInput {
  readonly service: Id;
  /** Must be text of 1 to 64 characters. */
  readonly plan: string;
}

export interface VolumeListInput { readonly service?: Id | undefined }

export interface VolumeCreateInput {
  readonly service: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be a whole number from 1 to 4096. */
  readonly size: number;
}

export interface VolumeResizeInput {
  readonly id: Id;
  /** Must be a whole number from 1 to 4096. */
  readonly size: number;
}

export interface VolumeDeleteInput {
  readonly id: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
}

export interface VolumeAttachInput {
  readonly id: Id;
  readonly service: Id;
}

export interface VolumeDetachInput { readonly id: Id }

export interface ZoneListInput {
  /** Must be a whole number from 1 to 10000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface ZoneCreateInput {
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly domain: string;
}

export interface ZoneClaimInput {
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly domain: string;
}

export interface ZoneClaimVerifyInput {
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly domain: string;
}

export interface ZoneDeleteInput { readonly domain: Id }

export interface ZoneDelegationGetInput { readonly domain: Id }

export interface RecordListInput {
  readonly domain: Id;
  /** Must be a whole number from 1 to 10000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface RecordSearchInput {
  /** Must be text of 1 to 64 characters. */
  readonly text: string;
  readonly field?: 'name' | 'content' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly after?: Id | undefined;
}

export interface RecordCreateInput {
  readonly domain: Id;
  /** Must be a full name inside the zone: labels of letters, digits, underscores, stars and inner hyphens, at most 254 characters. */
  readonly record: string;
  readonly type: 'A' | 'AAAA' | 'NS' | 'CERT' | 'CNAME' | 'DNSKEY' | 'DS' | 'KEY' | 'LOC' | 'MX' | 'NAPTR' | 'NSEC' | 'RP' | 'RRSIG' | 'SOA' | 'SPF' | 'SSHFP' | 'SRV' | 'TXT' | 'ALIAS' | 'CAA' | 'CDNSKEY' | 'CDS' | 'DNAME' | 'HINFO' | 'HTTPS' | 'OPENPGPKEY' | 'PTR' | 'SMIMEA' | 'SVCB' | 'TLSA' | 'URI';
  /** Must be text of 1 to 4096 characters. */
  readonly content: string;
  /** Must be a whole number from 0 to 604800. */
  readonly ttl?: number | undefined;
}

export interface RecordDeleteInput {
  readonly domain: Id;
  readonly record: Id;
}

export interface RecordDeleteManyInput {
  readonly domain: Id;
  /** Must be at most 1000 values, each of which must be a numeric id. */
  readonly records: readonly Id[];
}

export interface ReverseListInput { readonly service?: Id | undefined }

export interface ReverseSetInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly record: string;
  readonly forward?: boolean | undefined;
}

export interface ReverseSetManyInput {
  /** Must be a JSON array of 1 to 1000 objects with ip and record. */
  readonly records: readonly {
    /** Must be an IPv4 or IPv6 address. */
    readonly ip: string;
    /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
    readonly record: string;
  }[];
}

export interface ReverseDeleteInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
}

export interface RecordUpdateInput {
  readonly domain: Id;
  readonly record: Id;
  /** Must be text of 1 to 4096 characters. */
  readonly content?: string | undefined;
  /** Must be a whole number from 0 to 604800. */
  readonly ttl?: number | undefined;
}

export interface ChangeSetApplyInput {
  /** Must be a JSON array of 1 to 2000 objects with action and name and type, and optionally content, ttl, zone. */
  readonly changes?: readonly {
    /** Must be one of add, remove, replace. */
    readonly action: 'add' | 'remove' | 'replace';
    /** Must be a full name inside the zone: labels of letters, digits, underscores, stars and inner hyphens, at most 254 characters. */
    readonly name: string;
    /** Must be one of A, AAAA, NS, CERT, CNAME, DNSKEY, DS, KEY, LOC, MX, NAPTR, NSEC, RP, RRSIG, SOA, SPF, SSHFP, SRV, TXT, ALIAS, CAA, CDNSKEY, CDS, DNAME, HINFO, HTTPS, OPENPGPKEY, PTR, SMIMEA, SVCB, TLSA, URI. */
    readonly type: 'A' | 'AAAA' | 'NS' | 'CERT' | 'CNAME' | 'DNSKEY' | 'DS' | 'KEY' | 'LOC' | 'MX' | 'NAPTR' | 'NSEC' | 'RP' | 'RRSIG' | 'SOA' | 'SPF' | 'SSHFP' | 'SRV' | 'TXT' | 'ALIAS' | 'CAA' | 'CDNSKEY' | 'CDS' | 'DNAME' | 'HINFO' | 'HTTPS' | 'OPENPGPKEY' | 'PTR' | 'SMIMEA' | 'SVCB' | 'TLSA' | 'URI';
    /** Must be text of 1 to 4096 characters. */
    readonly content?: string;
    /** Must be a whole number from 0 to 604800. */
    readonly ttl?: number;
    /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
    readonly zone?: string;
  }[] | undefined;
  /** Must be a JSON array of 1 to 1000 objects with ip and record. */
  readonly addresses?: readonly {
    /** Must be an IPv4 or IPv6 address. */
    readonly ip: string;
    /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
    readonly record: string;
  }[] | undefined;
  /** Must be a JSON array of 1 to 1000 objects with zone and serial. */
  readonly serials?: readonly {
    /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
    readonly zone: string;
    /** Must be a whole number from 0 to 4294967295. */
    readonly serial: number;
  }[] | undefined;
  readonly dry_run?: boolean | undefined;
}

export interface ZoneFileGetInput { readonly domain: Id }

export interface ZoneFileImportInput {
  readonly domain: Id;
  /** Must be text of 1 to 1000000 characters. */
  readonly zonefile: string;
  readonly dry_run?: boolean | undefined;
  /** Must be a whole number from 0 to 4294967295. */
  readonly serial?: number | undefined;
}

export interface ZoneHistoryGetInput {
  readonly domain: Id;
  /** Must be a whole number from 1 to 100. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface ZoneRollBackInput {
  readonly domain: Id;
  readonly version: Id;
}

export interface DnssecGetInput { readonly domain: Id }

export interface DnssecEnableInput { readonly domain: Id }

export interface DnssecActInput {
  readonly domain: Id;
  readonly action: 'rollover' | 'confirm' | 'cancel' | 'withdraw';
}

export interface DnssecDisableInput {
  readonly domain: Id;
  readonly force?: boolean | undefined;
}

export interface TsigKeyCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  readonly algorithm?: 'hmac-sha256' | 'hmac-sha512' | undefined;
  /** The DNS records that the key is limited to; empty for no limits */
  readonly dns?: readonly DnsRule[] | undefined;
  /** Must be at most 50 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly allow?: readonly string[] | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly expires?: number | undefined;
}

export interface TsigKeyDeleteInput { readonly id: Id }

export interface NetblockListInput { readonly service: Id }

export interface NetblockRequestInput {
  readonly service: Id;
  readonly type: 'ipv4' | 'ipv6';
  readonly size: '/32' | '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64';
}

export interface NetblockRequestListInput { readonly service: Id }

export interface DeliveryListInput {
  readonly service: Id;
  /** Must be the name of a network interface, at most 15 characters. */
  readonly interface?: string | undefined;
}

export interface EventListInput {
  readonly service: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface AnomalyListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface PortGetInput { readonly service: Id }

export interface PortEnableInput { readonly service: Id }

export interface PortDisableInput { readonly service: Id }

export interface BandwidthGetInput {
  readonly service: Id;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly end?: number | undefined;
}

export interface TrafficGetInput {
  readonly service: Id;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly end?: number | undefined;
  readonly format?: 'json' | 'csv' | undefined;
}

export interface MonthGetInput {
  readonly service: Id;
  /** Must be a whole number from 1 to 9007199254740991. */
  readonly level?: number | undefined;
}

export interface PlanGetInput {
  readonly id?: Id | undefined;
  /** Must be a whole number from 1 to 100. */
  readonly limit?: number | undefined;
  readonly before?: Id | undefined;
}

export interface PlanCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly operation: string;
  /** Must be a JSON object of parameters. */
  readonly params: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean | Readonly<Record<string, string | number | boolean>>)[]>>;
}

export interface PlanDecideInput {
  readonly id: Id;
  readonly decision: 'approve' | 'refuse';
}

export interface PlanRunInput { readonly id: Id }

/** The operations by name. */
export interface Methods {
  /** Get the account. Includes the balance and the last sign-in. */
  accountGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Account>;
  /** Get the balance. The amount that the account owes; negative if it has credit. */
  balanceGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Money>;
  /** List or get invoices. Pass `status` to filter the list, or `invoice` to get one invoice with its lines; not both. */
  invoiceGet(input?: InvoiceGetInput, options?: CallOptions): Promise<readonly InvoiceListItem[] | InvoiceDetail>;
  /** Download an invoice as PDF. Contains EN 16931 XML (Factur-X) if the account’s country requires it. */
  invoicePdf(input: InvoicePdfInput, options?: CallOptions): Promise<FileResponse>;
  /** List or get contacts */
  contactGet(input?: ContactGetInput, options?: CallOptions): Promise<readonly Contact[]>;
  /** Create a contact */
  contactCreate(input: ContactCreateInput, options?: CallOptions): Promise<ContactId>;
  /** Update a contact. You can send a contact as it was returned: fields that cannot be changed here are accepted if their value is unchanged. */
  contactUpdate(input: ContactUpdateInput, options?: CallOptions): Promise<string>;
  /** Delete a contact */
  contactDelete(input: ContactDeleteInput, options?: CallOptions): Promise<string>;
  /** Set a contact's access and notifications. Makes the contact a sub-account that can sign in, and sets its permissions and which emails it receives. With `services`, the contact can see only those services; an empty list removes this limit. `forgetfactors` removes the contact's second factors and passkeys and ends their sessions, for someone who lost their phone; it requires your own password, a code or a passkey, in a session. */
  contactSettings(input: ContactSettingsInput, options?: CallOptions): Promise<string>;
  /** Get the tax data. Your VAT number with the state of its validation, and the VAT of the next invoice. */
  taxGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
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
  }>;
  /** Update the tax data. A VAT number begins with the prefix of your country and needs the kind `business`. It is checked in the register within minutes; until the register confirms it, VAT is charged as for consumers. An empty value clears the field. */
  taxUpdate(input?: TaxUpdateInput, options?: CallOptions): Promise<string>;
  /** Download an invoice as e-invoice. EN 16931 in the given `format`: `peppol` (UBL, Peppol BIS Billing 3.0), `xrechnung` (UBL, XRechnung 3.0) or `cii` (Cross Industry Invoice, as in Factur-X). */
  invoiceXml(input: InvoiceXmlInput, options?: CallOptions): Promise<FileResponse>;
  /** Get the available ways to pay */
  paymentGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** True if cards can be saved and invoices paid on a page */
    readonly online: boolean;
    /** True if invoices are collected from the default method on their due date */
    readonly collects: boolean;
    readonly currency: string;
    readonly topupmin: Money;
    readonly topupmax: Money;
  }>;
  /** List payment methods */
  paymentMethodList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
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
  /** Add a payment method. Returns a page of the payment provider for saving a card. The method is listed once the card is saved. The first one becomes the default, from which invoices are collected on their due date. */
  paymentMethodAdd(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly id: string;
    /** The page on which to save the payment method */
    readonly url: string;
  }>;
  /** Choose the default payment method. Invoices are collected from it on their due date. */
  paymentMethodDefault(input: PaymentMethodDefaultInput, options?: CallOptions): Promise<string>;
  /** Remove a payment method. The payment provider deletes it. Without a default method, nothing is collected automatically. */
  paymentMethodRemove(input: PaymentMethodRemoveInput, options?: CallOptions): Promise<string>;
  /** Pay an invoice. With `method`, charges that payment method. Without it, returns a page of the payment provider to pay on. Follow the result in the list of charges. A payment pays the oldest open invoice first. */
  invoicePay(input: InvoicePayInput, options?: CallOptions): Promise<{
    readonly charge: string;
    readonly state: 'created' | 'submitted' | 'needs_action' | 'succeeded' | 'failed' | 'partly_refunded' | 'refunded' | 'charged_back';
    /** The page on which to pay; empty if a stored method is charged */
    readonly url: string;
  }>;
  /** Top up credit. Pays in advance, in the currency of the account. Open invoices are paid first; the rest becomes credit for the next ones. `method` as for an invoice. */
  topUp(input: TopUpInput, options?: CallOptions): Promise<{
    readonly charge: string;
    readonly state: 'created' | 'submitted' | 'needs_action' | 'succeeded' | 'failed' | 'partly_refunded' | 'refunded' | 'charged_back';
    /** The page on which to pay; empty if a stored method is charged */
    readonly url: string;
  }>;
  /** List charges. Newest first. Pass the last `id` as `before` for the next page. */
  chargeList(input?: ChargeListInput, options?: CallOptions): Promise<readonly {
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
  }[]>;
  /** Get bank details and the text of the direct debit mandate. The provider's bank account and your reference for transfers, and the text that you agree to when you create a mandate. All fields are empty if the provider does not use SEPA. */
  sepaGet(input?: SepaGetInput, options?: CallOptions): Promise<{
    /** False if the account is not in euro, or the provider does not use SEPA */
    readonly debits: boolean;
    readonly creditor: string;
    readonly creditorid: string;
    /** The version of the text, to pass when you create a mandate */
    readonly consent: string;
    /** The text to which the customer agrees */
    readonly text: string;
    readonly transfer: {
      readonly name: string;
      readonly iban: string;
      /** Empty if it is not needed */
      readonly bic: string;
      /** A transfer with this reference or an invoice number is credited automatically */
      readonly reference: string;
    };
  }>;
  /** List direct debit mandates */
  mandateList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    /** Of the payment method */
    readonly id: string;
    readonly reference: string;
    readonly name: string;
    /** Such as `SEPA DE•• •••• 3000` */
    readonly label: string;
    readonly scheme: 'CORE' | 'B2B';
    readonly state: 'active' | 'ended';
    /** YYYY-MM-DD HH:MM:SS, in UTC */
    readonly signed: string;
    /** The text to which the customer agreed */
    readonly text: string;
  }[]>;
  /** Create a direct debit mandate. Adds a payment method from which invoices are collected by SEPA direct debit. `consent` is the version of the mandate text; passing it states that you agree to it. Remove the payment method to revoke the mandate. */
  mandateCreate(input: MandateCreateInput, options?: CallOptions): Promise<{
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
  }>;
  /** Get an account statement. Opening balance, invoices, payments and closing balance of a period. Days are those of UTC. */
  statementGet(input: StatementGetInput, options?: CallOptions): Promise<{
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
  /** Download an account statement as PDF */
  statementPdf(input: StatementPdfInput, options?: CallOptions): Promise<FileResponse>;
  /** Download an account statement as CSV. One line per entry, between the opening and the closing balance. */
  statementCsv(input: StatementCsvInput, options?: CallOptions): Promise<FileResponse>;
  /** List deliveries of e-invoices. Lists invoices that were sent through the e-invoicing network, newest first, with their outcome. Pass the last id as `before` for the next page. */
  invoiceDeliveryList(input?: InvoiceDeliveryListInput, options?: CallOptions): Promise<readonly {
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
  }[]>;
  /** Get who can sign up, and the terms to accept */
  signUpGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** Who can sign up: nobody, everyone, invited people, or people whom staff approve */
    readonly mode: 'off' | 'open' | 'invited' | 'approved';
    /** The name of the provider */
    readonly provider: string;
    /** The version of the terms to accept; empty if the mode is off */
    readonly termsversion: string;
    /** Where to read the terms; empty if the mode is off */
    readonly termsurl: string;
  }>;
  /** Get a challenge to sign up. A proof of work that prevents mass sign-ups. The solution is a whole number: the SHA-256 digest of the challenge, a colon and the number begins with `difficulty` zero bits. A challenge works once and expires after ten minutes. Networks that request many get harder ones. */
  signUpChallenge(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly challenge: string;
    /** Number of leading zero bits in the SHA-256 digest of the challenge, a colon and the solution */
    readonly difficulty: string;
    readonly expires: Moment;
  }>;
  /** Sign up. Sends a link to the address; choosing a password there creates the account. The link works once and expires after 24 hours. The response is the same for every address: people who already have an account get a message that says so. `terms` is the version that the person has accepted. `invitation` is the token of a link from staff. */
  signUpRequest(input: SignUpRequestInput, options?: CallOptions): Promise<'Link Sent'>;
  /** Choose the password of a new account with the token of the link. Creates the account, so that the person can sign in immediately, or asks staff for approval if sign-ups require it. */
  signUpComplete(input: SignUpCompleteInput, options?: CallOptions): Promise<{
    /** Waiting: the account does not exist until staff approve it */
    readonly status: 'Active' | 'Waiting';
    /** The id of the new account; empty if it is waiting */
    readonly account: string;
    /** The address to sign in with */
    readonly email: string;
  }>;
  /** List invitations that have not been accepted yet */
  invitationGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Invitation[]>;
  /** Invite a contact to sign in. Sends a link to choose a password; the person can then sign in with these permissions. Pass `contact` for an existing contact, or the name and email address of a new one. With `services`, the person can see only those services. The link works once and expires after seven days. */
  invitationCreate(input: InvitationCreateInput, options?: CallOptions): Promise<NewInvitation>;
  /** Send an invitation again. Sends a new link, for another seven days. The previous one stops working. */
  invitationResend(input: InvitationResendInput, options?: CallOptions): Promise<string>;
  /** Revoke an invitation. The link stops working. The contact stays. */
  invitationDelete(input: InvitationDeleteInput, options?: CallOptions): Promise<string>;
  /** Accept an invitation. Sets the password, using the token of the link. After that, the person can sign in. */
  invitationAccept(input: InvitationAcceptInput, options?: CallOptions): Promise<string>;
  /** List or get messages sent by email, newest first. A sub-account contact sees the messages to themselves; the account and its keys see all. Messages are kept for 90 days. */
  mailGet(input?: MailGetInput, options?: CallOptions): Promise<readonly {
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
    /** The mail server’s reason for returning it; otherwise empty */
    readonly diagnostic: string;
    /** Its text, without keys and links that only the recipient may see */
    readonly text: string;
  }[]>;
  /** Get which messages you receive, and in which language. Applies to the contact that owns the key, or else to the account. */
  mailSettingsGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** The language of messages; empty for the provider’s default */
    readonly language: string;
    /** Kinds of messages that this person does not receive */
    readonly off: readonly string[];
    /** The kinds of messages that the contact’s settings allow; all for the account */
    readonly kinds: readonly {
      readonly kind: string;
      readonly label: string;
      /** It cannot be turned off */
      readonly required: boolean;
      readonly received: boolean;
    }[];
    /** Addresses that no longer receive messages, because earlier ones bounced */
    readonly undeliverable: readonly {
      readonly address: string;
      readonly diagnostic: string;
      readonly since: Moment;
    }[];
    readonly languages: readonly string[];
    /** False if the provider sends no email */
    readonly enabled: boolean;
  }>;
  /** Choose which messages you receive, and in which language. Applies to the contact that owns the key, or else to the account, which needs the scope `account:write` and cannot turn off invoices and security messages. The language of the account also applies to contacts that have not chosen one. */
  mailSettingsSet(input?: MailSettingsSetInput, options?: CallOptions): Promise<string>;
  /** Request an archive of everything about the account. For the owner, in a session. The archive is created in the background and can be downloaded for seven days; a new one replaces it. Up to three per day. */
  accountExportCreate(input?: AccountExportCreateInput, options?: CallOptions): Promise<{ readonly id: string }>;
  /** List archives of the account, newest first */
  accountExportList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
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
    /** The member of staff who requested it; empty if you did */
    readonly operator: string;
  }[]>;
  /** Download an archive of the account. A ZIP file with an index, JSON and documents. For the owner, in a session. */
  accountExportFile(input: AccountExportFileInput, options?: CallOptions): Promise<FileResponse>;
  /** Get the erasure request, and what is blocking it */
  erasureGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly erasure: {
      /** Erased: only what tax law requires is kept; Purged: nothing is kept */
      readonly status: 'Waiting' | 'Cancelled' | 'Erasing' | 'Erased' | 'Purging' | 'Purged';
      readonly requested: Moment;
      /** When the waiting time ends; time in UTC */
      readonly eraseon: string;
      /** The member of staff who requested it; empty if the account’s owner did */
      readonly operator: string;
      /** Why staff requested it, or why it was cancelled */
      readonly reason: string;
    } | null;
    /** Obstacles to settle first */
    readonly obstacles: readonly string[];
    readonly waitingdays: string;
    /** How long invoices are kept, as tax law requires */
    readonly keptyears: string;
  }>;
  /** Request the erasure of the account. For the owner, in a session. Requires that all services are terminated and the balance is settled. The account is erased after a waiting time, during which you can cancel the request. Data that tax law requires is kept for the required time. */
  erasureRequest(input?: ErasureRequestInput, options?: CallOptions): Promise<string>;
  /** Cancel the request to erase the account */
  erasureCancel(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<string>;
  /** List or get keys. Secrets are never returned. */
  keyGet(input?: KeyGetInput, options?: CallOptions): Promise<readonly Key[]>;
  /** Create a key. The key is returned only once. `dns` limits DNS access to certain zones, names and types. With `services`, the key can see only those services. */
  keyCreate(input: KeyCreateInput, options?: CallOptions): Promise<NewKey>;
  /** Update or rotate a key. With `rotate`, returns the new key, and the old one keeps working for `overlap` seconds; otherwise the key is empty. */
  keyUpdate(input: KeyUpdateInput, options?: CallOptions): Promise<NewKey>;
  /** Revoke a key. Takes effect immediately and cannot be undone. */
  keyDelete(input: KeyDeleteInput, options?: CallOptions): Promise<string>;
  /** List the audit log, newest first. Who changed what, from where, and with what outcome. */
  auditGet(input?: AuditGetInput, options?: CallOptions): Promise<readonly AuditEntry[]>;
  /** Sign in with a password. Signs in the account or a sub-account contact and returns a key for 12 hours. `code` is required if a second factor is set up: a code of the authenticator app, or a recovery code. If you have the same email address and password in several accounts, `account` chooses one; without it, the one that you have had the longest is used. With `cookie`, which is for pages of this host, the key is kept in a cookie that scripts cannot read. */
  sessionCreate(input: SessionCreateInput, options?: CallOptions): Promise<Session>;
  /** Get the owner and permissions of the current key */
  sessionGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<SessionSelf>;
  /** Sign out. Revokes the key of this request if it came from signing in. */
  sessionDelete(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<string>;
  /** Change your password. Ends your other sessions. */
  passwordSet(input: PasswordSetInput, options?: CallOptions): Promise<string>;
  /** Request a link to choose a new password. Sends a link to the address if it can be used to sign in. The response is the same for every address. The link works once and expires after 30 minutes. */
  recoveryRequest(input: RecoveryRequestInput, options?: CallOptions): Promise<string>;
  /** Choose a new password with the token of the link. Ends all of the person's sessions. Signing in still requires the second factor. */
  recoveryComplete(input: RecoveryCompleteInput, options?: CallOptions): Promise<string>;
  /** Set up a second factor. Returns a new secret for an authenticator app (RFC 6238). It takes effect once it is confirmed. Requires the password or a passkey. */
  totpEnrol(input?: TotpEnrolInput, options?: CallOptions): Promise<Enrolment>;
  /** Confirm the second factor. From then on, signing in with a password requires a code. */
  totpConfirm(input: TotpConfirmInput, options?: CallOptions): Promise<string>;
  /** Remove the second factor. Requires the password, a code or a passkey. */
  totpEnd(input?: TotpEndInput, options?: CallOptions): Promise<string>;
  /** List your passkeys */
  passkeyGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Passkey[]>;
  /** Get options to create a passkey. Valid for five minutes, for a page on the same host, addressed by name. Requires the password, a code or another passkey. */
  passkeyBegin(input?: PasskeyBeginInput, options?: CallOptions): Promise<PasskeyCreationOptions>;
  /** Create a passkey. Stores the passkey that the browser created, under a name that you choose. */
  passkeyCreate(input: PasskeyCreateInput, options?: CallOptions): Promise<Passkey>;
  /** Delete a passkey. It can no longer be used to sign in. Requires the password, a code or a passkey. */
  passkeyDelete(input: PasskeyDeleteInput, options?: CallOptions): Promise<string>;
  /** Get options to sign in with a passkey. Valid for five minutes, for a page on the same host, addressed by name. */
  challengeCreate(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<PasskeyRequestOptions>;
  /** Sign in with a passkey. Needs no password or code. Returns a key for 12 hours, or keeps it in a cookie, like `POST /v2/session`. */
  challengeAnswer(input: ChallengeAnswerInput, options?: CallOptions): Promise<Session>;
  /** List your sessions. Lists the signed-in person's sessions, newest first. Only in a session. */
  sessionList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** 1 for the session of this request */
    readonly current: '0' | '1';
    /** Browser and operating system, or program; empty if unknown */
    readonly device: string;
    /** The IP address that last used it */
    readonly address: string;
    readonly created: Moment;
    readonly lastused: Moment;
    readonly expires: Moment;
  }[]>;
  /** End one of your sessions, or all others. Without `id`, ends all except the session of this request. Only in a session. */
  sessionRevoke(input?: SessionRevokeInput, options?: CallOptions): Promise<'Session Ended'>;
  /** Create recovery codes. Each code can be used once to sign in instead of a code of your authenticator app. The codes are returned only once, and earlier ones stop working. Requires the password, a code or a passkey. */
  recoveryCodesCreate(input?: RecoveryCodesCreateInput, options?: CallOptions): Promise<{ readonly codes: readonly string[] }>;
  /** Get your time zone, date format, language and saved filters. Applies to the contact that owns the key, or else to the account. */
  preferencesGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** Empty for the browser’s */
    readonly timezone: string;
    /** iso: 2026-01-31, dmy: 31/01/2026, dots: 31.01.2026, mdy: 1/31/2026; empty for the browser’s */
    readonly dateformat: '' | 'iso' | 'dmy' | 'dots' | 'mdy';
    /** Language of messages and the panel; if empty, messages use the provider’s default and the panel uses the browser’s */
    readonly language: string;
    readonly languages: readonly string[];
    /** Saved filters of the server list */
    readonly filters: readonly {
      readonly name: string;
      /** The query string of the filtered list’s address */
      readonly query: string;
    }[];
  }>;
  /** Set your time zone, date format, language and saved filters. Applies to the contact that owns the key, or else to the account, which needs the scope `account:write`. An empty value restores the default. `filters` replaces all saved filters. */
  preferencesSet(input?: PreferencesSetInput, options?: CallOptions): Promise<'Preferences Updated'>;
  /** List the SSH keys of the account */
  sshKeyList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly name: string;
    /** The public key */
    readonly key: string;
    /** SHA-256, as ssh-keygen prints it */
    readonly fingerprint: string;
    readonly created: Moment;
  }[]>;
  /** Save an SSH key. For later installations; existing servers do not change. An account can have 100 keys, each only once. */
  sshKeyCreate(input: SshKeyCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly name: string;
    /** The public key */
    readonly key: string;
    /** SHA-256, as ssh-keygen prints it */
    readonly fingerprint: string;
    readonly created: Moment;
  }>;
  /** Delete a saved SSH key. Servers that were installed with the key keep it. */
  sshKeyDelete(input: SshKeyDeleteInput, options?: CallOptions): Promise<'SSH Key Deleted'>;
  /** List support accesses, newest first. Who of the provider’s staff signed in as this account, when and why. */
  supportAccessList(input?: SupportAccessListInput, options?: CallOptions): Promise<readonly {
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
  /** End a support access. Takes effect immediately. */
  supportAccessEnd(input: SupportAccessEndInput, options?: CallOptions): Promise<string>;
  /** List actions, newest first. With `ids`, returns only these actions. With `ids` and `wait`, responds when one of them changes, or after that many seconds. */
  actionList(input?: ActionListInput, options?: CallOptions): Promise<readonly Action[]>;
  /** Get an action, or wait until it changes */
  actionGet(input: ActionGetInput, options?: CallOptions): Promise<Action>;
  /** List events, oldest first. Numbered without gaps in commit order. With `Accept: text/event-stream`, streams events as server-sent events without an end: each has its cursor as `id`, and `Last-Event-ID` resumes after it, on any instance. A cursor is valid only for the account and installation that issued it. `newest` returns the last `limit` events and the cursor after them; it cannot be combined with `after` or a stream. */
  eventLogGet(input?: EventLogGetInput, options?: CallOptions): Promise<EventPage>;
  /** Start signing in through the identity provider of an account. The domain of the email address determines the account. If several accounts have verified the domain, `account` chooses one; without it, the first to verify it is used. For pages of this host, which open the URL and keep the flow. */
  signOnBegin(input: SignOnBeginInput, options?: CallOptions): Promise<{
    /** The page of the identity provider to open */
    readonly url: string;
    /** Keep it in the browser and send it with the response, within ten minutes */
    readonly flow: string;
  }>;
  /** Sign in with the response of the identity provider. Returns a key for an hour, or keeps it in a cookie, like `POST /v2/session`. The provider’s claims determine the permissions. A person who signs in for the first time becomes a contact. */
  signOnComplete(input: SignOnCompleteInput, options?: CallOptions): Promise<Session>;
  /** Get the identity provider of the account and its domains. The client secret is never returned. */
  signOnSettingsGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly configured: Flag01;
    readonly issuer: string;
    readonly clientid: string;
    readonly scopes: readonly string[];
    readonly claim: string;
    readonly grants: readonly {
      readonly value: string;
      readonly permissions: readonly string[];
    }[];
    /** Time in UTC; empty if there is no provider */
    readonly updated: string;
    /** The path of the redirect URI on this host, to register at the provider */
    readonly redirecturi: string;
    readonly domains: readonly {
      readonly domain: string;
      /** Time in UTC; empty until it is verified */
      readonly verified: string;
      /** Whether its contacts must sign in through the provider */
      readonly required: '0' | '1';
      /** The name of the TXT record that proves control */
      readonly record: string;
      /** Its content */
      readonly content: string;
    }[];
  }>;
  /** Set the identity provider of the account. For the account itself, with its password, a code or a passkey. `grants` lists values of the claim, each with the permissions that it gives; a person gets the permissions of all their values, and cannot sign in without any. The client secret is required for a new issuer or client. */
  signOnSettingsSet(input: SignOnSettingsSetInput, options?: CallOptions): Promise<{
    readonly configured: Flag01;
    readonly issuer: string;
    readonly clientid: string;
    readonly scopes: readonly string[];
    readonly claim: string;
    readonly grants: readonly {
      readonly value: string;
      readonly permissions: readonly string[];
    }[];
    /** Time in UTC; empty if there is no provider */
    readonly updated: string;
    /** The path of the redirect URI on this host, to register at the provider */
    readonly redirecturi: string;
    readonly domains: readonly {
      readonly domain: string;
      /** Time in UTC; empty until it is verified */
      readonly verified: string;
      /** Whether its contacts must sign in through the provider */
      readonly required: '0' | '1';
      /** The name of the TXT record that proves control */
      readonly record: string;
      /** Its content */
      readonly content: string;
    }[];
  }>;
  /** Remove the identity provider of the account. Ends the sessions of everyone who signed in through it. Its domains stay verified but are no longer required. */
  signOnSettingsDelete(input?: SignOnSettingsDeleteInput, options?: CallOptions): Promise<string>;
  /** Add a domain whose people sign in through the identity provider. Returns the TXT record that proves control of the domain. Publish it, then verify the domain. */
  signOnDomainAdd(input: SignOnDomainAddInput, options?: CallOptions): Promise<{
    readonly domain: string;
    /** Time in UTC; empty until it is verified */
    readonly verified: string;
    /** Whether its contacts must sign in through the provider */
    readonly required: '0' | '1';
    /** The name of the TXT record that proves control */
    readonly record: string;
    /** Its content */
    readonly content: string;
  }>;
  /** Verify a domain, and set whether its people must use the identity provider. Looks up the record each time. With `required`, contacts with an address of the domain can no longer sign in with a password or a passkey; the account itself always can, for which it needs a second factor. */
  signOnDomainVerify(input: SignOnDomainVerifyInput, options?: CallOptions): Promise<{
    readonly domain: string;
    /** Time in UTC; empty until it is verified */
    readonly verified: string;
    /** Whether its contacts must sign in through the provider */
    readonly required: '0' | '1';
    /** The name of the TXT record that proves control */
    readonly record: string;
    /** Its content */
    readonly content: string;
  }>;
  /** Remove a domain. Its people can no longer sign in through the identity provider. */
  signOnDomainDelete(input: SignOnDomainDeleteInput, options?: CallOptions): Promise<string>;
  /** List or get webhooks. Secrets are never returned. */
  webhookGet(input?: WebhookGetInput, options?: CallOptions): Promise<readonly Webhook[]>;
  /** Create a webhook. The secret is returned only once. Each event is POSTed as JSON with a Standard Webhooks signature. Any 2xx response within 10 seconds is a success; otherwise the delivery is retried over three days. Events of one service arrive in order. 410 disables the webhook. */
  webhookCreate(input: WebhookCreateInput, options?: CallOptions): Promise<NewWebhook>;
  /** Update a webhook or rotate its secret. With `rotate`, returns the new secret, and both secrets sign for `overlap` seconds; otherwise the secret is empty. */
  webhookUpdate(input: WebhookUpdateInput, options?: CallOptions): Promise<NewWebhook>;
  /** Delete a webhook. Also deletes its delivery log. */
  webhookDelete(input: WebhookDeleteInput, options?: CallOptions): Promise<string>;
  /** List deliveries, newest first */
  deliveryGet(input?: DeliveryGetInput, options?: CallOptions): Promise<readonly Delivery[]>;
  /** Resend a delivery. The delivery is queued behind pending ones. */
  deliveryReplay(input: DeliveryReplayInput, options?: CallOptions): Promise<NewDelivery>;
  /** List the software licences of a service. Includes the licence keys. */
  deviceLicenceList(input: DeviceLicenceListInput, options?: CallOptions): Promise<readonly LicenceDetail[]>;
  /** List available software licences. Includes the prices for this service. */
  deviceLicenceOfferList(input: DeviceLicenceOfferListInput, options?: CallOptions): Promise<readonly LicenceOffer[]>;
  /** List the handover certificates of a service. Signed records of how the service's server was erased and checked, before the service got it and after the service was terminated. */
  certificateList(input: CertificateListInput, options?: CallOptions): Promise<readonly Certificate[]>;
  /** Download a handover certificate as PDF. By default, downloads the one from when the service got its server. */
  certificatePdf(input: CertificatePdfInput, options?: CallOptions): Promise<FileResponse>;
  /** Get the key that verifies certificates. The public key of the provider as a JSON Web Key. */
  certificateKeyGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<CertificateKey>;
  /** Reset the console. Ends the console session and, for a dedicated server, all other sessions of its controller: the serial console, and remote screens if the controller lists them. */
  deviceConsoleReset(input: DeviceConsoleResetInput, options?: CallOptions): Promise<'Console Reset'>;
  /** Open a console. Returns a launcher file for a dedicated server, or VNC credentials for a virtual machine. */
  deviceConsoleOpen(input: DeviceConsoleOpenInput, options?: CallOptions): Promise<JavaConsole | MachineConsole>;
  /** Create a browser console ticket. Open a WebSocket at `url` within `expires` seconds, from the same address. The ticket works once. For a dedicated server, binary frames carry the serial console in both directions, starting with its recent output, and the text frame `break` sends a break. For a virtual machine they carry VNC (RFB), as noVNC expects it, or its text console if it has no VNC. */
  deviceConsoleTicket(input: DeviceConsoleTicketInput, options?: CallOptions): Promise<ConsoleTicket>;
  /** Open the web console of a dedicated server. Returns a link to the page of the server's controller, with its console. Open it within `expires` seconds, from the same address; it works once. The session ends after an hour, with a console reset, and when another console is opened. */
  deviceConsoleWeb(input: DeviceConsoleWebInput, options?: CallOptions): Promise<WebConsole>;
  /** Get the power state. Queries the device itself. */
  devicePowerGet(input: DevicePowerGetInput, options?: CallOptions): Promise<PowerState>;
  /** List the last known power and health of devices. Returns all devices or one, without contacting them. */
  deviceStateList(input?: DeviceStateListInput, options?: CallOptions): Promise<readonly DeviceState[]>;
  /** Get the sensors and event log of a dedicated server. Temperatures, fans, power and the condition of its parts as last read, without contacting it, and the last hundred entries of the event log since the service has had the server. Rejected if the provider does not offer it. */
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
  }>;
  /** Set the power state. Powers a device on or off, reboots or power-cycles it. */
  devicePowerSet(input: DevicePowerSetInput, options?: CallOptions): Promise<PowerDone>;
  /** Ask the operating system to shut down. Sends the request and returns. The operating system may ignore it; the power is not cut. The action fails if the device is still on after five minutes. A device that is off stays off. */
  deviceShutdown(input: DeviceShutdownInput, options?: CallOptions): Promise<'Shutdown Requested'>;
  /** Set the next boot device. Applies to the next boot only. The device is not rebooted. */
  deviceBootSet(input: DeviceBootSetInput, options?: CallOptions): Promise<BootDone>;
  /** List ISO images. With `service`, lists images that the device can mount now; without it, images that at least one of your devices can mount. */
  deviceImageList(input?: DeviceImageListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Get the image of a device. Queries the device itself. Returns its image, whether it is mounted, and the progress of an upload. */
  deviceImageStatus(input: DeviceImageStatusInput, options?: CallOptions): Promise<DeviceImageStatus>;
  /** Upload an ISO image to a device. Makes the image ready to be mounted. The BMC of a dedicated server fetches it first, into its virtual drive; if that fails, nothing changes. */
  deviceImageUpload(input: DeviceImageUploadInput, options?: CallOptions): Promise<'Image Uploaded'>;
  /** Mount the uploaded image */
  deviceImageMount(input: DeviceImageMountInput, options?: CallOptions): Promise<'Image Mounted'>;
  /** Unmount the image. The image stays uploaded. */
  deviceImageUnmount(input: DeviceImageUnmountInput, options?: CallOptions): Promise<'Image Unmounted'>;
  /** Reset the root password. Returns the new password of a virtual machine. On a dedicated server it starts a reset through the rescue system and returns an empty string; PUT returns the new password once that is done. */
  devicePasswordReset(input: DevicePasswordResetInput, options?: CallOptions): Promise<string>;
  /** Collect the new root password of a dedicated server. Returns the password set by a reset, or by an installation started through the legacy API. It can be collected once, within a day. */
  devicePasswordCollect(input: DevicePasswordCollectInput, options?: CallOptions): Promise<string>;
  /** Get the state of tunnel devices. Queries the hypervisor whether programs in a virtual machine can open tunnel devices (TUN/TAP). */
  deviceTunGet(input: DeviceTunGetInput, options?: CallOptions): Promise<TunStatus>;
  /** Enable or disable tunnel devices. For virtual machines. `effect` is `next start` if the change takes effect at the next start or restart; the machine is not restarted for it. */
  deviceTunSet(input: DeviceTunSetInput, options?: CallOptions): Promise<TunStatus>;
  /** Start the rescue system. Returns the rescue system's root password. The rescue system runs in memory and does not touch the disk; the server boots its disk at the next restart. */
  deviceRescueStart(input: DeviceRescueStartInput, options?: CallOptions): Promise<string>;
  /** Stop the rescue system. The server boots its disk again. */
  deviceRescueEnd(input: DeviceRescueEndInput, options?: CallOptions): Promise<'Rescue Ended'>;
  /** Get the state of the rescue system */
  deviceRescueStatus(input: DeviceRescueStatusInput, options?: CallOptions): Promise<RescueStatus>;
  /** List operating systems for a reload */
  deviceTemplateList(input: DeviceTemplateListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Reload the operating system. Erases the device. Returns the new root password. `sshkeys` are public keys for root, or ids of saved keys. */
  deviceReloadStart(input: DeviceReloadStartInput, options?: CallOptions): Promise<string>;
  /** Cancel the reload */
  deviceReloadCancel(input: DeviceReloadCancelInput, options?: CallOptions): Promise<'Reload Cancelled'>;
  /** Get the progress of a reload */
  deviceReloadStatus(input: DeviceReloadStatusInput, options?: CallOptions): Promise<ReloadStatus>;
  /** List the log of the last reload. With `Accept: text/event-stream`, streams the log as server-sent events until the reload has ended. Each has a cursor as `id`: `Last-Event-ID` resumes after it, on any instance. If nothing will follow, the response is 204. */
  deviceReloadLog(input: DeviceReloadLogInput, options?: CallOptions): Promise<readonly ReloadLogLine[]>;
  /** List devices. Lists all services, services of a type or with a label, or a single service. */
  deviceList(input?: DeviceListInput, options?: CallOptions): Promise<readonly Device[]>;
  /** Set the host name. Changes a virtual machine at once. A dedicated server is listed under the new name, and uses it from its next reinstall; until then, its running system keeps its own name. The result is empty. */
  deviceHostnameSet(input: DeviceHostnameSetInput, options?: CallOptions): Promise<''>;
  /** Get statistics. For a dedicated server: its traffic, in the last 24 hours unless `start` and `stop` are given, at most 400 days. For a virtual machine: its current usage and its traffic this month, or with `start` or `stop` the average memory, the last disk usage and the traffic of that period. */
  deviceStatsGet(input: DeviceStatsGetInput, options?: CallOptions): Promise<MachineStats | {
    readonly success: boolean;
    readonly results: number;
    readonly result: PortTraffic;
  }>;
  /** List a virtual machine's resource usage. Processor, memory and disk in five-minute samples; the list is empty for a dedicated server. The last 24 hours unless `start` and `stop` are given, at most 400 days. */
  deviceUsageList(input: DeviceUsageListInput, options?: CallOptions): Promise<readonly UsageSample[]>;
  /** Get the hardware and ports of a device */
  deviceHardwareGet(input: DeviceHardwareGetInput, options?: CallOptions): Promise<Hardware>;
  /** Get the type of a service. The type is dedicated, vps or cloud. */
  deviceTypeGet(input: DeviceTypeGetInput, options?: CallOptions): Promise<'cloud' | 'dedicated' | 'vps'>;
  /** Get the installed system, location and age of a service. As recorded, without contacting the device. */
  deviceFactsGet(input: DeviceFactsGetInput, options?: CallOptions): Promise<{
    readonly service: string;
    readonly created: Moment;
    /** The last operating system that Hostyard installed; empty if none */
    readonly system: string;
    /** When it was installed, in UTC; empty if unknown */
    readonly installed: string;
    /** 1 while the rescue system runs */
    readonly rescue: '0' | '1';
    /** The provider’s name for the data centre; empty if unknown */
    readonly location: string;
    /** Empty for a virtual machine, or if unknown */
    readonly rack: string;
  }>;
  /** Get the price of a service and its share of the next invoice. Computed like the next invoice itself, without tax. Traffic and addresses are billed for the past period, so they can still change until then. */
  devicePriceGet(input: DevicePriceGetInput, options?: CallOptions): Promise<{
    /** Empty if the service is not billed */
    readonly plan: string;
    /** For each cycle, without tax; empty without a plan */
    readonly price: Money | '';
    /** Months in a cycle; empty without a plan */
    readonly months: string;
    readonly next: {
      /** When the next invoice is issued; empty if none is planned */
      readonly date: Day | '';
      /** This service’s share, without tax */
      readonly amount: Money | '';
      readonly lines: readonly {
        readonly description: string;
        readonly amount: Money;
      }[];
    };
  }>;
  /** Add and remove labels of a service. Returns the resulting labels, at most 20. Adding a label that the service already has, or removing one that it does not have, changes nothing. */
  deviceLabelSet(input: DeviceLabelSetInput, options?: CallOptions): Promise<readonly string[]>;
  /** Preview the next invoice. Computed like the invoice itself, with tax and credit. Traffic, addresses and usage are billed for the past period, so they can still change until then. */
  invoicePreview(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** When it is issued; empty if none is planned */
    readonly date: Day | '';
    readonly currency: string;
    readonly lines: readonly {
      readonly description: string;
      readonly amount: Money;
    }[];
    readonly subtotal: Money;
    readonly tax: Money;
    /** Credit of the account that it uses */
    readonly credit: string;
    readonly total: Money;
  }>;
  /** List the coupons that the account has redeemed */
  couponList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly code: string;
    /** Empty for a coupon with an amount */
    readonly percent: string;
    /** For each invoice; empty for a coupon with a percentage */
    readonly amount: Money | '';
    /** Number of invoices that it reduces; empty for all */
    readonly periods: string;
    /** The plans that it applies to; empty for all */
    readonly plans: readonly string[];
    readonly redeemed: Moment;
    /** Number of invoices that it has reduced */
    readonly periodsused: string;
  }[]>;
  /** Redeem a coupon. The coupon reduces prices of plans from the next invoice on. An account can redeem each coupon once. */
  couponRedeem(input: CouponRedeemInput, options?: CallOptions): Promise<string>;
  /** Get the plan of a service, its terms and the plans that it can change to. Includes the minimum term, and when the service would end if it were cancelled now. */
  devicePlanGet(input: DevicePlanGetInput, options?: CallOptions): Promise<{
    /** Empty if the service is not billed */
    readonly plan: string;
    readonly price: Money | '';
    /** Per started hour; empty if it is billed by the cycle */
    readonly hourly: string;
    /** Months in a cycle */
    readonly months: string;
    /** Last day of the minimum term; empty if it is over */
    readonly minimumto: Day | '';
    /** Last day if the service were cancelled now */
    readonly earliestend: Day | '';
    /** Last day; empty if the service is not cancelled */
    readonly cancelledto: Day | '';
    readonly cancelledby: 'customer' | 'staff' | '';
    /** When new prices apply; empty if none are planned */
    readonly changefrom: Day | '';
    /** The new price */
    readonly changeprice: Money | '';
    /** The new price per started hour */
    readonly changehourly: string;
    /** The plans that it can change to */
    readonly changes: readonly {
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
    }[];
  }>;
  /** Preview a change of plan. Returns the service's share of the next invoice if its plan changed now. */
  devicePlanPreview(input: DevicePlanPreviewInput, options?: CallOptions): Promise<{
    /** When it is issued; empty if none is planned */
    readonly date: Day | '';
    readonly currency: string;
    readonly lines: readonly {
      readonly description: string;
      readonly amount: Money;
    }[];
    readonly subtotal: Money;
    readonly tax: Money;
    /** Credit of the account that it uses */
    readonly credit: string;
    readonly total: Money;
  }>;
  /** Change the plan of a service. Applies from today or, between two hourly plans, from the next hour. The next invoice credits the remaining days of the old plan and bills them for the new one. */
  devicePlanSet(input: DevicePlanSetInput, options?: CallOptions): Promise<string>;
  /** Cancel a service. It ends with the paid period, and not before the end of its minimum term. Returns the last day, until which the cancellation can be withdrawn. */
  deviceCancel(input: DeviceCancelInput, options?: CallOptions): Promise<{ readonly lastday: Day }>;
  /** Withdraw the cancellation of a service */
  deviceCancelWithdraw(input: DeviceCancelWithdrawInput, options?: CallOptions): Promise<string>;
  /** Get the price of further addresses. The monthly price of a block of this size, without tax, according to the plan. */
  netblockPrice(input: NetblockPriceInput, options?: CallOptions): Promise<{ readonly price: Money }>;
  /** List what a machine can be ordered with. Plans with their price, size and the locations that have room, operating systems, and locations. */
  machineOptions(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly plans: readonly {
      readonly name: string;
      /** For each cycle, without tax; with an hourly price, the maximum per month */
      readonly price: string;
      /** Per started hour; empty if the plan is billed by the cycle */
      readonly hourly: string;
      readonly setup: Money;
      readonly currency: string;
      /** Months in a cycle */
      readonly months: string;
      /** Months before the plan can be cancelled; 0 for none */
      readonly minimum: string;
      readonly vcpus: string;
      readonly memorymb: string;
      readonly diskgb: string;
      /** Monthly traffic allowance; 0 for none */
      readonly bandwidthgb: string;
      /** Size of its block of addresses, such as /30 */
      readonly addresses: string;
      /** The type of operating systems that it runs; empty for any */
      readonly type: string;
      /** Locations with room for a machine of this size now; an empty text is a location without a name */
      readonly locations: readonly string[];
    }[];
    readonly systems: readonly {
      readonly value: string;
      readonly name: string;
      readonly type: string;
      /** Whether it accepts user data for cloud-init */
      readonly userdata: boolean;
      /** The only location of an image of the account; empty if it is available everywhere */
      readonly location: string;
    }[];
    /** Names of locations to choose from */
    readonly locations: readonly string[];
    /** Number of machines that the account can still order */
    readonly left: string;
    /** Why the account cannot order now; empty if it can */
    readonly obstacle: string;
  }>;
  /** List virtual machines. Includes deleted machines while they can be restored. Pass the last service as `after` for the next page. */
  machineList(input?: MachineListInput, options?: CallOptions): Promise<readonly {
    readonly service: string;
    readonly vmid: string;
    readonly hostname: string;
    /** A deleted machine is Suspended until it is terminated */
    readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
    readonly ip: string;
    /** The value of the installed system */
    readonly system: string;
    readonly type: string;
    /** Empty if the location has no name, or the machine does not exist yet */
    readonly location: string;
    readonly vcpus: string;
    readonly memorymb: string;
    readonly diskgb: string;
    /** Id of its group; empty if it has none */
    readonly group: string;
    /** A protected machine cannot be deleted */
    readonly protection: 'enabled' | 'disabled';
    /** Empty unless it was deleted */
    readonly deleted: Moment | '';
    /** Until when it can be restored */
    readonly restorableto: Moment | '';
  }[]>;
  /** Order a virtual machine. Billing starts now, on the terms of the plan. The service is Pending until the machine runs. Its first root password is not disclosed: sign in with an SSH key, or reset the password. `sshkeys` are public keys, or ids of saved keys. `userdata` is for cloud-init, at the first boot. Machines of a `group` run on different hypervisors; if none is left, the order is rejected. */
  machineCreate(input: MachineCreateInput, options?: CallOptions): Promise<{
    readonly service: string;
    readonly vmid: string;
    readonly hostname: string;
    readonly ip: string;
    /** The action that creates the machine */
    readonly action: string;
  }>;
  /** Delete a virtual machine. Powers it off and keeps it for 72 hours, with its disk and addresses, so that it can be restored; then it is removed for good. `hostname` must be that of the machine, so that a mistyped id deletes nothing. An hourly plan is billed until the end of this hour; other plans until the end of the paid period, and at least for their minimum term. Keeping the disk is free. Its volumes stay and are billed until they are deleted. */
  machineDelete(input: MachineDeleteInput, options?: CallOptions): Promise<{
    readonly service: string;
    readonly restorableto: Moment;
    /** The last day that is billed; empty if the service is not billed */
    readonly lastday: Day | '';
    /** Last day of the minimum term, which remains payable; empty if it is over */
    readonly minimumto: Day | '';
    /** The action that powers the machine off */
    readonly action: string;
  }>;
  /** Restore a deleted virtual machine. Billing resumes now, as before. The machine is powered on if it was on when it was deleted. */
  machineRestore(input: MachineRestoreInput, options?: CallOptions): Promise<string>;
  /** Protect a virtual machine against deletion. A protected machine cannot be deleted until the protection is disabled. */
  machineProtectionSet(input: MachineProtectionSetInput, options?: CallOptions): Promise<string>;
  /** List groups of machines. Machines of a group run on different hypervisors. */
  machineGroupList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly name: string;
    /** Services of its machines */
    readonly machines: readonly string[];
    readonly created: Moment;
  }[]>;
  /** Create a group of machines. Name the group when you order a machine. An account can have 50. */
  machineGroupCreate(input: MachineGroupCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly name: string;
    /** Services of its machines */
    readonly machines: readonly string[];
    readonly created: Moment;
  }>;
  /** Delete a group of machines. Only a group without machines can be deleted. */
  machineGroupDelete(input: MachineGroupDeleteInput, options?: CallOptions): Promise<string>;
  /** List the snapshots of a machine */
  machineSnapshotList(input: MachineSnapshotListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly service: string;
    readonly name: string;
    /** A failed snapshot is listed with its reason until the next one is created */
    readonly state: 'creating' | 'ready' | 'deleting' | 'failed';
    /** Why it failed; empty otherwise */
    readonly reason: string;
    /** Bytes on the hypervisor; empty if unknown */
    readonly size: string;
    /** Yes if the machine was off or its guest agent froze the file systems; no if the disk is as after a power failure; empty if unknown */
    readonly consistent: 'yes' | 'no' | '';
    readonly created: Moment;
  }[]>;
  /** Take a snapshot of a machine. Copies its disk, but not its memory. The machine can be on or off. A running machine keeps running, and its guest agent freezes the file systems for a moment. A machine can have 5 snapshots, or as many as the provider allows. They stay when the machine is reinstalled, and are deleted with it. */
  machineSnapshotCreate(input: MachineSnapshotCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly service: string;
    readonly name: string;
    /** A failed snapshot is listed with its reason until the next one is created */
    readonly state: 'creating' | 'ready' | 'deleting' | 'failed';
    /** Why it failed; empty otherwise */
    readonly reason: string;
    /** Bytes on the hypervisor; empty if unknown */
    readonly size: string;
    /** Yes if the machine was off or its guest agent froze the file systems; no if the disk is as after a power failure; empty if unknown */
    readonly consistent: 'yes' | 'no' | '';
    readonly created: Moment;
    /** The action to follow, as in GET /v2/action */
    readonly action: string;
  }>;
  /** Delete a snapshot. This cannot be undone. Other snapshots are not affected. */
  machineSnapshotDelete(input: MachineSnapshotDeleteInput, options?: CallOptions): Promise<'Snapshot Deleted'>;
  /** Restore a machine from a snapshot. The current content of the disk is lost, and this cannot be undone. A running machine is shut down briefly and started again; a machine that is off stays off. If the restore fails, the machine is as before. Its addresses, size and volumes stay. */
  machineSnapshotRestore(input: MachineSnapshotRestoreInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly service: string;
    readonly name: string;
    /** A failed snapshot is listed with its reason until the next one is created */
    readonly state: 'creating' | 'ready' | 'deleting' | 'failed';
    /** Why it failed; empty otherwise */
    readonly reason: string;
    /** Bytes on the hypervisor; empty if unknown */
    readonly size: string;
    /** Yes if the machine was off or its guest agent froze the file systems; no if the disk is as after a power failure; empty if unknown */
    readonly consistent: 'yes' | 'no' | '';
    readonly created: Moment;
    /** The action to follow, as in GET /v2/action */
    readonly action: string;
  }>;
  /** List the images of the account. If you are limited to certain servers, lists only images that were made from them. */
  machineImageList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** Pass it to reinstall a machine, or as `system` of a new one */
    readonly system: string;
    /** The machine that it was made from */
    readonly service: string;
    readonly name: string;
    /** A failed snapshot is listed with its reason until the next one is created */
    readonly state: 'creating' | 'ready' | 'deleting' | 'failed';
    /** Why it failed; empty otherwise */
    readonly reason: string;
    /** Bytes on the hypervisor; empty if unknown */
    readonly size: string;
    /** The type of machine that can use it: Xen or OpenVZ */
    readonly type: string;
    /** The hypervisor that stores it; only machines there can use it */
    readonly node: string;
    /** Location of that hypervisor; empty if it has no name */
    readonly location: string;
    /** The smallest disk that it fits on */
    readonly diskgb: string;
    readonly created: Moment;
  }[]>;
  /** Make an image from a machine. From one of its snapshots or from its current disk. You can reinstall machines with the image and create new ones from it, on the same hypervisor. An account can have 10 images, or as many as the provider allows. Images stay when the machine is deleted. */
  machineImageCreate(input: MachineImageCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** Pass it to reinstall a machine, or as `system` of a new one */
    readonly system: string;
    /** The machine that it was made from */
    readonly service: string;
    readonly name: string;
    /** A failed snapshot is listed with its reason until the next one is created */
    readonly state: 'creating' | 'ready' | 'deleting' | 'failed';
    /** Why it failed; empty otherwise */
    readonly reason: string;
    /** Bytes on the hypervisor; empty if unknown */
    readonly size: string;
    /** The type of machine that can use it: Xen or OpenVZ */
    readonly type: string;
    /** The hypervisor that stores it; only machines there can use it */
    readonly node: string;
    /** Location of that hypervisor; empty if it has no name */
    readonly location: string;
    /** The smallest disk that it fits on */
    readonly diskgb: string;
    readonly created: Moment;
    readonly action: string;
  }>;
  /** Delete an image. This cannot be undone. Machines that were installed with it stay as they are. */
  machineImageDelete(input: MachineImageDeleteInput, options?: CallOptions): Promise<'Image Deleted'>;
  /** List backups of a machine. The newest first. */
  machineBackupList(input: MachineBackupListInput, options?: CallOptions): Promise<readonly {
    readonly id: string;
    /** Only a stored backup can be restored */
    readonly status: 'Creating' | 'Stored';
    readonly source: 'schedule' | 'request';
    readonly created: Moment;
    /** Of the machine at that time */
    readonly hostname: string;
    readonly system: string;
    /** The type of machine that can be made from it: Xen or OpenVZ */
    readonly type: string;
    /** Size of the machine's disk at that time; a new machine from the backup needs at least as much */
    readonly diskgb: string;
    /** Volumes in the backup, as they were at that time */
    readonly volumes: readonly {
      readonly id: string;
      readonly name: string;
      /** In GB */
      readonly size: string;
    }[];
    /** Bytes of its content, including volumes */
    readonly size: string;
    /** Bytes that it added to the storage of earlier backups */
    readonly added: string;
    /** True if nothing was being written. Otherwise the disks are as after a power failure, from which file systems recover */
    readonly consistent: boolean;
    /** When a test last restored it; empty if never */
    readonly verified: string;
  }[]>;
  /** Back up a machine. The machine keeps running. Its system disk is copied and stored encrypted outside the hypervisor, as are attached volumes unless the schedule excludes them. Disks are not copied at the same moment. */
  machineBackupCreate(input: MachineBackupCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    /** As in GET /v2/action */
    readonly action: string;
  }>;
  /** Delete a backup. This cannot be undone. Other backups are not affected. */
  machineBackupDelete(input: MachineBackupDeleteInput, options?: CallOptions): Promise<'Backup Deleted'>;
  /** Get the backup schedule of a machine */
  machineBackupScheduleGet(input: MachineBackupScheduleGetInput, options?: CallOptions): Promise<{
    readonly frequency: 'off' | 'daily' | 'weekly';
    /** Day of a weekly backup; 0 is Sunday */
    readonly weekday: number;
    /** Hour in UTC, during which the backup starts */
    readonly hour: number;
    /** Number of days whose last backup is kept */
    readonly daily: number;
    /** Number of weeks whose last backup is kept */
    readonly weekly: number;
    /** Number of months whose last backup is kept */
    readonly monthly: number;
    /** Whether backups include the attached volumes */
    readonly volumes: 'included' | 'excluded';
    /** When the next one starts; empty if none is scheduled */
    readonly next: string;
    /** Bytes that all backups of the machine occupy */
    readonly stored: string;
    readonly backups: number;
  }>;
  /** Set the backup schedule of a machine. Omitted fields keep their values. Keeps the newest backup of each of the last `daily` days, `weekly` weeks and `monthly` months that have one, and always the newest backup; deletes the others. */
  machineBackupScheduleSet(input: MachineBackupScheduleSetInput, options?: CallOptions): Promise<{
    readonly frequency: 'off' | 'daily' | 'weekly';
    /** Day of a weekly backup; 0 is Sunday */
    readonly weekday: number;
    /** Hour in UTC, during which the backup starts */
    readonly hour: number;
    /** Number of days whose last backup is kept */
    readonly daily: number;
    /** Number of weeks whose last backup is kept */
    readonly weekly: number;
    /** Number of months whose last backup is kept */
    readonly monthly: number;
    /** Whether backups include the attached volumes */
    readonly volumes: 'included' | 'excluded';
    /** When the next one starts; empty if none is scheduled */
    readonly next: string;
    /** Bytes that all backups of the machine occupy */
    readonly stored: string;
    readonly backups: number;
  }>;
  /** Restore a machine from a backup. Replaces the system disk with its content at the time of the backup; everything written since is lost. Volumes stay as they are. `hostname` must be that of the machine, so that a mistyped id restores nothing. The backup is written to a new disk while the machine runs; then the machine restarts with it. If that fails, it runs its current system again. */
  machineBackupRestore(input: MachineBackupRestoreInput, options?: CallOptions): Promise<{
    /** As in GET /v2/action */
    readonly action: string;
  }>;
  /** Order a machine from a backup. Like POST /v2/machine, with the system disk of the backup. `service` is the machine of the backup, which is not changed; it may be deleted, as long as it can still be restored. The plan needs a disk of at least the same size. The machine gets its own name, addresses, SSH keys and root password at its first boot. Volumes of the backup are restored separately. */
  machineBackupOrder(input: MachineBackupOrderInput, options?: CallOptions): Promise<{
    readonly service: string;
    readonly vmid: string;
    readonly hostname: string;
    readonly ip: string;
    /** The action that creates the machine */
    readonly action: string;
  }>;
  /** Restore a disk of a backup to a new volume. Creates a volume with the content of a `volume` of the backup, by default its system disk, and attaches it to the machine `target`, by default the machine of the backup. Use it to read single files, whatever the file system. It is counted and billed like other volumes: detach and delete it when you are done. */
  machineBackupVolumeCreate(input: MachineBackupVolumeCreateInput, options?: CallOptions): Promise<StartedVolume>;
  /** Get the sizes that a machine can change to. The plans that it can change to, with their sizes, and whether a running machine has to restart. */
  machineSizeGet(input: MachineSizeGetInput, options?: CallOptions): Promise<{
    readonly service: string;
    /** Empty if the service has none */
    readonly plan: string;
    readonly vcpus: string;
    readonly memorymb: string;
    readonly diskgb: string;
    /** Whether a running machine is shut down and started again */
    readonly downtime: 'none' | 'restart';
    /** Approximate downtime of a running machine; 0 for none */
    readonly seconds: string;
    readonly sizes: readonly {
      readonly plan: string;
      /** For each cycle, without tax; with an hourly price, the maximum per month */
      readonly price: string;
      /** Per started hour; empty if the plan is billed by the cycle */
      readonly hourly: string;
      /** Additional cost per month; negative if it is cheaper */
      readonly difference: string;
      readonly months: string;
      readonly vcpus: string;
      readonly memorymb: string;
      readonly diskgb: string;
      readonly possible: boolean;
      /** Why it is not possible; empty otherwise */
      readonly reason: string;
    }[];
  }>;
  /** Change the size of a machine. Changes processors, memory and disk to those of another plan, and then the price. A disk never shrinks. If necessary, a running machine is shut down and started again; if it does not come back, it returns to its old size, and the price stays. */
  machineSizeSet(input: MachineSizeSetInput, options?: CallOptions): Promise<{
    readonly service: string;
    readonly plan: string;
    readonly action: string;
  }>;
  /** List volumes. Lists volumes of all machines, or of one. */
  volumeList(input?: VolumeListInput, options?: CallOptions): Promise<readonly Volume[]>;
  /** Create a volume and attach it to a machine. An empty disk on the hypervisor of the machine, which can be on or off. `size` is in GB. A volume keeps its content when the machine is reinstalled, resized, restored or deleted. An account can have 100 volumes with 16384 GB in total, a machine 10. */
  volumeCreate(input: VolumeCreateInput, options?: CallOptions): Promise<StartedVolume>;
  /** Grow a volume. A volume never shrinks. In a machine with its own kernel, grow the file system from inside. */
  volumeResize(input: VolumeResizeInput, options?: CallOptions): Promise<StartedVolume>;
  /** Delete a volume with its content. The volume must be detached, and `name` must be its name, so that a mistyped id deletes nothing. This cannot be undone. */
  volumeDelete(input: VolumeDeleteInput, options?: CallOptions): Promise<'Volume Deleted'>;
  /** Attach a volume to a machine. The machine must be on the hypervisor that has the volume. It can be on or off. */
  volumeAttach(input: VolumeAttachInput, options?: CallOptions): Promise<StartedVolume>;
  /** Detach a volume from its machine. Unmount it inside the machine first. If the running machine does not release it, the action fails and the volume stays attached. */
  volumeDetach(input: VolumeDetachInput, options?: CallOptions): Promise<StartedVolume>;
  /** Get metrics of all services for Prometheus. In Prometheus’ text format: power, processor, memory, disk and network of virtual machines, and power, network and sensors of dedicated servers, as they were last recorded. They change every five minutes, so scrape them every minute or less often. What is unknown is absent. */
  metricsGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<FileResponse>;
  /** List zones. `limit` returns that many; pass the last id as `after` for the next page. */
  zoneList(input?: ZoneListInput, options?: CallOptions): Promise<readonly Zone[]>;
  /** Create a zone. Adds SOA and NS records. Returns the id of the zone. */
  zoneCreate(input: ZoneCreateInput, options?: CallOptions): Promise<NewId>;
  /** Claim a domain that overlaps a zone of another account. Returns the TXT record that proves control of the domain. Publish it where the domain is served now, then verify the claim. Repeated calls return the same record until it expires. */
  zoneClaim(input: ZoneClaimInput, options?: CallOptions): Promise<ZoneClaim>;
  /** Verify a claim and create the zone. Looks up the TXT record in the public DNS. If it exists, withdraws the zone from its current holder and returns the id of the new zone, which starts without the old records. Other accounts' zones below the domain are withdrawn as well, unless they are delegated to the provider's name servers. */
  zoneClaimVerify(input: ZoneClaimVerifyInput, options?: CallOptions): Promise<NewId>;
  /** List zones that were withdrawn from the account. Newest first; the last 100 are kept. You can export each zone file by its id. */
  zoneWithdrawnList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly WithdrawnZone[]>;
  /** Delete a zone. Also deletes its records. */
  zoneDelete(input: ZoneDeleteInput, options?: CallOptions): Promise<Removed>;
  /** Check the delegation of a zone. Queries the name servers of the parent zone now, and returns whether they delegate the zone to the provider's name servers. */
  zoneDelegationGet(input: ZoneDelegationGetInput, options?: CallOptions): Promise<ZoneDelegation>;
  /** List the records of a zone. `limit` returns that many; pass the last id as `after` for the next page. */
  recordList(input: RecordListInput, options?: CallOptions): Promise<readonly ZoneRecord[]>;
  /** Search the records of all zones. Finds records whose name or content begins with a text, ignoring case. `field` is name by default. Pass the last id as `after` for the next page. */
  recordSearch(input: RecordSearchInput, options?: CallOptions): Promise<readonly ZoneRecord[]>;
  /** Create a record. An SOA replaces the existing one. When the call returns, the name server serves the record. `ttl` defaults to that of the other records of this name and type, or to 3600 seconds. */
  recordCreate(input: RecordCreateInput, options?: CallOptions): Promise<'Record Added'>;
  /** Delete a record */
  recordDelete(input: RecordDeleteInput, options?: CallOptions): Promise<Removed>;
  /** Delete several records. Deletes all or none, as one version in the history, which can be rolled back. */
  recordDeleteMany(input: RecordDeleteManyInput, options?: CallOptions): Promise<ZoneDifference>;
  /** List reverse DNS. Lists every assigned IPv4 address, and each IPv6 address that is in use or has a record. An IPv6 block with none of these is listed as a network. */
  reverseList(input?: ReverseListInput, options?: CallOptions): Promise<AddressNames>;
  /** Set the reverse DNS of an address. With `forward`, also creates the A or AAAA record of that name in a zone of the account; either both succeed or neither does. */
  reverseSet(input: ReverseSetInput, options?: CallOptions): Promise<'Record Updated'>;
  /** Set the reverse DNS of several addresses. Sets all or none. */
  reverseSetMany(input: ReverseSetManyInput, options?: CallOptions): Promise<ReverseSet>;
  /** Delete the reverse DNS of an address */
  reverseDelete(input: ReverseDeleteInput, options?: CallOptions): Promise<'Record Removed'>;
  /** Update a record. Changes the content or the TTL in place. */
  recordUpdate(input: RecordUpdateInput, options?: CallOptions): Promise<'Record Updated'>;
  /** Change records of several zones together. Applies all changes or none, and publishes them together. `add` adds a record. `remove` removes a record or, without `content`, all records of that name and type. The `replace` entries of a name and type become its only records. Adding an existing record or removing a missing one changes nothing. `zone` defaults to the zone that contains the name. `addresses` sets the reverse DNS of addresses together with the A or AAAA records of their names. With `serials`, the call is rejected if one of these zones has changed. With `dry_run`, only returns the changes. */
  changeSetApply(input?: ChangeSetApplyInput, options?: CallOptions): Promise<ChangeSetResult>;
  /** Export a zone as a BIND zone file */
  zoneFileGet(input: ZoneFileGetInput, options?: CallOptions): Promise<string>;
  /** Import a BIND zone file. Replaces all records or none. With `dry_run`, only returns the changes. With the `serial` of that response, the import is rejected if the zone has changed since. If the file has no SOA, the zone keeps its own; the serial always increases, whatever the file contains. */
  zoneFileImport(input: ZoneFileImportInput, options?: CallOptions): Promise<ZoneDifference>;
  /** List the versions of a zone, newest first. The last 100 are kept, or fewer if their changes are larger than 16 MB. A page with large versions ends early. Pass the last version as `before` for the next page. */
  zoneHistoryGet(input: ZoneHistoryGetInput, options?: CallOptions): Promise<readonly ZoneVersion[]>;
  /** Roll back a zone. Restores the records of an earlier version. Rolling back creates a new version with a new serial, so you can undo it in the same way. */
  zoneRollBack(input: ZoneRollBackInput, options?: CallOptions): Promise<ZoneDifference>;
  /** Get the DNSSEC state of a zone. Includes the DS records for the parent zone. */
  dnssecGet(input: DnssecGetInput, options?: CallOptions): Promise<Dnssec>;
  /** Enable DNSSEC for a zone. Returns the DS records for the parent zone. */
  dnssecEnable(input: DnssecEnableInput, options?: CallOptions): Promise<Dnssec>;
  /** Replace the key of a signed zone, or prepare to disable DNSSEC. `rollover` starts to replace the key; `confirm` confirms that the parent zone has the new DS record, if the provider cannot look it up; `cancel` returns to the old key; `withdraw` publishes CDS records that ask the parent zone to remove its DS records. */
  dnssecAct(input: DnssecActInput, options?: CallOptions): Promise<Dnssec>;
  /** Disable DNSSEC for a zone. First remove the DS records from the parent zone and wait until their TTL has expired. The call is rejected while the public DNS still has them, unless `force` is true. */
  dnssecDisable(input: DnssecDisableInput, options?: CallOptions): Promise<Dnssec>;
  /** List TSIG keys. Secrets are never returned. */
  tsigKeyList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly TsigKey[]>;
  /** Create a TSIG key. DNS tools use it to update and transfer the zones of the account. `dns` limits it to certain zones, names and types; a limited key can transfer only zones that it may read completely. The secret is returned only once. */
  tsigKeyCreate(input: TsigKeyCreateInput, options?: CallOptions): Promise<NewTsigKey>;
  /** Delete a TSIG key. The key stops working within a second. */
  tsigKeyDelete(input: TsigKeyDeleteInput, options?: CallOptions): Promise<'Key Deleted'>;
  /** List the addresses of a service. Includes their reverse DNS. */
  netblockList(input: NetblockListInput, options?: CallOptions): Promise<AddressNames>;
  /** Request addresses. Assigned immediately, or submitted for approval if the pool or the service's quota requires it. For ipv4, a single address (/32) or a block of /30 to /24; for ipv6 a /64. `deliveryList` shows how to configure them. */
  netblockRequest(input: NetblockRequestInput, options?: CallOptions): Promise<NetblockRequest>;
  /** List requests for addresses. Returns up to 100 requests of a service, newest first, with the provider's decision. */
  netblockRequestList(input: NetblockRequestListInput, options?: CallOptions): Promise<readonly NetblockRequestState[]>;
  /** List how the addresses of a service are delivered. Returns each block with its prefix length and gateway, and lines that configure it with netplan, ifupdown, NetworkManager or systemd-networkd. `interface` is the interface name in these lines, eth0 by default. */
  deliveryList(input: DeliveryListInput, options?: CallOptions): Promise<readonly NetblockDelivery[]>;
  /** List anomalies of a service. Returns the newest 1,000 at most, or `limit`. For older ones, pass the smallest anomaly id so far as `before`. */
  eventList(input: EventListInput, options?: CallOptions): Promise<AnomalyEvents>;
  /** List anomalies of all services. Returns the newest 1,000 at most, or `limit`. For older ones, pass the smallest anomaly id so far as `before`. */
  anomalyList(input?: AnomalyListInput, options?: CallOptions): Promise<AnomalyEvents>;
  /** Get the state of a switch port */
  portGet(input: PortGetInput, options?: CallOptions): Promise<PortStatus>;
  /** Enable a switch port */
  portEnable(input: PortEnableInput, options?: CallOptions): Promise<'Port Enabled.'>;
  /** Disable a switch port */
  portDisable(input: PortDisableInput, options?: CallOptions): Promise<'Port Disabled.'>;
  /** Get traffic figures and graphs. The last 24 hours unless `start` and `end` are given, at most 400 days. */
  bandwidthGet(input: BandwidthGetInput, options?: CallOptions): Promise<{
    readonly success: boolean;
    readonly results: number;
    readonly result: PortTraffic;
  }>;
  /** Export traffic samples. The five-minute samples that figures, graphs and invoices are based on, summed over all ports of the service. The last 24 hours unless `start` and `end` are given. */
  trafficGet(input: TrafficGetInput, options?: CallOptions): Promise<readonly TrafficSample[] | string>;
  /** Get the traffic of the current month. The 95th percentile so far, its projection and the remaining bursts. Traffic above `level`, in bits per second, counts as a burst; the default is the committed rate or, without one, the projected 95th percentile. */
  monthGet(input: MonthGetInput, options?: CallOptions): Promise<TrafficMonth>;
  /** List or get plans */
  planGet(input?: PlanGetInput, options?: CallOptions): Promise<readonly Plan[]>;
  /** Create a plan. Plans a call of another operation, which a person must approve or reject within 15 minutes. The parameters are checked as in the call itself. The key does not need the scope of that operation, but the approver does. */
  planCreate(input: PlanCreateInput, options?: CallOptions): Promise<Plan>;
  /** Approve or reject a plan. The plan must have been created with another key. An approved plan can be run for 15 minutes; until it runs, it can still be rejected. */
  planDecide(input: PlanDecideInput, options?: CallOptions): Promise<Plan>;
  /** Run an approved plan. Uses the key that created the plan and returns the planned call's result. It runs once, however often this is called. */
  planRun(input: PlanRunInput, options?: CallOptions): Promise<unknown>;
  /** List announced maintenance that affects your services. Next one first. Ended, cancelled and completed maintenance stays listed for 30 days. */
  maintenanceGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly title: string;
    /** The staff’s description of what happens */
    readonly text: string;
    readonly start: Moment;
    readonly end: Moment;
    readonly status: 'Announced' | 'Cancelled' | 'Completed';
    /** Your affected services */
    readonly services: readonly {
      readonly service: string;
      readonly hostname: string;
    }[];
  }[]>;
}

/** Iterators over all pages of a list. */
export interface Each {
  /** List charges */
  chargeList(input?: ChargeListInput, options?: CallOptions): AsyncGenerator<{
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
  }, void, void>;
  /** List deliveries of e-invoices */
  invoiceDeliveryList(input?: InvoiceDeliveryListInput, options?: CallOptions): AsyncGenerator<{
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
  }, void, void>;
  /** List or get messages sent by email, newest first */
  mailGet(input?: MailGetInput, options?: CallOptions): AsyncGenerator<{
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
    /** The mail server’s reason for returning it; otherwise empty */
    readonly diagnostic: string;
    /** Its text, without keys and links that only the recipient may see */
    readonly text: string;
  }, void, void>;
  /** List the audit log, newest first */
  auditGet(input?: AuditGetInput, options?: CallOptions): AsyncGenerator<AuditEntry, void, void>;
  /** List support accesses, newest first */
  supportAccessList(input?: SupportAccessListInput, options?: CallOptions): AsyncGenerator<{
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
  /** List actions, newest first */
  actionList(input?: ActionListInput, options?: CallOptions): AsyncGenerator<Action, void, void>;
  /** List events, oldest first */
  eventLogGet(input?: EventLogGetInput, options?: CallOptions): AsyncGenerator<Event, void, void>;
  /** List deliveries, newest first */
  deliveryGet(input?: DeliveryGetInput, options?: CallOptions): AsyncGenerator<Delivery, void, void>;
  /** List virtual machines */
  machineList(input?: MachineListInput, options?: CallOptions): AsyncGenerator<{
    readonly service: string;
    readonly vmid: string;
    readonly hostname: string;
    /** A deleted machine is Suspended until it is terminated */
    readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
    readonly ip: string;
    /** The value of the installed system */
    readonly system: string;
    readonly type: string;
    /** Empty if the location has no name, or the machine does not exist yet */
    readonly location: string;
    readonly vcpus: string;
    readonly memorymb: string;
    readonly diskgb: string;
    /** Id of its group; empty if it has none */
    readonly group: string;
    /** A protected machine cannot be deleted */
    readonly protection: 'enabled' | 'disabled';
    /** Empty unless it was deleted */
    readonly deleted: Moment | '';
    /** Until when it can be restored */
    readonly restorableto: Moment | '';
  }, void, void>;
  /** List zones */
  zoneList(input?: ZoneListInput, options?: CallOptions): AsyncGenerator<Zone, void, void>;
  /** List the records of a zone */
  recordList(input: RecordListInput, options?: CallOptions): AsyncGenerator<ZoneRecord, void, void>;
  /** Search the records of all zones */
  recordSearch(input: RecordSearchInput, options?: CallOptions): AsyncGenerator<ZoneRecord, void, void>;
  /** List the versions of a zone, newest first */
  zoneHistoryGet(input: ZoneHistoryGetInput, options?: CallOptions): AsyncGenerator<ZoneVersion, void, void>;
  /** List anomalies of a service */
  eventList(input: EventListInput, options?: CallOptions): AsyncGenerator<AnomalyEvent, void, void>;
  /** List anomalies of all services */
  anomalyList(input?: AnomalyListInput, options?: CallOptions): AsyncGenerator<AnomalyEvent, void, void>;
  /** List or get plans */
  planGet(input?: PlanGetInput, options?: CallOptions): AsyncGenerator<Plan, void, void>;
}

/** Events as they happen. A broken connection is resumed. */
export interface Stream {
  /** List events, oldest first */
  eventLogGet(input?: EventLogGetInput, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<Event, void, void>;
  /** List the log of the last reload */
  deviceReloadLog(input: DeviceReloadLogInput, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<ReloadLogLine, void, void>;
}

export const routes = {
  accountGet: { method: 'GET', path: '/v2/account', repeat: 'freely' },
  balanceGet: { method: 'GET', path: '/v2/account/balance', repeat: 'freely' },
  invoiceGet: { method: 'GET', path: '/v2/account/invoice', repeat: 'freely' },
  invoicePdf: { method: 'GET', path: '/v2/account/invoice/pdf', repeat: 'freely', file: true },
  contactGet: { method: 'GET', path: '/v2/account/contact', repeat: 'freely' },
  contactCreate: { method: 'POST', path: '/v2/account/contact', repeat: 'with-key' },
  contactUpdate: { method: 'PUT', path: '/v2/account/contact', repeat: 'with-key' },
  contactDelete: { method: 'DELETE', path: '/v2/account/contact', repeat: 'with-key' },
  contactSettings: { method: 'PUT', path: '/v2/account/contact/settings', repeat: 'with-key' },
  taxGet: { method: 'GET', path: '/v2/account/tax', repeat: 'freely' },
  taxUpdate: { method: 'PUT', path: '/v2/account/tax', repeat: 'with-key' },
  invoiceXml: { method: 'GET', path: '/v2/account/invoice/xml', repeat: 'freely', file: true },
  paymentGet: { method: 'GET', path: '/v2/payment', repeat: 'freely' },
  paymentMethodList: { method: 'GET', path: '/v2/payment/method', repeat: 'freely' },
  paymentMethodAdd: { method: 'POST', path: '/v2/payment/method', repeat: 'with-key' },
  paymentMethodDefault: { method: 'PUT', path: '/v2/payment/method', repeat: 'with-key' },
  paymentMethodRemove: { method: 'DELETE', path: '/v2/payment/method', repeat: 'with-key' },
  invoicePay: { method: 'POST', path: '/v2/payment/invoice', repeat: 'with-key' },
  topUp: { method: 'POST', path: '/v2/payment/topup', repeat: 'with-key' },
  chargeList: { method: 'GET', path: '/v2/payment/charge', repeat: 'freely' },
  sepaGet: { method: 'GET', path: '/v2/payment/sepa', repeat: 'freely' },
  mandateList: { method: 'GET', path: '/v2/payment/mandate', repeat: 'freely' },
  mandateCreate: { method: 'POST', path: '/v2/payment/mandate', repeat: 'with-key' },
  statementGet: { method: 'GET', path: '/v2/account/statement', repeat: 'freely' },
  statementPdf: { method: 'GET', path: '/v2/account/statement/pdf', repeat: 'freely', file: true },
  statementCsv: { method: 'GET', path: '/v2/account/statement/csv', repeat: 'freely', file: true },
  invoiceDeliveryList: { method: 'GET', path: '/v2/account/invoice/delivery', repeat: 'freely' },
  signUpGet: { method: 'GET', path: '/v2/account/sign-up', repeat: 'never' },
  signUpChallenge: { method: 'POST', path: '/v2/account/challenge', repeat: 'never' },
  signUpRequest: { method: 'POST', path: '/v2/account', repeat: 'never' },
  signUpComplete: { method: 'PUT', path: '/v2/account/sign-up', repeat: 'never' },
  invitationGet: { method: 'GET', path: '/v2/account/invitation', repeat: 'freely' },
  invitationCreate: { method: 'POST', path: '/v2/account/invitation', repeat: 'with-key' },
  invitationResend: { method: 'PUT', path: '/v2/account/invitation', repeat: 'with-key' },
  invitationDelete: { method: 'DELETE', path: '/v2/account/invitation', repeat: 'with-key' },
  invitationAccept: { method: 'PUT', path: '/v2/session/invitation', repeat: 'never' },
  mailGet: { method: 'GET', path: '/v2/account/mail', repeat: 'freely' },
  mailSettingsGet: { method: 'GET', path: '/v2/account/mail/settings', repeat: 'freely' },
  mailSettingsSet: { method: 'PUT', path: '/v2/account/mail/settings', repeat: 'with-key' },
  accountExportCreate: { method: 'POST', path: '/v2/account/export', repeat: 'with-key' },
  accountExportList: { method: 'GET', path: '/v2/account/export', repeat: 'freely' },
  accountExportFile: { method: 'GET', path: '/v2/account/export/file', repeat: 'freely', file: true },
  erasureGet: { method: 'GET', path: '/v2/account/erasure', repeat: 'freely' },
  erasureRequest: { method: 'POST', path: '/v2/account/erasure', repeat: 'with-key' },
  erasureCancel: { method: 'DELETE', path: '/v2/account/erasure', repeat: 'with-key' },
  keyGet: { method: 'GET', path: '/v2/account/key', repeat: 'freely' },
  keyCreate: { method: 'POST', path: '/v2/account/key', repeat: 'with-key' },
  keyUpdate: { method: 'PUT', path: '/v2/account/key', repeat: 'with-key' },
  keyDelete: { method: 'DELETE', path: '/v2/account/key', repeat: 'with-key' },
  auditGet: { method: 'GET', path: '/v2/account/audit', repeat: 'freely' },
  sessionCreate: { method: 'POST', path: '/v2/session', repeat: 'never' },
  sessionGet: { method: 'GET', path: '/v2/session', repeat: 'freely' },
  sessionDelete: { method: 'DELETE', path: '/v2/session', repeat: 'with-key' },
  passwordSet: { method: 'PUT', path: '/v2/session/password', repeat: 'with-key' },
  recoveryRequest: { method: 'POST', path: '/v2/session/recovery', repeat: 'never' },
  recoveryComplete: { method: 'PUT', path: '/v2/session/recovery', repeat: 'never' },
  totpEnrol: { method: 'POST', path: '/v2/session/totp', repeat: 'with-key' },
  totpConfirm: { method: 'PUT', path: '/v2/session/totp', repeat: 'with-key' },
  totpEnd: { method: 'DELETE', path: '/v2/session/totp', repeat: 'with-key' },
  passkeyGet: { method: 'GET', path: '/v2/session/passkey', repeat: 'freely' },
  passkeyBegin: { method: 'POST', path: '/v2/session/passkey', repeat: 'with-key' },
  passkeyCreate: { method: 'PUT', path: '/v2/session/passkey', repeat: 'with-key' },
  passkeyDelete: { method: 'DELETE', path: '/v2/session/passkey', repeat: 'with-key' },
  challengeCreate: { method: 'POST', path: '/v2/session/challenge', repeat: 'never' },
  challengeAnswer: { method: 'PUT', path: '/v2/session/challenge', repeat: 'never' },
  sessionList: { method: 'GET', path: '/v2/session/open', repeat: 'freely' },
  sessionRevoke: { method: 'DELETE', path: '/v2/session/open', repeat: 'with-key' },
  recoveryCodesCreate: { method: 'POST', path: '/v2/session/recovery-codes', repeat: 'with-key' },
  preferencesGet: { method: 'GET', path: '/v2/account/preferences', repeat: 'freely' },
  preferencesSet: { method: 'PUT', path: '/v2/account/preferences', repeat: 'with-key' },
  sshKeyList: { method: 'GET', path: '/v2/account/sshkey', repeat: 'freely' },
  sshKeyCreate: { method: 'POST', path: '/v2/account/sshkey', repeat: 'with-key' },
  sshKeyDelete: { method: 'DELETE', path: '/v2/account/sshkey', repeat: 'with-key' },
  supportAccessList: { method: 'GET', path: '/v2/account/support', repeat: 'freely' },
  supportAccessEnd: { method: 'DELETE', path: '/v2/account/support', repeat: 'with-key' },
  actionList: { method: 'GET', path: '/v2/action', repeat: 'freely' },
  actionGet: { method: 'GET', path: '/v2/action/{id}', repeat: 'freely' },
  eventLogGet: { method: 'GET', path: '/v2/event', repeat: 'freely', streams: true },
  signOnBegin: { method: 'POST', path: '/v2/session/sign-on', repeat: 'never' },
  signOnComplete: { method: 'PUT', path: '/v2/session/sign-on', repeat: 'never' },
  signOnSettingsGet: { method: 'GET', path: '/v2/account/sign-on', repeat: 'freely' },
  signOnSettingsSet: { method: 'PUT', path: '/v2/account/sign-on', repeat: 'with-key' },
  signOnSettingsDelete: { method: 'DELETE', path: '/v2/account/sign-on', repeat: 'with-key' },
  signOnDomainAdd: { method: 'POST', path: '/v2/account/sign-on/domain', repeat: 'with-key' },
  signOnDomainVerify: { method: 'PUT', path: '/v2/account/sign-on/domain', repeat: 'with-key' },
  signOnDomainDelete: { method: 'DELETE', path: '/v2/account/sign-on/domain', repeat: 'with-key' },
  webhookGet: { method: 'GET', path: '/v2/account/webhook', repeat: 'freely' },
  webhookCreate: { method: 'POST', path: '/v2/account/webhook', repeat: 'with-key' },
  webhookUpdate: { method: 'PUT', path: '/v2/account/webhook', repeat: 'with-key' },
  webhookDelete: { method: 'DELETE', path: '/v2/account/webhook', repeat: 'with-key' },
  deliveryGet: { method: 'GET', path: '/v2/account/webhook/delivery', repeat: 'freely' },
  deliveryReplay: { method: 'POST', path: '/v2/account/webhook/delivery', repeat: 'with-key' },
  deviceLicenceList: { method: 'GET', path: '/v2/device/license/{service}', repeat: 'freely' },
  deviceLicenceOfferList: { method: 'GET', path: '/v2/device/license/{service}/offer', repeat: 'freely' },
  certificateList: { method: 'GET', path: '/v2/device/certificate/{service}', repeat: 'freely' },
  certificatePdf: { method: 'GET', path: '/v2/device/certificate/{service}/pdf', repeat: 'freely', file: true },
  certificateKeyGet: { method: 'GET', path: '/v2/device/certificate', repeat: 'freely' },
  deviceConsoleReset: { method: 'DELETE', path: '/v2/device/console', repeat: 'with-key' },
  deviceConsoleOpen: { method: 'GET', path: '/v2/device/console/{service}', repeat: 'with-key' },
  deviceConsoleTicket: { method: 'POST', path: '/v2/device/console', repeat: 'with-key' },
  deviceConsoleWeb: { method: 'POST', path: '/v2/device/console/web', repeat: 'with-key' },
  devicePowerGet: { method: 'GET', path: '/v2/device/power/{service}', repeat: 'freely' },
  deviceStateList: { method: 'GET', path: '/v2/device/state', repeat: 'freely' },
  deviceSensorsGet: { method: 'GET', path: '/v2/device/sensors/{service}', repeat: 'freely' },
  devicePowerSet: { method: 'POST', path: '/v2/device/power', repeat: 'with-key' },
  deviceShutdown: { method: 'POST', path: '/v2/device/shutdown', repeat: 'with-key' },
  deviceBootSet: { method: 'PUT', path: '/v2/device/power', repeat: 'with-key' },
  deviceImageList: { method: 'GET', path: '/v2/device/iso', repeat: 'freely' },
  deviceImageStatus: { method: 'GET', path: '/v2/device/iso/{service}', repeat: 'freely' },
  deviceImageUpload: { method: 'POST', path: '/v2/device/iso', repeat: 'with-key' },
  deviceImageMount: { method: 'PUT', path: '/v2/device/iso', repeat: 'with-key' },
  deviceImageUnmount: { method: 'DELETE', path: '/v2/device/iso', repeat: 'with-key' },
  devicePasswordReset: { method: 'POST', path: '/v2/device/password', repeat: 'with-key' },
  devicePasswordCollect: { method: 'PUT', path: '/v2/device/password', repeat: 'with-key' },
  deviceTunGet: { method: 'GET', path: '/v2/device/tun/{service}', repeat: 'freely' },
  deviceTunSet: { method: 'POST', path: '/v2/device/tun', repeat: 'with-key' },
  deviceRescueStart: { method: 'POST', path: '/v2/device/rescue', repeat: 'with-key' },
  deviceRescueEnd: { method: 'DELETE', path: '/v2/device/rescue', repeat: 'with-key' },
  deviceRescueStatus: { method: 'GET', path: '/v2/device/rescue/{service}', repeat: 'freely' },
  deviceTemplateList: { method: 'GET', path: '/v2/device/reload/{service}', repeat: 'freely' },
  deviceReloadStart: { method: 'POST', path: '/v2/device/reload', repeat: 'with-key' },
  deviceReloadCancel: { method: 'DELETE', path: '/v2/device/reload', repeat: 'with-key' },
  deviceReloadStatus: { method: 'PUT', path: '/v2/device/reload', repeat: 'freely' },
  deviceReloadLog: { method: 'GET', path: '/v2/device/reload/log/{service}', repeat: 'freely', streams: true },
  deviceList: { method: 'GET', path: '/v2/device/list', repeat: 'freely' },
  deviceHostnameSet: { method: 'POST', path: '/v2/device/hostname', repeat: 'with-key' },
  deviceStatsGet: { method: 'GET', path: '/v2/device/stats/{service}', repeat: 'freely' },
  deviceUsageList: { method: 'GET', path: '/v2/device/usage/{service}', repeat: 'freely' },
  deviceHardwareGet: { method: 'GET', path: '/v2/device/hardware/{service}', repeat: 'freely' },
  deviceTypeGet: { method: 'GET', path: '/v2/device/type/{service}', repeat: 'freely' },
  deviceFactsGet: { method: 'GET', path: '/v2/device/facts/{service}', repeat: 'freely' },
  devicePriceGet: { method: 'GET', path: '/v2/device/price/{service}', repeat: 'freely' },
  deviceLabelSet: { method: 'PUT', path: '/v2/device/label', repeat: 'with-key' },
  invoicePreview: { method: 'GET', path: '/v2/account/invoice/next', repeat: 'freely' },
  couponList: { method: 'GET', path: '/v2/account/coupon', repeat: 'freely' },
  couponRedeem: { method: 'POST', path: '/v2/account/coupon', repeat: 'with-key' },
  devicePlanGet: { method: 'GET', path: '/v2/device/plan/{service}', repeat: 'freely' },
  devicePlanPreview: { method: 'POST', path: '/v2/device/plan/preview', repeat: 'freely' },
  devicePlanSet: { method: 'PUT', path: '/v2/device/plan', repeat: 'with-key' },
  deviceCancel: { method: 'POST', path: '/v2/device/cancellation', repeat: 'with-key' },
  deviceCancelWithdraw: { method: 'DELETE', path: '/v2/device/cancellation', repeat: 'with-key' },
  netblockPrice: { method: 'GET', path: '/v2/network/price/{service}', repeat: 'freely' },
  machineOptions: { method: 'GET', path: '/v2/machine/options', repeat: 'freely' },
  machineList: { method: 'GET', path: '/v2/machine', repeat: 'freely' },
  machineCreate: { method: 'POST', path: '/v2/machine', repeat: 'with-key' },
  machineDelete: { method: 'DELETE', path: '/v2/machine', repeat: 'with-key' },
  machineRestore: { method: 'POST', path: '/v2/machine/restore', repeat: 'with-key' },
  machineProtectionSet: { method: 'PUT', path: '/v2/machine/protection', repeat: 'with-key' },
  machineGroupList: { method: 'GET', path: '/v2/machine/group', repeat: 'freely' },
  machineGroupCreate: { method: 'POST', path: '/v2/machine/group', repeat: 'with-key' },
  machineGroupDelete: { method: 'DELETE', path: '/v2/machine/group', repeat: 'with-key' },
  machineSnapshotList: { method: 'GET', path: '/v2/machine/snapshot', repeat: 'freely' },
  machineSnapshotCreate: { method: 'POST', path: '/v2/machine/snapshot', repeat: 'with-key' },
  machineSnapshotDelete: { method: 'DELETE', path: '/v2/machine/snapshot', repeat: 'with-key' },
  machineSnapshotRestore: { method: 'POST', path: '/v2/machine/snapshot/restore', repeat: 'with-key' },
  machineImageList: { method: 'GET', path: '/v2/machine/image', repeat: 'freely' },
  machineImageCreate: { method: 'POST', path: '/v2/machine/image', repeat: 'with-key' },
  machineImageDelete: { method: 'DELETE', path: '/v2/machine/image', repeat: 'with-key' },
  machineBackupList: { method: 'GET', path: '/v2/machine/backup', repeat: 'freely' },
  machineBackupCreate: { method: 'POST', path: '/v2/machine/backup', repeat: 'with-key' },
  machineBackupDelete: { method: 'DELETE', path: '/v2/machine/backup', repeat: 'with-key' },
  machineBackupScheduleGet: { method: 'GET', path: '/v2/machine/backup/schedule', repeat: 'freely' },
  machineBackupScheduleSet: { method: 'PUT', path: '/v2/machine/backup/schedule', repeat: 'with-key' },
  machineBackupRestore: { method: 'POST', path: '/v2/machine/backup/restore', repeat: 'with-key' },
  machineBackupOrder: { method: 'POST', path: '/v2/machine/backup/order', repeat: 'with-key' },
  machineBackupVolumeCreate: { method: 'POST', path: '/v2/machine/backup/volume', repeat: 'with-key' },
  machineSizeGet: { method: 'GET', path: '/v2/machine/size/{service}', repeat: 'freely' },
  machineSizeSet: { method: 'PUT', path: '/v2/machine/size', repeat: 'with-key' },
  volumeList: { method: 'GET', path: '/v2/machine/volume', repeat: 'freely' },
  volumeCreate: { method: 'POST', path: '/v2/machine/volume', repeat: 'with-key' },
  volumeResize: { method: 'PUT', path: '/v2/machine/volume', repeat: 'with-key' },
  volumeDelete: { method: 'DELETE', path: '/v2/machine/volume', repeat: 'with-key' },
  volumeAttach: { method: 'POST', path: '/v2/machine/volume/attach', repeat: 'with-key' },
  volumeDetach: { method: 'POST', path: '/v2/machine/volume/detach', repeat: 'with-key' },
  metricsGet: { method: 'GET', path: '/v2/metrics', repeat: 'freely', file: true },
  zoneList: { method: 'GET', path: '/v2/dns/domain', repeat: 'freely' },
  zoneCreate: { method: 'POST', path: '/v2/dns/domain', repeat: 'with-key' },
  zoneClaim: { method: 'POST', path: '/v2/dns/claim', repeat: 'with-key' },
  zoneClaimVerify: { method: 'PUT', path: '/v2/dns/claim', repeat: 'with-key' },
  zoneWithdrawnList: { method: 'GET', path: '/v2/dns/withdrawn', repeat: 'freely' },
  zoneDelete: { method: 'DELETE', path: '/v2/dns/domain', repeat: 'with-key' },
  zoneDelegationGet: { method: 'GET', path: '/v2/dns/delegation/{domain}', repeat: 'freely' },
  recordList: { method: 'GET', path: '/v2/dns/record/{domain}', repeat: 'freely' },
  recordSearch: { method: 'GET', path: '/v2/dns/search', repeat: 'freely' },
  recordCreate: { method: 'POST', path: '/v2/dns/record', repeat: 'with-key' },
  recordDelete: { method: 'DELETE', path: '/v2/dns/record', repeat: 'with-key' },
  recordDeleteMany: { method: 'DELETE', path: '/v2/dns/records', repeat: 'with-key' },
  reverseList: { method: 'GET', path: '/v2/dns/reverse', repeat: 'freely' },
  reverseSet: { method: 'PUT', path: '/v2/dns/reverse', repeat: 'with-key' },
  reverseSetMany: { method: 'POST', path: '/v2/dns/reverse', repeat: 'with-key' },
  reverseDelete: { method: 'DELETE', path: '/v2/dns/reverse', repeat: 'with-key' },
  recordUpdate: { method: 'PUT', path: '/v2/dns/record', repeat: 'with-key' },
  changeSetApply: { method: 'POST', path: '/v2/dns/changes', repeat: 'with-key' },
  zoneFileGet: { method: 'GET', path: '/v2/dns/zonefile/{domain}', repeat: 'freely' },
  zoneFileImport: { method: 'POST', path: '/v2/dns/zonefile', repeat: 'with-key' },
  zoneHistoryGet: { method: 'GET', path: '/v2/dns/history', repeat: 'freely' },
  zoneRollBack: { method: 'POST', path: '/v2/dns/history', repeat: 'with-key' },
  dnssecGet: { method: 'GET', path: '/v2/dns/dnssec', repeat: 'freely' },
  dnssecEnable: { method: 'PUT', path: '/v2/dns/dnssec', repeat: 'with-key' },
  dnssecAct: { method: 'POST', path: '/v2/dns/dnssec', repeat: 'with-key' },
  dnssecDisable: { method: 'DELETE', path: '/v2/dns/dnssec', repeat: 'with-key' },
  tsigKeyList: { method: 'GET', path: '/v2/dns/tsig', repeat: 'freely' },
  tsigKeyCreate: { method: 'POST', path: '/v2/dns/tsig', repeat: 'with-key' },
  tsigKeyDelete: { method: 'DELETE', path: '/v2/dns/tsig', repeat: 'with-key' },
  netblockList: { method: 'GET', path: '/v2/network/netblock/{service}', repeat: 'freely' },
  netblockRequest: { method: 'POST', path: '/v2/network/netblock', repeat: 'with-key' },
  netblockRequestList: { method: 'GET', path: '/v2/network/request/{service}', repeat: 'freely' },
  deliveryList: { method: 'GET', path: '/v2/network/delivery/{service}', repeat: 'freely' },
  eventList: { method: 'GET', path: '/v2/network/events/{service}', repeat: 'freely' },
  anomalyList: { method: 'GET', path: '/v2/network/events', repeat: 'freely' },
  portGet: { method: 'GET', path: '/v2/network/port/{service}', repeat: 'freely' },
  portEnable: { method: 'PUT', path: '/v2/network/port', repeat: 'with-key' },
  portDisable: { method: 'DELETE', path: '/v2/network/port', repeat: 'with-key' },
  bandwidthGet: { method: 'POST', path: '/v2/network/bandwidth/{service}', repeat: 'freely' },
  trafficGet: { method: 'GET', path: '/v2/network/traffic/{service}', repeat: 'freely' },
  monthGet: { method: 'GET', path: '/v2/network/month/{service}', repeat: 'freely' },
  planGet: { method: 'GET', path: '/v2/plan', repeat: 'freely' },
  planCreate: { method: 'POST', path: '/v2/plan', repeat: 'with-key' },
  planDecide: { method: 'PUT', path: '/v2/plan', repeat: 'with-key' },
  planRun: { method: 'POST', path: '/v2/plan/run', repeat: 'freely' },
  maintenanceGet: { method: 'GET', path: '/v2/maintenance', repeat: 'freely' },
} as const satisfies Readonly<Record<string, Route>>;

export const paging = {
  chargeList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  invoiceDeliveryList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  mailGet: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  auditGet: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  supportAccessList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  actionList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  eventLogGet: { parameter: 'after', limit: 100, next: { cursorBeside: 'events' } },
  deliveryGet: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  machineList: { parameter: 'after', limit: 100, next: { itemMember: 'service' } },
  zoneList: { parameter: 'after', limit: 100, next: { itemMember: 'domain_id' } },
  recordList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  recordSearch: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  zoneHistoryGet: { parameter: 'before', limit: 100, next: { itemMember: 'version' } },
  eventList: { parameter: 'before', limit: 100, next: 'lowest-key' },
  anomalyList: { parameter: 'before', limit: 100, next: 'lowest-key' },
  planGet: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
} as const satisfies Readonly<Record<string, Paging>>;
