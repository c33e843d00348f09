// The provider of the simulated day: equipment on an address of its own, two tenants who each have servers, machines, a zone
// and a card, and the site file that names them. Everything that belongs to a tenant contains a word of theirs, so that it is
// noticed if the other one sees it.
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Site } from '#contract/site/site.ts';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { startLabSwitch, type LabSwitch } from '#lab/switch/switch.ts';
import { createKeyText } from '#lib/key-text.ts';
import type { AccountId } from '#store/account-id.ts';
import { ada } from '../customer-fixture.ts';
import { labCatalogue } from '../machine-site.ts';
import { siteWithPayments } from '../payment-fixtures.ts';
import { startReceiver, type Receiver } from '../receiver.ts';
import { withResources } from '../resources.ts';
import { startStripeServer, type StripeServer } from '../stripe-server.ts';

export interface Tenant {
  readonly account: AccountId;
  readonly key: string;
  /** A word that is part of everything that the tenant creates. */
  readonly canary: string;
  readonly otherCanaries: readonly string[];
  readonly servers: readonly TenantServer[];
  readonly webhook: Receiver;
  /** Where Hostyard reaches the webhook. */
  readonly webhookUrl: string;
}

export interface TenantServer {
  readonly service: string;
  readonly name: string;
  readonly ip: string;
  readonly bmc: LabBmc;
  readonly ifIndex: number;
}

export interface DayProvider extends AsyncDisposable {
  readonly site: Site;
  readonly operatorKey: string;
  readonly tenants: readonly Tenant[];
  readonly network: LabSwitch;
  readonly hypervisors: readonly LabHypervisor[];
  readonly stripe: StripeServer;
}

const password = 'day-password';
const community = 'day';
const timing = { bootMs: 20, cycleOffMs: 20, softOffMs: 20, absenceMs: 100, buildMs: 100 };
const limits = { rate: 2000, burst: 10_000 };
const canaries = ['quetzalcanary', 'okapicanary'];
const serversEach = 3;

/** `address` is where the equipment listens, and `billingDay` the day of the month on which accounts are billed. */
export async function startDayProvider(address: string, billingDay: number, now: () => number): Promise<DayProvider> {
  await using owned = new AsyncDisposableStack();
  const stripe = owned.use(await startStripeServer(now));
  const stripeUrl = `http://${owned.use(await relay(address, Number(new URL(stripe.url).port))).host}`;
  const ports = canaries.flatMap((_, tenant) =>
    Array.from({ length: serversEach }, (_, n) => tenant * serversEach + n + 1),
  );
  const network = owned.use(
    await startLabSwitch({
      address,
      communities: { readWrite: community },
      linkDelayMs: 10,
      ports: ports.map((number) => ({
        ifIndex: number,
        name: `ge-0/0/${number}`,
        alias: '',
        speedBitsPerSecond: 1e9,
        traffic: { seed: number, inBitsPerSecond: 1e6, outBitsPerSecond: 2e6 },
      })),
    }),
  );
  const hypervisors: LabHypervisor[] = [];
  for (let count = 0; count < 2; count++)
    hypervisors.push(owned.use(await startLabHypervisor({ address, token: password, timing })));
  const tenants: (Tenant & { readonly identity: { id: string; hash: string } })[] = [];
  for (const [index, canary] of canaries.entries()) {
    const servers: TenantServer[] = [];
    for (const ifIndex of ports.slice(index * serversEach, (index + 1) * serversEach)) {
      const admin = { username: 'provider', password };
      const bmc = owned.use(await startLabBmc({ address, admin, hostname: `host${ifIndex}`, timing }));
      servers.push({
        service: String(1000 + ifIndex),
        name: `dc01r01ds0${ifIndex}`,
        ip: `10.64.0.${ifIndex}`,
        bmc,
        ifIndex,
      });
    }
    const webhook = owned.use(await startReceiver());
    const webhookUrl = `http://${owned.use(await relay(address, webhook.port)).host}/hook`;
    const { text: key, identity } = newKey();
    const account = (index + 1) as AccountId;
    const otherCanaries = canaries.filter((other) => other !== canary);
    tenants.push({ account, key, canary, otherCanaries, servers, webhook, webhookUrl, identity });
  }
  const operator = newKey();
  const servers = tenants.flatMap((tenant) => tenant.servers.map((server) => ({ ...server, tenant })));
  const site: Site = {
    provider: { name: 'Day', currency: { code: 'EUR' } },
    nameserver: { names: ['ns1.day.example'], listen: '0.0.0.0:5300' },
    webhooks: { allow: [`${address}/32`] },
    netblocks: [{ cidr: '10.64.0.0/16' }, { cidr: '10.65.0.0/20', pool: 'assign' }],
    operators: [{ name: 'pager', role: 'owner', ...operator.identity, limits }],
    orders: { machines: 1000, snapshots: 100 },
    billing: { terms: 0, day: billingDay },
    plans: [
      { name: 'Server', price: '50.00', cycle: 'monthly' },
      {
        name: 'Small',
        price: '5.00',
        cycle: 'monthly',
        machine: { vcpus: 1, memoryMb: 64, diskGb: 1, addresses: '/32', order: true },
      },
    ],
    templates: labCatalogue,
    nodes: hypervisors.map(({ port }, index) => ({
      name: `hv${index + 1}`,
      driver: 'lab',
      settings: { address, port, token: password },
    })),
    servers: servers.map(({ name, bmc }) => ({
      name,
      bmc: { driver: 'ipmi', settings: { address, port: bmc.port, username: 'provider', password } },
    })),
    switches: [
      {
        name: 'sw1',
        driver: 'snmp',
        settings: { version: '2c', address, port: network.port, community, timeoutMs: 500 },
        ports: servers.map(({ ifIndex, service }) => ({ ifIndex, service: Number(service) })),
      },
    ],
    customers: tenants.map(({ account, canary, identity }) => ({
      ...ada,
      id: account,
      lastname: canary,
      email: `${canary}@example.net`,
      keys: [{ name: 'own', ...identity, scopes: ['all'], limits }],
    })),
    services: servers.map(({ service, name, ip, tenant }) => ({
      id: Number(service),
      customer: tenant.account,
      type: 'dedicated',
      name: 'Server',
      hostname: `host${service}.${tenant.canary}.test`,
      ip,
      server: name,
      plan: 'Server',
    })),
  };
  const topUp = { min: '1.00', max: '5000.00' };
  return withResources(owned, {
    site: siteWithPayments(site, { ...stripe, url: stripeUrl }, { topUp }),
    operatorKey: operator.text,
    tenants,
    network,
    hypervisors,
    stripe,
  });
}

function newKey() {
  const { text, printableId, secretHash } = createKeyText();
  return { text, identity: { id: printableId, hash: secretHash.toString('hex') } };
}

/** Makes a port of loopback available on another address. */
async function relay(address: string, port: number): Promise<AsyncDisposable & { readonly host: string }> {
  const callers = new Set<Socket>();
  const server: Server = createServer((caller) => {
    const peer = connect(port, '127.0.0.1');
    callers.add(caller);
    caller
      .on('error', () => peer.destroy())
      .on('close', () => {
        callers.delete(caller);
        peer.destroy();
      });
    peer.on('error', () => caller.destroy()).on('close', () => caller.destroy());
    caller.pipe(peer).pipe(caller);
  });
  server.listen(0, address);
  await once(server, 'listening');
  return {
    host: `${address}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const caller of callers) caller.destroy();
      await closed;
    },
  };
}
