// The deprecation and sunset dates of the legacy API. They are stored in the database so that all instances announce
// the same.
import { Type, type Static } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import type { SiteLegacy } from '#contract/site/legacy.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { SiteProblem } from './site-problem.ts';

export type LegacyEnd = Static<typeof SiteLegacy>;

const entry = metaEntry('legacy end', Type.Union([Type.Unsafe<LegacyEnd>(Type.Object({})), Type.Null()]));

export async function storeLegacyEnd(queries: Queries, { legacy }: Site): Promise<void> {
  await entry.put(queries, legacy ?? null);
}

export async function legacyEndFind(queries: Queries): Promise<LegacyEnd | undefined> {
  return (await entry.find(queries)) ?? undefined;
}

export function* checkLegacyEnd({ legacy }: Site): Iterable<SiteProblem> {
  if (legacy?.sunset !== undefined && legacy.sunset < legacy.deprecated)
    yield [['legacy', 'sunset'], 'sunset must not be before deprecated'];
}
