// The alarm for a site file that the last start could not apply. Stored, so that every instance, the metrics and the panel show
// it until a file has been applied.
import { Type, type Static } from 'typebox';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';

const SiteFileProblem = Type.Object({ at: Type.Number(), message: Type.String() });
const entry = metaEntry('site file problem', SiteFileProblem);
const maxLength = 500;

/** Keeps the first line; a broken file can have hundreds of problems. */
export async function recordSiteProblem({ store, clock }: App, { message }: Error): Promise<void> {
  await entry.put(store.queries, { at: clock.now(), message: message.split('\n')[0]!.slice(0, maxLength) });
}

export function findSiteProblem(queries: Queries): Promise<Static<typeof SiteFileProblem> | undefined> {
  return entry.find(queries);
}

export function clearSiteProblem(queries: Queries): Promise<void> {
  return entry.remove(queries);
}
