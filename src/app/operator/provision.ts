// Provisions a service: a free server or a new virtual machine, addresses from the pools, and billing terms. All of it
// is written in one transaction; building the machine takes longer and is a workflow that starts with the commit.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { serviceOperator } from '#contract/operator/service.ts';
import type { ServiceWork } from '#contract/shapes/operator-service.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import { addressesOf, readSortable } from '#lib/address-ranges.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { moneyCents } from '#lib/money.ts';
import { hypervisorFind } from '#store/devices/hypervisors.ts';
import { serviceAddressSet, serviceInsert } from '#store/operator/operator-services.ts';
import { serviceLoad, type Service } from '#store/devices/services.ts';
import { portsFollowServer } from '#store/network/switches.ts';
import { templateFind } from '#store/devices/templates.ts';
import { workflowRunning } from '#store/work/workflows.ts';
import { machineCreate } from '#workflows/machine/machine-create.ts';
import { retryWorkflow } from '#workflows/engine/runner.ts';
import { getBillingSettings } from '../billing/settings.ts';
import { setServiceTerms, termsOf } from '../billing/terms.ts';
import { findFreeBlock, assignNetblock } from '../network/netblock-requests.ts';
import { assignServer, requireAvailableServer } from '../servers/reclaims.ts';
import { ensureMachine, putMachine } from '../site/machines.ts';
import { loadSiteSettings } from '../site/settings.ts';
import { normalizeHostname } from '../services/services.ts';
import type { Context } from '../app.ts';
import { getCustomer } from './accounts.ts';

export type ServiceOrder = InputOf<typeof serviceOperator.serviceProvision>;

const defaultSize = '/30';

export async function serviceProvision(context: Context, order: ServiceOrder): Promise<Static<typeof ServiceWork>> {
  const { queries, app } = context;
  const account = await getCustomer(queries, order.account);
  if (account.status === 'Closed') throw new ApiError('account_closed');
  validateOrder(order);
  const server = order.server === undefined ? null : await requireAvailableServer(queries, order.server.toLowerCase());
  const acting = context.onBehalfOf(account.id);
  const service = await serviceInsert(queries, {
    account_id: account.id,
    type: order.type,
    name: order.name,
    hostname: normalizeHostname(order.hostname),
    status: server === null ? 'Pending' : 'Active',
    ip: '',
    server,
    created_at: app.clock.now(),
  });
  await assignAddresses(acting, service, order.size ?? defaultSize);
  await setTerms(context, service, order);
  if (server !== null) {
    await portsFollowServer(queries, server, service.id, service.created_at);
    await assignServer(app, queries, server, service);
  }
  acting.emit('service.provisioned', {}, service.id);
  const workflow = server === null ? await orderMachine(acting, service, order) : undefined;
  return { service: String(service.id), workflow: workflow ?? '' };
}

function validateOrder(order: ServiceOrder): void {
  const needed = order.type === 'dedicated' ? ['server'] : ['template', 'vcpus', 'memorymb', 'diskgb'];
  const excluded =
    order.type === 'dedicated' ? ['template', 'vcpus', 'memorymb', 'diskgb', 'bandwidthgb', 'node'] : ['server'];
  const fields: Readonly<Record<string, unknown>> = order;
  const problems = [
    ...needed.filter((name) => fields[name] === undefined).map((name) => [name, `is required for ${order.type}`]),
    ...excluded.filter((name) => fields[name] !== undefined).map((name) => [name, `cannot be used with ${order.type}`]),
    ...['setup', 'cycle']
      .filter((name) => fields[name] !== undefined && order.price === undefined)
      .map((name) => [name, 'needs a price']),
  ];
  if (problems.length > 0) throw invalid(Object.fromEntries(problems) as Record<string, string>);
}

/** The service's own address is the first usable host address of its block. */
async function assignAddresses(context: Context, service: Service, size: string): Promise<void> {
  const prefixLength = Number(size.slice(1));
  const range = await findFreeBlock(context, undefined, size === '/64' ? 'ipv6' : 'ipv4', prefixLength);
  await assignNetblock(context, service, range, prefixLength);
  const [, second] = addressesOf(range);
  await serviceAddressSet(context.queries, service.id, readSortable(second ?? range.first));
}

async function setTerms(context: Context, service: Service, order: ServiceOrder): Promise<void> {
  if (order.price === undefined && order.plan === undefined) return;
  const { queries, app } = context;
  const plan = await orderedPlan(context, order);
  await setServiceTerms(queries, service.account_id, service.id, {
    terms: termsOf(plan, {}),
    setupCents: moneyCents(plan.setup ?? '0')!,
    today: dayOf(app.clock.now()),
    start: undefined,
    until: undefined,
    billDay: (await getBillingSettings(queries)).day,
  });
}

/** A plan without a price is one of the site's. */
async function orderedPlan({ app, queries }: Context, order: ServiceOrder): Promise<SitePlan> {
  const { name, plan: planName = name, price, setup = '0', cycle = 'monthly' } = order;
  if (price !== undefined) return { name: planName, price, setup, cycle };
  const plan = (await loadSiteSettings(app, queries))?.plans?.find((candidate) => candidate.name === planName);
  if (plan === undefined) throw invalid({ plan: 'must be one of the site’s plans, or have a price' });
  return plan;
}

async function orderMachine(context: Context, service: Service, order: ServiceOrder): Promise<string | undefined> {
  const { queries, app } = context;
  const template = await templateFind(queries, order.template!);
  if (template === undefined)
    throw new ApiError('not_in_catalogue', { message: `Template ${order.template} does not exist.` });
  if (order.node !== undefined && (await hypervisorFind(queries, order.node)) === undefined)
    throw invalid({ node: 'must be an existing node' });
  await putMachine(queries, { ...service, vmid: service.vmid! }, template.kind, {
    template: template.value,
    vcpus: order.vcpus!,
    memoryMb: order.memorymb!,
    diskGb: order.diskgb!,
    bandwidthGb: order.bandwidthgb ?? 0,
    ...(order.node === undefined ? {} : { node: order.node }),
  });
  return ensureMachine(app, queries, service.id, context.operation);
}

/** Retries the step that is waiting, or starts anew. */
export async function serviceRetry(context: Context, id: number): Promise<Static<typeof ServiceWork>> {
  const { queries, app } = context;
  const service = requireFound(await serviceLoad(queries, id), 'Service not found.');
  const running = await workflowRunning(queries, id, machineCreate.name);
  const workflow = running ?? (await ensureMachine(app, queries, id, context.operation));
  if (workflow === undefined) throw conflict('The machine exists already, or its service should not have one.');
  if (running !== undefined) await retryWorkflow(app, queries, running);
  context.onBehalfOf(service.account_id);
  return { service: String(id), workflow };
}
