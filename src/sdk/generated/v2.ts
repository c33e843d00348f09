// Made from the contract by `npm run golden`: never changed by hand, and long because it is the whole interface.
import type { CallOptions, FileAnswer, Id, Paging, Route } from '../settings.ts';

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
  /** Three lines: time in UTC, address, reverse name */
  readonly lastlogin: string;
  readonly currency: string;
}

export interface Action {
  readonly id: string;
  /** What was asked for, as the audit log names it */
  readonly operation: string;
  /** Service id, empty where it concerns none */
  readonly service: string;
  readonly status: 'Queued' | 'Running' | 'Completed' | 'Failed' | 'Cancelled';
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
}

/** Address to its reverse name, or to the text No Record Found */
export type AddressNames = Readonly<Record<string, string>>;

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

/** anomaly_id to event */
export type AnomalyEvents = Readonly<Record<string, AnomalyEvent>>;

export interface AuditEntry {
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
}

export type BootDone = 'Set Boot Device to pxe' | 'Set Boot Device to cdrom' | 'Set Boot Device to bios';

export interface ConsoleTicket {
  readonly ticket: string;
  /** Path and query of the WebSocket */
  readonly url: string;
  /** Seconds */
  readonly expires: string;
}

export interface Contact {
  readonly id: string;
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
  readonly subaccount: Flag01;
  /** Scopes of a sub-account, with commas between */
  readonly permissions: string;
  readonly domainemails: Flag01;
  readonly generalemails: Flag01;
  readonly invoiceemails: Flag01;
  readonly productemails: Flag01;
  readonly supportemails: Flag01;
  readonly affiliateemails: Flag01;
  readonly status: string;
}

export interface ContactId {
  readonly contactid: string;
}

export type Day = string;

export interface Delivery {
  readonly id: string;
  readonly webhook: string;
  /** Id of the event */
  readonly event: string;
  readonly type: string;
  readonly service: string;
  readonly status: 'Pending' | 'Delivered' | 'Failed';
  readonly attempts: string;
  /** Status number of the last answer, empty where there was none */
  readonly answer: string;
  /** Why the last attempt failed */
  readonly error: string;
  readonly created: Moment;
  /** The last attempt; a moment in UTC, or empty */
  readonly last: string;
  /** The next attempt; a moment in UTC, or empty */
  readonly next: string;
  /** The delivery that this one repeats on request */
  readonly replayof: string;
}

export type Device = {
  readonly service: string;
  readonly name: string;
  readonly hostname: string;
  readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
  readonly ip: string;
  readonly type: 'dedicated';
  readonly server: string;
} | {
  readonly service: string;
  readonly name: string;
  readonly hostname: string;
  readonly status: 'Pending' | 'Active' | 'Suspended' | 'Terminated';
  readonly ip: string;
  readonly type: 'vps' | 'cloud';
  readonly vmid: string;
};

export interface DeviceState {
  readonly service: string;
  /** As last seen; unknown where the last look failed or there was none */
  readonly power: 'on' | 'off' | 'unknown';
  /** When its power was last seen, a moment in UTC; empty where it never was */
  readonly seen: string;
  /** Good: it answered the last look. Waiting: it was not looked at yet. Unreachable: what controls it did not answer. Maintenance and Locked: the provider holds it back from commands. */
  readonly health: 'Good' | 'Waiting' | 'Unreachable' | 'Maintenance' | 'Locked';
  /** What is the matter, in a sentence; empty where nothing is */
  readonly reason: string;
}

export interface Dnssec {
  readonly status: 'on' | 'off';
  /** Contents of the DS records for the parent zone */
  readonly ds: readonly string[];
}

export type Event = {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'contact.created';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly contactid: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'contact.updated';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly contactid: string;
    /** Names of what was changed */
    readonly changed: readonly string[];
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'contact.deleted';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly contactid: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'key.created';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly keyid: string;
    readonly name: string;
    readonly scopes: readonly string[];
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'key.updated';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly keyid: string;
    readonly name: string;
    /** Names of what was changed */
    readonly changed: readonly string[];
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'key.rotated';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly keyid: string;
    readonly name: string;
    /** Until when the old one works, ISO 8601 */
    readonly previousuntil: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'key.revoked';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly keyid: string;
    readonly name: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.power.changed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly state: 'on' | 'off';
    /** How it was seen */
    readonly source: 'command' | 'query' | 'sync';
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.hostname.changed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly hostname: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.reload.started';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    /** The value of the system that it is to get */
    readonly system: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.reload.progress';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    /** As PUT /v2/device/reload answers it */
    readonly status: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.reload.completed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    /** The value of the system that it is to get */
    readonly system: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.reload.failed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly reason: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.reload.cancelled';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.rescue.started';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.rescue.completed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.rescue.failed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly reason: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.rescue.cancelled';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.rescue.ended';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.password.started';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.password.completed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.password.failed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly reason: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.password.cancelled';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.image.mounted';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly image: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.image.unmounted';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly image: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'dns.zone.created';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly domain_id: string;
    readonly name: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'dns.zone.changed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly domain_id: string;
    readonly name: string;
    readonly serial: string;
    readonly added: number;
    readonly removed: number;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'dns.zone.deleted';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly domain_id: string;
    readonly name: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'dns.record.created';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly id: string;
    readonly domain_id: string;
    readonly name: string;
    readonly type: string;
    readonly content: string;
    readonly ttl: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'dns.record.changed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly id: string;
    readonly domain_id: string;
    readonly name: string;
    readonly type: string;
    readonly content: string;
    readonly ttl: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'dns.record.deleted';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly id: string;
    readonly domain_id: string;
    readonly name: string;
    readonly type: string;
    readonly content: string;
    readonly ttl: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'dns.reverse.changed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly records: readonly {
      readonly ip: string;
      readonly record: string;
    }[];
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'network.port.changed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly port: string;
    readonly status: 'up' | 'down';
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'network.netblock.assigned';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly netblock: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'network.netblock.refused';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly requestid: string;
    readonly size: string;
    readonly reason: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'network.attack.started';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly anomaly_id: string;
    readonly ip: string;
    readonly direction: 'incoming' | 'outgoing';
    /** What the detector takes it for, such as udp_flood; may be empty */
    readonly kind: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'network.attack.ended';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly anomaly_id: string;
    readonly ip: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'network.nullroute.added';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly ip: string;
    readonly reason: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'network.nullroute.removed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly ip: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'plan.created';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly id: string;
    readonly operation: string;
    readonly hits: readonly string[];
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'plan.decided';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly id: string;
    readonly operation: string;
    readonly decision: 'approve' | 'refuse';
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'invoice.issued';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly invoiceid: string;
    readonly invoicenum: string;
    /** Decimal with two places */
    readonly total: string;
    /** YYYY-MM-DD */
    readonly duedate: string;
    /** The provider’s words to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'invoice.paid';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly invoiceid: string;
    readonly invoicenum: string;
    /** Decimal with two places */
    readonly total: string;
    /** YYYY-MM-DD */
    readonly duedate: string;
    /** The provider’s words to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'invoice.overdue';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly invoiceid: string;
    readonly invoicenum: string;
    /** Decimal with two places */
    readonly total: string;
    /** YYYY-MM-DD */
    readonly duedate: string;
    /** The provider’s words to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'invoice.reminder';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly invoiceid: string;
    readonly invoicenum: string;
    /** Decimal with two places */
    readonly total: string;
    /** YYYY-MM-DD */
    readonly duedate: string;
    /** The provider’s words to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
    /** Which one, from 1 */
    readonly reminder: number;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'payment.received';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly amount: string;
    readonly method: string;
    readonly reference: string;
    /** The provider’s words to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'account.suspended';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly invoicenum: string;
    /** The provider’s words to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'account.resumed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    /** The provider’s words to the customer */
    readonly message?: {
      readonly subject: string;
      readonly text: string;
    };
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.maintenance.began';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly reason: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'device.maintenance.ended';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'service.provisioned';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'service.terminated';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'service.suspended';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'service.resumed';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: Readonly<Record<string, never>>;
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'software.ordered';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly orderid: string;
    readonly license: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'software.fulfilled';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly orderid: string;
    readonly license: string;
  };
} | {
  /** The same wherever this event is told; a receiver can know a repetition by it */
  readonly id: string;
  readonly type: 'software.cancelled';
  readonly version: 1;
  /** When it happened, ISO 8601 in UTC */
  readonly timestamp: string;
  /** The service that it is about, empty where it is about none */
  readonly service: string;
  readonly data: {
    readonly orderid: string;
    readonly license: string;
    readonly until: string;
  };
};

export interface EventPage {
  readonly events: readonly Event[];
  /** Pass it as `after` to read on from here */
  readonly cursor: string;
}

export type Flag01 = '0' | '1';

export interface Hardware {
  /** Component category to descriptions */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  readonly ports: Readonly<Record<string, Readonly<Record<string, PortState>>>>;
}

export interface ImageEntry {
  readonly name: string;
  /** What to pass back to choose this one */
  readonly value: string;
}

export interface ImageStatus {
  /** Empty where none is set */
  readonly image: string;
  readonly mounted: '0' | '1';
}

export type InvoiceDetail = {
  readonly invoiceid: string;
  readonly invoicenum: string;
  readonly userid: string;
  readonly date: Day;
  readonly duedate: Day;
  readonly datepaid: Moment;
  readonly subtotal: Money;
  readonly credit: Money;
  readonly tax: Money;
  readonly tax2: Money;
  readonly total: Money;
  readonly taxrate: Money;
  readonly taxrate2: Money;
  readonly balance: Money;
  readonly status: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled';
  readonly paymentmethod: string;
  readonly notes: string;
  readonly ccgateway: boolean;
  readonly items: {
    readonly item: readonly {
      readonly id: string;
      readonly type: 'Hosting' | 'Setup' | 'License' | 'Bandwidth' | 'Address' | 'LateFee' | 'Credit';
      readonly relid: string;
      readonly description: string;
      readonly amount: Money;
      readonly taxed: Flag01;
    }[];
  };
  /** One line per payment, empty where there is none */
  readonly transactions: string;
};

export interface InvoiceListItem {
  readonly id: string;
  readonly userid: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly companyname: string;
  readonly invoicenum: string;
  readonly date: Day;
  readonly duedate: Day;
  readonly datepaid: Moment;
  readonly subtotal: Money;
  readonly credit: Money;
  readonly tax: Money;
  readonly tax2: Money;
  readonly total: Money;
  readonly taxrate: Money;
  readonly taxrate2: Money;
  readonly status: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled';
  readonly paymentmethod: string;
  readonly notes: string;
  readonly currencycode: string;
  readonly currencyprefix: string;
  readonly currencysuffix: string;
}

/** A Java Web Start launcher, to be saved as a .jnlp file */
export type JavaConsole = string;

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

export interface LicenceDetail {
  readonly orderid: string;
  readonly license: string;
  readonly type: string;
  readonly status: 'Pending' | 'Active' | 'Cancelled' | 'Ended';
  readonly since: string;
  /** The last day of one that is cancelled; otherwise empty */
  readonly until: string;
  /** For a month */
  readonly price: string;
  /** Empty until the provider has one */
  readonly key: string;
}

export interface LicenceOffer {
  readonly license: string;
  /** For a month, before tax */
  readonly price: string;
  /** Until the end of this month, before tax: what an order of today invoices at once */
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

/** YYYY-MM-DD HH:MM:SS in UTC */
export type Moment = string;

/** Decimal with two places */
export type Money = string;

export interface NewDelivery {
  readonly id: string;
}

/** The new id */
export type NewId = string;

export interface NewKey {
  readonly id: string;
  /** Shown this once */
  readonly key: string;
}

export interface NewWebhook {
  readonly id: string;
  /** For checking signatures; shown this once, empty where it did not change */
  readonly secret: string;
}

export interface Plan {
  readonly id: string;
  /** The operation of version 2 that it is to call */
  readonly operation: string;
  /** With these parameters */
  readonly params: Readonly<Record<string, unknown>>;
  /** What the operation does, in a sentence */
  readonly summary: string;
  /** What it is done to, each in words */
  readonly hits: readonly string[];
  /** True where it cannot be brought back */
  readonly destroys: boolean;
  readonly status: 'Pending' | 'Approved' | 'Refused' | 'Expired' | 'Done' | 'Failed';
  /** Id of the key that made it */
  readonly key: string;
  /** Id of the key that approved or refused it; empty where none did */
  readonly decidedby: string;
  readonly created: Moment;
  /** Until when it can be decided, and once approved be carried out */
  readonly expires: string;
  /** success or an error code, once it was carried out */
  readonly outcome: string;
}

export interface PortCounters {
  readonly inbits_last: string;
  readonly outbits_last: string;
  readonly inbits_avg: string;
  readonly outbits_avg: string;
  readonly inbytes: string;
  readonly outbytes: string;
  readonly totalbytes: string;
  readonly '95pct': string;
}

export interface PortState {
  readonly ifAdminStatus: 'up' | 'down';
  readonly ifOperStatus: 'up' | 'down';
  /** Bits per second */
  readonly ifSpeed: string;
}

/** <alias> - <admin status> / <oper status> */
export type PortStatus = string;

export type PortTraffic = Readonly<Record<string, Readonly<Record<string, {
  /** Port alias */
  readonly name: string;
  readonly data: PortCounters;
  /** Empty where no graph was asked for */
  readonly graph: string;
}>>>>;

export type PowerDone = 'Chassis Power Control: Up/On' | 'Chassis Power Control: Down/Off' | 'Chassis Power Control: Cycle' | 'Chassis Power Control: Reset';

export type PowerState = 'on' | 'off';

export interface ReloadLogLine {
  readonly time: string;
  readonly status: ReloadStatus;
  /** What happened, or what the installer said; may be empty */
  readonly text: string;
}

/** No reload in progress, Queued, Booting, Installing <percent>%, Completed, Failed: <why> or Cancelled */
export type ReloadStatus = string;

/** ID: <id> removed */
export type Removed = string;

/** No rescue system in use, Queued, Booting, Active, Completed, Failed: <why> or Cancelled */
export type RescueStatus = string;

/** Address to its new reverse name */
export type ReverseSet = Readonly<Record<string, string>>;

export type TrafficMonth = {
  readonly start: string;
  readonly end: string;
  /** So far, in bits per second */
  readonly '95pct': string;
  /** If the rest is like the last seven days */
  readonly projected: string;
  /** If nothing passes any more */
  readonly least: string;
  /** What bursts are counted against */
  readonly level: string;
  /** Intervals of a month that stay unbilled */
  readonly burstallowed: string;
  readonly burstused: string;
  readonly burstleft: string;
  /** What the price includes, in bits per second; empty where traffic is not billed */
  readonly committed: string;
  /** What passed on each day that has begun, in UTC */
  readonly days: readonly {
    readonly day: Day;
    readonly inbytes: string;
    readonly outbytes: string;
  }[];
};

export interface TrafficSample {
  /** Beginning of the interval, Unix timestamp */
  readonly start: string;
  readonly inbytes: string;
  readonly outbytes: string;
  /** missing, gap, reset, clock, wrap, attack, with spaces between; empty: simply measured */
  readonly marks: string;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** Types that it is sent; empty: all */
  readonly events: readonly string[];
  readonly status: 'Active' | 'Off';
  /** Why it is off */
  readonly reason: string;
  readonly created: Moment;
  /** Until when the secret before signs too; a moment in UTC, or empty */
  readonly overlapends: string;
}

export interface Zone {
  readonly domain_id: string;
  readonly name: string;
  readonly client: string;
  readonly subclient: string | number;
}

export type ZoneDifference = {
  /** Records that were not there before */
  readonly added: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** Records that are there no more */
  readonly removed: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** False where it was only worked out */
  readonly applied: boolean;
  /** The zone's serial now */
  readonly serial: string;
};

export interface ZoneRecord {
  readonly id: string;
  readonly domain_id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: string;
}

export type ZoneVersion = {
  readonly version: string;
  readonly serial: string;
  /** ISO 8601, UTC */
  readonly timestamp: string;
  /** What made this version, as in the audit log */
  readonly operation: string;
  /** Records that were not there before */
  readonly added: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
  /** Records that are there no more */
  readonly removed: readonly {
    readonly name: string;
    readonly type: string;
    readonly ttl: string;
    readonly content: string;
  }[];
};

export interface InvoiceGetInput {
  /** Must be one of Paid, Unpaid, Overdue, Cancelled. */
  readonly status?: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled' | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly invoice?: Id | undefined;
}

export interface InvoicePdfInput {
  /** Must be digits, at most 9007199254740991. */
  readonly invoice: Id;
}

export interface ContactGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id?: Id | undefined;
}

export interface ContactCreateInput {
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly firstname: string;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly lastname: string;
  /** Must be an e-mail address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address1: string;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly city: string;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly state: string;
  /** Must be groups of at least 3 letters or digits, at most 255 characters. */
  readonly zipcode: string;
  /** Must be a country code of two letters, at most 2 characters. */
  readonly country: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly phone?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address2?: string | undefined;
}

export interface ContactUpdateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly firstname?: string | undefined;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly lastname?: string | undefined;
  /** Must be an e-mail address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address1?: string | undefined;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly city?: string | undefined;
  /** Must be words of at least 3 letters, at most 255 characters. */
  readonly state?: string | undefined;
  /** Must be groups of at least 3 letters or digits, at most 255 characters. */
  readonly zipcode?: string | undefined;
  /** Must be a country code of two letters, at most 2 characters. */
  readonly country?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly phone?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address2?: string | undefined;
}

export interface ContactDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface ContactSettingsInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be true or false. */
  readonly subaccount?: boolean | undefined;
  /** Must be at most 21 values, each of which must be one of account:read, account:write, account:keys, audit:read, billing:read, device:read, device:power, device:console, device:write, dns:read, dns:write, event:read, network:read, network:write, plan:read, plan:write, plan:approve, software:read, software:order, webhook:read, webhook:write. */
  readonly permissions?: readonly ('account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[] | undefined;
  /** Must be true or false. */
  readonly forgetfactors?: boolean | undefined;
  /** Must be true or false. */
  readonly domainemails?: boolean | undefined;
  /** Must be true or false. */
  readonly generalemails?: boolean | undefined;
  /** Must be true or false. */
  readonly invoiceemails?: boolean | undefined;
  /** Must be true or false. */
  readonly productemails?: boolean | undefined;
  /** Must be true or false. */
  readonly supportemails?: boolean | undefined;
  /** Must be true or false. */
  readonly affiliateemails?: boolean | undefined;
}

export interface KeyGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id?: Id | undefined;
}

export interface KeyCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be at most 23 values, each of which must be one of all, read-only, account:read, account:write, account:keys, audit:read, billing:read, device:read, device:power, device:console, device:write, dns:read, dns:write, event:read, network:read, network:write, plan:read, plan:write, plan:approve, software:read, software:order, webhook:read, webhook:write. */
  readonly scopes: readonly ('all' | 'read-only' | 'account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[];
  /** Must be at most 50 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly allow?: readonly string[] | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly expires?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly contact?: Id | undefined;
}

export interface KeyUpdateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be text of 1 to 64 characters. */
  readonly name?: string | undefined;
  /** Must be at most 23 values, each of which must be one of all, read-only, account:read, account:write, account:keys, audit:read, billing:read, device:read, device:power, device:console, device:write, dns:read, dns:write, event:read, network:read, network:write, plan:read, plan:write, plan:approve, software:read, software:order, webhook:read, webhook:write. */
  readonly scopes?: readonly ('all' | 'read-only' | 'account:read' | 'account:write' | 'account:keys' | 'audit:read' | 'billing:read' | 'device:read' | 'device:power' | 'device:console' | 'device:write' | 'dns:read' | 'dns:write' | 'event:read' | 'network:read' | 'network:write' | 'plan:read' | 'plan:write' | 'plan:approve' | 'software:read' | 'software:order' | 'webhook:read' | 'webhook:write')[] | undefined;
  /** Must be at most 50 values, each of which must be an address or a network such as 192.0.2.0/24. */
  readonly allow?: readonly string[] | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly expires?: number | undefined;
  /** Must be true or false. */
  readonly rotate?: boolean | undefined;
  /** Must be a whole number from 0 to 2592000. */
  readonly overlap?: number | undefined;
}

export interface KeyDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface AuditGetInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface SessionCreateInput {
  /** Must be an e-mail address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be the six digits that the app shows, at most 6 characters. */
  readonly code?: string | undefined;
}

export interface PasswordSetInput {
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be text of 1 to 128 characters. */
  readonly newpassword: string;
}

export interface TotpConfirmInput {
  /** Must be the six digits that the app shows, at most 6 characters. */
  readonly code: string;
}

export interface TotpEndInput {
  /** Must be text of 1 to 128 characters. */
  readonly password?: string | undefined;
  /** Must be the six digits that the app shows, at most 6 characters. */
  readonly code?: string | undefined;
}

export interface PasskeyCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly name: string;
  /** Must be the credential that the browser made, in JSON. */
  readonly credential: {
    /** Bytes in base64url */
    readonly id: string;
    /** Bytes in base64url */
    readonly rawId: string;
    readonly type: 'public-key';
    readonly response: {
      /** Bytes in base64url */
      readonly clientDataJSON: string;
      /** Bytes in base64url */
      readonly attestationObject: string;
      readonly transports?: readonly string[];
    };
  };
}

export interface PasskeyDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface ChallengeAnswerInput {
  /** Must be the credential that the browser was shown, in JSON. */
  readonly credential: {
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
  };
}

export interface ActionListInput {
  /** Must be at most 100 values, each of which must be the id of an action, at most 40 characters. */
  readonly ids?: readonly string[] | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly service?: Id | undefined;
  /** Must be one of Queued, Running, Completed, Failed, Cancelled. */
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
  /** Must be true or false. */
  readonly newest?: boolean | undefined;
  /** Must be at most 57 values, each of which must be one of contact.created, contact.updated, contact.deleted, key.created, key.updated, key.rotated, key.revoked, device.power.changed, device.hostname.changed, device.reload.started, device.reload.progress, device.reload.completed, device.reload.failed, device.reload.cancelled, device.rescue.started, device.rescue.completed, device.rescue.failed, device.rescue.cancelled, device.rescue.ended, device.password.started, device.password.completed, device.password.failed, device.password.cancelled, device.image.mounted, device.image.unmounted, dns.zone.created, dns.zone.changed, dns.zone.deleted, dns.record.created, dns.record.changed, dns.record.deleted, dns.reverse.changed, network.port.changed, network.netblock.assigned, network.netblock.refused, network.attack.started, network.attack.ended, network.nullroute.added, network.nullroute.removed, plan.created, plan.decided, invoice.issued, invoice.paid, invoice.overdue, invoice.reminder, payment.received, account.suspended, account.resumed, device.maintenance.began, device.maintenance.ended, service.provisioned, service.terminated, service.suspended, service.resumed, software.ordered, software.fulfilled, software.cancelled. */
  readonly type?: readonly ('contact.created' | 'contact.updated' | 'contact.deleted' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'device.power.changed' | 'device.hostname.changed' | 'device.reload.started' | 'device.reload.progress' | 'device.reload.completed' | 'device.reload.failed' | 'device.reload.cancelled' | 'device.rescue.started' | 'device.rescue.completed' | 'device.rescue.failed' | 'device.rescue.cancelled' | 'device.rescue.ended' | 'device.password.started' | 'device.password.completed' | 'device.password.failed' | 'device.password.cancelled' | 'device.image.mounted' | 'device.image.unmounted' | 'dns.zone.created' | 'dns.zone.changed' | 'dns.zone.deleted' | 'dns.record.created' | 'dns.record.changed' | 'dns.record.deleted' | 'dns.reverse.changed' | 'network.port.changed' | 'network.netblock.assigned' | 'network.netblock.refused' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'plan.created' | 'plan.decided' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.reminder' | 'payment.received' | 'account.suspended' | 'account.resumed' | 'device.maintenance.began' | 'device.maintenance.ended' | 'service.provisioned' | 'service.terminated' | 'service.suspended' | 'service.resumed' | 'software.ordered' | 'software.fulfilled' | 'software.cancelled')[] | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly service?: Id | undefined;
}

export interface WebhookGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id?: Id | undefined;
}

export interface WebhookCreateInput {
  /** Must be a URL that begins with http:// or https://, at most 2048 characters. */
  readonly url: string;
  /** Must be at most 57 values, each of which must be one of contact.created, contact.updated, contact.deleted, key.created, key.updated, key.rotated, key.revoked, device.power.changed, device.hostname.changed, device.reload.started, device.reload.progress, device.reload.completed, device.reload.failed, device.reload.cancelled, device.rescue.started, device.rescue.completed, device.rescue.failed, device.rescue.cancelled, device.rescue.ended, device.password.started, device.password.completed, device.password.failed, device.password.cancelled, device.image.mounted, device.image.unmounted, dns.zone.created, dns.zone.changed, dns.zone.deleted, dns.record.created, dns.record.changed, dns.record.deleted, dns.reverse.changed, network.port.changed, network.netblock.assigned, network.netblock.refused, network.attack.started, network.attack.ended, network.nullroute.added, network.nullroute.removed, plan.created, plan.decided, invoice.issued, invoice.paid, invoice.overdue, invoice.reminder, payment.received, account.suspended, account.resumed, device.maintenance.began, device.maintenance.ended, service.provisioned, service.terminated, service.suspended, service.resumed, software.ordered, software.fulfilled, software.cancelled. */
  readonly events?: readonly ('contact.created' | 'contact.updated' | 'contact.deleted' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'device.power.changed' | 'device.hostname.changed' | 'device.reload.started' | 'device.reload.progress' | 'device.reload.completed' | 'device.reload.failed' | 'device.reload.cancelled' | 'device.rescue.started' | 'device.rescue.completed' | 'device.rescue.failed' | 'device.rescue.cancelled' | 'device.rescue.ended' | 'device.password.started' | 'device.password.completed' | 'device.password.failed' | 'device.password.cancelled' | 'device.image.mounted' | 'device.image.unmounted' | 'dns.zone.created' | 'dns.zone.changed' | 'dns.zone.deleted' | 'dns.record.created' | 'dns.record.changed' | 'dns.record.deleted' | 'dns.reverse.changed' | 'network.port.changed' | 'network.netblock.assigned' | 'network.netblock.refused' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'plan.created' | 'plan.decided' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.reminder' | 'payment.received' | 'account.suspended' | 'account.resumed' | 'device.maintenance.began' | 'device.maintenance.ended' | 'service.provisioned' | 'service.terminated' | 'service.suspended' | 'service.resumed' | 'software.ordered' | 'software.fulfilled' | 'software.cancelled')[] | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly description?: string | undefined;
}

export interface WebhookUpdateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be a URL that begins with http:// or https://, at most 2048 characters. */
  readonly url?: string | undefined;
  /** Must be at most 57 values, each of which must be one of contact.created, contact.updated, contact.deleted, key.created, key.updated, key.rotated, key.revoked, device.power.changed, device.hostname.changed, device.reload.started, device.reload.progress, device.reload.completed, device.reload.failed, device.reload.cancelled, device.rescue.started, device.rescue.completed, device.rescue.failed, device.rescue.cancelled, device.rescue.ended, device.password.started, device.password.completed, device.password.failed, device.password.cancelled, device.image.mounted, device.image.unmounted, dns.zone.created, dns.zone.changed, dns.zone.deleted, dns.record.created, dns.record.changed, dns.record.deleted, dns.reverse.changed, network.port.changed, network.netblock.assigned, network.netblock.refused, network.attack.started, network.attack.ended, network.nullroute.added, network.nullroute.removed, plan.created, plan.decided, invoice.issued, invoice.paid, invoice.overdue, invoice.reminder, payment.received, account.suspended, account.resumed, device.maintenance.began, device.maintenance.ended, service.provisioned, service.terminated, service.suspended, service.resumed, software.ordered, software.fulfilled, software.cancelled. */
  readonly events?: readonly ('contact.created' | 'contact.updated' | 'contact.deleted' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'device.power.changed' | 'device.hostname.changed' | 'device.reload.started' | 'device.reload.progress' | 'device.reload.completed' | 'device.reload.failed' | 'device.reload.cancelled' | 'device.rescue.started' | 'device.rescue.completed' | 'device.rescue.failed' | 'device.rescue.cancelled' | 'device.rescue.ended' | 'device.password.started' | 'device.password.completed' | 'device.password.failed' | 'device.password.cancelled' | 'device.image.mounted' | 'device.image.unmounted' | 'dns.zone.created' | 'dns.zone.changed' | 'dns.zone.deleted' | 'dns.record.created' | 'dns.record.changed' | 'dns.record.deleted' | 'dns.reverse.changed' | 'network.port.changed' | 'network.netblock.assigned' | 'network.netblock.refused' | 'network.attack.started' | 'network.attack.ended' | 'network.nullroute.added' | 'network.nullroute.removed' | 'plan.created' | 'plan.decided' | 'invoice.issued' | 'invoice.paid' | 'invoice.overdue' | 'invoice.reminder' | 'payment.received' | 'account.suspended' | 'account.resumed' | 'device.maintenance.began' | 'device.maintenance.ended' | 'service.provisioned' | 'service.terminated' | 'service.suspended' | 'service.resumed' | 'software.ordered' | 'software.fulfilled' | 'software.cancelled')[] | undefined;
  /** Must be text of 1 to 255 characters. */
  readonly description?: string | undefined;
  /** Must be one of Active, Off. */
  readonly status?: 'Active' | 'Off' | undefined;
  /** Must be true or false. */
  readonly rotate?: boolean | undefined;
  /** Must be a whole number from 0 to 604800. */
  readonly overlap?: number | undefined;
}

export interface WebhookDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface DeliveryGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly webhook?: Id | undefined;
  /** Must be one of Pending, Delivered, Failed. */
  readonly status?: 'Pending' | 'Delivered' | 'Failed' | undefined;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface DeliveryReplayInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface DeviceLicenceListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceLicenceOfferListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceConsoleResetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceConsoleOpenInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceConsoleTicketInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DevicePowerGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceStateListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service?: Id | undefined;
}

export interface DevicePowerSetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be one of on, off, reboot, cycle. */
  readonly action: 'on' | 'off' | 'reboot' | 'cycle';
}

export interface DeviceBootSetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be one of pxe, cdrom, bios. */
  readonly request: 'pxe' | 'cdrom' | 'bios';
}

export interface DeviceImageListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service?: Id | undefined;
}

export interface DeviceImageStatusInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceImageUploadInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be text of 1 to 255 characters. */
  readonly image: string;
}

export interface DeviceImageMountInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceImageUnmountInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DevicePasswordResetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DevicePasswordCollectInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceRescueStartInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
}

export interface DeviceRescueEndInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceRescueStatusInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceTemplateListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceReloadStartInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be text of 1 to 255 characters. */
  readonly value: string;
  /** Must be at most 20 values, each of which must be a public key such as ssh-ed25519 AAAA… name, at most 4096 characters. */
  readonly sshkeys?: readonly string[] | undefined;
}

export interface DeviceReloadCancelInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceReloadStatusInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceReloadLogInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceListInput {
  /** Must be one of cloud, dedicated, vps. */
  readonly type?: 'cloud' | 'dedicated' | 'vps' | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly service?: Id | undefined;
}

export interface DeviceHostnameSetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
  readonly hostname: string;
}

export interface DeviceStatsGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly stop?: number | undefined;
}

export interface DeviceHardwareGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface DeviceTypeGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface ZoneListInput {
  /** Must be a whole number from 1 to 10000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly after?: Id | undefined;
}

export interface ZoneCreateInput {
  /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
  readonly domain: string;
}

export interface ZoneDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
}

export interface RecordListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be a whole number from 1 to 10000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly after?: Id | undefined;
}

export interface RecordCreateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be a full name inside the zone; labels may begin with an underscore, the first may be *, at most 254 characters. */
  readonly record: string;
  /** Must be one of A, AAAA, NS, CERT, CNAME, DNSKEY, DS, KEY, LOC, MX, NAPTR, NSEC, RP, RRSIG, SOA, SPF, SSHFP, SRV, TXT. */
  readonly type: 'A' | 'AAAA' | 'NS' | 'CERT' | 'CNAME' | 'DNSKEY' | 'DS' | 'KEY' | 'LOC' | 'MX' | 'NAPTR' | 'NSEC' | 'RP' | 'RRSIG' | 'SOA' | 'SPF' | 'SSHFP' | 'SRV' | 'TXT';
  /** Must be text of 1 to 4096 characters. */
  readonly content: string;
  /** Must be a whole number from 60 to 604800. */
  readonly ttl?: number | undefined;
}

export interface RecordDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be digits, at most 9007199254740991. */
  readonly record: Id;
}

export interface RecordDeleteManyInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be at most 1000 values, each of which must be digits, at most 9007199254740991. */
  readonly records: readonly Id[];
}

export interface ReverseListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service?: Id | undefined;
}

export interface ReverseSetInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
  /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
  readonly record: string;
  /** Must be true or false. */
  readonly forward?: boolean | undefined;
}

export interface ReverseSetManyInput {
  /** Must be a JSON array of 1 to 1000 objects with ip and record. */
  readonly records: readonly {
    /** Must be an IPv4 or IPv6 address. */
    readonly ip: string;
    /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
    readonly record: string;
  }[];
}

export interface ReverseDeleteInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
}

export interface RecordUpdateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be digits, at most 9007199254740991. */
  readonly record: Id;
  /** Must be text of 1 to 4096 characters. */
  readonly content?: string | undefined;
  /** Must be a whole number from 60 to 604800. */
  readonly ttl?: number | undefined;
}

export interface ZoneFileGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
}

export interface ZoneFileImportInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be text of 1 to 1000000 characters. */
  readonly zonefile: string;
  /** Must be true or false. */
  readonly dry_run?: boolean | undefined;
  /** Must be a whole number from 0 to 4294967295. */
  readonly serial?: number | undefined;
}

export interface ZoneHistoryGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be a whole number from 1 to 100. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface ZoneRollBackInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
  /** Must be digits, at most 9007199254740991. */
  readonly version: Id;
}

export interface DnssecGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
}

export interface DnssecEnableInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
}

export interface DnssecDisableInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain: Id;
}

export interface NetblockListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface EventListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface AnomalyListInput {
  /** Must be a whole number from 1 to 1000. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface PortGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface PortEnableInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface PortDisableInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface BandwidthGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly end?: number | undefined;
}

export interface TrafficGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be a Unix timestamp in seconds. */
  readonly start?: number | undefined;
  /** Must be a Unix timestamp in seconds. */
  readonly end?: number | undefined;
  /** Must be one of json, csv. */
  readonly format?: 'json' | 'csv' | undefined;
}

export interface MonthGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be a whole number from 1 to 9007199254740991. */
  readonly level?: number | undefined;
}

export interface PlanGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id?: Id | undefined;
  /** Must be a whole number from 1 to 100. */
  readonly limit?: number | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly before?: Id | undefined;
}

export interface PlanCreateInput {
  /** Must be text of 1 to 64 characters. */
  readonly operation: string;
  /** Must be a JSON object of parameters. */
  readonly params: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean | Readonly<Record<string, string>>)[]>>;
}

export interface PlanDecideInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be one of approve, refuse. */
  readonly decision: 'approve' | 'refuse';
}

export interface PlanRunInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

/** The operations, each by its name. */
export interface Methods {
  /** The account, its balance and when it was last signed in to */
  accountGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Account>;
  /** What the account owes; negative when it is in credit */
  balanceGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Money>;
  /** The invoices, of one status or all; or one invoice with its lines. Give `status` or `invoice`, not both. */
  invoiceGet(input?: InvoiceGetInput, options?: CallOptions): Promise<readonly InvoiceListItem[] | InvoiceDetail>;
  /** An invoice as PDF, with EN 16931 XML inside (Factur-X) where the country of the account asks for it */
  invoicePdf(input: InvoicePdfInput, options?: CallOptions): Promise<FileAnswer>;
  /** All contacts, or the one with this id */
  contactGet(input?: ContactGetInput, options?: CallOptions): Promise<readonly Contact[]>;
  /** Add a contact */
  contactCreate(input: ContactCreateInput, options?: CallOptions): Promise<ContactId>;
  /** Change what is given of a contact */
  contactUpdate(input: ContactUpdateInput, options?: CallOptions): Promise<string>;
  /** Remove a contact */
  contactDelete(input: ContactDeleteInput, options?: CallOptions): Promise<string>;
  /** Make a contact a sub-account that can sign in, say what it may do and which mails it gets. `forgetfactors` is for who lost a phone: it removes second factor and passkeys and ends the sessions. */
  contactSettings(input: ContactSettingsInput, options?: CallOptions): Promise<string>;
  /** All keys of the account, or the one with this id; never their secrets */
  keyGet(input?: KeyGetInput, options?: CallOptions): Promise<readonly Key[]>;
  /** Make a key; it is shown this once */
  keyCreate(input: KeyCreateInput, options?: CallOptions): Promise<NewKey>;
  /** Change a key, or rotate its secret: the old one works on for `overlap` seconds. With `rotate` the answer carries the new key, otherwise an empty one. */
  keyUpdate(input: KeyUpdateInput, options?: CallOptions): Promise<NewKey>;
  /** Revoke a key, at once and for good */
  keyDelete(input: KeyDeleteInput, options?: CallOptions): Promise<string>;
  /** Who changed what, from where and with which outcome, newest first */
  auditGet(input?: AuditGetInput, options?: CallOptions): Promise<readonly AuditEntry[]>;
  /** Sign in as the account or as a sub-account contact; answers a key for 12 hours. `code` is needed where a second factor is confirmed. */
  sessionCreate(input: SessionCreateInput, options?: CallOptions): Promise<{
    /** A key for this sign-in */
    readonly key: string;
    readonly expires: Moment;
    readonly account: string;
    readonly contact: string;
    readonly subaccount: Flag01;
    readonly scopes: readonly string[];
  }>;
  /** Whose key this is and what it may do */
  sessionGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly kind: 'session' | 'key';
    readonly account: string;
    readonly status: 'Active' | 'Suspended' | 'Closed';
    /** The sub-account contact whose key it is, empty for the account itself */
    readonly contact: string;
    readonly subaccount: Flag01;
    /** Of the person; as the next two empty for a key that may not read the account */
    readonly name: string;
    readonly email: string;
    readonly company: string;
    readonly scopes: readonly string[];
    /** Moment in UTC, empty: never */
    readonly expires: string;
    /** The codes of an app as a second factor; waiting: to be confirmed with the first one */
    readonly totp: 'None' | 'Waiting' | 'Confirmed';
    /** How many there are */
    readonly passkeys: string;
    readonly currency: string;
    readonly currencyprefix: string;
    readonly currencysuffix: string;
  }>;
  /** Sign out: revoke the key that this request carries, if it came from signing in */
  sessionDelete(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<string>;
  /** Change one’s own password; other sessions of the same person end */
  passwordSet(input: PasswordSetInput, options?: CallOptions): Promise<string>;
  /** A new secret for the codes of an app (RFC 6238); it counts once it is confirmed */
  totpEnrol(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    /** To be typed into an app, in base32 */
    readonly secret: string;
    /** The same for an app to read: otpauth://totp/… */
    readonly url: string;
  }>;
  /** Confirm the secret with a code: from now on signing in with a password needs one */
  totpConfirm(input: TotpConfirmInput, options?: CallOptions): Promise<string>;
  /** End the second factor, with the password or a code of it */
  totpEnd(input?: TotpEndInput, options?: CallOptions): Promise<string>;
  /** The passkeys of the person who signed in */
  passkeyGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly {
    readonly id: string;
    readonly name: string;
    /** Moment in UTC */
    readonly created: string;
    /** Moment in UTC, empty: never */
    readonly lastused: string;
  }[]>;
  /** What a browser needs to make a passkey, good for five minutes. For a page of the same host, called by its name. */
  passkeyBegin(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly rp: {
      readonly id: string;
      readonly name: string;
    };
    readonly user: {
      readonly id: string;
      readonly name: string;
      readonly displayName: string;
    };
    readonly challenge: string;
    readonly pubKeyCredParams: readonly {
      readonly type: 'public-key';
      readonly alg: number;
    }[];
    /** In milliseconds */
    readonly timeout: number;
    readonly excludeCredentials: readonly {
      readonly id: string;
      readonly type: 'public-key';
      readonly transports: readonly string[];
    }[];
    readonly authenticatorSelection: {
      readonly residentKey: 'required';
      readonly requireResidentKey: boolean;
      readonly userVerification: 'required';
    };
    readonly attestation: 'none';
  }>;
  /** Keep the passkey that the browser made, under a name */
  passkeyCreate(input: PasskeyCreateInput, options?: CallOptions): Promise<{
    readonly id: string;
    readonly name: string;
    /** Moment in UTC */
    readonly created: string;
    /** Moment in UTC, empty: never */
    readonly lastused: string;
  }>;
  /** Forget a passkey: nobody signs in with it any more */
  passkeyDelete(input: PasskeyDeleteInput, options?: CallOptions): Promise<string>;
  /** What a browser needs to sign in with a passkey, good for five minutes. For a page of the same host, called by its name. */
  challengeCreate(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<{
    readonly rpId: string;
    readonly challenge: string;
    /** In milliseconds */
    readonly timeout: number;
    readonly userVerification: 'required';
    /** Empty: the browser offers those that it knows */
    readonly allowCredentials: readonly {
      readonly id: string;
      readonly type: 'public-key';
      readonly transports: readonly string[];
    }[];
  }>;
  /** Sign in with a passkey, without password and code; answers a key for 12 hours */
  challengeAnswer(input: ChallengeAnswerInput, options?: CallOptions): Promise<{
    /** A key for this sign-in */
    readonly key: string;
    readonly expires: Moment;
    readonly account: string;
    readonly contact: string;
    readonly subaccount: Flag01;
    readonly scopes: readonly string[];
  }>;
  /** What runs or ran for the account, newest first; or these several actions. With `ids` and `wait` the answer is held back until one of them changes, at most so many seconds. */
  actionList(input?: ActionListInput, options?: CallOptions): Promise<readonly Action[]>;
  /** One action; with `wait`, as soon as it changes or after so many seconds */
  actionGet(input: ActionGetInput, options?: CallOptions): Promise<Action>;
  /** What happened in the account, oldest first, from a cursor on. Numbered without gaps in the order in which it was committed. With `Accept: text/event-stream` the same as server-sent events, without an end: each carries its cursor as `id`, so that `Last-Event-ID` resumes after it, at this or another node. A cursor belongs to the account and the installation that gave it. With `newest` it is the last `limit` events, and the cursor behind them; not together with `after`, and a stream is none of it. */
  eventLogGet(input?: EventLogGetInput, options?: CallOptions): Promise<EventPage>;
  /** All webhooks of the account, or the one with this id; never their secrets */
  webhookGet(input?: WebhookGetInput, options?: CallOptions): Promise<readonly Webhook[]>;
  /** Have events sent to a URL from now on; the secret is shown this once. Each event is POSTed as JSON, signed as Standard Webhooks says. Any 2xx answer within 10 seconds is success; otherwise it is tried again, over three days. Events of one service arrive in order. 410 switches the webhook off. */
  webhookCreate(input: WebhookCreateInput, options?: CallOptions): Promise<NewWebhook>;
  /** Change a webhook, switch it on or off, or rotate its secret: for `overlap` seconds both sign. With `rotate` the answer carries the new secret, otherwise an empty one. */
  webhookUpdate(input: WebhookUpdateInput, options?: CallOptions): Promise<NewWebhook>;
  /** Remove a webhook with its delivery log */
  webhookDelete(input: WebhookDeleteInput, options?: CallOptions): Promise<string>;
  /** What was sent, or is to be sent, to the webhooks, newest first */
  deliveryGet(input?: DeliveryGetInput, options?: CallOptions): Promise<readonly Delivery[]>;
  /** Send a delivery once more, behind what is still to be sent */
  deliveryReplay(input: DeliveryReplayInput, options?: CallOptions): Promise<NewDelivery>;
  /** The software licences of a service, with their keys */
  deviceLicenceList(input: DeviceLicenceListInput, options?: CallOptions): Promise<readonly LicenceDetail[]>;
  /** The software licences that a service can have, with their prices */
  deviceLicenceOfferList(input: DeviceLicenceOfferListInput, options?: CallOptions): Promise<readonly LicenceOffer[]>;
  /** End the console session of a device */
  deviceConsoleReset(input: DeviceConsoleResetInput, options?: CallOptions): Promise<'Console Reset'>;
  /** Open a console: a launcher file for a dedicated server, the way in for a virtual machine */
  deviceConsoleOpen(input: DeviceConsoleOpenInput, options?: CallOptions): Promise<JavaConsole | MachineConsole>;
  /** A ticket for the console in a browser. Open a WebSocket at `url` within `expires` seconds, from the same address. The ticket works once. Of a dedicated server binary frames carry the serial line both ways, what was printed before first, and the text frame `break` sends a break. Of a virtual machine they carry its screen as RFB, which noVNC speaks, or its text console where it has no screen. */
  deviceConsoleTicket(input: DeviceConsoleTicketInput, options?: CallOptions): Promise<ConsoleTicket>;
  /** Whether a device is on or off, asked of the device itself */
  devicePowerGet(input: DevicePowerGetInput, options?: CallOptions): Promise<PowerState>;
  /** Power and health of the devices as last seen, all or one; no device is asked */
  deviceStateList(input?: DeviceStateListInput, options?: CallOptions): Promise<readonly DeviceState[]>;
  /** Switch a device on or off, reboot or power-cycle it */
  devicePowerSet(input: DevicePowerSetInput, options?: CallOptions): Promise<PowerDone>;
  /** Choose what a device boots from the next time; it is not rebooted */
  deviceBootSet(input: DeviceBootSetInput, options?: CallOptions): Promise<BootDone>;
  /** The ISO images, all or those that fit a service */
  deviceImageList(input?: DeviceImageListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Which image a device has, and whether it is mounted, asked of the device itself */
  deviceImageStatus(input: DeviceImageStatusInput, options?: CallOptions): Promise<ImageStatus>;
  /** Put an ISO image on the controller of a device, ready to be mounted */
  deviceImageUpload(input: DeviceImageUploadInput, options?: CallOptions): Promise<'Image Uploaded'>;
  /** Mount the image that was uploaded */
  deviceImageMount(input: DeviceImageMountInput, options?: CallOptions): Promise<'Image Mounted'>;
  /** Unmount the image; it stays uploaded */
  deviceImageUnmount(input: DeviceImageUnmountInput, options?: CallOptions): Promise<'Image Unmounted'>;
  /** Reset the root password. Answers the new password of a virtual machine. On a dedicated server it starts a reset through the rescue system and the answer is empty; PUT gives the new password once that is done. */
  devicePasswordReset(input: DevicePasswordResetInput, options?: CallOptions): Promise<string>;
  /** The new root password of a dedicated server, shown once. What a password reset, or an installation begun through the legacy interface, has set. It can be collected once, for a day after it was set. */
  devicePasswordCollect(input: DevicePasswordCollectInput, options?: CallOptions): Promise<string>;
  /** Boot a dedicated server into the rescue system; answers the password of root there. The disk is not touched. The rescue system is in memory: the server boots its disk when it is next restarted. */
  deviceRescueStart(input: DeviceRescueStartInput, options?: CallOptions): Promise<string>;
  /** Leave the rescue system: the server boots its disk again */
  deviceRescueEnd(input: DeviceRescueEndInput, options?: CallOptions): Promise<'Rescue Ended'>;
  /** Whether the rescue system runs on a dedicated server */
  deviceRescueStatus(input: DeviceRescueStatusInput, options?: CallOptions): Promise<RescueStatus>;
  /** The operating systems that a device can be reloaded with */
  deviceTemplateList(input: DeviceTemplateListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Reload the operating system, which erases the device; answers the new root password */
  deviceReloadStart(input: DeviceReloadStartInput, options?: CallOptions): Promise<string>;
  /** Cancel the reload that is in progress */
  deviceReloadCancel(input: DeviceReloadCancelInput, options?: CallOptions): Promise<'Reload Cancelled'>;
  /** How far the reload of a dedicated server is; changes nothing */
  deviceReloadStatus(input: DeviceReloadStatusInput, options?: CallOptions): Promise<ReloadStatus>;
  /** What happened in the last reload of a dedicated server, oldest first. With `Accept: text/event-stream` the same as server-sent events, line by line as it happens, until the reload has ended. Each carries a cursor as `id`: `Last-Event-ID` resumes after it, at this or another node. Where nothing is to follow the answer is 204. */
  deviceReloadLog(input: DeviceReloadLogInput, options?: CallOptions): Promise<readonly ReloadLogLine[]>;
  /** The devices of the account, all, of one type, or one */
  deviceList(input?: DeviceListInput, options?: CallOptions): Promise<readonly Device[]>;
  /** Change the host name of a device; the answer is empty */
  deviceHostnameSet(input: DeviceHostnameSetInput, options?: CallOptions): Promise<''>;
  /** Statistics: traffic of a dedicated server, resources of a virtual machine. The last 24 hours unless `start` and `stop` are given, at most 400 days. */
  deviceStatsGet(input: DeviceStatsGetInput, options?: CallOptions): Promise<MachineStats | {
    readonly success: boolean;
    readonly results: number;
    readonly result: PortTraffic;
  }>;
  /** The parts of a device and the state of its ports */
  deviceHardwareGet(input: DeviceHardwareGetInput, options?: CallOptions): Promise<Hardware>;
  /** Whether a service is dedicated, vps or cloud */
  deviceTypeGet(input: DeviceTypeGetInput, options?: CallOptions): Promise<'cloud' | 'dedicated' | 'vps'>;
  /** The zones of the account. With `limit`, that many; the next page follows `after` the id of the last. */
  zoneList(input?: ZoneListInput, options?: CallOptions): Promise<readonly Zone[]>;
  /** Add a zone, with its SOA and name server records; answers its id */
  zoneCreate(input: ZoneCreateInput, options?: CallOptions): Promise<NewId>;
  /** Remove a zone and its records */
  zoneDelete(input: ZoneDeleteInput, options?: CallOptions): Promise<Removed>;
  /** The records of a zone. With `limit`, that many; the next page follows `after` the id of the last. */
  recordList(input: RecordListInput, options?: CallOptions): Promise<readonly ZoneRecord[]>;
  /** Add a record to a zone; an SOA replaces the one that is there. When the call returns, the name server answers with the record. `ttl` is 3600 seconds unless given. */
  recordCreate(input: RecordCreateInput, options?: CallOptions): Promise<'Record Added'>;
  /** Remove a record */
  recordDelete(input: RecordDeleteInput, options?: CallOptions): Promise<Removed>;
  /** Remove several records of a zone, all or none. They are one version in the history, which can be rolled back as one. */
  recordDeleteMany(input: RecordDeleteManyInput, options?: CallOptions): Promise<ZoneDifference>;
  /** The reverse names of a service, or of all services. Names every assigned IPv4 address, and each IPv6 address that has a record. */
  reverseList(input?: ReverseListInput, options?: CallOptions): Promise<AddressNames>;
  /** Set the reverse name of an address. With `forward`, also makes the A or AAAA record of that name, in a zone of the account, both or neither of them. */
  reverseSet(input: ReverseSetInput, options?: CallOptions): Promise<'Record Updated'>;
  /** Set the reverse names of several addresses, all or none */
  reverseSetMany(input: ReverseSetManyInput, options?: CallOptions): Promise<ReverseSet>;
  /** Remove the reverse name of an address */
  reverseDelete(input: ReverseDeleteInput, options?: CallOptions): Promise<'Record Removed'>;
  /** Change the content or the time to live of a record in place */
  recordUpdate(input: RecordUpdateInput, options?: CallOptions): Promise<'Record Updated'>;
  /** A zone as a BIND master file */
  zoneFileGet(input: ZoneFileGetInput, options?: CallOptions): Promise<string>;
  /** Replace the records of a zone by those of a BIND master file, all or none. With `dry_run` it only answers the difference. With the `serial` of that answer it is refused where the zone has changed since. Without an SOA in the file the zone keeps its own; the serial goes forward whatever the file says. */
  zoneFileImport(input: ZoneFileImportInput, options?: CallOptions): Promise<ZoneDifference>;
  /** The versions of a zone with what each changed, newest first. The last 100 are kept. The next page comes `before` the version of the last. */
  zoneHistoryGet(input: ZoneHistoryGetInput, options?: CallOptions): Promise<readonly ZoneVersion[]>;
  /** Make the records of a zone those of an earlier version again. It is a new version itself, under a new serial, and can be rolled back too. */
  zoneRollBack(input: ZoneRollBackInput, options?: CallOptions): Promise<ZoneDifference>;
  /** Whether a zone is signed, and the DS records for its parent */
  dnssecGet(input: DnssecGetInput, options?: CallOptions): Promise<Dnssec>;
  /** Have the name server sign a zone; answers the DS records for its parent */
  dnssecEnable(input: DnssecEnableInput, options?: CallOptions): Promise<Dnssec>;
  /** Sign a zone no more. Take the DS records out of the parent zone first, and wait until their time to live has passed. */
  dnssecDisable(input: DnssecDisableInput, options?: CallOptions): Promise<Dnssec>;
  /** The addresses of a service, with their reverse names */
  netblockList(input: NetblockListInput, options?: CallOptions): Promise<AddressNames>;
  /** Anomalies seen in the traffic of a service. The newest 100 unless `limit` is given; `before` is the anomaly id of the last one seen. */
  eventList(input: EventListInput, options?: CallOptions): Promise<AnomalyEvents>;
  /** Anomalies seen in the traffic of all services of the account. The newest 100 unless `limit` is given; `before` is the anomaly id of the last one seen. */
  anomalyList(input?: AnomalyListInput, options?: CallOptions): Promise<AnomalyEvents>;
  /** The state of the switch port of a service */
  portGet(input: PortGetInput, options?: CallOptions): Promise<PortStatus>;
  /** Enable the switch port of a service */
  portEnable(input: PortEnableInput, options?: CallOptions): Promise<'Port Enabled.'>;
  /** Disable the switch port of a service */
  portDisable(input: PortDisableInput, options?: CallOptions): Promise<'Port Disabled.'>;
  /** Traffic figures and graphs of the ports of a service. The last 24 hours unless `start` and `end` are given, at most 400 days. */
  bandwidthGet(input: BandwidthGetInput, options?: CallOptions): Promise<{
    readonly success: boolean;
    readonly results: number;
    readonly result: PortTraffic;
  }>;
  /** The five-minute samples behind figures, graphs and bills, to be checked offline. The last 24 hours unless `start` and `end` are given. All ports of the service are summed per interval. */
  trafficGet(input: TrafficGetInput, options?: CallOptions): Promise<readonly TrafficSample[] | string>;
  /** The month so far: its 95th percentile, what it is going to be, how much may still burst, and its days. Bursts are counted against `level` in bits per second, or else against the projected 95th percentile. */
  monthGet(input: MonthGetInput, options?: CallOptions): Promise<TrafficMonth>;
  /** The plans of the account, newest first; or the one with this id */
  planGet(input?: PlanGetInput, options?: CallOptions): Promise<readonly Plan[]>;
  /** Plan a call of another operation, to be decided on by a person within 15 minutes. The parameters are checked as in the call itself. The key need not have the scope of that operation: who approves it must. */
  planCreate(input: PlanCreateInput, options?: CallOptions): Promise<Plan>;
  /** Approve or refuse a plan that was made with another key. An approved plan can be carried out for 15 minutes; until it is, it can still be refused. */
  planDecide(input: PlanDecideInput, options?: CallOptions): Promise<Plan>;
  /** Carry out an approved plan, with the key that made it; answers what the planned call answers. It is carried out once, however often this is called. */
  planRun(input: PlanRunInput, options?: CallOptions): Promise<unknown>;
}

/** Lists that come in pages, each as one sequence. */
export interface Each {
  /** Who changed what, from where and with which outcome, newest first */
  auditGet(input?: AuditGetInput, options?: CallOptions): AsyncGenerator<AuditEntry, void, void>;
  /** What runs or ran for the account, newest first; or these several actions */
  actionList(input?: ActionListInput, options?: CallOptions): AsyncGenerator<Action, void, void>;
  /** What happened in the account, oldest first, from a cursor on */
  eventLogGet(input?: EventLogGetInput, options?: CallOptions): AsyncGenerator<Event, void, void>;
  /** What was sent, or is to be sent, to the webhooks, newest first */
  deliveryGet(input?: DeliveryGetInput, options?: CallOptions): AsyncGenerator<Delivery, void, void>;
  /** The zones of the account */
  zoneList(input?: ZoneListInput, options?: CallOptions): AsyncGenerator<Zone, void, void>;
  /** The records of a zone */
  recordList(input: RecordListInput, options?: CallOptions): AsyncGenerator<ZoneRecord, void, void>;
  /** The versions of a zone with what each changed, newest first */
  zoneHistoryGet(input: ZoneHistoryGetInput, options?: CallOptions): AsyncGenerator<ZoneVersion, void, void>;
  /** Anomalies seen in the traffic of a service */
  eventList(input: EventListInput, options?: CallOptions): AsyncGenerator<AnomalyEvent, void, void>;
  /** Anomalies seen in the traffic of all services of the account */
  anomalyList(input?: AnomalyListInput, options?: CallOptions): AsyncGenerator<AnomalyEvent, void, void>;
  /** The plans of the account, newest first; or the one with this id */
  planGet(input?: PlanGetInput, options?: CallOptions): AsyncGenerator<Plan, void, void>;
}

/** What is told as it happens, over a connection that is taken up again when it breaks off. */
export interface Stream {
  /** What happened in the account, oldest first, from a cursor on */
  eventLogGet(input?: EventLogGetInput, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<Event, void, void>;
  /** What happened in the last reload of a dedicated server, oldest first */
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
  keyGet: { method: 'GET', path: '/v2/account/key', repeat: 'freely' },
  keyCreate: { method: 'POST', path: '/v2/account/key', repeat: 'with-key' },
  keyUpdate: { method: 'PUT', path: '/v2/account/key', repeat: 'with-key' },
  keyDelete: { method: 'DELETE', path: '/v2/account/key', repeat: 'with-key' },
  auditGet: { method: 'GET', path: '/v2/account/audit', repeat: 'freely' },
  sessionCreate: { method: 'POST', path: '/v2/session', repeat: 'never' },
  sessionGet: { method: 'GET', path: '/v2/session', repeat: 'freely' },
  sessionDelete: { method: 'DELETE', path: '/v2/session', repeat: 'with-key' },
  passwordSet: { method: 'PUT', path: '/v2/session/password', repeat: 'with-key' },
  totpEnrol: { method: 'POST', path: '/v2/session/totp', repeat: 'with-key' },
  totpConfirm: { method: 'PUT', path: '/v2/session/totp', repeat: 'with-key' },
  totpEnd: { method: 'DELETE', path: '/v2/session/totp', repeat: 'with-key' },
  passkeyGet: { method: 'GET', path: '/v2/session/passkey', repeat: 'freely' },
  passkeyBegin: { method: 'POST', path: '/v2/session/passkey', repeat: 'with-key' },
  passkeyCreate: { method: 'PUT', path: '/v2/session/passkey', repeat: 'with-key' },
  passkeyDelete: { method: 'DELETE', path: '/v2/session/passkey', repeat: 'with-key' },
  challengeCreate: { method: 'POST', path: '/v2/session/challenge', repeat: 'never' },
  challengeAnswer: { method: 'PUT', path: '/v2/session/challenge', repeat: 'never' },
  actionList: { method: 'GET', path: '/v2/action', repeat: 'freely' },
  actionGet: { method: 'GET', path: '/v2/action/{id}', repeat: 'freely' },
  eventLogGet: { method: 'GET', path: '/v2/event', repeat: 'freely', streams: true },
  webhookGet: { method: 'GET', path: '/v2/account/webhook', repeat: 'freely' },
  webhookCreate: { method: 'POST', path: '/v2/account/webhook', repeat: 'with-key' },
  webhookUpdate: { method: 'PUT', path: '/v2/account/webhook', repeat: 'with-key' },
  webhookDelete: { method: 'DELETE', path: '/v2/account/webhook', repeat: 'with-key' },
  deliveryGet: { method: 'GET', path: '/v2/account/webhook/delivery', repeat: 'freely' },
  deliveryReplay: { method: 'POST', path: '/v2/account/webhook/delivery', repeat: 'with-key' },
  deviceLicenceList: { method: 'GET', path: '/v2/device/license/{service}', repeat: 'freely' },
  deviceLicenceOfferList: { method: 'GET', path: '/v2/device/license/{service}/offer', repeat: 'freely' },
  deviceConsoleReset: { method: 'DELETE', path: '/v2/device/console', repeat: 'with-key' },
  deviceConsoleOpen: { method: 'GET', path: '/v2/device/console/{service}', repeat: 'with-key' },
  deviceConsoleTicket: { method: 'POST', path: '/v2/device/console', repeat: 'with-key' },
  devicePowerGet: { method: 'GET', path: '/v2/device/power/{service}', repeat: 'freely' },
  deviceStateList: { method: 'GET', path: '/v2/device/state', repeat: 'freely' },
  devicePowerSet: { method: 'POST', path: '/v2/device/power', repeat: 'with-key' },
  deviceBootSet: { method: 'PUT', path: '/v2/device/power', repeat: 'with-key' },
  deviceImageList: { method: 'GET', path: '/v2/device/iso', repeat: 'freely' },
  deviceImageStatus: { method: 'GET', path: '/v2/device/iso/{service}', repeat: 'freely' },
  deviceImageUpload: { method: 'POST', path: '/v2/device/iso', repeat: 'with-key' },
  deviceImageMount: { method: 'PUT', path: '/v2/device/iso', repeat: 'with-key' },
  deviceImageUnmount: { method: 'DELETE', path: '/v2/device/iso', repeat: 'with-key' },
  devicePasswordReset: { method: 'POST', path: '/v2/device/password', repeat: 'with-key' },
  devicePasswordCollect: { method: 'PUT', path: '/v2/device/password', repeat: 'with-key' },
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
  deviceHardwareGet: { method: 'GET', path: '/v2/device/hardware/{service}', repeat: 'freely' },
  deviceTypeGet: { method: 'GET', path: '/v2/device/type/{service}', repeat: 'freely' },
  zoneList: { method: 'GET', path: '/v2/dns/domain', repeat: 'freely' },
  zoneCreate: { method: 'POST', path: '/v2/dns/domain', repeat: 'with-key' },
  zoneDelete: { method: 'DELETE', path: '/v2/dns/domain', repeat: 'with-key' },
  recordList: { method: 'GET', path: '/v2/dns/record/{domain}', repeat: 'freely' },
  recordCreate: { method: 'POST', path: '/v2/dns/record', repeat: 'with-key' },
  recordDelete: { method: 'DELETE', path: '/v2/dns/record', repeat: 'with-key' },
  recordDeleteMany: { method: 'DELETE', path: '/v2/dns/records', repeat: 'with-key' },
  reverseList: { method: 'GET', path: '/v2/dns/reverse', repeat: 'freely' },
  reverseSet: { method: 'PUT', path: '/v2/dns/reverse', repeat: 'with-key' },
  reverseSetMany: { method: 'POST', path: '/v2/dns/reverse', repeat: 'with-key' },
  reverseDelete: { method: 'DELETE', path: '/v2/dns/reverse', repeat: 'with-key' },
  recordUpdate: { method: 'PUT', path: '/v2/dns/record', repeat: 'with-key' },
  zoneFileGet: { method: 'GET', path: '/v2/dns/zonefile/{domain}', repeat: 'freely' },
  zoneFileImport: { method: 'POST', path: '/v2/dns/zonefile', repeat: 'with-key' },
  zoneHistoryGet: { method: 'GET', path: '/v2/dns/history', repeat: 'freely' },
  zoneRollBack: { method: 'POST', path: '/v2/dns/history', repeat: 'with-key' },
  dnssecGet: { method: 'GET', path: '/v2/dns/dnssec', repeat: 'freely' },
  dnssecEnable: { method: 'PUT', path: '/v2/dns/dnssec', repeat: 'with-key' },
  dnssecDisable: { method: 'DELETE', path: '/v2/dns/dnssec', repeat: 'with-key' },
  netblockList: { method: 'GET', path: '/v2/network/netblock/{service}', repeat: 'freely' },
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
} as const satisfies Readonly<Record<string, Route>>;

export const paging = {
  auditGet: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  actionList: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  eventLogGet: { parameter: 'after', limit: 100, next: { cursorBeside: 'events' } },
  deliveryGet: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
  zoneList: { parameter: 'after', limit: 100, next: { itemMember: 'domain_id' } },
  recordList: { parameter: 'after', limit: 100, next: { itemMember: 'id' } },
  zoneHistoryGet: { parameter: 'before', limit: 100, next: { itemMember: 'version' } },
  eventList: { parameter: 'before', limit: 100, next: 'lowest-key' },
  anomalyList: { parameter: 'before', limit: 100, next: 'lowest-key' },
  planGet: { parameter: 'before', limit: 100, next: { itemMember: 'id' } },
} as const satisfies Readonly<Record<string, Paging>>;
