// The operator's null-route policy, stored in the database so that all instances use the same.
import { Type } from 'typebox';
import type { SiteNullroutes } from '#contract/site/attacks.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

export interface NullroutePolicy {
  readonly policy: 'never' | 'offer' | 'automatic';
  /** undefined if not used. */
  readonly packetsPerSecond: number | undefined;
  readonly bitsPerSecond: number | undefined;
  readonly minutes: number;
  readonly perDay: number;
  readonly ceiling: number;
}

const entry = metaEntry(
  'null-routes',
  Type.Object({
    policy: Type.Unsafe<NullroutePolicy['policy']>(Type.String()),
    packetsPerSecond: Type.Optional(Type.Number()),
    bitsPerSecond: Type.Optional(Type.Number()),
    minutes: Type.Number(),
    perDay: Type.Number(),
    ceiling: Type.Number(),
  }),
);
const defaults = { minutes: 60, perDay: 20, ceiling: 1000 };

/** The share of the ceiling that a service, an account and all accounts together may use. The rest is for the policy and for staff. */
export const ceilingShares = {
  customer: { service: 0.05, account: 0.1, all: 0.5 },
  policy: { service: 0.25, account: 0.5, all: 0.9 },
  operator: { service: 1, account: 1, all: 1 },
} as const;

export async function storeNullroutePolicy(queries: Queries, site: SiteNullroutes | undefined): Promise<void> {
  const { policy = 'never', threshold, minutes, perDay, ceiling } = site ?? {};
  const settings = {
    policy,
    ...threshold,
    minutes: minutes ?? defaults.minutes,
    perDay: perDay ?? defaults.perDay,
    ceiling: ceiling ?? defaults.ceiling,
  };
  await entry.put(queries, settings);
}

export async function nullroutePolicy(queries: Queries): Promise<NullroutePolicy> {
  const none = { policy: 'never', ...defaults } as const;
  const stored = (await entry.find(queries)) ?? none;
  return { packetsPerSecond: undefined, bitsPerSecond: undefined, ...stored };
}
