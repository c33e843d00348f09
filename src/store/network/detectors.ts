// Who may tell of attacks, each with its sealed settings.
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';

export interface DetectorTable {
  name: string;
  /** JSON, sealed: it holds the secret under which the detector signs. */
  settings: string;
}

const find = prepared((queries: Queries, values: { name: string }) =>
  queries.selectFrom('detectors').selectAll().where('name', '=', values.name),
);
export async function detectorFind(queries: Queries, name: string): Promise<DetectorTable | undefined> {
  return (await find(queries, { name }))[0];
}

export async function detectorList(queries: Queries): Promise<DetectorTable[]> {
  return queries.selectFrom('detectors').selectAll().orderBy('name').execute();
}

export async function detectorPut(queries: Queries, detector: DetectorTable): Promise<void> {
  await queries
    .insertInto('detectors')
    .values(detector)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ settings: detector.settings }))
    .execute();
}

export async function detectorRemove(queries: Queries, name: string): Promise<void> {
  await queries.deleteFrom('detectors').where('name', '=', name).execute();
}
