// A new service: a free server or a machine to be made, addresses out of the pools, and the terms on which it is had. All of it
// is written in one transaction; what takes longer, the machine, is a workflow that begins with its commit.
import type { Static } from 'typebox';
import type { ServiceWork } from '#contract/shapes/operator-service.ts';
import { cycles, type Cycle } from '#contract/site-billing.ts';
import { addressesOf, readSortable } from '#kernel/address-ranges.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { dayOf } from '#kernel/moments.ts';
import { moneyCents } from '#kernel/money.ts';
import { deviceHolds } from '#store/devices/device-holds.ts';
import { machinePut } from '#store/devices/machines.ts';
import { nodeFind } from '#store/devices/nodes.ts';
import { serviceAddressSet, serviceInsert } from '#store/operator/operator-services.ts';
import { serverFind } from '#store/devices/servers.ts';
import { serviceOfServer, type Service } from '#store/devices/services.ts';
import { portsFollowServer } from '#store/network/switches.ts';
import type { ServiceType } from '#store/tables.ts';
import { templateFind } from '#store/devices/templates.ts';
import { billingSettings } from '../billing/settings.ts';
import { serviceTermsSet } from '../billing/terms.ts';
import { freeBlock, netblockGive } from '../network/netblock-requests.ts';
import { machineAwaited, macOf } from '../site/machines.ts';
import type { Context } from '../yard.ts';
import { customer } from './accounts.ts';

export interface ServiceOrder {
  readonly account: number;
  readonly type: ServiceType;
  readonly name: string;
  readonly hostname: string;
  readonly size?: string;
  readonly server?: string;
  readonly template?: string;
  readonly vcpus?: number;
  readonly memorymb?: number;
  readonly diskgb?: number;
  readonly bandwidthgb?: number;
  readonly node?: string;
  readonly plan?: string;
  readonly price?: string;
  readonly setup?: string;
  readonly cycle?: Cycle;
}

const defaultSize = '/30';

export async function serviceProvision(context: Context, order: ServiceOrder): Promise<Static<typeof ServiceWork>> {
  const { queries, yard } = context;
  const account = await customer(queries, order.account);
  if (account.status === 'Closed') throw new Fault('account_closed');
  checkOrder(order);
  const server = order.server === undefined ? null : await freeServer(context, order.server.toLowerCase());
  const acting = context.actFor(account.id);
  const service = await serviceInsert(queries, {
    account_id: account.id,
    type: order.type,
    name: order.name,
    hostname: order.hostname.replace(/\.$/, '').toLowerCase(),
    status: server === null ? 'Pending' : 'Active',
    ip: '',
    server,
    created_at: yard.clock.now(),
  });
  await giveAddresses(acting, service, order.size ?? defaultSize);
  await setTerms(context, service, order);
  if (server !== null) await portsFollowServer(queries, server, service.id);
  acting.tell('service.provisioned', {}, service.id);
  const workflow = server === null ? await orderMachine(acting, service, order) : undefined;
  return { service: String(service.id), workflow: workflow ?? '' };
}

function checkOrder(order: ServiceOrder): void {
  const needed = order.type === 'dedicated' ? ['server'] : ['template', 'vcpus', 'memorymb', 'diskgb'];
  const out =
    order.type === 'dedicated' ? ['template', 'vcpus', 'memorymb', 'diskgb', 'bandwidthgb', 'node'] : ['server'];
  const given = order as unknown as Readonly<Record<string, unknown>>;
  const faults = [
    ...needed.filter((name) => given[name] === undefined).map((name) => [name, `is required for ${order.type}`]),
    ...out.filter((name) => given[name] !== undefined).map((name) => [name, `does not go with ${order.type}`]),
    ...['plan', 'setup', 'cycle']
      .filter((name) => given[name] !== undefined && order.price === undefined)
      .map((name) => [name, 'goes with price']),
  ];
  if (faults.length > 0) throw invalid(Object.fromEntries(faults) as Record<string, string>);
}

async function freeServer({ queries }: Context, name: string): Promise<string> {
  const server = await serverFind(queries, name);
  if (server === undefined || server.removed_at !== null) throw invalid({ server: 'must be a server of the provider' });
  const taken = await serviceOfServer(queries, name);
  if (taken !== undefined) throw new Fault('state_conflict', { message: `The server belongs to service ${taken.id}.` });
  const [hold] = await deviceHolds(queries, name);
  if (hold !== undefined) throw new Fault('device_held', { message: `The server is held back: ${hold.reason}` });
  return name;
}

/** Its own address is the first of the block that a host can have. */
async function giveAddresses(context: Context, service: Service, size: string): Promise<void> {
  const prefixLength = Number(size.slice(1));
  const { range } = await freeBlock(context, size === '/64' ? 'ipv6' : 'ipv4', prefixLength);
  await netblockGive(context, service, range, prefixLength);
  const [, second] = addressesOf(range);
  await serviceAddressSet(context.queries, service.id, readSortable(second ?? range.first));
}

async function setTerms({ queries, yard }: Context, service: Service, order: ServiceOrder): Promise<void> {
  if (order.price === undefined) return;
  await serviceTermsSet(queries, service.account_id, service.id, {
    terms: {
      plan: order.plan ?? order.name,
      price_cents: moneyCents(order.price)!,
      cycle_months: cycles[order.cycle ?? 'monthly'],
      committed_mbits: null,
      mbit_price_cents: 0,
      addresses_included: 0,
      address_price_cents: 0,
    },
    setupCents: moneyCents(order.setup ?? '0')!,
    today: dayOf(yard.clock.now()),
    start: undefined,
    until: undefined,
    billDay: (await billingSettings(queries)).day,
  });
}

async function orderMachine(context: Context, service: Service, order: ServiceOrder): Promise<string | undefined> {
  const { queries, yard } = context;
  const template = await templateFind(queries, order.template!);
  if (template === undefined)
    throw new Fault('not_in_catalogue', { message: `There is no template ${order.template}.` });
  if (order.node !== undefined && (await nodeFind(queries, order.node)) === undefined)
    throw invalid({ node: 'must be a node of the provider' });
  await machinePut(queries, {
    service_id: service.id,
    account_id: service.account_id,
    vmid: service.vmid!,
    kind: template.kind,
    wanted_node: order.node ?? null,
    template: template.value,
    vcpus: order.vcpus!,
    memory_mb: order.memorymb!,
    disk_gb: order.diskgb!,
    bandwidth_gb: order.bandwidthgb ?? 0,
    mac: macOf(service.vmid!),
  });
  return machineAwaited(yard, queries, service.id, context.operation);
}
