// Made from the contract by `npm run golden`: never changed by hand, and long because it is the whole interface.
import type { CallOptions, Id, Paging, Route } from '../settings.ts';

/** Address to its reverse name, or to the text No Record Found */
export type AddressNames = Readonly<Record<string, string>>;

export interface BmcUser {
  readonly hostname: string;
  readonly username: string;
  readonly password: string;
}

export type BootDone = 'Set Boot Device to pxe' | 'Set Boot Device to cdrom' | 'Set Boot Device to bios';

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

export type Flag01 = '0' | '1';

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

export interface InstallStatus {
  readonly status: ReloadStatus;
  /** Network-boot id, empty where the template has none */
  readonly image: string;
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

export interface LicenceOrder {
  readonly orderid: string;
  readonly invoiceid: string;
  readonly license: string;
  readonly status: string;
}

export type Licences = {
  readonly installed: readonly {
    readonly license: string;
    readonly type: string;
    readonly status: 'Pending' | 'Active' | 'Cancelled' | 'Ended';
    readonly since: string;
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

/** vmid to addresses */
export type MachineAddresses = Readonly<Record<string, {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}>>;

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

export interface NewPassword {
  readonly value: string;
}

export interface Nullroute {
  readonly ip: string;
  readonly start: string;
  readonly end: string;
  readonly active: Flag01;
  readonly reason: string;
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

/** Port id to port */
export type PortList = Readonly<Record<string, {
  readonly name: string;
  readonly ifAdminStatus: 'up' | 'down';
  readonly ifOperStatus: 'up' | 'down';
  /** Bits per second */
  readonly ifSpeed: string;
}>>;

export type PortTraffic = Readonly<Record<string, Readonly<Record<string, {
  /** Port alias */
  readonly name: string;
  readonly data: PortCounters;
  /** Empty where no graph was asked for */
  readonly graph: string;
}>>>>;

export type PowerDone = 'Chassis Power Control: Up/On' | 'Chassis Power Control: Down/Off' | 'Chassis Power Control: Cycle' | 'Chassis Power Control: Reset';

/** No reload in progress, Queued, Booting, Installing <percent>%, Completed, Failed: <why> or Cancelled */
export type ReloadStatus = string;

export type SoftPowerDone = 'Chassis Power Control: Soft';

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

export interface IpmiConsoleOpenInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
}

export interface IpmiBandwidthGetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be one of day, week, month. */
  readonly start?: 'day' | 'week' | 'month' | undefined;
  /** Must be true or false. */
  readonly graph?: boolean | undefined;
}

export interface IpmiUserSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be a letter and then letters, digits, dot, underscore or hyphen, at most 16 characters. */
  readonly username: string;
  /** Must be one of createUser, deleteUser, resetPassword. */
  readonly action: 'createUser' | 'deleteUser' | 'resetPassword';
}

export interface IpmiPowerSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be one of checkOn, checkOff, on, off, offHard, offSoft, reboot, reset, rebootPXE, rebootCDROM, rebootBIOS. */
  readonly action: 'checkOn' | 'checkOff' | 'on' | 'off' | 'offHard' | 'offSoft' | 'reboot' | 'reset' | 'rebootPXE' | 'rebootCDROM' | 'rebootBIOS';
}

export interface IpmiControllerResetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
}

export interface IpmiImageSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be one of status, mountImage, unmountImage, setImage. */
  readonly action: 'status' | 'mountImage' | 'unmountImage' | 'setImage';
  /** Must be text of 1 to 255 characters. */
  readonly image?: string | undefined;
}

export interface IpmiInstallSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be one of status, stop, start. */
  readonly action: 'status' | 'stop' | 'start';
  /** Must be digits, at most 9007199254740991. */
  readonly image?: Id | undefined;
}

export interface ContactGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id?: Id | undefined;
}

export interface ContactCreateInput {
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly firstname: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly lastname: string;
  /** Must be text of 1 to 255 characters. */
  readonly phone: string;
  /** Must be an e-mail address, at most 254 characters. */
  readonly email: string;
  /** Must be text of 1 to 128 characters. */
  readonly password: string;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address1: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly city: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly state: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly zipcode: string;
  /** Must be a country code of two letters, at most 2 characters. */
  readonly county: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be letters, digits, apostrophe, period, hyphen, comma and spaces, at most 255 characters. */
  readonly address2?: string | undefined;
}

export interface ContactUpdateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
  /** Must be text of 1 to 255 characters. */
  readonly phone: string;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly firstname?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly lastname?: string | undefined;
  /** Must be letters, digits, hyphen, dot, underscore and single spaces between words, at most 255 characters. */
  readonly company?: string | undefined;
  /** Must be an e-mail address, at most 254 characters. */
  readonly email?: string | undefined;
  /** Must be text of 1 to 128 characters. */
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
  /** Must be a country code of two letters, at most 2 characters. */
  readonly county?: string | undefined;
}

export interface ContactDeleteInput {
  /** Must be digits, at most 9007199254740991. */
  readonly id: Id;
}

export interface VpsGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly vmid: Id;
}

export interface VpsImageMountInput {
  /** Must be digits, at most 9007199254740991. */
  readonly vmid: Id;
  /** Must be text of 1 to 255 characters. */
  readonly image: string;
}

export interface VpsTemplateListInput {
  /** Must be one of Xen, OpenVZ. */
  readonly type: 'Xen' | 'OpenVZ';
}

export interface VpsReinstallInput {
  /** Must be digits, at most 9007199254740991. */
  readonly vmid: Id;
  /** Must be text of 1 to 255 characters. */
  readonly template: string;
}

export interface VpsPowerSetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly vmid: Id;
  /** Must be one of on, off, reboot. */
  readonly action: 'on' | 'off' | 'reboot';
}

export interface VpsHostnameSetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly vmid: Id;
  /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
  readonly hostname: string;
}

export interface VpsPasswordResetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly vmid: Id;
}

export interface VpsTunSetInput {
  /** Must be one of enable, disable. */
  readonly action: 'enable' | 'disable';
  /** Must be digits, at most 9007199254740991. */
  readonly vmid?: Id | undefined;
}

export interface VpsReverseSetInput {
  /** Must be an IPv4 or IPv6 address. */
  readonly ip: string;
  /** Must be letters, digits, hyphen, dot and underscore, at most 254 characters. */
  readonly record: string;
}

export interface NetblockListInput {
  /** Must be one of ipv4, ipv6. */
  readonly type: 'ipv4' | 'ipv6';
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
}

export interface PortSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be one of enable, disable. */
  readonly action?: 'enable' | 'disable' | undefined;
  /** Must be digits, at most 9007199254740991. */
  readonly id?: Id | undefined;
}

export interface NetblockRequestInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be one of ipv4, ipv6. */
  readonly type: 'ipv4' | 'ipv6';
  /** Must be one of /30, /29, /28, /27, /26, /25, /24, /64. */
  readonly size: '/30' | '/29' | '/28' | '/27' | '/26' | '/25' | '/24' | '/64';
}

export interface NullrouteSetInput {
  /** Must be a server name such as dc01r01ds01 or dc01r01ds01-01, at most 14 characters. */
  readonly server: string;
  /** Must be an IPv4 or IPv6 address. */
  readonly ip?: string | undefined;
  /** Must be one of add, remove. */
  readonly action?: 'add' | 'remove' | undefined;
}

export interface SoftwareListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
}

export interface SoftwareOrderInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be one of Dedicated, VPS. */
  readonly type: 'Dedicated' | 'VPS';
  /** Must be text of 1 to 255 characters. */
  readonly license: string;
}

export interface SoftwareCancelInput {
  /** Must be digits, at most 9007199254740991. */
  readonly service: Id;
  /** Must be one of Dedicated, VPS. */
  readonly type: 'Dedicated' | 'VPS';
  /** Must be text of 1 to 255 characters. */
  readonly license: string;
}

export interface ZoneCreateInput {
  /** Must be a name of dot-separated labels of letters, digits and inner hyphens, the last of letters only, at most 254 characters. */
  readonly name: string;
}

export interface RecordListInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain_id: Id;
}

export interface RecordCreateInput {
  /** Must be digits, at most 9007199254740991. */
  readonly domain_id: Id;
  /** Must be a name relative to the zone, a full name inside it, or @, at most 254 characters. */
  readonly name: string;
  /** Must be one of A, AAAA, CNAME, NS, PTR, SOA. */
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'NS' | 'PTR' | 'SOA';
  /** Must be text of 1 to 4096 characters. */
  readonly content: string;
  /** Must be a whole number from 60 to 604800. */
  readonly ttl?: number | undefined;
}

export interface InvoiceListInput {
  /** Must be one of Paid, Unpaid, Overdue, Cancelled. */
  readonly status?: 'Paid' | 'Unpaid' | 'Overdue' | 'Cancelled' | undefined;
}

export interface InvoiceGetInput {
  /** Must be digits, at most 9007199254740991. */
  readonly invoice: Id;
}

/** The operations, each by its name. */
export interface Methods {
  /** Open a console: a launcher file */
  ipmiConsoleOpen(input: IpmiConsoleOpenInput, options?: CallOptions): Promise<JavaConsole>;
  /** Traffic figures and graphs of the ports of a server */
  ipmiBandwidthGet(input: IpmiBandwidthGetInput, options?: CallOptions): Promise<PortTraffic>;
  /** Make or remove a user of the controller, or give it a new password */
  ipmiUserSet(input: IpmiUserSetInput, options?: CallOptions): Promise<BmcUser | 'User Removed' | NewPassword>;
  /** Ask for or change the power of a server, or choose its next boot. `checkOn` and `checkOff` answer the text `true` or `false`. */
  ipmiPowerSet(input: IpmiPowerSetInput, options?: CallOptions): Promise<PowerDone | SoftPowerDone | BootDone | 'true' | 'false'>;
  /** Restart the controller; the server itself runs on */
  ipmiControllerReset(input: IpmiControllerResetInput, options?: CallOptions): Promise<'Controller Reset'>;
  /** Set, mount or unmount an ISO image, or ask which one is there. `image` is required with `setImage`. */
  ipmiImageSet(input: IpmiImageSetInput, options?: CallOptions): Promise<ImageStatus | 'Image Set' | 'Image Mounted' | 'Image Unmounted'>;
  /** Start or stop an installation over the network, or ask how far it is. `image` is required with `start`, which erases the server. */
  ipmiInstallSet(input: IpmiInstallSetInput, options?: CallOptions): Promise<InstallStatus | 'Installation Started' | 'Installation Stopped'>;
  /** All contacts, or the one with this id */
  contactGet(input?: ContactGetInput, options?: CallOptions): Promise<readonly Contact[]>;
  /** Add a contact */
  contactCreate(input: ContactCreateInput, options?: CallOptions): Promise<ContactId>;
  /** Change what is given of a contact; `phone` must be given */
  contactUpdate(input: ContactUpdateInput, options?: CallOptions): Promise<ContactId>;
  /** Remove a contact */
  contactDelete(input: ContactDeleteInput, options?: CallOptions): Promise<ContactId>;
  /** The virtual machines of the account */
  vpsList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Machine[]>;
  /** One virtual machine */
  vpsGet(input: VpsGetInput, options?: CallOptions): Promise<Machine>;
  /** The ISO images for virtual machines */
  vpsImageList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Mount an ISO image */
  vpsImageMount(input: VpsImageMountInput, options?: CallOptions): Promise<'Image Mounted'>;
  /** The operating systems for one type of virtual machine */
  vpsTemplateList(input: VpsTemplateListInput, options?: CallOptions): Promise<readonly ImageEntry[]>;
  /** Reinstall a virtual machine, which erases it; answers the new root password */
  vpsReinstall(input: VpsReinstallInput, options?: CallOptions): Promise<string>;
  /** Switch a virtual machine on or off, or power-cycle it */
  vpsPowerSet(input: VpsPowerSetInput, options?: CallOptions): Promise<'Powered On' | 'Powered Off' | 'Rebooted'>;
  /** Change the host name of a virtual machine */
  vpsHostnameSet(input: VpsHostnameSetInput, options?: CallOptions): Promise<'Hostname Updated'>;
  /** Reset the root password; answers the new one */
  vpsPasswordReset(input: VpsPasswordResetInput, options?: CallOptions): Promise<string>;
  /** Allow or forbid tunnel devices in a virtual machine. `vmid` may be left out when the account has exactly one machine. */
  vpsTunSet(input: VpsTunSetInput, options?: CallOptions): Promise<'TUN Enabled' | 'TUN Disabled'>;
  /** The addresses of the virtual machines */
  vpsNetworkGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<MachineAddresses>;
  /** Set the reverse name of an address */
  vpsReverseSet(input: VpsReverseSetInput, options?: CallOptions): Promise<'Record Updated'>;
  /** The addresses of a server of one family, with their reverse names */
  netblockList(input: NetblockListInput, options?: CallOptions): Promise<AddressNames>;
  /** Enable or disable a switch port of a server; without an action, list its ports. `id` is required with an action. */
  portSet(input: PortSetInput, options?: CallOptions): Promise<PortList | 'Port Enabled.' | 'Port Disabled.'>;
  /** Ask for a netblock: assigned at once, or filed for the operator. An ipv4 block is /30 to /24, an ipv6 block /64. */
  netblockRequest(input: NetblockRequestInput, options?: CallOptions): Promise<NetblockRequest>;
  /** Null-route an address of a server, or lift it; without an address, list the null-routes. An answer that ends in Pending: the wish is kept, and carried out as soon as the router answers again. */
  nullrouteSet(input: NullrouteSetInput, options?: CallOptions): Promise<readonly Nullroute[] | 'Null-routed' | 'Null-route Pending' | 'Null-route Removed' | 'Null-route Removal Pending'>;
  /** The licences of a service and those that it can have */
  softwareList(input: SoftwareListInput, options?: CallOptions): Promise<Licences>;
  /** Order a licence; makes an invoice at once, prorated to the end of the period */
  softwareOrder(input: SoftwareOrderInput, options?: CallOptions): Promise<LicenceOrder>;
  /** Cancel a licence at the end of the period */
  softwareCancel(input: SoftwareCancelInput, options?: CallOptions): Promise<'License Cancelled'>;
  /** The zones of the account */
  zoneList(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<readonly Zone[]>;
  /** Add a zone, with its SOA and name server records; answers its id */
  zoneCreate(input: ZoneCreateInput, options?: CallOptions): Promise<NewId>;
  /** The records of a zone */
  recordList(input: RecordListInput, options?: CallOptions): Promise<readonly ZoneRecord[]>;
  /** Add a record to a zone; answers its id. When the call returns, the name server answers with the record. `ttl` is 3600 seconds unless given. */
  recordCreate(input: RecordCreateInput, options?: CallOptions): Promise<NewId>;
  /** What the account owes; negative when it is in credit */
  balanceGet(input?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Money>;
  /** The invoices, of one status or all */
  invoiceList(input?: InvoiceListInput, options?: CallOptions): Promise<readonly InvoiceListItem[]>;
  /** One invoice with its lines */
  invoiceGet(input: InvoiceGetInput, options?: CallOptions): Promise<InvoiceDetail>;
}

/** Lists that come in pages, each as one sequence. */
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
