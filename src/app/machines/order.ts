// Customers order virtual machines on the plans that the provider offers for it. Everything else is as for an order of staff
// (services/provision.ts).
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { MachineOptions, OrderedMachine } from '#contract/shapes/machine.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import type { PlanMachine } from '#contract/site/machines.ts';
import type { machineV2 } from '#contract/v2/machine.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { dunningHoldFind } from '#store/billing/dunning-holds.ts';
import { invoiceList } from '#store/billing/invoices.ts';
import { machineGroupLock } from '#store/devices/machine-groups.ts';
import type { MachineKind } from '#store/devices/machine-tables.ts';
import { machineCount } from '#store/devices/machines.ts';
import type { MachineBackup } from '#store/devices/machine-backups.ts';
import { accountTemplates, type AccountTemplate } from '#store/devices/machine-images.ts';
import { templateList, type Template } from '#store/devices/templates.ts';
import { resolveSshKeys } from '../account/ssh-keys.ts';
import type { Context } from '../app.ts';
import { plansInCurrencyOf } from '../billing/currency/plan-prices.ts';
import { defaultBlockSize, orderedSize } from '../pricing/plan-machine.ts';
import { loadPlans, planValues } from '../pricing/plans.ts';
import { provisionService } from '../services/provision.ts';
import { allowedHostname } from '../services/services.ts';
import { loadSiteSettings } from '../site/settings.ts';
import { readFreeCapacity, type FreeCapacity } from './availability.ts';

const defaultLimit = 10;
const kinds = ['Xen', 'OpenVZ'] as const satisfies readonly MachineKind[];

type Order = InputOf<typeof machineV2.machineCreate>;
interface OrderPlan extends SitePlan {
  readonly machine: PlanMachine;
}

export async function machineOptions(context: Context): Promise<Static<typeof MachineOptions>> {
  const capacity = await readFreeCapacity(context);
  const templates = await orderTemplates(context);
  const currency = await accountCurrency(context);
  return {
    plans: (await orderPlans(context)).map((plan) => planOption(plan, currency, capacity)),
    systems: templates.map((template) => ({
      value: template.value,
      name: template.name,
      type: template.kind,
      userdata: takesUserData(template),
      location: 'image' in template ? capacity.locationOf(template.image.node) : '',
    })),
    locations: capacity.locations.filter((location) => location !== ''),
    left: String(Math.max(0, await machinesLeft(context))),
    obstacle: (await findObstacle(context)) ?? '',
  };
}

function planOption(plan: OrderPlan, currency: string, capacity: FreeCapacity) {
  const { name, price, hourly, setup, months, minimum } = planValues(plan);
  const { machine } = plan;
  const shape = { memory_mb: machine.memoryMb, disk_gb: machine.diskGb, wanted_node: null, wanted_location: null };
  const locations = kindsOf(plan).flatMap((kind) => capacity.locationsFor({ ...shape, kind }));
  return {
    name,
    price,
    hourly,
    setup,
    currency,
    months,
    minimum,
    vcpus: String(machine.vcpus),
    memorymb: String(machine.memoryMb),
    diskgb: String(machine.diskGb),
    bandwidthgb: String(machine.bandwidthGb ?? 0),
    addresses: machine.addresses ?? defaultBlockSize,
    type: machine.type ?? '',
    locations: [...new Set(locations)].toSorted(),
  };
}

export async function machineCreate(context: Context, order: Order): Promise<Static<typeof OrderedMachine>> {
  const { value, ...template } = await requireTemplate(context, await requireOrderPlan(context, order.plan), order);
  // Only this hypervisor has the image.
  const { node } = ('image' in template ? template.image : undefined) ?? {};
  if (node !== undefined && order.location !== undefined) {
    const location = (await readFreeCapacity(context)).locationOf(node);
    if (location !== order.location)
      throw invalid({ location: `must be ${location || 'omitted'}, where the image is` });
  }
  return orderMachine(context, order, { template: value, ...(node !== undefined && { node }) });
}

/** The source of the first system of an ordered machine. */
interface OrderSource {
  readonly template: string;
  readonly node?: string;
  readonly backup?: Pick<MachineBackup, 'id' | 'kind' | 'disk_gb'>;
}

/** Orders a machine on a plan, with a system that the caller has checked. */
export async function orderMachine(
  context: Context,
  order: Omit<Order, 'system'>,
  { backup, ...source }: OrderSource,
): Promise<Static<typeof OrderedMachine>> {
  const { queries, caller } = context;
  if (caller.services !== undefined) throw new ApiError('scope_missing', { message: limitedText });
  const plan = await requireOrderPlan(context, order.plan);
  if (backup !== undefined) requirePlanFor(plan, backup);
  const hostname = await allowedHostname(context, order.hostname);
  const sshKeys = await resolveSshKeys(context, order.sshkeys ?? []);
  await requireLocation(context, order.location);
  // Two orders at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  const obstacle = await findObstacle(context);
  if (obstacle !== undefined) throw conflict(obstacle);
  if (order.group !== undefined)
    requireFound((await machineGroupLock(queries, caller.account, order.group)) || undefined, 'Group not found.');
  const { service, workflow } = await provisionService(
    context,
    caller.account,
    {
      type: 'vps',
      name: plan.name,
      plan: plan.name,
      hostname,
      ...source,
      ...orderedSize(plan.machine),
    },
    {
      location: order.location,
      group: order.group,
      backup,
      install: { sshKeys, ...(order.userdata === undefined ? {} : { userData: order.userdata }) },
    },
  );
  // Now, because this order waited for those before it when it took its addresses.
  const capacity = await readFreeCapacity(context);
  if (!capacity.hasRoomFor(service.id)) throw noRoom(order, capacity);
  return {
    service: String(service.id),
    vmid: String(service.vmid),
    hostname: service.hostname,
    ip: service.ip,
    action: workflow ?? '',
  };
}

function requirePlanFor(plan: OrderPlan, { kind, disk_gb }: Pick<MachineBackup, 'kind' | 'disk_gb'>): void {
  if (!kindsOf(plan).includes(kind) || plan.machine.diskGb < disk_gb)
    throw conflict(`The backup needs a plan of type ${kind} with a disk of at least ${disk_gb} GB.`);
}

function noRoom({ location, group }: Pick<Order, 'location' | 'group'>, { isReachable }: FreeCapacity): ApiError {
  const place = location === undefined ? '' : ` in ${location}`;
  if (!isReachable(location))
    return new ApiError('nothing_free', {
      message: `No hypervisor${place} is reachable at the moment. Try again later.`,
    });
  const apart = group === undefined ? '' : ' apart from the other machines of the group';
  return new ApiError('nothing_free', { message: `There is no room for this machine${place}${apart} at the moment.` });
}

/** Returns the plans that customers can order, with prices in the account's currency. */
async function orderPlans(context: Context): Promise<OrderPlan[]> {
  const { app, queries, caller } = context;
  const inCurrency = await plansInCurrencyOf(queries, caller.account);
  return (await loadPlans(app, queries)).flatMap(({ plan: known, state }) => {
    const plan = state === 'Offered' ? inCurrency(known) : undefined;
    return plan?.machine?.order === true ? [{ ...plan, machine: plan.machine }] : [];
  });
}

async function accountCurrency({ queries, caller }: Context): Promise<string> {
  return (await accountFind(queries, caller.account))?.currency ?? '';
}

async function requireOrderPlan(context: Context, name: string): Promise<OrderPlan> {
  const plan = (await orderPlans(context)).find((candidate) => candidate.name === name);
  if (plan === undefined)
    throw new ApiError('not_in_catalogue', { message: `Plan ${name} is not available for ordering a machine.` });
  return plan;
}

async function requireTemplate(
  context: Context,
  plan: OrderPlan,
  { system, userdata }: Order,
): Promise<Template | AccountTemplate> {
  const templates = (await orderTemplates(context)).filter(
    (candidate) => kindsOf(plan).includes(candidate.kind) && (imageOf(candidate)?.disk_gb ?? 0) <= plan.machine.diskGb,
  );
  const template = templates.find(({ value }) => value === system);
  if (template === undefined) {
    const values = templates.map(({ value }) => value).join(', ');
    throw new ApiError('not_in_catalogue', { message: `Unknown system. Available on this plan: ${values}.` });
  }
  if (userdata !== undefined && !takesUserData(template))
    throw invalid({ userdata: `cannot be used with ${system}, which does not run cloud-init` });
  return template;
}

/** The provider's templates, then the images of the account. */
async function orderTemplates({ queries, caller }: Context): Promise<(Template | AccountTemplate)[]> {
  const templates = (await Promise.all(kinds.map((kind) => templateList(queries, kind)))).flat();
  return [...templates, ...(await accountTemplates(queries, caller.account))];
}

function imageOf(template: Template | AccountTemplate): AccountTemplate['image'] | undefined {
  return 'image' in template ? template.image : undefined;
}

function kindsOf({ machine: { type } }: OrderPlan): readonly MachineKind[] {
  return type === undefined ? kinds : [type];
}

function takesUserData({ kind, cloud_init }: Template): boolean {
  return cloud_init === null ? kind === 'Xen' : cloud_init === 1;
}

async function requireLocation(context: Context, location: string | undefined): Promise<void> {
  if (location === undefined) return;
  const { locations } = await readFreeCapacity(context);
  if (!locations.includes(location))
    throw new ApiError('not_in_catalogue', { message: `Location ${location} does not exist.` });
}

/** Returns why the account cannot order anything now. */
async function findObstacle(context: Context): Promise<string | undefined> {
  const { queries, caller, app } = context;
  if (caller.services !== undefined) return limitedText;
  // Closed while this order waited for its turn.
  if ((await accountFind(queries, caller.account))?.status === 'Closed') return 'The account is closed.';
  if ((await machinesLeft(context)) <= 0)
    return 'The account has reached its limit of machines. Delete one, or ask support for a higher limit.';
  const [overdue] = await invoiceList(queries, caller.account, dayOf(app.clock.now()), 'Overdue');
  if (overdue === undefined || (await dunningHoldFind(queries, caller.account)) !== undefined) return undefined;
  return `Invoice ${overdue.number} is overdue. Pay it, then order again.`;
}
const limitedText = 'Your access is limited to certain servers, so you cannot order more. Ask an owner of the account.';

async function machinesLeft({ app, queries, caller }: Context): Promise<number> {
  const limit = (await loadSiteSettings(app, queries))?.orders?.machines ?? defaultLimit;
  return limit - (await machineCount(queries, caller.account));
}
