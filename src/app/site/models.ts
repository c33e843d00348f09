// Models of BMCs, switches and power strips, with how long to wait for them.
import type { Site } from '#contract/site/site.ts';
import { storeModels } from '#equipment/waits.ts';
import { reopenDevices } from '#store/devices/revisions.ts';
import type { StoredRows } from '#store/operator/site-rows.ts';
import type { Queries } from '#store/store.ts';
import { createDuplicateCheck, type SiteProblem } from './site-problem.ts';

/** Open connections have the earlier waits, so they are replaced. */
export async function applyModels(queries: Queries, { models = [] }: Site, stored: StoredRows): Promise<void> {
  const changed = await storeModels(queries, models);
  if (changed.size === 0) return;
  const servers = [...stored.servers.values()].filter(({ bmc_model }) => changed.has(bmc_model));
  await reopenDevices(
    queries,
    'servers',
    servers.map(({ name }) => name),
  );
  // Their models are in their sealed settings.
  await reopenDevices(queries, 'switches', [...stored.switches.keys()]);
  await reopenDevices(queries, 'pdus', [...stored.pdus.keys()]);
}

export function* checkModels({ models = [] }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  for (const [index, { name, waits }] of models.entries()) {
    const path = ['models', index];
    if (isDuplicate('model', name)) yield [[...path, 'name'], `model ${name} is defined twice; give each its own name`];
    const { responseSeconds = 0, commandSeconds = Infinity } = waits;
    if (commandSeconds < responseSeconds)
      yield [[...path, 'waits', 'commandSeconds'], 'commandSeconds must not be less than responseSeconds'];
  }
}
