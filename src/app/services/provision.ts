// Provisions a service: a free server or a new virtual machine, addresses from the pools, and billing terms. All of it
// is written in one transaction; building the machine takes longer and is a workflow that starts with the commit. Orders of
// customers and of staff take this path.
import type { InputOf } from '#contract/endpoint.ts';
import type { serviceOperator } from '#contract/operator/service.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import { addressesOf, isSortableIpv4, prefixLengthOf, readSortable } from '#lib/address-ranges.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { moneyCents } from '#lib/money.ts';
import type { AccountId } from '#store/account-id.ts';
import { hypervisorFind } from '#store/devices/hypervisors.ts';
import { serviceAddressSet, serviceInsert } from '#store/operator/operator-services.ts';
import { serviceLoad, type Service } from '#store/devices/services.ts';
import type { MachineBackup } from '#store/devices/machine-backups.ts';
import { portsFollowServer } from '#store/network/switches.ts';
import { systemFind } from '#store/devices/machine-images.ts';
import { machinePut } from '#store/devices/machines.ts';
import { sealInstallData, type InstallData } from '#workflows/machine/install-data.ts';
import { getBillingSettings } from '../billing/settings.ts';
import { termsOf } from '../billing/plan-terms.ts';
import { planProblems } from '../billing/site-checks.ts';
import { setServiceTerms } from '../billing/terms.ts';
import { assignNetblock, findFreeBlock, requireOwnBlock } from '../network/netblock-requests.ts';
import { assignServers } from '../servers/reclaims.ts';
import { ensureMachine, machineOrder } from '../site/machines.ts';
import { requirePlanPrices } from '../billing/currency/plan-prices.ts';
import { findPlan } from '../pricing/plans.ts';
import { normalizeHostname } from './services.ts';
import type { Context } from '../app.ts';

export type ServiceOrder = Omit<InputOf<typeof serviceOperator.serviceProvision>, 'account'>;

/** What customers choose in addition. */
export interface MachineChoices {
  readonly location?: string | undefined;
  readonly group?: number | undefined;
  readonly install?: InstallData;
  /** The backup that the machine is restored from. Its template may be gone. */
  readonly backup?: Pick<MachineBackup, 'id' | 'kind'> | undefined;
}

const defaultSize = '/30';

export interface ProvisionedService {
  readonly service: Service;
  /** The workflow that creates the machine. */
  readonly workflow: string | undefined;
}

/** `acting` is the call of the customer, or of staff on behalf of the customer; `server` is available. */
export async function provisionService(
  acting: Context,
  account: AccountId,
  order: ServiceOrder,
  { server = null, ...choices }: MachineChoices & { readonly server?: string | null } = {},
): Promise<ProvisionedService> {
  const { queries, app } = acting;
  const service = await addService(acting, account, order, { server });
  if (server !== null) {
    await portsFollowServer(queries, server, service.id, service.created_at);
    await assignServers(app, queries, [{ server, account: service.account_id, service: service.id }]);
  }
  acting.emit('service.provisioned', {}, service.id);
  const workflow = server === null ? await orderMachine(acting, service, order, choices) : undefined;
  return { service: (await serviceLoad(queries, service.id))!, workflow };
}

/** Adds a service with addresses, of this block or of any, and with billing terms. Its equipment comes next. */
export async function addService(
  acting: Context,
  account: AccountId,
  order: ServiceOrder,
  { server = null, netblock }: { readonly server?: string | null; readonly netblock?: string | undefined },
): Promise<Service> {
  const { queries, app } = acting;
  const service = await serviceInsert(queries, {
    account_id: account,
    type: order.type,
    name: order.name,
    hostname: normalizeHostname(order.hostname),
    status: server === null ? 'Pending' : 'Active',
    ip: '',
    server,
    created_at: app.clock.now(),
  });
  await assignAddresses(acting, service, netblock ?? order.size ?? defaultSize);
  await setTerms(acting, service, order);
  return service;
}

/**
 * `block` is a network, or a size such as /30. The service's own address is its first usable host address, or the first one of an
 * IPv6 network.
 */
async function assignAddresses(context: Context, service: Service, block: string): Promise<void> {
  const prefixLength = prefixLengthOf({ cidr: block });
  const range = block.startsWith('/')
    ? await findFreeBlock(context, undefined, block === '/64' ? 'ipv6' : 'ipv4', prefixLength)
    : await requireOwnBlock(context, block);
  await assignNetblock(context, service, range, prefixLength);
  const [, second] = isSortableIpv4(range.first) ? addressesOf(range) : [];
  await serviceAddressSet(context.queries, service.id, readSortable(second ?? range.first));
}

async function setTerms(context: Context, service: Service, order: ServiceOrder): Promise<void> {
  if (order.price === undefined && order.plan === undefined) return;
  const { queries, app } = context;
  const plan = await orderedPlan(context, service, order);
  const [problem] = planProblems(plan);
  if (problem !== undefined) throw invalid(Object.fromEntries([problem]));
  await setServiceTerms(queries, service.account_id, service.id, {
    terms: termsOf(plan),
    setupCents: moneyCents(plan.setup ?? '0')!,
    now: app.clock.now(),
    start: undefined,
    until: undefined,
    billDay: (await getBillingSettings(queries)).day,
    origin: 'order',
    hasOwnPrice: order.price !== undefined,
  });
}

/** The order replaces parts of the plan; an unknown plan consists of the order only. */
async function orderedPlan({ app, queries }: Context, { account_id }: Service, order: ServiceOrder): Promise<SitePlan> {
  const { name, plan: planName = name, price, setup, cycle } = order;
  const known = order.plan === undefined ? undefined : await findPlan(app, queries, order.plan);
  if (price === undefined && known?.state !== 'Offered')
    throw invalid({ plan: 'must be a plan that is offered, or have a price' });
  const base = known && (await requirePlanPrices(queries, account_id, known.plan));
  const given = pickDefined({ price, setup, cycle });
  return { ...(base ?? { price: '0', cycle: 'monthly' }), ...given, name: planName };
}

async function orderMachine(
  context: Context,
  service: Service,
  order: ServiceOrder,
  { location, group, install = { sshKeys: [] }, backup }: MachineChoices,
): Promise<string | undefined> {
  const { queries, app } = context;
  const template = await systemFind(queries, service.account_id, order.template!);
  if (template === undefined && backup === undefined)
    throw new ApiError('not_in_catalogue', { message: `Template ${order.template} does not exist.` });
  if (order.node !== undefined && (await hypervisorFind(queries, order.node)) === undefined)
    throw invalid({ node: 'must be an existing node' });
  const size = {
    template: order.template!,
    vcpus: order.vcpus!,
    memoryMb: order.memorymb!,
    diskGb: order.diskgb!,
    bandwidthGb: order.bandwidthgb ?? 0,
    ...(order.node === undefined ? {} : { node: order.node }),
  };
  const install_data = sealInstallData(app.secrets, service.id, install);
  const from_backup = backup?.id ?? null;
  const chosen = { wanted_location: location ?? null, group_id: group ?? null, install_data, from_backup };
  const ordered = machineOrder({ ...service, vmid: service.vmid! }, backup?.kind ?? template!.kind, size);
  await machinePut(queries, { ...ordered, ...chosen });
  return ensureMachine(app, queries, service.id, context.operation);
}
