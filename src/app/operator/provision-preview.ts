// What staff choose from when they provision a service, and a preview: the service is provisioned by the same code and
// rolled back, and what the next runs would bill for it is computed by the code that bills it.
import type { Static } from 'typebox';
import type { ProvisionOptions, ProvisionPreview } from '#contract/shapes/provision.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { moneyText } from '#lib/money.ts';
import { accountFind, type Account } from '#store/account/accounts.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { hypervisorList } from '#store/devices/hypervisors.ts';
import { serverParts, serversFree } from '#store/devices/servers.ts';
import { serviceLoad, type Service } from '#store/devices/services.ts';
import { templateList } from '#store/devices/templates.ts';
import { runAndRollBack } from '#store/engine/rehearsal.ts';
import { netblockList } from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';
import { describeCharges } from '../billing/dry-run.ts';
import { getCurrencySettings } from '../billing/currency/settings.ts';
import { computeBill } from '../billing/run.ts';
import { planMachineValues } from '../pricing/plan-machine.ts';
import { loadPlans, planValues } from '../pricing/plans.ts';
import type { Context } from '../app.ts';
import { serviceProvision, type StaffOrder } from './provision.ts';

type Options = Static<typeof ProvisionOptions>;
type Preview = Static<typeof ProvisionPreview>;
type Invoice = Preview['first'];

const maxFreeServers = 1000;
const capacityTimeoutMs = 4000;
/** A yearly plan has its second invoice in the thirteenth period. */
const maxPeriods = 14;

export async function provisionOptions({ app, queries }: Context): Promise<Options> {
  const plans = (await loadPlans(app, queries)).filter(({ state }) => state === 'Offered');
  const own = (await getCurrencySettings(queries))?.currency ?? '';
  const templates = [...(await templateList(queries, 'Xen')), ...(await templateList(queries, 'OpenVZ'))];
  const models = Map.groupBy(await serversFree(queries, maxFreeServers), ({ parts, bmc_model }) =>
    modelText(parts, bmc_model),
  );
  return {
    plans: plans.map(({ plan }) => {
      const { name, price, setup, cycle, hourly } = planValues(plan);
      const { vcpus, memorymb, diskgb, size } = planMachineValues(plan);
      return { name, price, currency: plan.currency ?? own, setup, cycle, hourly, vcpus, memorymb, diskgb, size };
    }),
    models: [...models]
      .map(([model, servers]) => ({
        model,
        free: String(servers.length),
        servers: servers.map(({ name }) => name),
      }))
      .toSorted((left, right) => left.model.localeCompare(right.model)),
    templates: templates.map(({ value, name, kind }) => ({ value, name, kind })),
    nodes: await Promise.all(
      (await hypervisorList(queries)).map(async ({ name, driver }) => ({
        name,
        kinds: [...app.hypervisors.kindsOf(driver)],
        ...(await freeCapacity(app, name)),
      })),
    ),
  };
}

function modelText(parts: string, bmcModel: string): string {
  const { CPU = [], RAM = [] } = serverParts.decode(parts) as Readonly<Record<string, readonly string[]>>;
  const text = [...countParts(CPU), ...countParts(RAM)].join(', ');
  return text === '' ? bmcModel || 'Unknown model' : text;
}

function countParts(parts: readonly string[]): string[] {
  return [...Map.groupBy(parts, (part) => part)].map(([part, { length }]) =>
    length === 1 ? part : `${length} × ${part}`,
  );
}

async function freeCapacity({ hypervisors, log }: Context['app'], node: string) {
  try {
    const limit = AbortSignal.timeout(capacityTimeoutMs);
    const { memoryMb, diskGb } = await hypervisors.use(node, (hypervisor) => hypervisor.freeCapacity(limit));
    return { memorymb: String(memoryMb), diskgb: String(diskGb), error: '' };
  } catch (error) {
    if (!(error instanceof ApiError)) log.warn({ err: error, node }, 'cannot read the capacity');
    return { memorymb: '', diskgb: '', error: error instanceof ApiError ? operatorMessage(error) : 'Did not respond.' };
  }
}

export async function servicePreview(context: Context, order: StaffOrder): Promise<Preview> {
  return context.app.store.transaction((queries) =>
    runAndRollBack(queries, async () => {
      // A call that only reads emits nothing and has no commit to wait for.
      const rehearsal: Context = { ...context, queries, onBehalfOf: () => rehearsal };
      const { service: id } = await serviceProvision(rehearsal, order);
      return describeService(queries, (await serviceLoad(queries, Number(id)))!);
    }),
  );
}

async function describeService(queries: Queries, service: Service): Promise<Preview> {
  const account = (await accountFind(queries, service.account_id))!;
  const [block] = await netblockList(queries, account.id, service.id);
  const invoices = await nextInvoices(queries, account, service);
  const none: Invoice = { date: '', subtotal: '0.00', tax: '0.00', total: '0.00', lines: [] };
  return {
    netblock: block?.cidr ?? '',
    ip: service.ip,
    currency: account.currency,
    first: invoices[0] ?? none,
    next: invoices[1] ?? none,
  };
}

/** Returns the part of the service in the next two invoices that it is on. */
async function nextInvoices(queries: Queries, account: Account, service: Service): Promise<Invoice[]> {
  const billing = await billingAccountFind(queries, service.account_id);
  const invoices: Invoice[] = [];
  let periodDay = billing?.next_day ?? undefined;
  for (let period = 0; period < maxPeriods && invoices.length < 2 && periodDay !== undefined; period++) {
    const bill = await computeBill(queries, billing!, periodDay, []);
    const charges = bill.charges.filter((charge) => charge.service === service.id);
    if (charges.length > 0) {
      const { sums, ...amounts } = await describeCharges(queries, account, charges, periodDay);
      invoices.push({ ...amounts, total: moneyText(sums.gross) });
    }
    for (const part of bill.parts) await part.settle?.(queries);
    periodDay = bill.period.until;
  }
  return invoices;
}
