// A provider of any size, with the proportions of a real one: for 1,000 services, 100 dedicated servers, 900 virtual
// machines on one hypervisor, ten switches of 48 ports and 100 customers.
import { createKeyText } from '#lib/key-text.ts';
import { labCatalogue, smallMachine } from '#test/support/machine-site.ts';
import { ada } from '#test/support/customer-fixture.ts';

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** How many devices a provider with this many services has. */
export function equipmentCounts(services: number) {
  return { servers: services / 10, switches: services / 100, hypervisors: Math.max(1, services / 1000) };
}

export interface ScaleEquipment {
  readonly bmcs: readonly Endpoint[];
  readonly switches: readonly Endpoint[];
  readonly hypervisors: readonly Endpoint[];
}

export const bmcLogin = { username: 'provider', password: 'secret-enough' };
export const community = 'scale-bench';
export const hypervisorToken = 'bench-secret';
export const portsPerSwitch = 48;
const serversPerSwitch = 10;
const serversPerRack = 20;
const limits = { rate: 100_000, burst: 1_000_000 };

export function vmidOf(index: number): number {
  return 100_000 + index;
}

export function hypervisorName(index: number): string {
  return `node${index + 1}`;
}

/** Returns the site and the texts of two keys: one of the first customer, one of staff. */
export function scaleSite(services: number, { bmcs, switches, hypervisors }: ScaleEquipment, dnsPort: number) {
  const staff = createKeyText();
  const customerKey = createKeyText();
  const racks = Math.ceil(bmcs.length / serversPerRack);
  const site = {
    provider: { name: 'Scale', currency: { code: 'EUR' } },
    keyLimits: limits,
    nameserver: { names: ['ns1.example.net', 'ns2.example.net'], listen: `127.0.0.1:${dnsPort}` },
    operators: [{ name: 'bench', role: 'owner', ...hashOf(staff) }],
    racks: numbered(racks, (index) => ({ name: `R${index + 1}` })),
    servers: bmcs.map(({ address, port }, index) => ({
      name: serverName(index),
      bmc: { driver: 'ipmi', settings: { address, port, ...bmcLogin } },
      rack: `R${Math.floor(index / serversPerRack) + 1}`,
      unit: (index % serversPerRack) + 1,
      serial: `SN${index}`,
      macs: [macOf(index, 0), macOf(index, 1)],
      ports: [0, 1].map((wire) => ({
        switch: switchName(Math.floor(index / serversPerSwitch)),
        ifIndex: (index % serversPerSwitch) * 2 + wire + 1,
      })),
      parts: { CPU: ['AMD EPYC 9124'], RAM: ['32 GB', '32 GB'] },
    })),
    switches: switches.map(({ address, port }, index) => ({
      name: switchName(index),
      driver: 'snmp',
      settings: { version: '2c', address, port, community },
      ports: numbered(portsPerSwitch, (position) => ({ ifIndex: position + 1 })),
    })),
    nodes: hypervisors.map(({ address, port }, index) => ({
      name: hypervisorName(index),
      driver: 'lab',
      settings: { address, port, token: hypervisorToken },
    })),
    templates: labCatalogue,
    netblocks: [
      ...numbered(Math.ceil(services / 250), (index) => ({
        cidr: `10.${index >> 8}.${index & 255}.0/24`,
        gateway: `10.${index >> 8}.${index & 255}.254`,
      })),
      // Every tenth service has a network too.
      ...numbered(Math.floor(services / 10), (index) => ({
        cidr: `10.${128 + (index >> 13)}.${(index >> 5) & 255}.${(index & 31) * 8}/29`,
        service: 1001 + index * 10,
      })),
    ],
    customers: numbered(Math.max(1, services / 10), (index) => ({
      ...ada,
      id: index + 1,
      email: `customer${index + 1}@example.net`,
      keys: [{ name: 'own', ...hashOf(index === 0 ? customerKey : createKeyText()), scopes: ['all'] }],
    })),
    plans: [
      { name: 'Dedicated', price: '89.00', cycle: 'monthly', bandwidth: { committed: 100, price: '1.50' } },
      { name: 'VPS', price: '9.00', cycle: 'monthly' },
    ],
    services: numbered(services, (index) => {
      const common = {
        id: 1001 + index,
        customer: Math.floor(index / 10) + 1,
        hostname: `host${index}.example.net`,
        ip: `10.${Math.floor(index / 250) >> 8}.${Math.floor(index / 250) & 255}.${(index % 250) + 1}`,
        // Not earlier, because months of invoices would be due at the start.
        start: new Date().toISOString().slice(0, 10),
      };
      // The first services are dedicated, so that those of the first customer are.
      if (index < bmcs.length)
        return { ...common, type: 'dedicated', name: 'Server', plan: 'Dedicated', server: serverName(index) };
      const machine = { ...smallMachine, node: hypervisorName(index % hypervisors.length) };
      return { ...common, type: 'vps', name: 'VPS', plan: 'VPS', vmid: vmidOf(index), machine };
    }),
  };
  return { site, customerKey: customerKey.text, staffKey: staff.text };
}

function numbered<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

function hashOf({ printableId: id, secretHash }: ReturnType<typeof createKeyText>) {
  return { id, hash: secretHash.toString('hex') };
}

function serverName(index: number): string {
  const part = (number: number) => String(number + 1).padStart(2, '0');
  return `dc${part(Math.floor(index / 1000))}r${part(Math.floor(index / 20) % 50)}ds${part(index % 20)}`;
}

function switchName(index: number): string {
  return `sw${index + 1}`;
}

function macOf(index: number, card: number): string {
  const digits = (index * 2 + card).toString(16).padStart(8, '0');
  return `52:54:${digits.match(/../g)!.join(':')}`;
}
