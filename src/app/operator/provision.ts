// Provisions a service: a free server or a new virtual machine, addresses from the pools, and billing terms. All of it
// is written in one transaction; building the machine takes longer and is a workflow that starts with the commit.
import type { Static } from 'typebox';
import type { ServiceWork } from '#contract/shapes/operator-service.ts';
import { cycles, type Cycle } from '#contract/site/billing.ts';
import { addressesOf, readSortable } from '#lib/address-ranges.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { moneyCents } from '#lib/money.ts';
import { deviceHolds } from '#store/devices/device-holds.ts';
import { machinePut } from '#store/devices/machines.ts';
import { hypervisorFind } from '#store/devices/hypervisors.ts';
import { serviceAddressSet, serviceInsert } from '#store/operator/operator-services.ts';
import { serverFind } from '#store/devices/servers.ts';
import { serviceOfServer, type Service } from '#store/devices/services.ts';
import { portsFollowServer } from '#store/network/switches.ts';
import { templateFind } from '#store/devices/templates.ts';
import { getBillingSettings } from '../billing/settings.ts';
import { setServiceTerms } from '../billing/terms.ts';
import { findFreeBlock, assignNetblock } from '../network/netblock-requests.ts';
import { ensureMachine, machineMac } from '../site/machines.ts';
import type { Context } from '../app.ts';
import { getCustomer } from './accounts.ts';
import type { ServiceType } from '#store/devices/tables.ts';

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
  const { queries, app } = context;
  const account = await getCustomer(queries, order.account);
  if (account.status === 'Closed') throw new ApiError('account_closed');
  validateOrder(order);
  const server = order.server === undefined ? null : await requireFreeServer(context, order.server.toLowerCase());
  const acting = context.onBehalfOf(account.id);
  const service = await serviceInsert(queries, {
    account_id: account.id,
    type: order.type,
    name: order.name,
    hostname: order.hostname.replace(/\.$/, '').toLowerCase(),
    status: server === null ? 'Pending' : 'Active',
    ip: '',
    server,
    created_at: app.clock.now(),
  });
  await assignAddresses(acting, service, order.size ?? defaultSize);
  await setTerms(context, service, order);
  if (server !== null) await portsFollowServer(queries, server, service.id);
  acting.emit('service.provisioned', {}, service.id);
  const workflow = server === null ? await orderMachine(acting, service, order) : undefined;
  return { service: String(service.id), workflow: workflow ?? '' };
}

function validateOrder(order: ServiceOrder): void {
  const needed = order.type === 'dedicated' ? ['server'] : ['template', 'vcpus', 'memorymb', 'diskgb'];
  const excluded =
    order.type === 'dedicated' ? ['template', 'vcpus', 'memorymb', 'diskgb', 'bandwidthgb', 'node'] : ['server'];
  const fields = order as unknown as Readonly<Record<string, unknown>>;
  const problems = [
    ...needed.filter((name) => fields[name] === undefined).map((name) => [name, `is required for ${order.type}`]),
    ...excluded.filter((name) => fields[name] !== undefined).map((name) => [name, `cannot be used with ${order.type}`]),
    ...['plan', 'setup', 'cycle']
      .filter((name) => fields[name] !== undefined && order.price === undefined)
      .map((name) => [name, 'needs a price']),
  ];
  if (problems.length > 0) throw invalid(Object.fromEntries(problems) as Record<string, string>);
}

async function requireFreeServer({ queries }: Context, name: string): Promise<string> {
  const server = await serverFind(queries, name);
  if (server === undefined || server.removed_at !== null) throw invalid({ server: 'must be an existing server' });
  const holder = await serviceOfServer(queries, name);
  if (holder !== undefined)
    throw new ApiError('state_conflict', { message: `The server belongs to service ${holder.id}.` });
  const [hold] = await deviceHolds(queries, name);
  if (hold !== undefined) throw new ApiError('device_held', { message: `The server is not available: ${hold.reason}` });
  return name;
}

/** The service's own address is the first usable host address of its block. */
async function assignAddresses(context: Context, service: Service, size: string): Promise<void> {
  const prefixLength = Number(size.slice(1));
  const { range } = await findFreeBlock(context, size === '/64' ? 'ipv6' : 'ipv4', prefixLength);
  await assignNetblock(context, service, range, prefixLength);
  const [, second] = addressesOf(range);
  await serviceAddressSet(context.queries, service.id, readSortable(second ?? range.first));
}

async function setTerms({ queries, app }: Context, service: Service, order: ServiceOrder): Promise<void> {
  if (order.price === undefined) return;
  await setServiceTerms(queries, service.account_id, service.id, {
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
    today: dayOf(app.clock.now()),
    start: undefined,
    until: undefined,
    billDay: (await getBillingSettings(queries)).day,
  });
}

async function orderMachine(context: Context, service: Service, order: ServiceOrder): Promise<string | undefined> {
  const { queries, app } = context;
  const template = await templateFind(queries, order.template!);
  if (template === undefined)
    throw new ApiError('not_in_catalogue', { message: `Template ${order.template} does not exist.` });
  if (order.node !== undefined && (await hypervisorFind(queries, order.node)) === undefined)
    throw invalid({ node: 'must be an existing node' });
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
    mac: machineMac(service.vmid!),
  });
  return ensureMachine(app, queries, service.id, context.operation);
}
