// How many addresses a service can have without approval: by its plan, or the same for all. Stored in the database, so
// that all instances use the same.
import { Type } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import { prefixLengthOf } from '#lib/address-ranges.ts';
import { dayOf } from '#lib/time.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { Service } from '#store/devices/services.ts';
import { metaEntry } from '#store/meta.ts';
import { netblockList } from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { families, type Family } from './families.ts';

const quota = { ipv4: Type.Optional(Type.Integer()), ipv6: Type.Optional(Type.Integer()) };
const entry = metaEntry(
  'address quotas',
  Type.Object({
    ...quota,
    reserve: Type.Optional(Type.Integer()),
    plans: Type.Array(Type.Object({ name: Type.String(), ...quota })),
  }),
);
const defaults = { ipv4: 8, ipv6: 16, reserve: 10 };

export async function storeAddressQuotas(queries: Queries, { addressQuota, plans = [] }: Site): Promise<void> {
  const ofPlans = plans.flatMap((plan) =>
    plan.addressQuota === undefined ? [] : [{ name: plan.name, ...plan.addressQuota }],
  );
  await entry.put(queries, { ...addressQuota, plans: ofPlans });
}

/** Returns the percentage of the pools that only staff can assign from. */
export async function poolReserve(queries: Queries): Promise<number> {
  return (await entry.find(queries))?.reserve ?? defaults.reserve;
}

/** Returns whether the service can have another block of this size without approval. The caller has locked the pools. */
export async function isWithinQuota(
  { queries, app }: Context,
  { account_id, id }: Service,
  family: Family,
  prefixLength: number,
): Promise<boolean> {
  const { mark, unitLength } = families[family];
  const blocks = (await netblockList(queries, account_id, id)).filter(({ first }) => first.startsWith(mark));
  const lengths = [...blocks.map(prefixLengthOf), prefixLength];
  // A block that is smaller than a unit counts as one.
  const units = lengths.reduce((sum, length) => sum + 2 ** Math.max(unitLength - length, 0), 0);
  const { plans, ...ofSite } = (await entry.find(queries)) ?? { plans: [] };
  const today = dayOf(app.clock.now());
  const terms = await termsOfService(queries, account_id, id);
  const term = terms.findLast(({ until_day }) => until_day === null || until_day > today);
  const included = family === 'ipv4' ? (term?.addresses_included ?? 0) : 0;
  const ofPlan = plans.find(({ name }) => name === term?.plan);
  return units <= (ofPlan?.[family] ?? Math.max(ofSite[family] ?? defaults[family], included));
}
