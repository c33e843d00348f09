// A small provider whose equipment lives in the test process: BMCs, a switch, and the site file that names them. It
// survives the servers that tests kill, can be broken piece by piece, and records what was done to it.
import type { Site } from '#contract/site/site.ts';
import { createKeyText } from '#lib/key-text.ts';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import { startLabSwitch, type LabSwitch } from '#lab/switch/switch.ts';
import { ada } from './customer-fixture.ts';
import { ownLoopbackAddress } from './ports.ts';
import { withResources } from './resources.ts';

export interface Fleet extends AsyncDisposable {
  readonly site: Site;
  readonly key: string;
  readonly operatorKey: string;
  /** In the order of the services. */
  readonly bmcs: readonly LabBmc[];
  readonly network: LabSwitch;
  readonly services: readonly string[];
  readonly dns: { readonly address: string; readonly port: number };
}

const password = 'fleet-password';
const community = 'fleet';
const timing = { bootMs: 20, cycleOffMs: 20, softOffMs: 20, absenceMs: 100 };
const firstService = 1001;
const limits = { rate: 2000, burst: 10_000 };

/** One service per server: 1001 with 10.64.0.1 on switch port 1, 1002 with 10.64.0.2 on port 2, and so on. */
export async function startFleet(count: number): Promise<Fleet> {
  await using owned = new AsyncDisposableStack();
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const bmcs: LabBmc[] = [];
  for (const number of numbers) {
    const options = { admin: { username: 'provider', password }, hostname: `host${number}`, timing };
    bmcs.push(owned.use(await startLabBmc(options)));
  }
  const network = owned.use(
    await startLabSwitch({
      communities: { readWrite: community },
      linkDelayMs: 10,
      ports: numbers.map((number) => ({
        ifIndex: number,
        name: `ge-0/0/${number}`,
        alias: '',
        speedBitsPerSecond: 1e9,
        traffic: { seed: number, inBitsPerSecond: 1e6, outBitsPerSecond: 2e6 },
      })),
    }),
  );
  // A loopback address that no other test uses, so that a restarted server finds its port free.
  const dns = { address: ownLoopbackAddress(), port: 5300 };
  const customer = createKeyText();
  const operator = createKeyText();
  const identity = ({ printableId, secretHash }: typeof customer) => ({
    id: printableId,
    hash: secretHash.toString('hex'),
  });
  const site: Site = {
    provider: { name: 'Fleet', currency: { code: 'EUR' } },
    nameserver: { names: ['ns1.fleet.example'], listen: `${dns.address}:${dns.port}` },
    netblocks: [{ cidr: '10.64.0.0/16' }],
    operators: [{ name: 'pager', role: 'owner', ...identity(operator), limits }],
    servers: bmcs.map(({ address, port }, index) => ({
      name: nameOf(index + 1),
      bmc: { driver: 'ipmi', settings: { address, port, username: 'provider', password } },
    })),
    switches: [
      {
        name: 'sw1',
        driver: 'snmp',
        settings: { version: '2c', address: network.address, port: network.port, community, timeoutMs: 500 },
        ports: numbers.map((number) => ({ ifIndex: number, service: firstService - 1 + number })),
      },
    ],
    customers: [{ ...ada, keys: [{ name: 'own', ...identity(customer), scopes: ['all'], limits }] }],
    services: numbers.map((number) => ({
      id: firstService - 1 + number,
      customer: 1,
      type: 'dedicated',
      name: 'Server',
      hostname: `host${number}.fleet.example`,
      ip: `10.64.0.${number}`,
      server: nameOf(number),
    })),
  };
  return withResources(owned, {
    site,
    key: customer.text,
    operatorKey: operator.text,
    bmcs,
    network,
    services: numbers.map((number) => String(firstService - 1 + number)),
    dns,
  });
}

function nameOf(number: number): string {
  return `dc01r01ds${String(number).padStart(2, '0')}`;
}
