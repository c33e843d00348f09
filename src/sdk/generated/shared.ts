// Generated from the contract by `npm run golden`, do not edit. It is long because it holds the whole API.

/** Reverse DNS names by address, or the text No Record Found */
export type AddressNames = Readonly<Record<string, string>>;

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
  /** Scopes of a sub-account, comma-separated */
  readonly permissions: string;
  /** 1 if the person can see only some services */
  readonly limited: '0' | '1';
  /** Numbers of these services, comma-separated; services that you cannot see are left out */
  readonly services: string;
  readonly domainemails: Flag01;
  readonly generalemails: Flag01;
  readonly invoiceemails: Flag01;
  readonly productemails: Flag01;
  readonly supportemails: Flag01;
  readonly affiliateemails: Flag01;
  readonly status: string;
}

export interface ContactId { readonly contactid: string }

export type Day = string;

export interface DeviceImageStatus {
  /** Empty if none is set */
  readonly image: string;
  readonly mounted: '0' | '1';
  /** The image that is being uploaded, or empty */
  readonly uploading: string;
  /** Percentage of the image that the BMC has fetched */
  readonly progress: string;
}

/** The DNS records that the key is limited to; empty for no limits */
export type DnsLimits = readonly DnsRule[];

export interface DnsRule {
  /** Names of zones */
  readonly zones?: readonly string[];
  /** Patterns of names, relative to the zone: `*` matches one label, `**` (at most once) any number of labels, and `@` the zone itself */
  readonly names?: readonly string[];
  readonly types?: readonly ('A' | 'AAAA' | 'NS' | 'CERT' | 'CNAME' | 'DNSKEY' | 'DS' | 'KEY' | 'LOC' | 'MX' | 'NAPTR' | 'NSEC' | 'RP' | 'RRSIG' | 'SOA' | 'SPF' | 'SSHFP' | 'SRV' | 'TXT' | 'ALIAS' | 'CAA' | 'CDNSKEY' | 'CDS' | 'DNAME' | 'HINFO' | 'HTTPS' | 'OPENPGPKEY' | 'PTR' | 'SMIMEA' | 'SVCB' | 'TLSA' | 'URI')[];
}

export interface Enrolment {
  /** Base32, for typing into an authenticator app */
  readonly secret: string;
  /** The same as a link for the app: otpauth://totp/… */
  readonly url: string;
}

export type Flag01 = '0' | '1';

export interface Hardware {
  /** Descriptions by component category: CPU, Motherboard, RAM, Hard Drive, Network Card */
  readonly parts: Readonly<Record<string, readonly string[]>>;
  readonly ports: Readonly<Record<string, Readonly<Record<string, PortState>>>>;
}

export interface ImageEntry {
  readonly name: string;
  /** The value to send to select this image */
  readonly value: string;
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
  /** The VAT by category and rate; empty if the provider does not compute VAT */
  readonly taxes: readonly {
    readonly category: 'S' | 'AE' | 'G' | 'E';
    readonly rate: Money;
    /** The country whose tax it is */
    readonly country: string;
    readonly base: Money;
    readonly tax: Money;
    /** Why no VAT is charged; empty if VAT is charged */
    readonly reason: string;
    /** Code from the VATEX list; empty if none applies */
    readonly reasoncode: string;
  }[];
  /** One line per payment; empty if there is none */
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
  /** Still to be paid */
  readonly balance: string;
  readonly status: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled';
  readonly paymentmethod: string;
  readonly notes: string;
  readonly currencycode: string;
  readonly currencyprefix: string;
  readonly currencysuffix: string;
}

/** A Java Web Start launcher, to save as a .jnlp file */
export type JavaConsole = string;

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Networks from which the key can be used; empty for all */
  readonly allow: readonly string[];
  readonly dns: DnsLimits;
  /** The only services that the key can see; empty for all */
  readonly services: readonly string[];
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

export interface NetblockRequest {
  readonly requestid: string;
  readonly status: 'Assigned' | 'Pending';
  /** Empty while pending */
  readonly netblock: string;
}

/** The new id */
export type NewId = string;

export interface NewKey {
  readonly id: string;
  /** Returned only once */
  readonly key: string;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Time in UTC */
  readonly created: string;
  /** Time in UTC; empty for never */
  readonly lastused: string;
}

/** For `navigator.credentials.create` */
export type PasskeyCreationOptions = {
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
};

/** For `navigator.credentials.get` */
export type PasskeyRequestOptions = {
  readonly rpId: string;
  readonly challenge: string;
  /** In milliseconds */
  readonly timeout: number;
  readonly userVerification: 'required';
  /** Empty: the browser offers the passkeys that it knows */
  readonly allowCredentials: readonly {
    readonly id: string;
    readonly type: 'public-key';
    readonly transports: readonly string[];
  }[];
};

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

export type PortTraffic = Readonly<Record<string, Readonly<Record<string, {
  /** Port alias */
  readonly name: string;
  readonly data: PortCounters;
  /** Empty if no graph was requested */
  readonly graph: string;
}>>>>;

export type PowerDone = 'Chassis Power Control: Up/On' | 'Chassis Power Control: Down/Off' | 'Chassis Power Control: Cycle' | 'Chassis Power Control: Reset';

export type PowerState = 'on' | 'off';

/** Must be the credential that the browser created, as JSON. */
export type RegistrationCredential = {
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

export interface ReloadLogLine {
  readonly time: string;
  readonly status: ReloadStatus;
  /** What happened, or the installer’s message; may be empty */
  readonly text: string;
}

/** No reload in progress, Queued, Booting, Installing <percent>%, Completed, Failed: <reason> or Cancelled */
export type ReloadStatus = string;

/** No rescue system in use, Queued, Booting, Active, Completed, Failed: <reason> or Cancelled */
export type RescueStatus = string;

/** Must be the credential that the browser returned, as JSON. */
export type SignInCredential = {
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

export type TrafficMonth = {
  readonly start: string;
  readonly end: string;
  /** So far, in bits per second */
  readonly '95pct': string;
  /** Projected from the last seven days */
  readonly projected: string;
  /** The lowest possible value, with no more traffic this month */
  readonly least: string;
  /** The level above which traffic counts as a burst */
  readonly level: string;
  /** Free burst intervals per month */
  readonly burstallowed: string;
  readonly burstused: string;
  readonly burstleft: string;
  /** Included in the price, in bits per second; empty if traffic is not billed */
  readonly committed: string;
  /** Traffic of each day so far, in UTC */
  readonly days: readonly {
    readonly day: Day;
    readonly inbytes: string;
    readonly outbytes: string;
  }[];
};

export interface TrafficSample {
  /** Start of the interval, Unix timestamp */
  readonly start: string;
  readonly inbytes: string;
  readonly outbytes: string;
  /** Space-separated: missing, gap, reset, clock, wrap, attack; empty for a normal measurement */
  readonly marks: string;
}

export interface WebConsole {
  /** Opens the console once, in a browser at the same address */
  readonly url: string;
  /** Seconds */
  readonly expires: string;
  /** For a controller that requires signing in */
  readonly username: string;
  readonly password: string;
}

export interface Zone {
  readonly domain_id: string;
  readonly name: string;
  readonly client: string;
  readonly subclient: string | number;
}

export interface ZoneRecord {
  readonly id: string;
  readonly domain_id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: string;
}
