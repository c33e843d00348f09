// The lab's site: a small provider with two customers. It is generated as a site file and applied like any other.
import type { SiteNode } from '#contract/site/machines.ts';
import { licenceNames } from '#contract/catalogue.ts';
import type { Site, SiteCustomer, SiteInvoice, SiteService, SiteServer, SiteSwitch } from '#contract/site/site.ts';
import { readKeyText } from '#lib/key-text.ts';
import { dayNumber, dayNumberText } from '#lib/time.ts';
import type { LabBmcAccess } from './bmc/bmc.ts';
import type { LabDetectorAccess, LabHypervisorAccess, LabSwitchAccess } from './equipment.ts';
import { labImages } from './images.ts';
import { labBilling, labTerms } from './billing.ts';
import { labPortServices, labSwitchName } from './network.ts';
import { labModel, redfishServer, redfishSettings, type LabRedfishAccess } from './redfish/lab-servers.ts';
import { licenceProduct } from './products.ts';
import { labRackPositions, labRacks } from './racks.ts';
import { labMachines, labNameServer } from './hypervisor/machines.ts';
import { labTemplates } from './hypervisor/templates.ts';
import { labCards, labDisks, labNetworkBootSite, type LabBootFiles } from './systems.ts';
import type { LabFile } from './lab-file.ts';

/** Scripts and load tests use these keys, so they get much higher limits than a customer's. */
const labLimits = { rate: 2000, burst: 10_000 };

/** Enough for a session of each server. */
const labConsolePorts = 9;

/** The provider's blocks and their assignments. Every other service has a single address. */
const netblocks = [
  { cidr: '203.0.113.0/24', gateway: '203.0.113.1' },
  { cidr: '2001:db8:1::/48', gateway: '2001:db8:1::1' },
  { cidr: '198.18.4.0/22', pool: 'assign' as const },
  { cidr: '2001:db8:2::/48', pool: 'assign' as const },
  { cidr: '203.0.113.10/32', service: 1001 },
  { cidr: '203.0.113.32/29', service: 1001 },
  { cidr: '2001:db8:1::10/124', service: 1001 },
  { cidr: '2001:db8:1:1001::/64', service: 1001 },
  { cidr: '203.0.113.130/32', service: 2001 },
  { cidr: '2001:db8:1::130/124', service: 2001 },
];

/** Printed on the lab's invoices. */
const seller = {
  name: 'Hostyard lab',
  address1: 'Gasthuisring 5',
  city: 'Tilburg',
  postcode: '5041DT',
  country: 'NL',
  email: 'billing@example.net',
  vatNumber: 'NL001234567B01',
  iban: 'NL91ABNA0417164300',
};

export function labSite(lab: LabFile, equipment: LabAccess): Site {
  /** A service of the first customer, on the plan of its name. */
  const service = (id: number, name: string, host: string, ip: string) => {
    return { id, customer: 1, name, ...labTerms(lab.since, name), hostname: `${host}.example.net`, ip };
  };
  return {
    provider: { name: 'Hostyard lab', currency: { code: 'EUR', prefix: '€', suffix: ' EUR' }, seller },
    nameserver: {
      names: ['ns1.example.net', 'ns2.example.net'],
      listen: `${lab.dns.address}:${lab.dns.port}`,
      // Their servers are named in the same domain, whose zone whoever tries the lab may want to create.
      account: 1,
    },
    licences: licenceNames.map((name) => ({ name, label: licenceProduct(name), price: '15.00' })),
    netblocks,
    addressQuota: { ipv4: 32 },
    racks: labRacks,
    screens: { listen: `127.0.0.1:${lab.screens?.port ?? 0}` },
    ...(equipment.backupsFolder !== undefined && {
      backups: { repository: { driver: 'lab', path: equipment.backupsFolder } },
    }),
    sensors: { customers: true },
    consoles: {
      host: 'localhost',
      address: '127.0.0.1',
      ports: (lab.consoles?.ports ?? Array.from({ length: labConsolePorts }, () => 0)).join(),
      web: { listen: `127.0.0.1:${lab.consoles?.webPort ?? 0}` },
    },
    ...labBilling,
    operators: [{ name: 'lab', role: 'owner', ...keyIdentity(lab.operator.key), limits: labLimits }],
    servers: [
      ...equipment.bmcs.map((bmc, index) => siteServer(bmc, index === 0 ? equipment.secondaryRedfish : undefined)),
      ...(equipment.redfish === undefined
        ? []
        : [
            {
              ...redfishServer(equipment.redfish),
              ...labRackPositions[equipment.redfish.server],
              disks: [...labDisks],
            },
          ]),
    ],
    switches: equipment.network === undefined ? [] : [siteSwitch(equipment.network)],
    ...attackSettings(equipment),
    ...(equipment.bootFiles === undefined ? {} : labNetworkBootSite(equipment.bootFiles)),
    ...(equipment.disc === undefined ? {} : labImages(equipment.disc, lab.media?.port ?? 0)),
    nodes: equipment.hypervisor === undefined ? [] : [siteHypervisor(equipment.hypervisor)],
    templates: labTemplates.map(({ name, kind, source }) => ({ name, type: kind, value: source, source })),
    customers: [
      {
        ...mainCustomer(lab),
        keys: [{ name: 'lab', ...keyIdentity(lab.customer.key), scopes: ['all'], limits: labLimits }],
        opening: { credit: '5.00', contacts: contacts(lab), invoices: invoices(lab.since) },
      },
      {
        ...otherCustomer(lab),
        keys: [{ name: 'lab', ...keyIdentity(lab.stranger.key), scopes: ['all'], limits: labLimits }],
        opening: { invoices: [otherCustomerInvoice(lab.since)] },
      },
    ],
    services: [
      { ...service(1001, 'Dedicated E3', 'web1', '203.0.113.10'), type: 'dedicated', server: 'dc01r01ds01' },
      { ...service(1002, 'Dedicated E5', 'db1', '203.0.113.11'), type: 'dedicated', server: 'dc01r01ds02-01' },
      {
        ...service(2001, 'VPS small', 'vps1', '203.0.113.130'),
        type: 'vps',
        vmid: 101,
        ...siteMachine(equipment, 101, 1000),
      },
      {
        ...service(3001, 'Cloud 2', 'cloud1', '203.0.113.140'),
        type: 'cloud',
        vmid: 201,
        ...siteMachine(equipment, 201, 5000),
      },
      {
        id: 1101,
        customer: 2,
        type: 'dedicated',
        name: 'Dedicated E3',
        hostname: 'mail.example.org',
        ip: '203.0.113.20',
        server: 'dc01r02ds01',
      },
    ],
  };
}

/** The equipment that the site refers to. Tests leave out what they do not need. */
export interface LabAccess {
  readonly bmcs: readonly LabBmcAccess[];
  readonly network?: LabSwitchAccess;
  readonly hypervisor?: LabHypervisorAccess;
  readonly routesFile?: string;
  readonly backupsFolder?: string;
  readonly detector?: LabDetectorAccess;
  readonly redfish?: LabRedfishAccess;
  readonly secondaryRedfish?: LabRedfishAccess;
  readonly disc?: string;
  readonly bootFiles?: LabBootFiles;
}

/** Customers can null-route their own addresses; nothing does it automatically. */
function attackSettings({ routesFile, detector }: LabAccess): Pick<Site, 'detectors' | 'nullroutes'> {
  return {
    ...(detector === undefined ? {} : { detectors: [detector] }),
    ...(routesFile === undefined
      ? {}
      : { nullroutes: { policy: 'offer', router: { driver: 'file', settings: { path: routesFile } } } }),
  };
}

function siteHypervisor({ name, address, port, token }: LabHypervisorAccess): SiteNode {
  return {
    name,
    ...labRackPositions[name],
    driver: 'lab',
    settings: { address, port, token },
    nameServers: [labNameServer],
  };
}

function siteMachine({ hypervisor }: LabAccess, vmid: number, bandwidthGb: number): Pick<SiteService, 'machine'> {
  if (hypervisor === undefined) return {};
  const { shape, template } = labMachines.find((machine) => machine.vmid === vmid)!;
  return { machine: { ...shape, bandwidthGb, template } };
}

function siteSwitch({ address, port, community }: LabSwitchAccess): SiteSwitch {
  const ports = labPortServices.map(({ ifIndex, service }) =>
    service === undefined ? { ifIndex } : { ifIndex, service },
  );
  return {
    name: labSwitchName,
    ...labRackPositions[labSwitchName],
    driver: 'snmp',
    settings: { version: '2c', address, port, community },
    ports,
  };
}

function siteServer(
  { server, address, port, username, password }: LabBmcAccess,
  secondaryRedfish: LabRedfishAccess | undefined,
): SiteServer {
  const redfish = secondaryRedfish === undefined ? {} : { redfish: redfishSettings(secondaryRedfish) };
  return {
    name: server,
    ...labRackPositions[server],
    bmc: { driver: 'ipmi', model: labModel, settings: { address, port, username, password, ...redfish } },
    macs: [labCards[server]!],
    disks: [...labDisks],
    parts: {
      CPU: ['Intel Xeon E3-1230 v3 @ 3.30GHz'],
      RAM: ['8 GB DDR3 ECC', '8 GB DDR3 ECC'],
      'Hard Drive': labDisks.map(({ serial, sizeGb }) => `${sizeGb} GB SATA SSD serial ${serial}`),
      'Network Card': ['Intel I210 1 Gbit/s'],
    },
  };
}

function keyIdentity(text: string): { id: string; hash: string } {
  const { printableId, secretHash } = readKeyText(text)!;
  return { id: printableId, hash: secretHash.toString('hex') };
}

const mainAddress = {
  address1: 'Keizersgracht 12',
  city: 'Amsterdam',
  state: 'Noord-Holland',
  postcode: '1015CJ',
  country: 'NL',
};

function mainCustomer(lab: LabFile): SiteCustomer {
  return {
    id: Number(lab.customer.account),
    firstname: 'Ada',
    lastname: 'Winter',
    company: 'Winter Hosting',
    email: lab.customer.email,
    phone: '+31.201234567',
    ...mainAddress,
    passwordHash: lab.customer.passwordHash,
  };
}

function otherCustomer(lab: LabFile): SiteCustomer {
  return {
    id: Number(lab.stranger.account),
    firstname: 'Bruno',
    lastname: 'Okafor',
    email: 'bruno@example.org',
    phone: '+33.123456789',
    address1: '4 Rue des Lilas',
    city: 'Lyon',
    state: 'Rhone',
    postcode: '69003',
    country: 'FR',
  };
}

type Contacts = NonNullable<NonNullable<SiteCustomer['opening']>['contacts']>;

function contacts(lab: LabFile): Contacts {
  return [
    { firstname: 'Chen', lastname: 'Visser', email: 'chen@example.net', phone: '+31.207654321', ...mainAddress },
    {
      firstname: 'Dana',
      lastname: 'Moss',
      email: lab.colleague.email,
      ...mainAddress,
      passwordHash: lab.customer.passwordHash,
      subaccount: true,
      permissions: ['account:read', 'billing:read', 'device:read'],
    },
  ];
}

/**
 * Returns one invoice of each status, dated relative to the lab's first day. Overdue is an unpaid one past its due
 * date.
 */
function invoices(since: string): SiteInvoice[] {
  const day = (offset: number): string => dayNumberText(dayNumber(since)! + offset);
  const hosting = (service: number, description: string, amount: string) => ({
    type: 'Hosting' as const,
    service,
    description,
    amount,
    taxed: true,
  });
  return [
    {
      number: 'LAB-0001',
      date: day(-75),
      due: day(-61),
      taxrate: '21.00',
      lines: [
        hosting(1001, 'Dedicated E3, first month', '89.00'),
        { type: 'Setup', service: 1001, description: 'Setup of web1.example.net', amount: '25.00', taxed: true },
      ],
      payments: [{ date: day(-70), amount: '137.94', method: 'banktransfer', reference: 'LAB-TX-1' }],
    },
    {
      number: 'LAB-0002',
      date: day(-45),
      due: day(-31),
      taxrate: '21.00',
      lines: [hosting(1001, 'Dedicated E3, one month', '89.00'), hosting(2001, 'VPS small, one month', '9.00')],
      payments: [{ date: day(-20), amount: '50.00', method: 'banktransfer', reference: 'LAB-TX-2' }],
    },
    {
      number: 'LAB-0003',
      date: day(-30),
      due: day(-16),
      cancelled: true,
      taxrate: '21.00',
      lines: [hosting(3001, 'Cloud 2, ordered twice by mistake', '15.00')],
      notes: 'Cancelled on request',
    },
    {
      number: 'LAB-0004',
      date: day(0),
      due: day(14),
      taxrate: '21.00',
      lines: [
        hosting(1001, 'Dedicated E3, one month', '89.00'),
        hosting(3001, 'Cloud 2, one month', '15.00'),
        {
          type: 'Bandwidth',
          service: 1001,
          description: '95th percentile above the commitment',
          amount: '7.31',
          taxed: true,
        },
        { type: 'Credit', description: 'Goodwill', amount: '-4.00', taxed: false },
      ],
    },
  ];
}

function otherCustomerInvoice(since: string): SiteInvoice {
  return {
    number: 'LAB-0005',
    date: since,
    due: dayNumberText(dayNumber(since)! + 14),
    taxrate: '20.00',
    lines: [{ type: 'Hosting', service: 1101, description: 'Dedicated E3, one month', amount: '89.00', taxed: true }],
  };
}
