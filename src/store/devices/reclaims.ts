// One row per reclaim of a server between two customers. The findings grow step by step; a step that has findings
// is not repeated after a crash or a retry, unless a later step marked it as open.
import type { Selectable } from 'kysely';
import { Type, type Static } from 'typebox';
import { eraseMethods, reclaimStepNames, type EraseMethod, type ReclaimStep } from '#contract/states/servers.ts';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import { jsonColumn } from '../json-column.ts';
import type { Queries } from '../store.ts';
import type { ReclaimTable } from './tables.ts';

export const ErasedDisk = Type.Object({
  serial: Type.String(),
  bytes: Type.Number(),
  /** Null if nothing was tried. */
  method: Type.Union([Type.Unsafe<EraseMethod>(Type.Enum([...eraseMethods])), Type.Null()]),
  seconds: Type.Number(),
  isErased: Type.Boolean(),
});
export type ErasedDisk = Static<typeof ErasedDisk>;

/** The erasing system's final report. */
export const EraseFindings = Type.Object({ disks: Type.Array(ErasedDisk), memoryMb: Type.Number() });
export type EraseFindings = Static<typeof EraseFindings>;
export const eraseFindings = jsonColumn('reloads.findings', EraseFindings);

const SignOff = Type.Object({ operator: Type.String(), reason: Type.String() });
export const Finding = Type.Object({
  at: Type.Number(),
  /** Set if an engineer answers for the step instead of its result. */
  signedOff: Type.Optional(SignOff),
  /** Set while the step has to be repeated. */
  isOpen: Type.Optional(Type.Literal(true)),
  /** `users`: how many were removed, and how many of the provider's are left. */
  removed: Type.Optional(Type.Number()),
  remaining: Type.Optional(Type.Number()),
  /** `erase`: undefined if the site file says not to erase. */
  disks: Type.Optional(Type.Array(ErasedDisk)),
  memoryMb: Type.Optional(Type.Number()),
  /** `isolate`: the number of switch ports. */
  ports: Type.Optional(Type.Number()),
  /** `inventory`: versions by component. */
  firmware: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type Finding = Static<typeof Finding>;
export type Findings = { [Step in ReclaimStep]?: Finding };
export const reclaimFindings = jsonColumn(
  'reclaims.findings',
  Type.Unsafe<Findings>(
    Type.Object(Object.fromEntries(reclaimStepNames.map((step) => [step, Type.Optional(Finding)]))),
  ),
);

export type Reclaim = Selectable<ReclaimTable>;

/** Returns false if the server is already being reclaimed. */
export async function reclaimInsert(
  queries: Queries,
  reclaim: Pick<Reclaim, 'id' | 'server' | 'account_id' | 'service_id' | 'workflow_id' | 'started_at'>,
): Promise<boolean> {
  return affectsRows(
    queries
      .insertInto('reclaims')
      .values({ ...reclaim, step: null, reason: '', findings: '{}', ended_at: null })
      .onConflict((conflict) => conflict.column('server').where('ended_at', 'is', null).doNothing())
      .returning('id'),
  );
}

export async function reclaimLoad(queries: Queries, id: string): Promise<Reclaim | undefined> {
  return selectWhere(queries, 'reclaims', { id }).selectAll().executeTakeFirst();
}

/** Returns the one in progress, quarantined ones included. */
export async function reclaimOfServer(queries: Queries, server: string): Promise<Reclaim | undefined> {
  return selectWhere(queries, 'reclaims', { server, ended_at: null }).selectAll().executeTakeFirst();
}

/** Returns those in progress, quarantined ones included, by server. */
export async function reclaimsOpen(queries: Queries, after: string, limit: number): Promise<Reclaim[]> {
  const open = selectWhere(queries, 'reclaims', { ended_at: null }).selectAll().where('server', '>', after);
  return open.orderBy('server').limit(limit).execute();
}

/** Returns the services that had the server before, with when each ended; newest first. */
export async function tenantsBefore(queries: Queries, server: string, limit: number) {
  return queries
    .selectFrom('reclaims')
    .innerJoin('services', 'services.id', 'reclaims.service_id')
    .select(['services.id', 'services.account_id', 'services.hostname', 'reclaims.started_at as ended_at'])
    .where('reclaims.server', '=', server)
    .orderBy('reclaims.id', 'desc')
    .limit(limit)
    .execute();
}

export async function reclaimUpdate(
  queries: Queries,
  id: string,
  change: Partial<Pick<Reclaim, 'workflow_id' | 'step' | 'reason' | 'ended_at'>>,
): Promise<void> {
  await updateWhere(queries, 'reclaims', { id }).set(change).execute();
}

/** Adds the findings of a step. Must run in a transaction. */
export async function reclaimFind(queries: Queries, id: string, step: ReclaimStep, finding: Finding): Promise<void> {
  const { findings } = await updateWhere(queries, 'reclaims', { id })
    .set((set) => ({ findings: set.ref('findings') }))
    .returning('findings')
    .executeTakeFirstOrThrow();
  const all = { ...reclaimFindings.decode(findings), [step]: finding };
  await updateWhere(queries, 'reclaims', { id })
    .set({ findings: reclaimFindings.encode(all) })
    .execute();
}

/** Returns whether the step has succeeded or was signed off, and need not be repeated. */
export function isReclaimStepDone(findings: Findings, step: ReclaimStep): boolean {
  const finding = findings[step];
  return finding !== undefined && finding.isOpen !== true;
}

/** Returns the first step that is not done. */
export function nextReclaimStep(findings: Findings): ReclaimStep | undefined {
  return reclaimStepNames.find((step) => !isReclaimStepDone(findings, step));
}
