// The site file: the provider's description of the installation, as one YAML document. Every kind of equipment adds its
// part here; `app/site/file.ts` reads it and `app/site/apply.ts` applies it.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { SiteBackups } from './backups.ts';
import { attackParts } from './attacks.ts';
import { SiteMachine, SiteNode, SiteOrders, SiteScreens, SiteTemplate } from './machines.ts';
import { licenceNames } from '../catalogue.ts';
import { roleNames } from '../roles.ts';
import { grantNames, scopeNames } from '../scopes.ts';
import { AddressQuota, Amount, billing, customerBilling, Day, Rate, serviceBilling } from './billing.ts';
import { accountStatuses, lineTypes } from '../shapes/account.ts';
import { DnsLimits } from '../shapes/dns-limits.ts';
import { SiteConsoles } from './consoles.ts';
import { SiteImage, SiteMedia } from './images.ts';
import { SiteLegacy } from './legacy.ts';
import { SiteMail } from './mail.ts';
import { SiteMessages } from './messages.ts';
import { SiteNameServer } from './name-server.ts';
import { SitePrivacy } from './privacy.ts';
import { SiteSignOn } from './sign-on.ts';
import { SiteExchangeRates, SiteInvoiceDelivery } from './invoice-delivery.ts';
import { SitePayments } from './payments.ts';
import { SiteTax } from './tax.ts';
import { SiteSignUp } from './sign-up.ts';
import { rackPlace, SiteRack } from './racks.ts';
import { DriverSettings, Secret } from './secrets.ts';
import { SiteBoot, SiteSystem } from './systems.ts';
import { bootIdentity } from './boot.ts';
import { SiteModel } from './waits.ts';

const Free = Type.String({ maxLength: 255, 'x-reason': 'must be text of at most 255 characters' });

const Limits = p.StrictObject({ rate: p.Whole(1, 1_000_000), burst: p.Whole(1, 10_000_000) });

/** A key whose secret only its holder knows: `hostyard key generate` prints the key and these two lines. */
const keyIdentity = {
  id: p.Matching('^[a-z2-7]{12}$', 'must be the 12 letters between hy_ and the next underscore'),
  hash: p.Matching('^[0-9a-f]{64}$', 'must be the SHA-256 of the secret in hex'),
};

const CustomerKey = p.StrictObject({
  name: p.Text({ max: 64 }),
  ...keyIdentity,
  scopes: Type.Array(p.Choice(...grantNames)),
  allow: Type.Optional(Type.Array(p.Cidr)),
  dns: Type.Optional(DnsLimits),
  limits: Type.Optional(Limits),
});

const person = {
  firstname: Free,
  lastname: Free,
  company: Type.Optional(Free),
  email: p.Email,
  phone: Type.Optional(Free),
  address1: Free,
  address2: Type.Optional(Free),
  city: Free,
  state: Free,
  postcode: Free,
  country: p.CountryCode,
  /** argon2id, as printed by `hostyard password`. */
  passwordHash: Type.Optional(p.Matching('^\\$argon2id\\$', 'must be the output of `hostyard password`')),
};

const Contact = p.StrictObject({
  ...person,
  subaccount: Type.Optional(Type.Boolean()),
  permissions: Type.Optional(Type.Array(p.Choice(...scopeNames))),
});

const Invoice = p.StrictObject({
  number: p.Text({ max: 64 }),
  date: Day,
  due: Day,
  cancelled: Type.Optional(Type.Boolean()),
  credit: Type.Optional(Amount),
  taxrate: Type.Optional(Rate),
  taxrate2: Type.Optional(Rate),
  method: Type.Optional(Free),
  notes: Type.Optional(Free),
  lines: Type.Array(
    p.StrictObject({
      type: p.Choice(...lineTypes),
      service: Type.Optional(p.Id),
      description: p.Text(),
      amount: Amount,
      taxed: Type.Optional(Type.Boolean()),
    }),
  ),
  payments: Type.Optional(
    Type.Array(
      p.StrictObject({ date: Day, amount: Amount, method: p.Text({ max: 64 }), reference: p.Text({ max: 64 }) }),
    ),
  ),
});

const Customer = p.StrictObject({
  id: p.Whole(1, Number.MAX_SAFE_INTEGER),
  ...person,
  /** If omitted, the value in the database stays; a new account is Active. */
  status: Type.Optional(p.Choice(...accountStatuses)),
  keys: Type.Optional(Type.Array(CustomerKey)),
  ...customerBilling,
  /** The opening balance of a new account. Afterwards the customer and billing change it, not this file. */
  opening: Type.Optional(
    p.StrictObject({
      credit: Type.Optional(Amount),
      contacts: Type.Optional(Type.Array(Contact)),
      invoices: Type.Optional(Type.Array(Invoice)),
    }),
  ),
});

const Service = p.StrictObject({
  id: p.Whole(1, Number.MAX_SAFE_INTEGER),
  customer: p.Id,
  type: p.Choice('dedicated', 'vps', 'cloud'),
  name: p.Text(),
  hostname: p.DomainName,
  /** If omitted, the value in the database stays; a new one is Active. */
  status: Type.Optional(p.Choice('Pending', 'Active', 'Suspended', 'Terminated')),
  ip: p.IpAddress,
  server: Type.Optional(p.ServerName),
  vmid: Type.Optional(p.Whole(1, Number.MAX_SAFE_INTEGER)),
  machine: Type.Optional(SiteMachine),
  ...serviceBilling,
});

/**
 * Identifies a switch port; give at most one of them. `ifIndex` only says where it was first: switches renumber
 * their ports. By default it is the name that the port has when Hostyard first sees it.
 */
const portKey = {
  /** ifName, or ifDescr on a switch without ifName. */
  name: Type.Optional(p.Text({ max: 255 })),
  /** ifDescr. */
  description: Type.Optional(p.Text({ max: 255 })),
  /** ifAlias. */
  alias: Type.Optional(p.Text({ max: 255 })),
};

const OutletNumber = Type.Union([p.Whole(1, 9999), Type.String({ pattern: '^[0-9]{1,4}(\\.[0-9]{1,4}){1,2}$' })], {
  'x-reason': "must be the number of an outlet, or its index in the strip's tables such as '2.1.5'",
});

const Server = p.StrictObject({
  name: p.ServerName,
  bmc: p.StrictObject({
    driver: p.Text({ max: 32 }),
    /**
     * Selects the console launcher file and the console on the web page: `aten`, `ami`, `idrac`, `openbmc`; and how long to
     * wait for it, if it is one of `models`.
     */
    model: Type.Optional(p.Text({ max: 64 })),
    /** The host name of the console gateway; by default that of `consoles`, or the server's name without it. */
    consoleHost: Type.Optional(p.Text({ max: 253 })),
    settings: DriverSettings('bmc'),
  }),
  /** As printed on the case. */
  serial: Type.Optional(p.Text({ max: 64 })),
  ...rackPlace,
  /** The switch ports that it is connected to. They belong to the service that has the server. */
  ports: Type.Optional(
    Type.Array(p.StrictObject({ switch: p.Text({ max: 64 }), ifIndex: p.Whole(1, 2_147_483_647), ...portKey })),
  ),
  /**
   * The outlets of power strips that it is plugged into, all of them. They are switched if its BMC does not respond: list
   * them only if no other device shares them.
   */
  outlets: Type.Optional(Type.Array(p.StrictObject({ pdu: p.Text({ max: 64 }), outlet: OutletNumber }))),
  /** Descriptions by category (CPU, Motherboard, RAM, Hard Drive, Network Card). */
  parts: Type.Optional(Type.Record(Type.String(), Type.Array(p.Text()))),
  ...bootIdentity,
  /** Whether its disks are erased between customers; true by default. */
  erase: Type.Optional(Type.Boolean()),
});

/** What happens to a server between two customers. */
const Reclaim = p.StrictObject({
  /** BMC users of the provider in addition to the one that Hostyard signs in with. All others are removed. */
  bmcUsers: Type.Optional(Type.Array(p.Text({ max: 64 }))),
  /** Whether Hostyard's own BMC password is replaced by a random one; false by default. `hostyard export` shows it. */
  rotateBmcPassword: Type.Optional(Type.Boolean()),
});

/** The seller's details that an invoice must contain. */
const Seller = p.StrictObject({
  name: p.Text(),
  address1: Free,
  address2: Type.Optional(Free),
  city: Free,
  postcode: Free,
  state: Type.Optional(Free),
  country: p.CapitalCountryCode,
  email: Type.Optional(p.Email),
  vatNumber: Type.Optional(Free),
  /** The number of the tax office, for a seller without a VAT number. */
  taxNumber: Type.Optional(Free),
  registration: Type.Optional(Free),
  /** Whom customers ask about invoices; XRechnung demands both. */
  contact: Type.Optional(Free),
  phone: Type.Optional(Free),
  /** The electronic address for e-invoices, such as 0106:12345678; the email address by default. */
  endpoint: Type.Optional(p.InvoiceEndpoint),
  iban: Type.Optional(Free),
  /** Countries whose customers get machine-readable invoices (EN 16931) inside the PDF; BE, DE and FR by default. */
  electronicInvoices: Type.Optional(Type.Array(p.CountryCode)),
});

const LicenceHook = p.StrictObject({
  url: p.Matching('^https?://', 'must be a URL'),
  secret: Secret,
});

const Licence = p.StrictObject({
  name: p.Choice(...licenceNames),
  /** What customers read in the panel; the name by default. */
  label: Type.Optional(p.Text({ max: 128 })),
  price: Amount,
});

const Switch = p.StrictObject({
  name: p.Text({ max: 64 }),
  driver: p.Text({ max: 32 }),
  settings: DriverSettings('switch'),
  ...rackPlace,
  /** Ports that belong to a service; others are ignored. */
  ports: Type.Optional(
    Type.Array(p.StrictObject({ ifIndex: p.Whole(1, 2_147_483_647), ...portKey, service: Type.Optional(p.Id) })),
  ),
});

/** A power strip with outlets that can be switched. */
const Pdu = p.StrictObject({
  name: p.Text({ max: 64 }),
  driver: p.Text({ max: 32 }),
  settings: DriverSettings('pdu'),
});

/** A block of addresses: one of the provider's own, with reverse zones, or one assigned to a service from it. */
const Netblock = p.StrictObject({
  cidr: p.Cidr,
  service: Type.Optional(p.Id),
  /** For the provider's own blocks: whether customers get addresses immediately, or request them. */
  pool: Type.Optional(p.Choice('assign', 'ask')),
  /** The gateway for servers with an address of this block, passed to installers. */
  gateway: Type.Optional(p.IpAddress),
  /**
   * How addresses in it reach the service: routed to its main address by the router, or on-link, in a network that it
   * shares with the gateway. By default as in the smallest block around it, and otherwise on-link.
   */
  delivery: Type.Optional(p.Choice('routed', 'on-link')),
});

export const Site = p.StrictObject({
  provider: p.StrictObject({
    name: p.Text({ max: 64 }),
    currency: p.StrictObject({
      code: p.Matching('^[A-Z]{3}$', 'must be a currency code such as EUR'),
      prefix: Type.Optional(Free),
      suffix: Type.Optional(Free),
    }),
    seller: Type.Optional(Seller),
    tax: Type.Optional(SiteTax),
    /** Payment providers, and how invoices are collected. */
    payments: Type.Optional(SitePayments),
    /** The maximum length of the last label of a host or domain name; 6 by default. */
    lastLabel: Type.Optional(p.Whole(6, 63)),
  }),
  /** The default rate limit of keys. */
  keyLimits: Type.Optional(Limits),
  operators: Type.Optional(
    Type.Array(
      p.StrictObject({
        name: p.Text({ max: 64 }),
        role: p.Choice(...roleNames),
        ...keyIdentity,
        limits: Type.Optional(Limits),
      }),
    ),
  ),
  webhooks: Type.Optional(
    p.StrictObject({
      /** The provider's own networks that customers may send webhooks to; other special networks are rejected. */
      allow: Type.Array(p.Cidr),
    }),
  ),
  racks: Type.Optional(Type.Array(SiteRack)),
  /** Models of BMCs, switches and power strips that are slower than others. */
  models: Type.Optional(Type.Array(SiteModel)),
  servers: Type.Optional(Type.Array(Server)),
  switches: Type.Optional(Type.Array(Switch)),
  pdus: Type.Optional(Type.Array(Pdu)),
  nodes: Type.Optional(Type.Array(SiteNode)),
  templates: Type.Optional(Type.Array(SiteTemplate)),
  screens: Type.Optional(SiteScreens),
  orders: Type.Optional(SiteOrders),
  /** Temperatures, fans, power, and the condition of parts, as BMCs report them. */
  sensors: Type.Optional(
    p.StrictObject({
      /** Whether customers see them for their own servers, and are notified of broken parts; false by default. */
      customers: Type.Optional(Type.Boolean()),
    }),
  ),
  /** The gateway to the consoles of dedicated servers. */
  consoles: Type.Optional(SiteConsoles),
  nameserver: Type.Optional(SiteNameServer),
  netblocks: Type.Optional(Type.Array(Netblock)),
  addressQuota: Type.Optional(AddressQuota),
  boot: Type.Optional(SiteBoot),
  systems: Type.Optional(Type.Array(SiteSystem)),
  images: Type.Optional(Type.Array(SiteImage)),
  media: Type.Optional(SiteMedia),
  reclaim: Type.Optional(Reclaim),
  /** Software that customers can order, each with its price per month. */
  licences: Type.Optional(Type.Array(Licence)),
  /**
   * Asked for the key of each ordered licence, signed as standardwebhooks.com specifies; without it, staff enter the
   * keys.
   */
  licenceHook: Type.Optional(LicenceHook),
  /** Hands e-invoices to a network such as Peppol. */
  invoiceDelivery: Type.Optional(SiteInvoiceDelivery),
  backups: Type.Optional(SiteBackups),
  /** For customers with another currency than the provider's. */
  exchangeRates: Type.Optional(SiteExchangeRates),
  customers: Type.Optional(Type.Array(Customer)),
  services: Type.Optional(Type.Array(Service)),
  /** The end of the legacy API. */
  legacy: Type.Optional(SiteLegacy),
  /** Email to customers; without it, none is sent. */
  mail: Type.Optional(SiteMail),
  /** Single sign-on of staff; without it, they sign in with name, password and code, or a passkey. */
  signOn: Type.Optional(SiteSignOn),
  /** Accounts that people create themselves; without it, only staff create them. */
  signUp: Type.Optional(SiteSignUp),
  /** Erasure of accounts. */
  privacy: Type.Optional(SitePrivacy),
  /** Messages to customers, by event type. */
  messages: Type.Optional(SiteMessages),
  ...billing,
  ...attackParts,
});

export type Site = Static<typeof Site>;
export type SiteCustomer = Static<typeof Customer>;
export type SiteInvoice = Static<typeof Invoice>;
export type SiteServer = Static<typeof Server>;
export type SiteSwitch = Static<typeof Switch>;
export type SitePdu = Static<typeof Pdu>;
export type SiteService = Static<typeof Service>;
