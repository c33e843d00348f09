// The site file: what the provider's staff say of their installation, as one YAML document. Every kind of equipment adds
// its part here; `app/site/file.ts` reads it and `app/site/apply.ts` makes it so.
import { Type, type Static } from 'typebox';
import * as p from './parameters.ts';
import { attackParts } from './site-attacks.ts';
import { SiteMachine, SiteNode, SiteScreens, SiteTemplate } from './site-machines.ts';
import { licenceNames } from './catalogue.ts';
import { roleNames } from './roles.ts';
import { grantNames, scopeNames } from './scopes.ts';
import { Amount, billing, customerBilling, Day, Rate, serviceBilling } from './site-billing.ts';
import { accountStatuses, lineTypes } from './shapes/account.ts';
import { SiteImage, SiteMedia } from './site-images.ts';
import { SiteLegacy } from './site-legacy.ts';
import { SiteMessages } from './site-messages.ts';
import { rackPlace, SiteRack } from './site-racks.ts';
import { DriverSettings, Secret } from './site-secrets.ts';
import { SiteBoot, SiteSystem } from './site-systems.ts';
import { bootIdentity } from './site-boot.ts';

const closed = { additionalProperties: false };
const Free = Type.String({ maxLength: 255, 'x-reason': 'must be text of at most 255 characters' });

const Limits = Type.Object({ rate: p.Whole(1, 1_000_000), burst: p.Whole(1, 10_000_000) }, closed);

/** A key whose secret only its holder knows: `hostyard key draw` prints the key and these two lines. */
const keyIdentity = {
  id: Type.String({
    pattern: '^[a-z2-7]{12}$',
    'x-reason': 'must be the 12 letters between hy_ and the next underscore',
  }),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', 'x-reason': 'must be the SHA-256 of the secret in hex' }),
};

const CustomerKey = Type.Object(
  {
    name: p.Text({ max: 64 }),
    ...keyIdentity,
    scopes: Type.Array(p.Choice(...grantNames)),
    allow: Type.Optional(Type.Array(p.Cidr)),
    limits: Type.Optional(Limits),
  },
  closed,
);

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
  /** argon2id, as `hostyard password` prints it. */
  passwordHash: Type.Optional(
    Type.String({ pattern: '^\\$argon2id\\$', 'x-reason': 'must be what `hostyard password` prints' }),
  ),
};

const Contact = Type.Object(
  {
    ...person,
    subaccount: Type.Optional(Type.Boolean()),
    permissions: Type.Optional(Type.Array(p.Choice(...scopeNames))),
  },
  closed,
);

const Invoice = Type.Object(
  {
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
      Type.Object(
        {
          type: p.Choice(...lineTypes),
          service: Type.Optional(p.Id),
          description: p.Text(),
          amount: Amount,
          taxed: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    payments: Type.Optional(
      Type.Array(
        Type.Object({ date: Day, amount: Amount, method: p.Text({ max: 64 }), reference: p.Text({ max: 64 }) }, closed),
      ),
    ),
  },
  closed,
);

const Customer = Type.Object(
  {
    id: p.Whole(1, Number.MAX_SAFE_INTEGER),
    ...person,
    /** Left out: what it is in the database, Active for a new account. */
    status: Type.Optional(p.Choice(...accountStatuses)),
    keys: Type.Optional(Type.Array(CustomerKey)),
    ...customerBilling,
    /** What the account brings along when it is made. Later the customer and the billing look after these, not this file. */
    opening: Type.Optional(
      Type.Object(
        {
          credit: Type.Optional(Amount),
          contacts: Type.Optional(Type.Array(Contact)),
          invoices: Type.Optional(Type.Array(Invoice)),
        },
        closed,
      ),
    ),
  },
  closed,
);

const Service = Type.Object(
  {
    id: p.Whole(1, Number.MAX_SAFE_INTEGER),
    customer: p.Id,
    type: p.Choice('dedicated', 'vps', 'cloud'),
    name: p.Text(),
    hostname: p.DomainName,
    /** Left out: what it is in the database, Active for a new one. */
    status: Type.Optional(p.Choice('Pending', 'Active', 'Suspended', 'Terminated')),
    ip: p.IpAddress,
    server: Type.Optional(p.ServerName),
    vmid: Type.Optional(p.Whole(1, Number.MAX_SAFE_INTEGER)),
    machine: Type.Optional(SiteMachine),
    ...serviceBilling,
  },
  closed,
);

const Server = Type.Object(
  {
    name: p.ServerName,
    bmc: Type.Object(
      {
        driver: p.Text({ max: 32 }),
        /** Chooses the launcher file of the console. */
        model: Type.Optional(p.Text({ max: 64 })),
        /** The name under which customers reach the console gateway; left out: the server's name. */
        consoleHost: Type.Optional(p.Text({ max: 253 })),
        settings: DriverSettings('bmc'),
      },
      closed,
    ),
    /** What is printed on its case. */
    serial: Type.Optional(p.Text({ max: 64 })),
    ...rackPlace,
    /** The ports of switches that it is wired to. They are those of the service that has the server. */
    ports: Type.Optional(
      Type.Array(Type.Object({ switch: p.Text({ max: 64 }), ifIndex: p.Whole(1, 2_147_483_647) }, closed)),
    ),
    /** Category (CPU, Motherboard, RAM, Hard Drive, Network Card) to descriptions. */
    parts: Type.Optional(Type.Record(Type.String(), Type.Array(p.Text()))),
    ...bootIdentity,
  },
  closed,
);

/** What an invoice must say of who bills. */
const Seller = Type.Object(
  {
    name: p.Text(),
    address1: Free,
    address2: Type.Optional(Free),
    city: Free,
    postcode: Free,
    state: Type.Optional(Free),
    country: p.CountryCode,
    email: Type.Optional(p.Email),
    vatNumber: Type.Optional(Free),
    registration: Type.Optional(Free),
    iban: Type.Optional(Free),
    /** Countries whose customers get the invoice for machines (EN 16931) inside the PDF; BE, DE and FR unless told. */
    electronicInvoices: Type.Optional(Type.Array(p.CountryCode)),
  },
  closed,
);

const LicenceHook = Type.Object(
  {
    url: Type.String({ pattern: '^https?://', 'x-reason': 'must be a URL' }),
    secret: Secret,
  },
  closed,
);

const Licence = Type.Object({ name: p.Choice(...licenceNames), price: Amount }, closed);

const Switch = Type.Object(
  {
    name: p.Text({ max: 64 }),
    driver: p.Text({ max: 32 }),
    settings: DriverSettings('switch'),
    ...rackPlace,
    /** Ports that belong to a service; others are not looked at. */
    ports: Type.Optional(
      Type.Array(Type.Object({ ifIndex: p.Whole(1, 2_147_483_647), service: Type.Optional(p.Id) }, closed)),
    ),
  },
  closed,
);

const TransferKey = Type.Object(
  {
    name: p.RecordName,
    algorithm: p.Choice('hmac-sha256', 'hmac-sha1', 'hmac-sha512'),
    /** In base64. */
    secret: Secret,
  },
  closed,
);

const NameServer = Type.Object(
  {
    /** Of the NS records of every new zone; the first is its primary. */
    names: Type.Array(p.DomainName, { minItems: 1, maxItems: 13, 'x-reason': 'must be 1 to 13 names of name servers' }),
    /** The mailbox in the SOA of new zones, with a dot for the @; hostmaster beside the first name server unless told. */
    hostmaster: Type.Optional(p.DomainName),
    /** Where the built-in name server listens, UDP and TCP: 192.0.2.53:53, [2001:db8::53]:53. */
    listen: Type.Optional(p.ListenAddress),
    /** Who may copy whole zones. */
    transfer: Type.Optional(
      Type.Object(
        { networks: Type.Optional(Type.Array(p.Cidr)), keys: Type.Optional(Type.Array(TransferKey)) },
        closed,
      ),
    ),
    /** Who is told of changes; `key` names one of `transfer.keys`. */
    secondaries: Type.Optional(
      Type.Array(
        Type.Object(
          { address: p.IpAddress, port: Type.Optional(p.Whole(1, 65_535)), key: Type.Optional(p.RecordName) },
          closed,
        ),
      ),
    ),
    /** The name of a zone that lists all others, for secondaries that take on new zones by themselves (RFC 9432). */
    catalog: Type.Optional(p.DomainName),
    /** A PowerDNS instead of the built-in one. */
    powerdns: Type.Optional(
      Type.Object(
        {
          url: Type.String({ pattern: '^https?://', 'x-reason': 'must be the URL of its API' }),
          apiKey: Secret,
          /** `one` where its database takes one writer at a time, as SQLite does. */
          writers: Type.Optional(p.Choice('one', 'one-per-zone')),
          /** How long a change waits for it before it is refused; 10 unless told. */
          timeoutSeconds: Type.Optional(p.Whole(1, 60)),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** A block of addresses: of the provider's own, for which there are reverse zones, or assigned to a service out of one. */
const Netblock = Type.Object(
  {
    cidr: p.Cidr,
    service: Type.Optional(p.Id),
    /** Of a block of the provider: customers get addresses of it at once, or their requests are filed. */
    pool: Type.Optional(p.Choice('assign', 'ask')),
    /** Where a server with an address of this block reaches everything else; installers are told it. */
    gateway: Type.Optional(p.IpAddress),
  },
  closed,
);

export const Site = Type.Object(
  {
    provider: Type.Object(
      {
        name: p.Text({ max: 64 }),
        currency: Type.Object(
          {
            code: Type.String({ pattern: '^[A-Z]{3}$', 'x-reason': 'must be a currency code such as EUR' }),
            prefix: Type.Optional(Free),
            suffix: Type.Optional(Free),
          },
          closed,
        ),
        seller: Type.Optional(Seller),
        /** How many letters the last label of a host or domain name may have; 6 unless told. */
        lastLabel: Type.Optional(p.Whole(6, 63)),
      },
      closed,
    ),
    /** Budget of a key that names none of its own. */
    keyLimits: Type.Optional(Limits),
    operators: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: p.Text({ max: 64 }),
            role: p.Choice(...roleNames),
            ...keyIdentity,
            limits: Type.Optional(Limits),
          },
          closed,
        ),
      ),
    ),
    webhooks: Type.Optional(
      Type.Object(
        {
          /** Networks of the provider's own to which customers may have events sent; everything special is refused else. */
          allow: Type.Array(p.Cidr),
        },
        closed,
      ),
    ),
    racks: Type.Optional(Type.Array(SiteRack)),
    servers: Type.Optional(Type.Array(Server)),
    switches: Type.Optional(Type.Array(Switch)),
    nodes: Type.Optional(Type.Array(SiteNode)),
    templates: Type.Optional(Type.Array(SiteTemplate)),
    screens: Type.Optional(SiteScreens),
    nameserver: Type.Optional(NameServer),
    netblocks: Type.Optional(Type.Array(Netblock)),
    boot: Type.Optional(SiteBoot),
    systems: Type.Optional(Type.Array(SiteSystem)),
    images: Type.Optional(Type.Array(SiteImage)),
    media: Type.Optional(SiteMedia),
    /** Software that customers can order, each with its price for a month. */
    licences: Type.Optional(Type.Array(Licence)),
    /** Asked for the key of each ordered licence, signed as standardwebhooks.com describes; without it staff give the keys. */
    licenceHook: Type.Optional(LicenceHook),
    customers: Type.Optional(Type.Array(Customer)),
    services: Type.Optional(Type.Array(Service)),
    /** When the legacy interface ends. */
    legacy: Type.Optional(SiteLegacy),
    /** What customers are told, by kind of event. */
    messages: Type.Optional(SiteMessages),
    ...billing,
    ...attackParts,
  },
  closed,
);

export type Site = Static<typeof Site>;
export type SiteCustomer = Static<typeof Customer>;
export type SiteInvoice = Static<typeof Invoice>;
export type SiteServer = Static<typeof Server>;
export type SiteSwitch = Static<typeof Switch>;
export type SiteService = Static<typeof Service>;
export type SiteNameServer = Static<typeof NameServer>;
export type SiteNetblock = Static<typeof Netblock>;
export type SiteSeller = Static<typeof Seller>;
