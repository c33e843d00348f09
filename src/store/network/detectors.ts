// Detectors that may report attacks, with their sealed settings.
import { Type } from 'typebox';
import { preparedFind } from '../engine/prepared-rows.ts';
import { putRow } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import type { DetectorTable } from './tables.ts';

export interface DetectorSettings {
  readonly secret: string;
  readonly silentMinutes: number;
  readonly redis: { readonly url: string; readonly prefix: string } | undefined;
}
/** Sealed, because it contains the secret that the detector signs with. */
export const detectorSettings = jsonColumn(
  'detectors.settings',
  Type.Unsafe<DetectorSettings>(
    Type.Object({
      secret: Type.String(),
      silentMinutes: Type.Number(),
      redis: Type.Optional(Type.Object({ url: Type.String(), prefix: Type.String() })),
    }),
  ),
);

export const detectorFind = preparedFind('detectors', 'name');

export async function detectorList(queries: Queries): Promise<DetectorTable[]> {
  return queries.selectFrom('detectors').selectAll().orderBy('name').execute();
}

export async function detectorPut(queries: Queries, detector: DetectorTable): Promise<void> {
  await putRow(queries, 'detectors', ['name'], detector);
}

export async function detectorRemove(queries: Queries, name: string): Promise<void> {
  await queries.deleteFrom('detectors').where('name', '=', name).execute();
}
