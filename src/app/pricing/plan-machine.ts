// The size of a virtual machine on a plan, in the parameters and responses of the operator API.
import type { Static, TObject } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import type { planMachineFields } from '#contract/shapes/pricing.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import type { PlanMachine } from '#contract/site/machines.ts';
import { invalid } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';

export const defaultBlockSize = '/30';

const required = ['vcpus', 'memorymb', 'diskgb'] as const;
type PlanInput = InputOf<typeof pricingOperator.pricePlanCreate>;

/** Returns the size, undefined if there is none, and the other members. */
export function splitMachine({ vcpus, memorymb, diskgb, bandwidthgb, type, size, order, ...prices }: PlanInput) {
  const input = { vcpus, memorymb, diskgb, bandwidthgb, type, size, order: order || undefined };
  const given = Object.keys(pickDefined(input))[0];
  const missing = given === undefined ? [] : required.filter((name) => input[name] === undefined);
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((name) => [name, `is required with ${given}`])));
  const shape = { vcpus, memoryMb: memorymb, diskGb: diskgb, bandwidthGb: bandwidthgb, type, addresses: size };
  const machine = given === undefined ? undefined : (pickDefined({ ...shape, order: input.order }) as PlanMachine);
  return { machine, prices };
}

/** Returns the size as an order has it. */
export function orderedSize({ vcpus, memoryMb, diskGb, bandwidthGb = 0, addresses = defaultBlockSize }: PlanMachine) {
  return { vcpus, memorymb: memoryMb, diskgb: diskGb, bandwidthgb: bandwidthGb, size: addresses };
}

/** Returns the members of the size as texts; empty if the plan has none. */
export function planMachineValues({ machine }: SitePlan): Static<TObject<typeof planMachineFields>> {
  if (machine === undefined)
    return { vcpus: '', memorymb: '', diskgb: '', bandwidthgb: '', type: '', size: '', order: false };
  const { vcpus, memoryMb, diskGb, bandwidthGb = 0, type = '', addresses = defaultBlockSize, order = false } = machine;
  return {
    vcpus: String(vcpus),
    memorymb: String(memoryMb),
    diskgb: String(diskGb),
    bandwidthgb: String(bandwidthGb),
    type,
    size: addresses,
    order,
  };
}
