// Generated from the contract by `npm run golden`, do not edit. It is long because it holds the whole API.
import type { CallOptions, Id, Paging, Route } from '../settings.ts';
import type { AddressNames, BootDone, Contact, ContactId, Flag01, ImageEntry, InvoiceDetail, InvoiceListItem, JavaConsole, Money, NetblockRequest, NewId, PortTraffic, PowerDone, ReloadStatus, Zone, ZoneRecord } from './shared.ts';
export type { AddressNames, BootDone, Contact, ContactId, Day, Flag01, ImageEntry, InvoiceDetail, InvoiceListItem, JavaConsole, Moment, Money, NetblockRequest, NewId, PortCounters, PortTraffic, PowerDone, ReloadStatus, Zone, ZoneRecord } from './shared.ts';

export interface BmcUser {
  readonly hostname: string;
  readonly username: string;
  readonly password: string;
}

export interface ImageStatus {
  /** Empty if none is set */
  readonly image: string;
  readonly mounted: '0' | '1';
}

export interface InstallStatus {
  readonly status: ReloadStatus;
  /** Network-boot id; empty if the template has none */
  readonly image: string;
}

export interface LicenceOrder {
  readonly orderid: string;
  readonly invoiceid: string;
  readonly license: string;
  readonly status: string;
}

export type Licences = {
  /** Delivered licences. An ordered licence is in neither list until it is delivered. */
  readonly installed: readonly {
    readonly license: string;
    readonly type: string;
    readonly status: 'Pending' | 'Active' | 'Cancelled' | 'Ended';
    readonly since: string;
    readonly key: string;
  }[];
  readonly available: readonly string[];
};

export interface Machine {
  readonly vmid: string;
  readonly hostname: string;
  readonly status: string;
  readonly type: string;
  readonly node: string;
  readonly template: string;
  readonly memory: string;
  readonly harddisk: string;
  readonly bandwidth: string;
  readonly ipaddr: readonly string[];
}

/** Addresses by vmid */
export type MachineAddresses = Readonly<Record<string, {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}>>;

export interface NewPassword { readonly value: string }

export interface Nullroute {
  readonly ip: string;
  readonly start: string;
  readonly end: string;
  readonly active: Flag01;
  readonly reason: string;
}

/** Ports by id */
export type PortList = Readonly<Record<string, {
  readonly name: string;
  readonly ifAdminStatus: 'up' | 'down';
  readonly ifOperStatus: 'up' | 'down';
  /** Bits per second */
  readonly ifSpeed: string;
}>>;

export type SoftPowerDone = 'Chassis Power Control: Soft';

export interface IpmiConsoleOpenInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
}

export interface IpmiBandwidthGetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  readonly start?: 'day' | 'week' | 'month' | undefined;
  readonly graph?: boolean | undefined;
}

export interface IpmiUserSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  /** Must start with a letter and contain only letters, digits, dot, underscore or hyphen, at most 16 characters. */
  readonly username: string;
  readonly action: 'createUser' | 'deleteUser' | 'resetPassword';
}

export interface IpmiPowerSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  readonly action: 'checkOn' | 'checkOff' | 'on' | 'off' | 'offHard' | 'offSoft' | 'reboot' | 'reset' | 'rebootPXE' | 'rebootCDROM' | 'rebootBIOS';
}

export interface IpmiControllerResetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
}

export interface IpmiImageSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  readonly action: 'status' | 'mountImage' | 'unmountImage' | 'setImage';
  /** Must be text of 1 to 255 characters. */
  readonly image?: string | undefined;
}

export interface IpmiInstallSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  readonly action: 'status' | 'stop' | 'start';
  readonly image?: Id | undefined;
}

export interface ContactGetInput { readonly id?: Id | undefined }

export interface ContactCreateInput {
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly firstname: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly lastname: string;
  /** Must be text of 1 to 255 characters. */
  readonly phone: string;
  /** Must be an email address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 10 to 128 characters. */
  readonly password: string;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address1: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly city: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly state: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly zipcode: string;
  /** Must be a two-letter country code. */
  readonly county: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address2?: string | undefined;
}

export interface ContactUpdateInput {
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly phone: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly firstname?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly lastname?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be an email address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text of 10 to 128 characters. */
  readonly password?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address1?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address2?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly city?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly state?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly zipcode?: string | undefined;
  /** Must be a two-letter country code. */
  readonly county?: string | undefined;
}

export interface ContactDeleteInput { readonly id: Id }

export interface VpsGetInput { readonly vmid: Id }

export interface VpsImageMountInput {
  readonly vmid: Id;
  /** Must be text of 1 to 255 characters. */
  readonly image: string;
}

export interface VpsTemplateListInput { readonly type: 'Xen' | 'OpenVZ' }

export interface VpsReinstallInput {
  readonly vmid: Id;
  /** Must be text of 1 to 255 characters. */
  readonly template: string;
}

export interface VpsPowerSetInput {
  readonly vmid: Id;
  readonly action: 'on' | 'off' | 'reboot';
}

export interface VpsHostnameSetInput {
  readonly vmid: Id;
  /** Must be a host name: one label, or several separated by dots, the last of letters only, at most 254 characters. */
  readonly hostname: string;
}

export interface VpsPasswordResetInput { readonly vmid: Id }

export interface VpsTunSetInput {
  readonly action: 'enable' | 'disable';
  readonly vmid?: Id | undefined;
}

export interface VpsReverseSetInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
  /** Must be letters, digits, hyphen, dot and underscore, at most 254 characters. */
  readonly record: string;
}

export interface NetblockListInput {
  readonly type: 'ipv4' | 'ipv6';
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
}

export interface PortSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  readonly action?: 'enable' | 'disable' | undefined;
  readonly id?: Id | undefined;
}

export interface NetblockRequestInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  readonly type: 'ipv4' | 'ipv6';
  readonly size: '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64';
}

export interface NullrouteSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01. */
  readonly server: string;
  /** Must be an IPv4 or IPv6 address. */
  readonly ip?: string | undefined;
  readonly action?: 'add' | 'remove' | undefined;
}

export interface SoftwareListInput { readonly service: Id }

export interface SoftwareOrderInput {
  readonly service: Id;
  readonly type: 'Dedicated' | 'VPS';
  /** Must be text of 1 to 255 characters. */
  readonly license: string;
}

export interface SoftwareCancelInput {
  readonly service: Id;
  readonly type: 'Dedicated' | 'VPS';
  /** Must be text of 1 to 255 characters. */
  readonly license: string;
}

export interface ZoneCreateInput {
  /** Must be a host name: labels of letters, digits and inner hyphens separated by dots, the last of letters only, at most 254 characters. */
  readonly name: string;
}

export interface RecordListInput { readonly domain_id: Id }

export interface RecordCreateInput {
  readonly domain_id: Id;
  /** Must be a name relative to the zone, a full name inside it, or @, at most 254 characters. */
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'NS' | 'PTR' | 'SOA';
  /** Must be text of 1 to 4096 characters. */
  readonly content: string;
  /** Must be a whole number from 0 to 604800. */
  readonly ttl?: number | undefined;
}

export interface InvoiceListInput { readonly status?: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled' | undefined }

export interface InvoiceGetInput { readonly invoice: Id }

/** The operations by name. */
export interface Methods {
  /** Open a console. Returns a launcher file. */
  ipmiConsoleOpen(input: IpmiConsoleOpenInput, options?: CallOptions): Promise<JavaConsole>;
  /** Get traffic figures and graphs of a server */
  ipmiBandwidthGet(input: IpmiBandwidthGetInput, options?: CallOptions): Promise<PortTraffic>;
  /** Create or delete an IPMI user, or reset its password */
  ipmiUserSet(input: IpmiUserSetInput, options?: CallOptions): Promise<BmcUser | 'User Removed' | NewPassword>;
  /** Get or set the power of a server, or set its next boot device. `checkOn` and `checkOff` return the string `true` or `false`. */
  ipmiPowerSet(input: IpmiPowerSetInput, options?: CallOptions): Promise<PowerDone | SoftPowerDone | BootDone | 'true' | 'false'>;
  /** Restart the IPMI controller. The server itself keeps running. */
  ipmiControllerReset(input: IpmiControllerResetInput, options?: CallOptions): Promise<'Controller Reset'>;
  /** Set, mount, unmount or get the ISO image. `image` is required with `setImage`. */
  ipmiImageSet(input: IpmiImageSetInput, options?: CallOptions): Promise<ImageStatus | 'Image Set' | 'Image Mounted' | 'Image Unmounted'>;
  /** Start, stop or check an installation from the network. `image` is required with `start`, which erases the server. */
  ipmiInstallSet(input: IpmiInstallSetInput, options?: CallOptions): Promise<InstallStatus | 'Installation Started' | 'Installation Stopped'>;
  /** List or get contacts */
  contactGet(input?: ContactGetInput, options?: CallOptions): Promise<readonly Contact[]>;
  /** Create a contact */
  contactCreate(input: ContactCreateInput, options?: CallOptions): Promise<ContactId>;
  /** Update a contact. `phone` is required. */
  contactUpdate(input: ContactUpdateInput, options?: CallOptions): Promise<ContactId>;
  /** Delete a contact */
  contactDelete(input: ContactDeleteInput, options?: CallOptions): Promise<ContactId>;
  /** List virtual machines */
  vpsList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Machine[]>;
  /** Get a virtual machine */
  vpsGet(input: VpsGetInput, options?: CallOptions): Promise<Machine>;
  /** List ISO images for virtual machines */
  vpsImageList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Mount an ISO image */
  vpsImageMount(input: VpsImageMountInput, options?: CallOptions): Promise<'Image Mounted'>;
  /** List operating systems for a type of virtual machine */
  vpsTemplateList(input: VpsTemplateListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Reinstall a virtual machine. Erases the machine. Returns the new root password. */
  vpsReinstall(input: VpsReinstallInput, options?: CallOptions): Promise<string>;
  /** Set the power of a virtual machine. Powers it on or off, or power-cycles it. */
  vpsPowerSet(input: VpsPowerSetInput, options?: CallOptions): Promise<'Powered On' | 'Powered Off' | 'Rebooted'>;
  /** Set the host name of a virtual machine */
  vpsHostnameSet(input: VpsHostnameSetInput, options?: CallOptions): Promise<'Hostname Updated'>;
  /** Reset the root password. Returns the new password. */
  vpsPasswordReset(input: VpsPasswordResetInput, options?: CallOptions): Promise<string>;
  /** Enable or disable tunnel devices in a virtual machine. `vmid` can be omitted if the account has exactly one machine. The result says if a running machine has to be restarted for the change. */
  vpsTunSet(input: VpsTunSetInput, options?: CallOptions): Promise<'TUN Enabled' | 'TUN Disabled' | 'TUN Enabled from the next start' | 'TUN Disabled from the next start'>;
  /** List the addresses of virtual machines */
  vpsNetworkGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<MachineAddresses>;
  /** Set the reverse DNS of an address */
  vpsReverseSet(input: VpsReverseSetInput, options?: CallOptions): Promise<'Record Updated'>;
  /** List the addresses of a server. Lists one address family, with reverse DNS. */
  netblockList(input: NetblockListInput, options?: CallOptions): Promise<AddressNames>;
  /** List, enable or disable the switch ports of a server. Without `action`, lists the ports. `id` is required with an action. */
  portSet(input: PortSetInput, options?: CallOptions): Promise<PortList | 'Port Enabled.' | 'Port Disabled.'>;
  /** Request a netblock. Assigned immediately, or submitted for approval if the pool or the service's quota requires it. An ipv4 block is /30 to /24, an ipv6 block /64. */
  netblockRequest(input: NetblockRequestInput, options?: CallOptions): Promise<NetblockRequest>;
  /** List, create or remove null routes of a server. Without an address, lists the null routes. A result that ends in Pending means that the request is stored and applied as soon as the router responds again. */
  nullrouteSet(input: NullrouteSetInput, options?: CallOptions): Promise<readonly Nullroute[] | 'Null-routed' | 'Null-route Pending' | 'Null-route Removed' | 'Null-route Removal Pending'>;
  /** List the licences of a service and those available */
  softwareList(input: SoftwareListInput, options?: CallOptions): Promise<Licences>;
  /** Order a licence. Immediately issues an invoice, prorated to the end of the period. */
  softwareOrder(input: SoftwareOrderInput, options?: CallOptions): Promise<LicenceOrder>;
  /** Cancel a licence. Takes effect at the end of the period. An order that has not been delivered ends immediately, and its invoice is credited. */
  softwareCancel(input: SoftwareCancelInput, options?: CallOptions): Promise<'License Cancelled'>;
  /** List zones */
  zoneList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Zone[]>;
  /** Create a zone. Adds SOA and NS records. Returns the id of the zone. */
  zoneCreate(input: ZoneCreateInput, options?: CallOptions): Promise<NewId>;
  /** List the records of a zone */
  recordList(input: RecordListInput, options?: CallOptions): Promise<readonly ZoneRecord[]>;
  /** Create a record. Returns the record's id. When the call returns, the name server serves the record. `ttl` defaults to that of the other records of this name and type, or to 3600 seconds. */
  recordCreate(input: RecordCreateInput, options?: CallOptions): Promise<NewId>;
  /** Get the balance. The amount that the account owes; negative if it has credit. */
  balanceGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Money>;
  /** List invoices */
  invoiceList(input?: InvoiceListInput, options?: CallOptions): Promise<readonly InvoiceListItem[]>;
  /** Get an invoice. Includes its lines. */
  invoiceGet(input: InvoiceGetInput, options?: CallOptions): Promise<InvoiceDetail>;
}

/** Iterators over all pages of a list. */
export interface Each {
}

export const routes = {
  ipmiConsoleOpen: { method: 'POST', path: '/ipmi/kvm', repeat: 'with-key' },
  ipmiBandwidthGet: { method: 'POST', path: '/ipmi/bandwidth', repeat: 'freely' },
  ipmiUserSet: { method: 'POST', path: '/ipmi/user', repeat: 'with-key' },
  ipmiPowerSet: { method: 'POST', path: '/ipmi/power', repeat: 'with-key' },
  ipmiControllerReset: { method: 'POST', path: '/ipmi/reset', repeat: 'with-key' },
  ipmiImageSet: { method: 'POST', path: '/ipmi/image', repeat: 'with-key' },
  ipmiInstallSet: { method: 'POST', path: '/ipmi/pxe', repeat: 'with-key' },
  contactGet: { method: 'GET', path: '/client/contact', repeat: 'freely' },
  contactCreate: { method: 'POST', path: '/client/contact', repeat: 'with-key' },
  contactUpdate: { method: 'POST', path: '/client/contactUpdate', repeat: 'with-key' },
  contactDelete: { method: 'POST', path: '/client/contactDelete', repeat: 'with-key' },
  vpsList: { method: 'GET', path: '/vps/list', repeat: 'freely' },
  vpsGet: { method: 'GET', path: '/vps/get', repeat: 'freely' },
  vpsImageList: { method: 'GET', path: '/vps/iso', repeat: 'freely' },
  vpsImageMount: { method: 'POST', path: '/vps/iso', repeat: 'with-key' },
  vpsTemplateList: { method: 'GET', path: '/vps/template/{type}', repeat: 'freely' },
  vpsReinstall: { method: 'POST', path: '/vps/reinstall', repeat: 'with-key' },
  vpsPowerSet: { method: 'POST', path: '/vps/power', repeat: 'with-key' },
  vpsHostnameSet: { method: 'POST', path: '/vps/hostname', repeat: 'with-key' },
  vpsPasswordReset: { method: 'POST', path: '/vps/password', repeat: 'with-key' },
  vpsTunSet: { method: 'POST', path: '/vps/tun', repeat: 'with-key' },
  vpsNetworkGet: { method: 'GET', path: '/vps/network', repeat: 'freely' },
  vpsReverseSet: { method: 'POST', path: '/vps/rDNS', repeat: 'with-key' },
  netblockList: { method: 'POST', path: '/network/netblock', repeat: 'freely' },
  portSet: { method: 'POST', path: '/network/port', repeat: 'with-key' },
  netblockRequest: { method: 'POST', path: '/network/request', repeat: 'with-key' },
  nullrouteSet: { method: 'POST', path: '/network/nullroute', repeat: 'with-key' },
  softwareList: { method: 'POST', path: '/software/list', repeat: 'freely' },
  softwareOrder: { method: 'POST', path: '/software/order', repeat: 'with-key' },
  softwareCancel: { method: 'POST', path: '/software/cancel', repeat: 'with-key' },
  zoneList: { method: 'GET', path: '/dns/domain', repeat: 'freely' },
  zoneCreate: { method: 'POST', path: '/dns/domain', repeat: 'with-key' },
  recordList: { method: 'GET', path: '/dns/domain/{domain_id}', repeat: 'freely' },
  recordCreate: { method: 'POST', path: '/dns/domain/{domain_id}', repeat: 'with-key' },
  balanceGet: { method: 'GET', path: '/billing/balance', repeat: 'freely' },
  invoiceList: { method: 'GET', path: '/billing/invoice', repeat: 'freely' },
  invoiceGet: { method: 'POST', path: '/billing/invoice', repeat: 'freely' },
} as const satisfies Readonly<Record<string, Route>>;

export const paging = {
} as const satisfies Readonly<Record<string, Paging>>;
