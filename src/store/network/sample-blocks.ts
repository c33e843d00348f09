// Recent samples, many in a row, and the meters of devices. See src/equipment/sample-blocks.ts.
import type { Insertable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import { affectsRows, batches, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { DeviceMetersTable, SampleBlockTable } from './tables.ts';

/** Members of blocks are ports of a switch by id, or machines of a hypervisor by service. */
export type SampleKind = SampleBlockTable['kind'];

export interface MemberSpan {
  readonly member: number;
  /** In Unix seconds. */
  readonly from: number;
  readonly to: number;
}

function selectSpan(queries: Queries, kind: SampleKind, { member, from, to }: MemberSpan) {
  return queries
    .selectFrom('sample_blocks')
    .select('packed')
    .where('kind', '=', kind)
    .where('first_member', '<=', member)
    .where('last_member', '>=', member)
    .where('last_start', '>=', from)
    .where('first_start', '<', to)
    .orderBy('id');
}
const blocksOfPort = prepared((queries: Queries, span: MemberSpan) =>
  selectSpan(queries, 'port', span).where('device', '=', (select) =>
    select.selectFrom('ports').select('switch').where('id', '=', span.member),
  ),
);
const blocksOfMachine = prepared((queries: Queries, span: MemberSpan) =>
  selectSpan(queries, 'machine', span).where('device', '=', (select) =>
    select.selectFrom('machine_meters').select('node').where('service_id', '=', span.member),
  ),
);
/** Returns the blocks that may have samples of this port or machine in the span, oldest first. */
export async function blocksOfMember(queries: Queries, kind: SampleKind, span: MemberSpan): Promise<Buffer[]> {
  const rows = await (kind === 'port' ? blocksOfPort : blocksOfMachine)(queries, span);
  return rows.map(({ packed }) => packed);
}

export async function sampleBlocksAdd(
  queries: Queries,
  blocks: readonly Insertable<SampleBlockTable>[],
): Promise<void> {
  for (const batch of batches(blocks)) await queries.insertInto('sample_blocks').values(batch).execute();
}

export type DeviceBlock = Pick<SampleBlockTable, 'kind' | 'device' | 'first_member' | 'last_member'>;

/** Returns the oldest block, if all of its samples are from before this time. */
export async function oldestBlockBefore(queries: Queries, before: number): Promise<DeviceBlock | undefined> {
  const columns = ['kind', 'device', 'first_member', 'last_member', 'last_start'] as const;
  const oldest = await queries.selectFrom('sample_blocks').select(columns).orderBy('id').limit(1).executeTakeFirst();
  return oldest === undefined || oldest.last_start >= before ? undefined : oldest;
}

/** Returns a device's blocks that share members with this one and are from before this time, oldest first. */
export async function blocksLike(
  queries: Queries,
  { kind, device, first_member, last_member }: DeviceBlock,
  before: number,
): Promise<{ readonly id: number; readonly packed: Buffer }[]> {
  return selectWhere(queries, 'sample_blocks', { kind, device })
    .select(['id', 'packed'])
    .where('first_member', '<=', last_member)
    .where('last_member', '>=', first_member)
    .where('last_start', '<', before)
    .orderBy('id')
    .execute();
}

export async function sampleBlocksRemove(queries: Queries, ids: readonly number[]): Promise<void> {
  for (const batch of batches(ids)) await queries.deleteFrom('sample_blocks').where('id', 'in', batch).execute();
}

const versionOf = prepared((queries: Queries, device: Pick<DeviceMetersTable, 'kind' | 'device'>) =>
  queries
    .selectFrom('device_meters')
    .select('version')
    .where('kind', '=', device.kind)
    .where('device', '=', device.device),
);
/** Returns 0 if the device has no meters yet. */
export async function deviceMetersVersion(queries: Queries, kind: SampleKind, device: string): Promise<number> {
  const [row] = await versionOf(queries, { kind, device });
  return row?.version ?? 0;
}

export async function deviceMetersVersions(
  queries: Queries,
  kind: SampleKind,
  devices: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (devices.length === 0) return new Map();
  const rows = await selectWhere(queries, 'device_meters', { kind })
    .select(['device', 'version'])
    .where('device', 'in', devices)
    .execute();
  return new Map(rows.map(({ device, version }) => [device, version]));
}

export async function deviceMetersFind(
  queries: Queries,
  kind: SampleKind,
  device: string,
): Promise<Pick<DeviceMetersTable, 'version' | 'meters'> | undefined> {
  return selectWhere(queries, 'device_meters', { kind, device }).select(['version', 'meters']).executeTakeFirst();
}

/** Replaces the meters of a device. Returns false if another instance has done so since this version. */
export async function deviceMetersReplace(
  queries: Queries,
  { kind, device, version, meters }: DeviceMetersTable,
): Promise<boolean> {
  if (version > 0)
    return affectsRows(
      updateWhere(queries, 'device_meters', { kind, device, version })
        .set({ version: version + 1, meters })
        .returning('version'),
    );
  return affectsRows(insertNew(queries, 'device_meters', { kind, device, version: 1, meters }).returning('version'));
}
