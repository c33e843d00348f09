// The size of virtual machines. It follows from the plan: customers choose among the plans that theirs can be changed to and that
// have a size, and the price changes when the machine has changed.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { MachineSizes, StartedResize } from '#contract/shapes/machine-snapshot.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import type { PlanMachine } from '#contract/site/machines.ts';
import type { machineSizeV2 } from '#contract/v2/machine-size.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { moneyText } from '#lib/money.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { cancellationFind } from '#store/pricing/cancellations.ts';
import { machineDeletionFind } from '#store/devices/machine-deletions.ts';
import { serviceLoad, type Service } from '#store/devices/services.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { machineResize, type MachinePlanActions } from '#workflows/machine/machine-resize.ts';
import type { App, Context } from '../app.ts';
import { monthlyCents, termsOf, type Terms } from '../billing/plan-terms.ts';
import { emitForService } from '../events/events.ts';
import { currentTerms } from '../pricing/own-service.ts';
import { plansToChangeTo, requireNoComingChange, setPlanTerms } from '../pricing/plan-changes.ts';
import { planValues } from '../pricing/plans.ts';
import { requireMachine, serviceOf } from '../services/services.ts';
import { suspendTerms } from './deletion-billing.ts';
import { startMachineWork } from './machine-work.ts';
import { machineOf, type PlacedMachine } from './machines.ts';
import { shutdownGraceMs } from './power.ts';

interface SizedPlan extends SitePlan {
  readonly machine: PlanMachine;
}

/** Shutting down, redefining, and booting. */
const restartSeconds = 60;

export async function machineSizeGet(context: Context, id: number): Promise<Static<typeof MachineSizes>> {
  const service = requireMachine(await serviceOf(context, id));
  const machine = await machineOf(context, service);
  const { current } = await currentTerms(context, service);
  const isLive = await context.app.hypervisors.use(machine.node, async ({ machines }) => machines.resizesLive);
  return {
    service: String(id),
    plan: current?.plan ?? '',
    ...sizeTexts({ vcpus: machine.vcpus, memoryMb: machine.memory_mb, diskGb: machine.disk_gb }),
    downtime: isLive ? 'none' : 'restart',
    seconds: String(isLive ? 0 : restartSeconds),
    sizes: (await sizedPlans(context, service)).map((plan) => {
      const { name, price, hourly, months } = planValues(plan);
      const difference = current === undefined ? 0 : monthlyCents(termsOf(plan)) - monthlyCents(current);
      const reason = obstacle(machine, plan);
      return {
        plan: name,
        price,
        hourly,
        months,
        difference: moneyText(Math.round(difference)),
        ...sizeTexts(plan.machine),
        possible: reason === '',
        reason,
      };
    }),
  };
}

export async function machineSizeSet(
  context: Context,
  { service: id, plan: name }: InputOf<typeof machineSizeV2.machineSizeSet>,
): Promise<Static<typeof StartedResize>> {
  const { queries } = context;
  const service = requireMachine(await serviceOf(context, id));
  // A resize that is ending must not change the size and the plan after they were read.
  await billingAccountLock(queries, service.account_id);
  const machine = await machineOf(context, service);
  const plan = (await sizedPlans(context, service)).find((candidate) => candidate.name === name);
  if (plan === undefined)
    throw new ApiError('not_in_catalogue', {
      message: 'The machine cannot change to the size of this plan. Choose another plan.',
    });
  if (obstacle(machine, plan) !== '') throw conflict(obstacle(machine, plan));
  if ((await cancellationFind(queries, service.account_id, id)) !== undefined)
    throw conflict('The service is cancelled. Withdraw the cancellation first.');
  const { terms, current } = await currentTerms(context, service);
  if (current !== undefined) requireNoComingChange(context, terms, current);
  const { vcpus, memoryMb, diskGb, bandwidthGb = machine.bandwidth_gb } = plan.machine;
  const previousPlan = current?.plan ?? '';
  const action = await startMachineWork(context, service, machineResize, {
    ...machineTarget(machine, 'a resize'),
    from: { vcpus: machine.vcpus, memoryMb: machine.memory_mb, diskGb: machine.disk_gb },
    to: { vcpus, memoryMb, diskGb },
    bandwidthGb,
    plan: name,
    previousPlan,
    terms: termsOf(plan),
    graceMs: shutdownGraceMs,
  });
  await emitForService(context, service, 'machine.resize.started', { plan: name, previous: previousPlan });
  return { service: String(id), plan: name, action };
}

export function createMachinePlanActions(app: App): MachinePlanActions {
  return {
    async change(queries, id, terms) {
      const service = (await serviceLoad(queries, id))!;
      await billingAccountLock(queries, service.account_id);
      // The billing may have ended since the resize began, and must not start again.
      const hasEnded = (await currentTerms({ app, queries }, service)).current === undefined;
      const isDeleted = (await machineDeletionFind(queries, id)) !== undefined;
      if (hasEnded && !isDeleted) return;
      await setPlanTerms(app, queries, service, terms as Terms, { by: 'customer', hasOwnPrice: false });
      if (hasEnded) await suspendTerms(queries, service);
    },
  };
}

async function sizedPlans(context: Context, service: Service): Promise<SizedPlan[]> {
  const { terms, current } = await currentTerms(context, service);
  const plans = current === undefined ? [] : await plansToChangeTo(context, terms, current);
  return plans.flatMap((plan) => (plan.machine === undefined ? [] : [{ ...plan, machine: plan.machine }]));
}

/** Returns why a machine cannot have the size of a plan, or an empty text. */
function obstacle({ disk_gb, kind }: PlacedMachine, { machine }: SizedPlan): string {
  if (machine.diskGb < disk_gb) return `Its disk has ${disk_gb} GB and cannot shrink to ${machine.diskGb} GB.`;
  if (machine.type !== undefined && machine.type !== kind) return `The plan is for machines of type ${machine.type}.`;
  return '';
}

function sizeTexts({ vcpus, memoryMb, diskGb }: Pick<PlanMachine, 'vcpus' | 'memoryMb' | 'diskGb'>) {
  return { vcpus: String(vcpus), memorymb: String(memoryMb), diskgb: String(diskGb) };
}
