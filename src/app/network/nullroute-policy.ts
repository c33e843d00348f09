// The operator's word on null-routes, kept in the database so that every node goes by the same.
import type { SiteNullroutes } from '#contract/site-attacks.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

export interface NullroutePolicy {
  readonly policy: 'never' | 'offer' | 'automatic';
  /** Undefined: not looked at. */
  readonly packetsPerSecond: number | undefined;
  readonly bitsPerSecond: number | undefined;
  readonly minutes: number;
  readonly perDay: number;
  readonly ceiling: number;
}

const metaName = 'null-routes';
const defaults = { minutes: 60, perDay: 20, ceiling: 1000 };

export async function nullroutePolicyPut(queries: Queries, site: SiteNullroutes | undefined): Promise<void> {
  const { policy = 'never', threshold, minutes, perDay, ceiling } = site ?? {};
  const settings = {
    policy,
    ...threshold,
    minutes: minutes ?? defaults.minutes,
    perDay: perDay ?? defaults.perDay,
    ceiling: ceiling ?? defaults.ceiling,
  };
  await metaPut(queries, metaName, JSON.stringify(settings));
}

export async function nullroutePolicy(queries: Queries): Promise<NullroutePolicy> {
  const text = await metaFind(queries, metaName);
  const none = { policy: 'never', ...defaults } as const;
  const kept = text === undefined ? none : (JSON.parse(text) as typeof none);
  return { packetsPerSecond: undefined, bitsPerSecond: undefined, ...kept };
}
