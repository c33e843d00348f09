// When the legacy interface ends. It stands in the database, so that every node tells the same.
import type { Static } from 'typebox';
import type { Site } from '#contract/site.ts';
import type { SiteLegacy } from '#contract/site-legacy.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { PlacedFault } from './placed-fault.ts';

export type LegacyEnd = Static<typeof SiteLegacy>;

const name = 'legacy end';

export async function legacyEndPut(queries: Queries, { legacy }: Site): Promise<void> {
  await metaPut(queries, name, JSON.stringify(legacy ?? null));
}

export async function legacyEndFind(queries: Queries): Promise<LegacyEnd | undefined> {
  return (JSON.parse((await metaFind(queries, name)) ?? 'null') as LegacyEnd | null) ?? undefined;
}

export function* legacyFaults({ legacy }: Site): Iterable<PlacedFault> {
  if (legacy?.sunset !== undefined && legacy.sunset < legacy.deprecated)
    yield [['legacy', 'sunset'], 'sunset lies before deprecated'];
}
